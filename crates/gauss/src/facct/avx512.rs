//! AVX-512 with IFMA: a register of eight lanes.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Ifma};

use super::batch::Element;
use super::generic::doors;
use super::lanes::Lanes;
use crate::registers::instructions;

doors!((Avx512, Ifma), Zmm, "avx512f,avx512dq,avx512ifma,popcnt");

/// A register, behind the doors only, which enable its instructions.
#[derive(Clone, Copy)]
struct Zmm(__m512i);

/// [`instructions`] for numbers.
macro_rules! float_instructions {
    ($($name:ident($($x:ident),*) = $instruction:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Self)*) -> Self {
            // SAFETY: the function that this is inlined into enables the instructions, as everywhere below.
            unsafe {
                Self(_mm512_castpd_si512($instruction(
                    _mm512_castsi512_pd(self.0) $(, _mm512_castsi512_pd($x.0))*
                )))
            }
        }
    )*};
}

/// [`instructions`] for comparisons.
macro_rules! comparisons {
    ($($name:ident($($x:ident),*) = $instruction:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Self)*) -> __mmask8 {
            // SAFETY: as above.
            unsafe { $instruction(self.0 $(, $x.0)*) }
        }
    )*};
}

impl Lanes for Zmm {
    type Mask = __mmask8;
    type Table = [__m512i; 2];

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        // SAFETY: as above; 64 bytes are there.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_f64(numbers: &[f64; 8]) -> Self {
        // SAFETY: as above; 64 bytes are there.
        Self(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, out: &mut [i64; 8]) {
        // SAFETY: as above; 64 bytes are there.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn compress<T: Element>(self, kept: u8, out: &mut [T; 8]) {
        let out = out.as_mut_ptr();
        // SAFETY: as above; there are eight elements of the size that is asked for.
        unsafe {
            let kept = _mm512_maskz_compress_epi64(kept, self.0);
            if T::WIDE {
                _mm512_storeu_si512(out.cast(), kept);
            } else {
                _mm256_storeu_si256(out.cast(), _mm512_cvtepi64_epi32(kept));
            }
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_slli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_srli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn product(self, factor: Self) -> (Self, Self) {
        let zero = Self::splat(0).0;
        // SAFETY: as above.
        unsafe {
            (
                Self(_mm512_madd52hi_epu64(zero, self.0, factor.0)),
                Self(_mm512_madd52lo_epu64(zero, self.0, factor.0)),
            )
        }
    }

    #[inline(always)]
    fn to_f64(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_castpd_si512(_mm512_cvtepi64_pd(self.0)) })
    }

    #[inline(always)]
    fn to_i64(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_cvtpd_epi64(_mm512_castsi512_pd(self.0)) })
    }

    #[inline(always)]
    fn to_u64(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_cvttpd_epu64(_mm512_castsi512_pd(self.0)) })
    }

    instructions! {
        add(other) = _mm512_add_epi64;
        sub(other) = _mm512_sub_epi64;
        and(other) = _mm512_and_si512;
        // The truth tables of x ? y : z and of x | y & !z.
        select(one, zero) = _mm512_ternarylogic_epi64::<0xca>;
        or_unmasked(bits, mask) = _mm512_ternarylogic_epi64::<0xf4>;
        add_product(x, factor) = _mm512_madd52lo_epu64;
    }

    float_instructions! {
        add_f64(other) = _mm512_add_pd;
        sub_f64(other) = _mm512_sub_pd;
        mul_f64(other) = _mm512_mul_pd;
        mul_add_f64(factor, summand) = _mm512_fmadd_pd;
        floor_f64() = _mm512_roundscale_pd::<_MM_FROUND_TO_NEG_INF>;
    }

    comparisons! {
        less(other) = _mm512_cmplt_epu64_mask;
        less_63(other) = _mm512_cmplt_epu64_mask;
    }

    #[inline(always)]
    fn is_zero(self) -> __mmask8 {
        // SAFETY: as above.
        unsafe { _mm512_testn_epi64_mask(self.0, self.0) }
    }

    #[inline(always)]
    fn bit_32(self) -> __mmask8 {
        // SAFETY: as above.
        unsafe { _mm512_test_epi64_mask(self.0, Self::splat(1 << 32).0) }
    }

    #[inline(always)]
    fn choose(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_blend_epi64(mask, no.0, yes.0) })
    }

    #[inline(always)]
    fn nowhere() -> __mmask8 {
        0
    }

    #[inline(always)]
    fn both(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }

    #[inline(always)]
    fn either(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }

    #[inline(always)]
    fn but_not(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & !b
    }

    #[inline(always)]
    fn bits(mask: __mmask8) -> u8 {
        mask
    }

    #[inline(always)]
    fn table_32(entries: &[u32; 32]) -> Self::Table {
        // SAFETY: as above; 128 bytes are there.
        unsafe {
            [
                _mm512_loadu_si512(entries.as_ptr().cast()),
                _mm512_loadu_si512(entries[16..].as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    fn table_64(entries: &[u64; 16]) -> Self::Table {
        // SAFETY: as above; 128 bytes are there.
        unsafe {
            [
                _mm512_loadu_si512(entries.as_ptr().cast()),
                _mm512_loadu_si512(entries[8..].as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    fn look_up_32(self, [low, high]: &Self::Table) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_permutex2var_epi32(*low, self.0, *high) })
    }

    #[inline(always)]
    fn look_up_64(self, [low, high]: &Self::Table) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_permutex2var_epi64(*low, self.0, *high) })
    }

    #[inline(always)]
    fn choose_less_32(self, limit: Self, yes: Self, no: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let less = _mm512_cmplt_epu32_mask(self.0, limit.0);
            _mm512_mask_blend_epi32(less, no.0, yes.0)
        })
    }

    #[inline(always)]
    fn even_32(low: Self, high: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_shuffle_epi32::<0b10_10_00_00>(low.0, 0xaaaa, high.0) })
    }

    #[inline(always)]
    fn odd_32(low: Self, high: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_shuffle_epi32::<0b11_11_01_01>(high.0, 0x5555, low.0) })
    }
}
