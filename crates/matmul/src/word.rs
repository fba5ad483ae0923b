//! [`Word`], the residues modulo 2^w; [`Operand`], what they can be multiplied with.

use core::fmt::Debug;

use zeroize::Zeroize;

mod sealed {
    pub trait Sealed {}
}

/// An entry of an operand: any integer of 8 to 64 bits. Signed entries stand for their residue modulo 2^w.
pub trait Operand:
    sealed::Sealed + Copy + Default + Send + Sync + Debug + Zeroize + 'static
{
    /// Bits of the type.
    const BITS: u32;
    /// The value modulo 2^64: sign-extended if signed.
    fn widen(self) -> u64;
}

/// A residue modulo 2^w: u8, u16, u32, u64.
pub trait Word: Operand + PartialEq + Eq {
    /// The type in which products are accumulated: the word itself, or u16 for w = 8.
    type Lane: Lane;
    /// The lane modulo 2^w.
    fn from_lane(lane: Self::Lane) -> Self;
    /// `value` modulo 2^w.
    fn truncate(value: u64) -> Self;
    /// Sum modulo 2^w.
    #[must_use]
    fn wrapping_add(self, other: Self) -> Self;
    /// Product modulo 2^w.
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;
}

/// The words that kernels compute with.
pub trait Lane: Word {
    /// The kernels for this lane.
    fn kernel(isa: tautochrone_simd::Isa) -> crate::kernel::Kernel<Self>;
}

macro_rules! operand {
    ($($t:ty, $wide:ty;)*) => { $(
        impl sealed::Sealed for $t {}
        impl Operand for $t {
            const BITS: u32 = <$t>::BITS;
            #[inline(always)]
            fn widen(self) -> u64 {
                self as $wide as u64
            }
        }
    )* };
}

operand! { u8, u64; u16, u64; u32, u64; u64, u64; i8, i64; i16, i64; i32, i64; i64, i64; }

macro_rules! word {
    ($($t:ident, $lane:ty;)*) => { $(
        impl Word for $t {
            type Lane = $lane;
            #[inline(always)]
            fn from_lane(lane: $lane) -> Self {
                lane as $t
            }
            #[inline(always)]
            fn truncate(value: u64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn wrapping_mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )* };
}

word! { u8, u16; u16, u16; u32, u32; u64, u64; }

macro_rules! lane {
    ($($t:ident),*) => { $(
        impl Lane for $t {
            fn kernel(isa: tautochrone_simd::Isa) -> crate::kernel::Kernel<Self> {
                crate::kernel::$t(isa)
            }
        }
    )* };
}

lane! { u16, u32, u64 }
