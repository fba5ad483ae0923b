//! [`Word`], the words modulo 2^w; [`Operand`], what they can be multiplied with.

use core::fmt::Debug;

use tautochrone_simd::vector::Widths;
use zeroize::Zeroize;

mod sealed {
    pub trait Sealed: bytemuck::Pod {}
}

/// An entry of an operand: any integer of 8 to 64 bits. Signed entries stand for their residue
/// modulo 2^w.
pub trait Operand:
    sealed::Sealed + Copy + Default + Send + Sync + Debug + Zeroize + 'static
{
    /// Bits of the type.
    const BITS: u32;
    /// Whether the type is signed.
    const SIGNED: bool;
    /// The unsigned type of as many bits.
    #[doc(hidden)]
    type Unsigned: Operand;
    /// The value modulo 2^64: sign-extended if signed.
    fn widen(self) -> u64;
    /// The bits, sign excluded, that at least one entry needs: of x, or of -1 - x if x < 0.
    #[doc(hidden)]
    fn magnitude_bits(entries: &[Self]) -> u64;
}

/// A residue modulo 2^w: u8, u16, u32, u64.
pub trait Word: Operand + PartialEq + Eq {
    /// `value` modulo 2^w.
    fn truncate(value: u64) -> Self;
    /// Sum modulo 2^w.
    #[must_use]
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference modulo 2^w.
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;
    /// The bits that both have.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Product modulo 2^w.
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;
    /// `sum 2^shift`: for w = 64, `sum` is a signed 32-bit number; below, only its low w bits
    /// matter. `shift < w`.
    #[doc(hidden)]
    fn from_sum(sum: u32, shift: u32) -> Self;
    /// Sums in lanes of w bits.
    #[doc(hidden)]
    fn add_lanes<V: Widths>(x: V, y: V) -> V;
    /// Differences in lanes of w bits.
    #[doc(hidden)]
    fn sub_lanes<V: Widths>(x: V, y: V) -> V;
}

macro_rules! operand {
    ($($t:ty, $unsigned:ty, $wide:ty, $signed:literal;)*) => { $(
        impl sealed::Sealed for $t {}
        impl Operand for $t {
            const BITS: u32 = <$t>::BITS;
            const SIGNED: bool = $signed;
            type Unsigned = $unsigned;
            #[inline(always)]
            fn widen(self) -> u64 {
                self as $wide as u64
            }
            #[inline]
            fn magnitude_bits(entries: &[Self]) -> u64 {
                let magnitude = |x: Self| if $signed { x ^ (x >> (Self::BITS - 1)) } else { x };
                entries.iter().fold(0, |bits, &x| bits | magnitude(x)) as u64
            }
        }
    )* };
}

operand! {
    u8, u8, u64, false;
    u16, u16, u64, false;
    u32, u32, u64, false;
    u64, u64, u64, false;
    i8, u8, i64, true;
    i16, u16, i64, true;
    i32, u32, i64, true;
    i64, u64, i64, true;
}

macro_rules! word {
    ($($t:ident, |$sum:ident, $shift:ident| $from_sum:expr;)*) => { $(
        impl Word for $t {
            #[inline(always)]
            fn truncate(value: u64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn wrapping_mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn from_sum($sum: u32, $shift: u32) -> Self {
                $from_sum
            }
            #[inline(always)]
            fn add_lanes<V: Widths>(x: V, y: V) -> V {
                x.add_lanes::<{ <$t>::BITS }>(y)
            }
            #[inline(always)]
            fn sub_lanes<V: Widths>(x: V, y: V) -> V {
                x.sub_lanes::<{ <$t>::BITS }>(y)
            }
        }
    )* };
}

word! {
    u8, |sum, shift| (sum << shift) as Self;
    u16, |sum, shift| (sum << shift) as Self;
    u32, |sum, shift| sum << shift;
    u64, |sum, shift| (i64::from(sum as i32) << shift) as Self;
}
