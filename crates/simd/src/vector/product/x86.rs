//! [`Product`] on AVX2 and on AVX-512 with IFMA.

use super::super::{Madd52, U64x4, U64x8, Vector};
use super::Product;
use crate::proof::{HasAvx2, HasIfma};

impl<T: HasAvx2> Product for U64x4<T> {}

impl<T: HasIfma> Product for U64x8<T> {
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let zero = Self::zero(self.token());
        (zero.madd_high(self, factor), zero.madd_low(self, factor))
    }

    #[inline(always)]
    fn add_product(self, x: Self, factor: Self) -> Self {
        self.madd_low(x, factor)
    }
}
