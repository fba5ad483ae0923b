//! AVX2, AVX-512 and VBMI.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::intrinsics::{expressions, intrinsics};
use super::super::{U64x2, U64x4, U64x8};
use super::{Bytes, LookUpBytes};
use crate::proof::{HasAvx2, HasAvx512, HasVbmi};

/// The block of a register of one.
///
/// # Safety
/// None is needed; as the intrinsics that it stands in for.
#[inline(always)]
unsafe fn same(block: __m128i) -> __m128i {
    block
}

macro_rules! bytes {
    (
        $name:ident<$has:ident>, $splat:ident, $to_ps:ident, $shuffle_ps:ident, $from_ps:ident,
        $align:ident, { $($method:ident = $intrinsic:ident;)* }
    ) => {
        impl<T: $has> Bytes for $name<T> {
            #[inline(always)]
            fn splat_128(token: T, words: [u64; 2]) -> Self {
                // SAFETY: the token proves the instructions; a block has two words.
                Self(unsafe { $splat(_mm_loadu_si128(words.as_ptr().cast())) }, token)
            }
            expressions! {
                even_32(x, y) = $from_ps($shuffle_ps::<0b10_00_10_00>($to_ps(x), $to_ps(y)));
                odd_32(x, y) = $from_ps($shuffle_ps::<0b11_01_11_01>($to_ps(x), $to_ps(y)));
                align_64(x, y) = $align::<8>(y, x);
            }
            intrinsics! { $($method(y) = $intrinsic;)* }
        }
    };
}

bytes!(
    U64x2<HasAvx2>,
    same,
    _mm_castsi128_ps,
    _mm_shuffle_ps,
    _mm_castps_si128,
    _mm_alignr_epi8,
    {
        shuffle_bytes = _mm_shuffle_epi8;
        interleave_low_32 = _mm_unpacklo_epi32;
        interleave_high_32 = _mm_unpackhi_epi32;
        interleave_low_64 = _mm_unpacklo_epi64;
        interleave_high_64 = _mm_unpackhi_epi64;
    }
);
bytes!(
    U64x4<HasAvx2>,
    _mm256_broadcastsi128_si256,
    _mm256_castsi256_ps,
    _mm256_shuffle_ps,
    _mm256_castps_si256,
    _mm256_alignr_epi8,
    {
        shuffle_bytes = _mm256_shuffle_epi8;
        interleave_low_32 = _mm256_unpacklo_epi32;
        interleave_high_32 = _mm256_unpackhi_epi32;
        interleave_low_64 = _mm256_unpacklo_epi64;
        interleave_high_64 = _mm256_unpackhi_epi64;
    }
);
bytes!(
    U64x8<HasAvx512>,
    _mm512_broadcast_i64x2,
    _mm512_castsi512_ps,
    _mm512_shuffle_ps,
    _mm512_castps_si512,
    _mm512_alignr_epi8,
    {
        shuffle_bytes = _mm512_shuffle_epi8;
        interleave_low_32 = _mm512_unpacklo_epi32;
        interleave_high_32 = _mm512_unpackhi_epi32;
        interleave_low_64 = _mm512_unpacklo_epi64;
        interleave_high_64 = _mm512_unpackhi_epi64;
    }
);

impl<T: HasVbmi> LookUpBytes for U64x8<T> {
    intrinsics! { look_up(table) = _mm512_permutexvar_epi8; }
}
