//! [`Lanes`]: moving whole lanes within and between registers.

use core::array::from_fn;

use super::emulated::{EmulatedMask, mask};
use super::{Emulated, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers whose lanes can be moved.
pub trait Lanes: Vector {
    /// The mask that holds in lane i where bit i of `bits` is set.
    fn mask_from_bits(token: Self::Token, bits: u32) -> Self::Mask;

    /// Lane 0.
    fn first(self) -> u64;
    /// Element `at` of `registers`, counted in lanes, in all lanes; `at` is public.
    ///
    /// # Panics
    /// If there are fewer.
    fn splat_element(token: Self::Token, registers: &[Self], at: usize) -> Self;

    /// Lanes moved up by `n` < [`Vector::LANES`], which is public: the last `n` lanes of `below`,
    /// then the first ones of self.
    fn up(self, below: Self, n: usize) -> Self;
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
    #[expect(clippy::integer_division_remainder_used, reason = "places are public")]
    fn splat_element((): (), registers: &[Self], at: usize) -> Self {
        Self([registers[at / N].0[at % N]; N])
    }

    #[inline(never)]
    fn up(self, below: Self, n: usize) -> Self {
        Self(from_fn(|l| if l < n { below.0[N + l - n] } else { self.0[l - n] }))
    }
    fn sum(self) -> u64 {
        self.0.iter().fold(0, |sum, &x| sum.wrapping_add(x))
    }
}
