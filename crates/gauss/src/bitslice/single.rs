//! One sample at a time, from any generator: the alias table itself, every slot read for every
//! sample.
//!
//! The distribution is that of [`Bitslice::fill`], the stream of samples is not; `fill` is tens of
//! times faster.

use rand::distr::Distribution;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::alias::AliasTable;
use super::raw::{Raw, value};
use super::sampler::Bitslice;

/// 1 if r < t, else 0: the borrow of r - t (Warren, Hacker's Delight, section 2-13).
const fn below(r: u128, t: u128) -> u8 {
    (((!r & t) | ((!r | t) & r.wrapping_sub(t))) >> 127) as u8
}

/// [`AliasTable::value_vartime`] in constant time.
fn look_up(table: &AliasTable, index: u16, r: u128) -> u16 {
    let (mut primary, mut alias, mut low, mut high) = (0_u16, 0_u16, 0_u64, 0_u64);
    for (i, slot) in (0_u16..).zip(table.slots()) {
        let here = i.ct_eq(&index);
        primary.conditional_assign(&slot.primary, here);
        alias.conditional_assign(&slot.alias, here);
        low.conditional_assign(&(slot.threshold as u64), here);
        high.conditional_assign(&((slot.threshold >> 64) as u64), here);
    }
    let threshold = u128::from(high) << 64 | u128::from(low);
    u16::conditional_select(&alias, &primary, Choice::from(below(r, threshold)))
}

impl Bitslice {
    /// One sample: a word of `rng` for slot and sign, one or two for r, twice that for a sum.
    pub(super) fn one<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i32 {
        let mut draw = || {
            let bits = self.table.threshold_bits();
            let word = rng.next_u64();
            let mut r = u128::from(rng.next_u64());
            if bits > 64 {
                r |= u128::from(rng.next_u64()) << 64;
            }
            let index = (word & ((1 << self.table.slot_bits()) - 1)) as u16;
            let z = look_up(&self.table, index, r & (u128::MAX >> (128 - bits)));
            let [low, high] = z.to_le_bytes();
            value(self.kernel.shape(), <u16 as Raw>::join(low, high | (word >> 56) as u8 & 0x80))
        };
        match self.factor {
            None => draw(),
            Some(k) => draw() + k as i32 * draw(),
        }
    }
}

impl Distribution<i32> for Bitslice {
    /// One sample straight from `rng`, in constant time. [`Bitslice::fill`] is tens of times
    /// faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i32 {
        self.one(rng)
    }
}

impl Distribution<i64> for Bitslice {
    /// One sample straight from `rng`, in constant time. [`Bitslice::fill`] is tens of times
    /// faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.one(rng).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Half, Pmf, Variance};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn below_is_less_than(r: u128, t: u128, step in -1_i128..=1) {
            prop_assert_eq!(below(r, t), u8::from(r < t));
            let near = t.wrapping_add_signed(step);
            prop_assert_eq!(below(near, t), u8::from(near < t));
        }
    }

    #[test]
    fn look_ups_are_the_definition() {
        for precision in [32, 64, 128] {
            let variance = Variance::from_sigma(3.19).unwrap();
            let pmf = Pmf::new(&variance, Half::Folded, precision).unwrap();
            let table = AliasTable::identity(&pmf, 6);
            for (i, slot) in table.slots().iter().enumerate() {
                let t = slot.threshold;
                for r in [0, t.saturating_sub(1), t, t + 1, (1 << table.threshold_bits()) - 1] {
                    assert_eq!(look_up(&table, i as u16, r), table.value_vartime(i, r));
                }
            }
        }
    }
}
