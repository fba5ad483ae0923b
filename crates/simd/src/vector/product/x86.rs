//! [`Product`] on AVX2 and on AVX-512 with IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{U64x4, U64x8, Vector};
use super::Product;
use crate::proof::{HasAvx2, HasIfma};

impl<T: HasAvx2> Product for U64x4<T> {}

impl<T: HasIfma> Product for U64x8<T> {
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let (token, zero) = (self.token(), Self::zero(self.token()).raw());
        // SAFETY: the register's token proves IFMA.
        unsafe {
            (
                Self::from_raw(token, _mm512_madd52hi_epu64(zero, self.raw(), factor.raw())),
                Self::from_raw(token, _mm512_madd52lo_epu64(zero, self.raw(), factor.raw())),
            )
        }
    }

    #[inline(always)]
    fn add_product(self, x: Self, factor: Self) -> Self {
        // SAFETY: as above.
        Self::from_raw(self.token(), unsafe {
            _mm512_madd52lo_epu64(self.raw(), x.raw(), factor.raw())
        })
    }
}
