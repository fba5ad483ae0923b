//! What the sum-check adds up: polynomials in entries of the table, with weights of rows.
//!
//! With norms the summand is sum over ranges k of E_k P_k(s^) and, for norm k with a challenge eta,
//! eta^(k + 1) eq(tau_2, j) (a_i s^^2 + c_i s^), a_i being 1 in its rows and c_i = 2^d in that of bit
//! d. All of these are eq(tau_2, j) times a weight of the row times a polynomial.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Ranges, RowNorm, RowRange, Shape, eq};
use crate::field::Element;
use crate::polynomial::Product;

/// A polynomial and the weights of the rows of the table with which it counts, as far as variables
/// are bound: 0 for all others.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) product: Product,
    /// Whether it is 0 at all entries of a claim that holds.
    pub(super) vanishes: bool,
    first: usize,
    rows: Vec<Element>,
}

impl Term {
    pub(super) fn at(&self, row: usize) -> Element {
        let place = row.checked_sub(self.first);
        place.and_then(|place| self.rows.get(place)).copied().unwrap_or(Element::ZERO)
    }

    /// The pairs of rows with one or both in it.
    #[expect(clippy::integer_division_remainder_used, reason = "indices of rows are public")]
    pub(super) fn pairs(&self) -> Range<usize> {
        self.first / 2..(self.first + self.rows.len()).div_ceil(2)
    }

    /// Binds a variable.
    pub(super) fn bind(&mut self, r: Element) {
        let pairs = self.pairs();
        let pair = |g| self.at(2 * g) + r * (self.at(2 * g + 1) - self.at(2 * g));
        self.rows = pairs.clone().map(pair).collect();
        self.first = pairs.start;
    }

    /// sum over its rows a of its weight times `weights`_a.
    pub(super) fn sum(&self, weights: &[Element]) -> Element {
        let pairs = self.rows.iter().zip(&weights[self.first..]);
        pairs.fold(Element::ZERO, |sum, (&x, &y)| sum + x * y)
    }
}

/// All terms, with tau, and eta behind it, if there are norms.
pub(super) fn terms(ranges: &Ranges, shape: Shape, challenges: &[Element]) -> Vec<Term> {
    let (of_rows, _, eta) = shape.split(challenges);
    // eq(tau_1, a).
    let factors = eq::table(of_rows, shape.rows);
    let of_range = |part: &RowRange| {
        let first = ranges.place(part.first_row);
        let rows = factors[first..first + part.rows as usize].to_vec();
        Term { product: part.product(), vanishes: true, first, rows }
    };
    let mut terms: Vec<Term> = ranges.parts().iter().map(of_range).collect();
    for (norm, power) in ranges.norms().iter().zip(powers(eta)) {
        let RowNorm { first_row, rows, first_bit, bits, .. } = *norm;
        let rows = alloc::vec![power; rows as usize];
        let first = ranges.place(first_row);
        terms.push(Term { product: Product::SQUARE, vanishes: false, first, rows });
        if bits > 0 {
            let rows = (0..bits).map(|d| power.scale(1 << d)).collect();
            let first = ranges.place(first_bit);
            terms.push(Term { product: Product::LINE, vanishes: false, first, rows });
        }
    }
    terms
}

/// sum over norms k of eta^(k + 1) beta_k^2: what the sum over a column is.
pub(super) fn column_sum(ranges: &Ranges, eta: Option<Element>) -> Element {
    let pairs = ranges.norms().iter().zip(powers(eta));
    pairs.fold(Element::ZERO, |sum, (norm, power)| sum + power.scale(norm.bound_squared))
}

/// eta, eta^2, ..
fn powers(eta: Option<Element>) -> impl Iterator<Item = Element> {
    core::iter::successors(eta, move |&power| eta.map(|eta| power * eta))
}
