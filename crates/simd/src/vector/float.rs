//! [`Float`]: lanes as numbers of type `f64`.

use super::pair::both;
use super::{Pair, Vector};

#[cfg(any(unix, windows, test))]
mod emulated;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Arithmetic on lanes that are the bits of `f64` numbers, rounded to nearest.
///
/// Constant time as far as the CPU's `f64` instructions are; [`Emulated`](super::Emulated)
/// registers have it on systems with a standard library.
pub trait Float: Vector {
    /// Whether [`Self::to_u64`] is one instruction.
    const CONVERTS: bool;

    /// `x` in every lane.
    #[inline(always)]
    fn splat_f64(token: Self::Token, x: f64) -> Self {
        Self::splat(token, x.to_bits())
    }
    /// self + y.
    fn add_f64(self, y: Self) -> Self;
    /// self - y.
    fn sub_f64(self, y: Self) -> Self;
    /// self y.
    fn mul_f64(self, y: Self) -> Self;
    /// self factor + summand, rounded once.
    fn mul_add_f64(self, factor: Self, summand: Self) -> Self;
    /// The largest integer that is not above self, |self| < 2^51.
    fn floor_f64(self) -> Self;
    /// floor(self) as an integer, and self - floor(self) to 2^-53, |self| < 2^51.
    #[inline(always)]
    fn floor_parts(self) -> (Self, Self) {
        let floor = self.floor_f64();
        (floor.to_i64(), self.sub_f64(floor))
    }
    /// self less the nearest multiple of 1/16, exactly, 0 <= self < 2^47.
    #[inline(always)]
    fn beyond_sixteenth(self) -> Self {
        // 1.5 2^48, to which an `f64` adds multiples of 1/16.
        let magic = Self::splat_f64(self.token(), 422_212_465_065_984.0);
        self.sub_f64(self.add_f64(magic).sub_f64(magic))
    }
    /// Integers below 2^52 as `f64`, exactly.
    fn to_f64(self) -> Self;
    /// Integral `f64` of absolute value at most 2^51 as integers.
    fn to_i64(self) -> Self;
    /// floor(self) of non-negative numbers, at most 2^64 - 1.
    fn to_u64(self) -> Self;
}

impl<V: Float> Float for Pair<V> {
    const CONVERTS: bool = V::CONVERTS;

    #[inline(always)]
    fn floor_parts(self) -> (Self, Self) {
        let (first, second) = (self.0.floor_parts(), self.1.floor_parts());
        (Self(first.0, second.0), Self(first.1, second.1))
    }

    both! {
        add_f64(y);
        sub_f64(y);
        mul_f64(y);
        mul_add_f64(factor, summand);
        floor_f64();
        beyond_sixteenth();
        to_f64();
        to_i64();
        to_u64();
    }
}
