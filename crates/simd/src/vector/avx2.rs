//! Registers of 128 and 256 bits on AVX2.
#![allow(unsafe_code)]

use core::arch::x86_64::{__m128i, __m256i};

use super::intrinsics::{intrinsics, memory, raw};
use super::{Mask, Vector};
use crate::proof::HasAvx2;

/// Two lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct U64x2<T>(pub(super) __m128i, pub(super) T);

/// Four lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct U64x4<T>(pub(super) __m256i, pub(super) T);

/// A truth value for each lane of an AVX2 register: its highest bit.
#[derive(Clone, Copy, Debug)]
pub struct LaneMask<V>(pub(super) V);

macro_rules! vector {
    (
        $name:ident($raw:ty), $lanes:literal, $x86:ident, {
            $($intrinsic:ident = $intrinsic_x86:ident;)*
        }
    ) => {
        // The intrinsics under one name for both widths.
        mod $x86 {
            $(pub(super) use core::arch::x86_64::$intrinsic_x86 as $intrinsic;)*
        }

        raw!($name<HasAvx2>($raw));

        impl<T: HasAvx2> Mask for LaneMask<$name<T>> {
            const LANES: u32 = $lanes;

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(self.0.and(other.0))
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(self.0.or(other.0))
            }
            #[inline(always)]
            fn andnot(self, other: Self) -> Self {
                Self(self.0.andnot(other.0))
            }
            #[inline(always)]
            fn bits(self) -> u32 {
                // SAFETY: the register's token proves AVX2.
                unsafe { $x86::movemask($x86::to_pd(self.0.0)) as u32 }
            }
        }

        impl<T: HasAvx2> Vector for $name<T> {
            type Token = T;
            type Mask = LaneMask<Self>;

            memory!($lanes, $x86::set1, $x86::loadu, $x86::storeu);

            intrinsics! {
                and(y) = $x86::and;
                or(y) = $x86::or;
                xor(y) = $x86::xor;
                andnot(y) = $x86::andnot;
                add(y) = $x86::add;
                sub(y) = $x86::sub;
                mul_low_32(y) = $x86::mul_epu32;
                shl_each(counts) = $x86::sllv;
                shr_each(counts) = $x86::srlv;
            }

            // Shifts by a constant register: `_mm256_slli_epi64` takes its count as another type
            // of constant than `N`. They compile to the same instruction.
            #[inline(always)]
            fn shl<const N: u32>(self) -> Self {
                self.shl_each(Self::splat(self.1, N.into()))
            }
            #[inline(always)]
            fn shr<const N: u32>(self) -> Self {
                self.shr_each(Self::splat(self.1, N.into()))
            }

            #[inline(always)]
            fn eq(self, y: Self) -> LaneMask<Self> {
                // SAFETY: the register's token proves AVX2, here and below.
                LaneMask(self.with(unsafe { $x86::cmpeq(self.0, y.0) }))
            }
            #[inline(always)]
            fn lt(self, y: Self) -> LaneMask<Self> {
                // Comparisons of unsigned numbers are signed ones after flipping the highest bit.
                let highest = Self::splat(self.1, 1 << 63);
                let (x, y) = (self.xor(highest), y.xor(highest));
                // SAFETY: as above.
                LaneMask(self.with(unsafe { $x86::cmpgt(y.0, x.0) }))
            }
            #[inline(always)]
            fn sign(self) -> LaneMask<Self> {
                LaneMask(self)
            }
            #[inline(always)]
            fn blend(mask: LaneMask<Self>, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                yes.with(unsafe {
                    $x86::to_bits($x86::blendv(
                        $x86::to_pd(no.0),
                        $x86::to_pd(yes.0),
                        $x86::to_pd(mask.0.0),
                    ))
                })
            }
        }
    };
}

vector!(U64x2(__m128i), 2, xmm, {
    set1 = _mm_set1_epi64x;
    loadu = _mm_loadu_si128;
    storeu = _mm_storeu_si128;
    and = _mm_and_si128;
    or = _mm_or_si128;
    xor = _mm_xor_si128;
    andnot = _mm_andnot_si128;
    add = _mm_add_epi64;
    sub = _mm_sub_epi64;
    mul_epu32 = _mm_mul_epu32;
    sllv = _mm_sllv_epi64;
    srlv = _mm_srlv_epi64;
    cmpeq = _mm_cmpeq_epi64;
    cmpgt = _mm_cmpgt_epi64;
    to_pd = _mm_castsi128_pd;
    to_bits = _mm_castpd_si128;
    blendv = _mm_blendv_pd;
    movemask = _mm_movemask_pd;
});

vector!(U64x4(__m256i), 4, ymm, {
    set1 = _mm256_set1_epi64x;
    loadu = _mm256_loadu_si256;
    storeu = _mm256_storeu_si256;
    and = _mm256_and_si256;
    or = _mm256_or_si256;
    xor = _mm256_xor_si256;
    andnot = _mm256_andnot_si256;
    add = _mm256_add_epi64;
    sub = _mm256_sub_epi64;
    mul_epu32 = _mm256_mul_epu32;
    sllv = _mm256_sllv_epi64;
    srlv = _mm256_srlv_epi64;
    cmpeq = _mm256_cmpeq_epi64;
    cmpgt = _mm256_cmpgt_epi64;
    to_pd = _mm256_castsi256_pd;
    to_bits = _mm256_castpd_si256;
    blendv = _mm256_blendv_pd;
    movemask = _mm256_movemask_pd;
});
