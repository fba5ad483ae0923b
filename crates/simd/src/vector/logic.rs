//! [`Logic`]: any function of three bits.

use super::{Emulated, Pair, U64x1, Vector};

#[rustfmt::skip]
mod gates;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Bitwise functions of three registers.
pub trait Logic: Vector {
    /// Bit by bit, the function with truth table `TABLE` (bit 4a + 2b + c), 0 <= `TABLE` < 256: one
    /// `vpternlog` where [`Token::TERNARY_LOGIC`](crate::Token::TERNARY_LOGIC), else the fewest
    /// gates of two inputs.
    #[inline(always)]
    fn lut3<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        gates::lut3::<Self, TABLE>(a, b, c)
    }
}

impl Logic for U64x1 {}
impl<const N: usize> Logic for Emulated<N> {}

impl<V: Logic> Logic for Pair<V> {
    #[inline(always)]
    fn lut3<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        Self(V::lut3::<TABLE>(a.0, b.0, c.0), V::lut3::<TABLE>(a.1, b.1, c.1))
    }
}
