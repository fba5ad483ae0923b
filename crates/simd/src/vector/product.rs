//! [`Product`]: products of 52 and 32 bits.

use super::pair::both;
use super::{Emulated, LookUp, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Products with a factor below 2^32: by two products of halves, or by IFMA on AVX-512.
pub trait Product: LookUp {
    /// (floor(p / 2^52), p mod 2^52) for p = (self mod 2^52) factor, factor < 2^32.
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let low_20 = Self::splat(self.token(), (1 << 20) - 1);
        let low = self.mul_low_32(factor);
        let high = self.shr::<32>().and(low_20);
        // Bits 32.. of the 84-bit product.
        let upper = high.mul_low_32(factor).add(low.shr::<32>());
        (upper.shr::<20>(), low.low_halves(upper.and(low_20)))
    }
    /// self + x factor, for x and factor below 2^32 and a product below 2^52.
    #[inline(always)]
    fn add_product(self, x: Self, factor: Self) -> Self {
        self.add(x.mul_low_32(factor))
    }
}

impl<V: Product> Product for Pair<V> {
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let (first, second) = (self.0.product_52(factor.0), self.1.product_52(factor.1));
        (Self(first.0, second.0), Self(first.1, second.1))
    }

    both! { add_product(x, factor); }
}

impl<const N: usize> Product for Emulated<N> {
    fn product_52(self, factor: Self) -> (Self, Self) {
        const LOW_52: u64 = (1 << 52) - 1;
        let product = |x: u64, y: u64| u128::from(x & LOW_52) * u128::from(y);
        let high = self.zip(factor, |x, y| (product(x, y) >> 52) as u64);
        (high, self.zip(factor, |x, y| product(x, y) as u64 & LOW_52))
    }

    fn add_product(self, x: Self, factor: Self) -> Self {
        self.add(x.zip(factor, |x, y| x * y))
    }
}
