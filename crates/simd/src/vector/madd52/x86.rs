//! AVX-512 IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::U64x8;
use super::Madd52;
use crate::proof::HasIfma;

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
}
