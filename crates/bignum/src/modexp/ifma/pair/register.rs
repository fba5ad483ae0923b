//! Registers of two numbers.
use tautochrone_simd::vector::Halves;

use crate::radix52::{LANES, Radix52};

/// Lanes of a half.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(super) const HALF: usize = LANES / 2;

/// Registers of four digits or columns of one number, and four of another.
pub(crate) trait Register: Radix52 + Halves {}
impl<V: Radix52 + Halves> Register for V {}
