//! Exponentiation on limbs, for any way to reduce a product.
use zeroize::Zeroizing;

use crate::exponent::Exponent;
use crate::mul::Mul;
use crate::power::{Ring, Table, windows};
use crate::select::select;

/// A modulus prepared for numbers of limbs.
pub(crate) trait Reduction {
    fn multiplier(&self) -> Mul;
    /// `r := t` reduced, in the form of the ring, for a product `t` of 2 n limbs, which is
    /// overwritten.
    fn reduce_product(&self, r: &mut [u64], t: &mut [u64]);
}

/// Products reduced by `R`, with scratch space for one.
pub(crate) struct Products<'a, R>(&'a R, Zeroizing<Vec<u64>>);

impl<'a, R: Reduction> Products<'a, R> {
    /// Products of numbers of `n` limbs.
    pub(crate) fn new(reduction: &'a R, n: usize) -> Self {
        Self(reduction, Zeroizing::new(vec![0; 2 * n]))
    }

    /// `r := base^exponent`, `r` being one before, by windows of at most 5 bits, and of 6 where the
    /// exponent is long enough to pay for 64 entries: 64 + 2048 / 6 products against 32 + 2048 / 5.
    pub(crate) fn pow(mut self, r: &mut [u64], base: &[u64], exponent: Exponent<'_>) {
        let max = if exponent.bits() < 2048 { 5 } else { 6 };
        windows(&mut self, r, base, [exponent], max);
    }
}

impl<R: Reduction> Ring for Products<'_, R> {
    type Digit = u64;
    type Index = [u64; 1];

    fn zero(&self) -> u64 {
        0
    }

    fn multiply(&mut self, r: &mut [u64], y: &[u64]) {
        let Self(reduction, t) = self;
        reduction.multiplier().mul(t, r, y);
        reduction.reduce_product(r, t);
    }

    fn square(&mut self, r: &mut [u64]) {
        let Self(reduction, t) = self;
        reduction.multiplier().square(t, r);
        reduction.reduce_product(r, t);
    }

    fn select(&self, entry: &mut [u64], table: &Table<u64>, [index]: [u64; 1]) {
        select(self.0.multiplier().isa(), entry, table, index);
    }
}
