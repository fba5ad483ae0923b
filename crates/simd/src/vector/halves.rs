//! [`Halves`]: moving lanes within each half of a register.

use core::array::from_fn;

use super::{Emulated, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers whose halves are registers of their own: four lanes of one number, and four of
/// another.
pub trait Halves: Vector {
    /// Lane `lane` of each half, in all lanes of that half; `lane` is public.
    ///
    /// # Panics
    /// If a half has fewer.
    fn splat_in_halves(self, lane: usize) -> Self;
    /// Lanes of each half moved up by `n`, which is public and less than they are: the last `n`
    /// lanes of the same half of `below`, then the first ones of self.
    fn up_in_halves(self, below: Self, n: usize) -> Self;
}

impl<const N: usize> Halves for Emulated<N> {
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    fn splat_in_halves(self, lane: usize) -> Self {
        let half = N / 2;
        assert!(lane < half, "a lane of a half");
        Self(from_fn(|l| self.0[if l < half { lane } else { half + lane }]))
    }
    #[inline(never)]
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    fn up_in_halves(self, below: Self, n: usize) -> Self {
        let half = N / 2;
        Self(from_fn(|l| if l % half < n { below.0[l + half - n] } else { self.0[l - n] }))
    }
}
