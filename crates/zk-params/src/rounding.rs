//! Words modulo 2^w, and rounding to multiples of 2^d: half up, everywhere.
//!
//! 2^d divides 2^w, so x = 2^d high(x) + low(x) modulo 2^w for every x, without border cases.

use tautochrone_simd::{Isa, Token, vectorize};

use crate::words::Word;

/// Rounds words modulo 2^w to multiples of 2^d. Words may have any bits above w: they are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounding {
    w: u32,
    d: u32,
}

impl Rounding {
    /// # Panics
    /// Unless d < w <= 64.
    pub const fn new(w: u32, d: u32) -> Self {
        assert!(d < w && w <= 64, "a high part is left");
        Self { w, d }
    }

    /// x modulo 2^w.
    #[inline(always)]
    pub const fn reduce(self, x: u64) -> u64 {
        x & (u64::MAX >> (64 - self.w))
    }

    /// floor((x + 2^(d-1)) / 2^d) modulo 2^(w-d); x itself for d = 0.
    #[inline(always)]
    pub const fn high(self, x: u64) -> u64 {
        let half = (1 << self.d) >> 1;
        self.reduce(self.reduce(x).wrapping_add(half)) >> self.d
    }

    /// x - 2^d high(x) modulo 2^w, in [-2^(d-1), 2^(d-1)); 0 for d = 0.
    #[inline(always)]
    pub const fn low(self, x: u64) -> i64 {
        if self.d == 0 {
            return 0;
        }
        // The lowest d bits with the highest of them as their sign.
        let shift = 64 - self.d;
        (x << shift).cast_signed() >> shift
    }

    /// The high parts of words.
    pub fn high_all<W: Word, U: Word>(self, words: &[W], high: &mut [U]) {
        match Isa::detect_vectors().avx2() {
            Some(token) => vectorize!(token, self.high_any(words, high)),
            None => self.high_any(words, high),
        }
    }

    /// In the words' own size: what overflows lies above w bits.
    #[inline(always)]
    fn high_any<W: Word, U: Word>(self, words: &[W], high: &mut [U]) {
        for (high, word) in high.iter_mut().zip(words) {
            *high = U::from_u64(self.high(word.to_u64()));
        }
    }

    /// The difference of two high parts, centred: in [-2^(w-d-1), 2^(w-d-1)).
    #[inline(always)]
    pub const fn difference(self, a: u64, b: u64) -> i64 {
        let shift = 64 - (self.w - self.d);
        (a.wrapping_sub(b) << shift).cast_signed() >> shift
    }

    /// `high` + `hint` modulo 2^(w-d).
    #[inline(always)]
    pub const fn add(self, high: u64, hint: i64) -> u64 {
        high.wrapping_add(hint.cast_unsigned()) & (u64::MAX >> (64 - (self.w - self.d)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn extremes(w: u32, d: u32) -> Vec<u64> {
        let q = 1_u128 << w;
        let step = 1_u128 << d;
        [0, 1, step / 2, step, q / 2, q - 1, q - step / 2, q - step]
            .into_iter()
            .flat_map(|x| [x.wrapping_sub(1), x, x + 1])
            .map(|x| (x % q) as u64)
            .collect()
    }

    /// By the definition, over the integers.
    fn check(w: u32, d: u32, x: u64, above: u64) {
        let (rounding, q) = (Rounding::new(w, d), 1_i128 << w);
        let word = if w < 64 { x | above << w } else { x };
        let (high, low) = (rounding.high(word), rounding.low(word));
        let step = 1_i128 << d;
        let expected = ((i128::from(x) + step / 2) / step).rem_euclid(q / step);
        assert_eq!(i128::from(high), expected, "w = {w}, d = {d}, x = {x:#x}");
        assert_eq!((i128::from(high) * step + i128::from(low) - i128::from(x)).rem_euclid(q), 0);
        let half = step / 2;
        assert!((-half..half.max(1)).contains(&i128::from(low)));
    }

    proptest! {
        #[test]
        fn words_are_their_parts(w in 17_u32..=64, d in 0_u32..59, x: u64, above: u64) {
            let d = d.min(w - 6);
            for x in extremes(w, d).into_iter().chain([x & (u64::MAX >> (64 - w))]) {
                for above in [0, 1, above, u64::MAX] {
                    check(w, d, x, above);
                }
            }
        }

        #[test]
        fn differences_are_centred(w in 17_u32..=64, d in 0_u32..59, a: u64, b: u64) {
            let d = d.min(w - 6);
            let rounding = Rounding::new(w, d);
            let (a, b) = (rounding.high(a), rounding.high(b));
            let hint = rounding.difference(a, b);
            let half = 1_i128 << (w - d - 1);
            prop_assert!((-half..half).contains(&i128::from(hint)));
            prop_assert_eq!(rounding.add(b, hint), a);
        }
    }
}
