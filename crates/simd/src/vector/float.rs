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
    /// Integers below 2^52 as `f64`, exactly.
    fn to_f64(self) -> Self;
    /// Integral `f64` of absolute value at most 2^51 as integers.
    fn to_i64(self) -> Self;
    /// floor(self) of non-negative numbers, at most 2^64 - 1.
    fn to_u64(self) -> Self;
}

impl<V: Float> Float for Pair<V> {
    both! {
        add_f64(y);
        sub_f64(y);
        mul_f64(y);
        mul_add_f64(factor, summand);
        floor_f64();
        to_f64();
        to_i64();
        to_u64();
    }
}
