//! AVX2 and AVX-512. In code for VNNI compilers make one instruction of the two.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{U64x4, U64x8};
use super::Dot;
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> Dot for U64x4<T> {
    #[inline(always)]
    fn add_dot(self, x: Self, y: Self) -> Self {
        // SAFETY: the register's token proves AVX2.
        let sum = unsafe { _mm256_add_epi32(self.raw(), _mm256_madd_epi16(x.raw(), y.raw())) };
        self.with(sum)
    }
}

impl<T: HasAvx512> Dot for U64x8<T> {
    #[inline(always)]
    fn add_dot(self, x: Self, y: Self) -> Self {
        // SAFETY: the register's token proves AVX-512 F and BW.
        let sum = unsafe { _mm512_add_epi32(self.raw(), _mm512_madd_epi16(x.raw(), y.raw())) };
        self.with(sum)
    }
}
