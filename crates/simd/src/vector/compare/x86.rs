//! [`Compare`] on AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::intrinsics::expressions;
use super::super::{LaneMask, U64x4, U64x8, Vector};
use super::Compare;
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> Compare for U64x4<T> {
    expressions! {
        blend_lt_32(x, y, yes, no) =
            blend_32(_mm256_cmpeq_epi32(_mm256_max_epu32(x, y), x), no, yes);
    }

    #[inline(always)]
    fn of_mask(_: T, mask: LaneMask<Self>) -> Self {
        mask.0
    }

    // The highest bits.
    #[inline(always)]
    fn record(token: T) -> Self {
        Self::zero(token)
    }
    #[inline(always)]
    fn note(self, x: Self, limit: Self) -> Self {
        self.or(x.lt(limit).0)
    }
    #[inline(always)]
    fn noted(self, _: Self) -> LaneMask<Self> {
        self.sign()
    }
}

/// In each lane of 32 bits, the lane of `yes` where the mask has its highest bit set, else of
/// `no`.
#[target_feature(enable = "avx2")]
#[inline]
fn blend_32(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let [mask, yes, no] =
        [_mm256_castsi256_ps(mask), _mm256_castsi256_ps(yes), _mm256_castsi256_ps(no)];
    _mm256_castps_si256(_mm256_blendv_ps(no, yes, mask))
}

impl<T: HasAvx512> Compare for U64x8<T> {
    expressions! {
        blend_lt_32(x, y, yes, no) =
            _mm512_mask_blend_epi32(_mm512_cmplt_epu32_mask(x, y), no, yes);
    }

    #[inline(always)]
    fn of_mask(token: T, mask: __mmask8) -> Self {
        // SAFETY: the token proves AVX-512.
        Self::from_raw(token, unsafe { _mm512_movm_epi64(mask) })
    }

    // The least of all.
    #[inline(always)]
    fn record(token: T) -> Self {
        Self::splat(token, u64::MAX)
    }
    #[inline(always)]
    fn note(self, x: Self, _: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_min_epu64(self.raw(), x.raw()) })
    }
    #[inline(always)]
    fn noted(self, limit: Self) -> __mmask8 {
        self.lt(limit)
    }
}
