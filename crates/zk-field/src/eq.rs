//! eq(r, i) = prod over variables t of r_t where bit t of i is 1 and 1 - r_t where it is 0.
//!
//! A loop over many i needs no table of all: [`Halves`] are its rows and columns.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{ElementOf, Field, P61};

/// eq(r, i) for all i < count. Public.
pub fn table<F: Field>(r: &[ElementOf<F>], count: usize) -> Vec<ElementOf<F>> {
    let one = ElementOf::one();
    let mut table = vec![one];
    // From the highest variable on, so that places beyond `count` are never computed.
    for (t, &r) in r.iter().enumerate().rev() {
        let length = count.div_ceil(1 << t);
        let mut next = Vec::with_capacity(length);
        for x in table {
            let high = x * r;
            next.push(x - high);
            if next.len() < length {
                next.push(high);
            }
        }
        table = next;
    }
    table.truncate(count);
    table
}

/// Entries of the table of the low variables of [`Halves`].
pub const SPAN: usize = 1 << 8;

/// eq(r, i) for all i below some number: the products of entries i mod [`SPAN`] of `low` and
/// floor(i / [`SPAN`]) of `high`. Public.
#[derive(Debug)]
pub struct Halves<F: Field = P61> {
    /// Of the low variables.
    pub low: Vec<ElementOf<F>>,
    /// Of the others.
    pub high: Vec<ElementOf<F>>,
}

impl<F: Field> Halves<F> {
    /// For i < count.
    pub fn new(r: &[ElementOf<F>], count: usize) -> Self {
        let (low, high) = r.split_at(r.len().min(SPAN.ilog2() as usize));
        Self { low: table(low, count.min(SPAN)), high: table(high, count.div_ceil(SPAN)) }
    }

    /// eq(r, i).
    pub fn at(&self, i: usize) -> ElementOf<F> {
        self.low[i & (SPAN - 1)] * self.high[i >> SPAN.ilog2()]
    }
}

/// eq(r, s).
#[inline]
pub fn at<F: Field>(r: &[ElementOf<F>], s: &[ElementOf<F>]) -> ElementOf<F> {
    let one = ElementOf::one();
    let factors = r.iter().zip(s).map(|(&r, &s)| r * s + (one - r) * (one - s));
    factors.fold(one, |product, factor| product * factor)
}
