//! AVX-512 IFMA, on 512 bits, and AVX-IFMA, on 256.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::avx2::LaneMask;
use super::super::{U64x4, U64x8, Vector as _};
use super::Madd52;
use crate::proof::{HasAvxIfma, HasIfma};

impl<T: HasIfma> Madd52 for U64x8<T> {
    #[inline(always)]
    fn madd_low(self, x: Self, y: Self) -> Self {
        // SAFETY: the register's token proves IFMA, as everywhere below.
        Self(unsafe { _mm512_madd52lo_epu64(self.0, x.0, y.0) }, self.1)
    }
    #[inline(always)]
    fn madd_high(self, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_madd52hi_epu64(self.0, x.0, y.0) }, self.1)
    }
    #[inline(always)]
    fn madd_low_masked(self, mask: __mmask8, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_madd52lo_epu64(self.0, mask, x.0, y.0) }, self.1)
    }
    #[inline(always)]
    fn madd_high_masked(self, mask: __mmask8, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_madd52hi_epu64(self.0, mask, x.0, y.0) }, self.1)
    }
}

impl<T: HasAvxIfma> Madd52 for U64x4<T> {
    #[inline(always)]
    fn madd_low(self, x: Self, y: Self) -> Self {
        // SAFETY: the register's token proves AVX-IFMA, as below.
        Self(unsafe { _mm256_madd52lo_avx_epu64(self.0, x.0, y.0) }, self.1)
    }
    #[inline(always)]
    fn madd_high(self, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_madd52hi_avx_epu64(self.0, x.0, y.0) }, self.1)
    }
    #[inline(always)]
    fn madd_low_masked(self, mask: LaneMask<Self>, x: Self, y: Self) -> Self {
        Self::blend(mask, self.madd_low(x, y), self)
    }
    #[inline(always)]
    fn madd_high_masked(self, mask: LaneMask<Self>, x: Self, y: Self) -> Self {
        Self::blend(mask, self.madd_high(x, y), self)
    }
}
