//! [`Lanes`]: moving whole lanes within and between registers.

use core::array::from_fn;

use super::emulated::{EmulatedMask, mask};
use super::{Emulated, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers whose lanes can be moved.
pub trait Lanes: Vector {
    /// The mask that holds in lane i where bit i of `bits` is set.
    fn mask_from_bits(token: Self::Token, bits: u32) -> Self::Mask;

    /// Lane 0.
    fn first(self) -> u64;
    /// `x` in lane 0, zero in the others.
    fn from_first(token: Self::Token, x: u64) -> Self;
    /// Lane `L` in all lanes.
    fn splat_lane<const L: usize>(self) -> Self;
    /// Element `at` of `registers`, counted in lanes, in all lanes; `at` is public.
    ///
    /// # Panics
    /// If there are fewer.
    fn splat_element(token: Self::Token, registers: &[Self], at: usize) -> Self;

    /// Lanes moved up by `n` < [`Vector::LANES`], which is public: the last `n` lanes of `below`,
    /// then the first ones of self.
    fn up(self, below: Self, n: usize) -> Self;
    /// self and `y` interleaved: (self_0, y_0, self_1, y_1, ..), the lower half and the upper one.
    fn interleave(self, y: Self) -> (Self, Self);
    /// The sum of all lanes modulo 2^64.
    fn sum(self) -> u64;
}

impl<const N: usize> Lanes for Emulated<N> {
    fn mask_from_bits((): (), bits: u32) -> EmulatedMask<N> {
        EmulatedMask(from_fn(|l| mask(bits >> l & 1 == 1)))
    }

    fn first(self) -> u64 {
        self.0[0]
    }
    fn from_first((): (), x: u64) -> Self {
        Self(from_fn(|l| if l == 0 { x } else { 0 }))
    }
    fn splat_lane<const L: usize>(self) -> Self {
        Self([self.0[L]; N])
    }
    #[expect(clippy::integer_division_remainder_used, reason = "places are public")]
    fn splat_element((): (), registers: &[Self], at: usize) -> Self {
        Self([registers[at / N].0[at % N]; N])
    }

    #[inline(never)]
    fn up(self, below: Self, n: usize) -> Self {
        Self(from_fn(|l| if l < n { below.0[N + l - n] } else { self.0[l - n] }))
    }
    #[inline(never)]
    fn interleave(self, y: Self) -> (Self, Self) {
        let lane = |k: usize| if k & 1 == 0 { self.0[k >> 1] } else { y.0[k >> 1] };
        (Self(from_fn(lane)), Self(from_fn(|k| lane(k + N))))
    }
    fn sum(self) -> u64 {
        self.0.iter().fold(0, |sum, &x| sum.wrapping_add(x))
    }
}

impl<V: Lanes> Lanes for Pair<V> {
    #[inline(always)]
    fn mask_from_bits(token: V::Token, bits: u32) -> Self::Mask {
        Pair(V::mask_from_bits(token, bits), V::mask_from_bits(token, bits >> V::LANES))
    }

    #[inline(always)]
    fn first(self) -> u64 {
        self.0.first()
    }
    #[inline(always)]
    fn from_first(token: V::Token, x: u64) -> Self {
        Self(V::from_first(token, x), V::zero(token))
    }
    #[inline(always)]
    fn splat_lane<const L: usize>(self) -> Self {
        Self::splat_element(self.token(), &[self], L)
    }
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "places are public")]
    fn splat_element(token: V::Token, registers: &[Self], at: usize) -> Self {
        let Pair(first, second) = &registers[at / Self::LANES];
        let at = at % Self::LANES;
        let half = if at < V::LANES { first } else { second };
        let all = V::splat_element(token, core::slice::from_ref(half), at % V::LANES);
        Self(all, all)
    }

    #[inline(always)]
    fn up(self, below: Self, n: usize) -> Self {
        if n < V::LANES {
            Self(self.0.up(below.1, n), self.1.up(self.0, n))
        } else {
            let n = n - V::LANES;
            Self(below.1.up(below.0, n), self.0.up(below.1, n))
        }
    }
    #[inline(always)]
    fn interleave(self, y: Self) -> (Self, Self) {
        let (lower, upper) = (self.0.interleave(y.0), self.1.interleave(y.1));
        (Self(lower.0, lower.1), Self(upper.0, upper.1))
    }
    #[inline(always)]
    fn sum(self) -> u64 {
        self.0.sum().wrapping_add(self.1.sum())
    }
}
