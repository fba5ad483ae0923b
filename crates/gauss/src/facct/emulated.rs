//! [`Lanes`] as arrays: the definition of every method, for checks where the instructions are missing: on other CPUs, and
//! under valgrind, which follows secrets through this code as it can not through AVX-512.

use core::array::from_fn;
use core::hint::black_box;

use super::batch::Element;
use super::lanes::Lanes;

/// Eight lanes in memory.
#[derive(Clone, Copy)]
pub(super) struct Emulated([u64; 8]);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(super) struct Mask([u64; 8]);

/// All ones if the condition holds. Compilers turn masks that they see through into branches.
fn mask(condition: bool) -> u64 {
    black_box(u64::from(condition)).wrapping_neg()
}

impl Emulated {
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn zip_f64(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        self.zip(other, |a, b| f(f64::from_bits(a), f64::from_bits(b)).to_bits())
    }

    /// Of the halves of every lane.
    fn halves(f: impl Fn(usize) -> [u32; 2]) -> Self {
        Self(from_fn(|i| {
            let [low, high] = f(i);
            u64::from(high) << 32 | u64::from(low)
        }))
    }

    fn half(self, i: usize) -> [u32; 2] {
        [self.0[i] as u32, (self.0[i] >> 32) as u32]
    }
}

/// Entry number `index` mod N; every entry is read, so no address is secret.
fn look_up<const N: usize>(table: &[u64; N], index: u64) -> u64 {
    (0..).zip(table).fold(0, |found, (i, entry)| found | entry & mask(i == index % N as u64))
}

impl Lanes for Emulated {
    type Mask = Mask;
    type Table = [u64; 32];

    fn load(words: &[u64; 8]) -> Self {
        Self(*words)
    }

    fn load_f64(numbers: &[f64; 8]) -> Self {
        Self(numbers.map(f64::to_bits))
    }

    fn store(self, out: &mut [i64; 8]) {
        *out = self.0.map(u64::cast_signed);
    }

    fn compress<T: Element>(self, kept: u8, out: &mut [T; 8]) {
        let kept = self.0.iter().enumerate().filter(|(i, _)| kept >> i & 1 == 1);
        for (out, (_, lane)) in out.iter_mut().zip(kept) {
            *out = T::cut(lane.cast_signed());
        }
    }

    fn splat(word: u64) -> Self {
        Self([word; 8])
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    fn sub(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    fn select(self, one: Self, zero: Self) -> Self {
        Self(from_fn(|i| self.0[i] & one.0[i] | !self.0[i] & zero.0[i]))
    }

    fn or_unmasked(self, bits: Self, mask: Self) -> Self {
        Self(from_fn(|i| self.0[i] | bits.0[i] & !mask.0[i]))
    }

    fn shl<const N: u32>(self) -> Self {
        self.map(|a| a << N)
    }

    fn shr<const N: u32>(self) -> Self {
        self.map(|a| a >> N)
    }

    fn product(self, factor: Self) -> (Self, Self) {
        const LOW_52: u64 = (1 << 52) - 1;
        let product = |a: u64, b: u64| u128::from(a & LOW_52) * u128::from(b);
        let high = self.zip(factor, |a, b| (product(a, b) >> 52) as u64);
        (high, self.zip(factor, |a, b| product(a, b) as u64 & LOW_52))
    }

    fn add_product(self, x: Self, factor: Self) -> Self {
        self.add(x.zip(factor, |a, b| a * b))
    }

    fn add_f64(self, other: Self) -> Self {
        self.zip_f64(other, |a, b| a + b)
    }

    fn sub_f64(self, other: Self) -> Self {
        self.zip_f64(other, |a, b| a - b)
    }

    fn mul_f64(self, other: Self) -> Self {
        self.zip_f64(other, |a, b| a * b)
    }

    fn mul_add_f64(self, factor: Self, summand: Self) -> Self {
        let number = |lanes: Self, i: usize| f64::from_bits(lanes.0[i]);
        let sum = |i| number(self, i).mul_add(number(factor, i), number(summand, i));
        Self(from_fn(|i| sum(i).to_bits()))
    }

    fn floor_f64(self) -> Self {
        // `f64::floor` is a routine with branches where no instruction does it.
        self.map(|a| {
            let a = f64::from_bits(a);
            let truncated = a as i64;
            ((truncated - i64::from(truncated as f64 > a)) as f64).to_bits()
        })
    }

    fn to_f64(self) -> Self {
        self.map(|a| (a.cast_signed() as f64).to_bits())
    }

    fn to_i64(self) -> Self {
        self.map(|a| (f64::from_bits(a) as i64).cast_unsigned())
    }

    fn to_u64(self) -> Self {
        self.map(|a| f64::from_bits(a) as u64)
    }

    fn less(self, other: Self) -> Mask {
        Mask(self.zip(other, |a, b| mask(a < b)).0)
    }

    fn less_63(self, other: Self) -> Mask {
        self.less(other)
    }

    fn is_zero(self) -> Mask {
        Mask(self.map(|a| mask(a == 0)).0)
    }

    fn bit_32(self) -> Mask {
        Mask(self.map(|a| mask(a >> 32 & 1 == 1)).0)
    }

    fn choose(Mask(mask): Mask, yes: Self, no: Self) -> Self {
        Self(mask).select(yes, no)
    }

    fn nowhere() -> Mask {
        Mask([0; 8])
    }

    fn both(Mask(a): Mask, Mask(b): Mask) -> Mask {
        Mask(from_fn(|i| a[i] & b[i]))
    }

    fn either(Mask(a): Mask, Mask(b): Mask) -> Mask {
        Mask(from_fn(|i| a[i] | b[i]))
    }

    fn but_not(Mask(a): Mask, Mask(b): Mask) -> Mask {
        Mask(from_fn(|i| a[i] & !b[i]))
    }

    fn bits(Mask(mask): Mask) -> u8 {
        (0..8).fold(0, |bits, i| bits | ((mask[i] & 1) as u8) << i)
    }

    fn table_32(entries: &[u32; 32]) -> [u64; 32] {
        entries.map(u64::from)
    }

    fn table_64(entries: &[u64; 16]) -> [u64; 32] {
        from_fn(|i| entries[i % 16])
    }

    fn look_up_32(self, table: &[u64; 32]) -> Self {
        Self::halves(|i| self.half(i).map(|index| look_up(table, index.into()) as u32))
    }

    fn look_up_64(self, table: &[u64; 32]) -> Self {
        self.map(|index| look_up(table, index))
    }

    fn choose_less_32(self, limit: Self, yes: Self, no: Self) -> Self {
        let less = |i: usize, j: usize| mask(self.half(i)[j] < limit.half(i)[j]) as u32;
        Self::halves(|i| [less(i, 0), less(i, 1)]).select(yes, no)
    }

    fn even_32(low: Self, high: Self) -> Self {
        Self::halves(|i| [low.half(i)[0], high.half(i)[0]])
    }

    fn odd_32(low: Self, high: Self) -> Self {
        Self::halves(|i| [low.half(i)[1], high.half(i)[1]])
    }
}
