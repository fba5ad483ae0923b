//! [`Word`], the residues modulo 2^w; [`Operand`], what they can be multiplied with.

use core::fmt::Debug;

use zeroize::Zeroize;

mod sealed {
    pub trait Sealed: bytemuck::Pod {}
}

/// The types of entries.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
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
    /// The value modulo 2^64: sign-extended if signed.
    fn widen(self) -> u64;
    /// Which type this is.
    #[doc(hidden)]
    const KIND: Kind;
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
}

macro_rules! operand {
    ($($t:ty, $wide:ty, $signed:literal, $variant:ident;)*) => { $(
        impl sealed::Sealed for $t {}
        impl Operand for $t {
            const BITS: u32 = <$t>::BITS;
            const SIGNED: bool = $signed;
            const KIND: Kind = Kind::$variant;
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
    u8, u64, false, U8;
    u16, u64, false, U16;
    u32, u64, false, U32;
    u64, u64, false, U64;
    i8, i64, true, I8;
    i16, i64, true, I16;
    i32, i64, true, I32;
    i64, i64, true, I64;
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
        }
    )* };
}

word! {
    u8, |sum, shift| (sum << shift) as Self;
    u16, |sum, shift| (sum << shift) as Self;
    u32, |sum, shift| sum << shift;
    u64, |sum, shift| (i64::from(sum as i32) << shift) as Self;
}
