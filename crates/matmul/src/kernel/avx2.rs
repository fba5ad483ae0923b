//! 256-bit registers: vpmullw, vpmulld, and 64-bit products from three 32-bit ones.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::generic::{self, Register};
use tautochrone_simd::Avx2;

/// A kernel that requires AVX2.
pub(super) type Entry<L> = unsafe fn(Avx2, &[L], &[L], &mut [L]);

macro_rules! register {
    ($name:ident, $lane:ident, $lanes:literal, $registers:expr, $splat:ident, $signed:ty, $add:ident, $mul:ident) => {
        /// Invariant: a value exists only if an [`Avx2`] token did.
        #[derive(Clone, Copy)]
        struct $name(__m256i);

        impl Register for $name {
            type Lane = $lane;
            type Token = Avx2;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn zero(_: Avx2) -> Self {
                // SAFETY: the token proves AVX2.
                Self(unsafe { _mm256_setzero_si256() })
            }

            #[inline(always)]
            fn load(_: Avx2, from: &[$lane]) -> Self {
                let from: &[$lane; $lanes] = from.try_into().expect("a register's lanes");
                // SAFETY: 32 readable bytes, no alignment needed; the token proves AVX2.
                Self(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
            }

            #[inline(always)]
            fn splat(_: Avx2, value: $lane) -> Self {
                // SAFETY: the token proves AVX2.
                Self(unsafe { $splat(value as $signed) })
            }

            #[inline(always)]
            fn store(self, to: &mut [$lane]) {
                let to: &mut [$lane; $lanes] = to.try_into().expect("a register's lanes");
                // SAFETY: 32 writable bytes, no alignment needed; the type's invariant proves AVX2.
                unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn multiply_add(self, a: Self, b: Self) -> Self {
                // SAFETY: the type's invariant proves AVX2.
                Self(unsafe { $add(self.0, $mul(a.0, b.0)) })
            }
        }

        #[target_feature(enable = "avx2")]
        pub(super) fn $lane<const ROWS: usize, const COLUMNS: usize>(
            token: Avx2,
            x: &[$lane],
            y: &[$lane],
            tile: &mut [$lane],
        ) {
            generic::kernel::<$name, $registers, ROWS, COLUMNS>(token, x, y, tile);
        }
    };
}

/// a b mod 2^64 from 32-bit halves: low(a) low(b) + 2^32 (low(a) high(b) + high(a) low(b)).
#[inline]
#[target_feature(enable = "avx2")]
fn mullo_epi64(a: __m256i, b: __m256i) -> __m256i {
    let crossed = _mm256_mullo_epi32(a, _mm256_shuffle_epi32::<0b10_11_00_01>(b));
    let high = _mm256_add_epi32(_mm256_slli_epi64::<32>(crossed), crossed);
    let high = _mm256_and_si256(high, _mm256_set1_epi64x(!0xffff_ffff));
    _mm256_add_epi64(_mm256_mul_epu32(a, b), high)
}

register!(U16, u16, 16, 2, _mm256_set1_epi16, i16, _mm256_add_epi16, _mm256_mullo_epi16);
register!(U32, u32, 8, 2, _mm256_set1_epi32, i32, _mm256_add_epi32, _mm256_mullo_epi32);
register!(U64, u64, 4, 2, _mm256_set1_epi64x, i64, _mm256_add_epi64, mullo_epi64);
