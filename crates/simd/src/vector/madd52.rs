//! [`Madd52`]: multiply-add of 52 bits.

use super::{Emulated, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers with multiply-add of 52 bits (`vpmadd52luq`, `vpmadd52huq`).
pub trait Madd52: Vector {
    /// self + (x y mod 2^52) modulo 2^64, of the lower 52 bits of `x` and `y`.
    fn madd_low(self, x: Self, y: Self) -> Self;
    /// self + floor(x y / 2^52) modulo 2^64, of the lower 52 bits of `x` and `y`.
    fn madd_high(self, x: Self, y: Self) -> Self;
}

/// The largest number of 52 bits.
const MAX: u64 = (1 << 52) - 1;

fn product(x: u64, y: u64) -> u128 {
    u128::from(x & MAX) * u128::from(y & MAX)
}

impl<const N: usize> Madd52 for Emulated<N> {
    #[inline(never)]
    fn madd_low(self, x: Self, y: Self) -> Self {
        self.add(x.zip(y, |x, y| product(x, y) as u64 & MAX))
    }
    #[inline(never)]
    fn madd_high(self, x: Self, y: Self) -> Self {
        self.add(x.zip(y, |x, y| (product(x, y) >> 52) as u64))
    }
}
