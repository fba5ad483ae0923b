//! [`Product`] on NEON: products of halves.

use super::super::{LookUp, Product, Vector};
use super::U64x2;
use crate::proof::HasNeon;

impl<T: HasNeon> Product for U64x2<T> {
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let low_20 = Self::splat(self.1, (1 << 20) - 1);
        let low = self.mul_low_32(factor);
        let high = self.shr::<32>().and(low_20);
        // Bits 32.. of the 84-bit product.
        let upper = high.mul_low_32(factor).add(low.shr::<32>());
        (upper.shr::<20>(), low.low_halves(upper.and(low_20)))
    }

    #[inline(always)]
    fn add_product(self, x: Self, factor: Self) -> Self {
        self.add(x.mul_low_32(factor))
    }
}
