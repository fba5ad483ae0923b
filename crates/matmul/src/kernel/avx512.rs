//! 512-bit registers: vpmullw, vpmulld, vpmullq.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::generic::{self, Register};
use tautochrone_simd::Avx512;

/// A kernel that requires AVX-512 F, BW, DQ and VL.
pub(super) type Entry<L> = unsafe fn(Avx512, &[L], &[L], &mut [L]);

macro_rules! register {
    ($name:ident, $lane:ident, $lanes:literal, $registers:expr, $splat:ident, $signed:ty, $add:ident, $mul:ident) => {
        /// Invariant: a value exists only if an [`Avx512`] token did.
        #[derive(Clone, Copy)]
        struct $name(__m512i);

        impl Register for $name {
            type Lane = $lane;
            type Token = Avx512;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn zero(_: Avx512) -> Self {
                // SAFETY: the token proves AVX-512.
                Self(unsafe { _mm512_setzero_si512() })
            }

            #[inline(always)]
            fn load(_: Avx512, from: &[$lane]) -> Self {
                let from: &[$lane; $lanes] = from.try_into().expect("a register's lanes");
                // SAFETY: 64 readable bytes, no alignment needed; the token proves AVX-512.
                Self(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
            }

            #[inline(always)]
            fn splat(_: Avx512, value: $lane) -> Self {
                // SAFETY: the token proves AVX-512 F and BW.
                Self(unsafe { $splat(value as $signed) })
            }

            #[inline(always)]
            fn store(self, to: &mut [$lane]) {
                let to: &mut [$lane; $lanes] = to.try_into().expect("a register's lanes");
                // SAFETY: 64 writable bytes, no alignment needed; the type's invariant proves AVX-512.
                unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn multiply_add(self, a: Self, b: Self) -> Self {
                // SAFETY: the type's invariant proves AVX-512 F, BW and DQ.
                Self(unsafe { $add(self.0, $mul(a.0, b.0)) })
            }
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        pub(super) fn $lane<const ROWS: usize, const COLUMNS: usize>(
            token: Avx512,
            x: &[$lane],
            y: &[$lane],
            tile: &mut [$lane],
        ) {
            generic::kernel::<$name, $registers, ROWS, COLUMNS>(token, x, y, tile);
        }
    };
}

register!(U16, u16, 32, 2, _mm512_set1_epi16, i16, _mm512_add_epi16, _mm512_mullo_epi16);
register!(U32, u32, 16, 2, _mm512_set1_epi32, i32, _mm512_add_epi32, _mm512_mullo_epi32);
register!(U64, u64, 8, 2, _mm512_set1_epi64, i64, _mm512_add_epi64, _mm512_mullo_epi64);
