//! Rows of a table multiplied by cube roots of their weights, where P is z^3 - z.
//!
//! The weight w of a pair of rows is a product over the variables that are not bound: 1 - tau or
//! tau of each, or, but for a factor of all pairs, 1 or u = tau / (1 - tau). Every u is a cube
//! times a power of X (`field::p61::roots`). Let s^3 X^k be the product for the high variables of a
//! row. If rows are multiplied by s, the sum of their cubes needs no product with w: X^k is a shift
//! of coefficients, and products for the low variables are few, so that pairs are summed up by
//! these. Both rows of a pair have the same s while the variable of the round is low, and their
//! line at r has it, too. When no low variable is left, rows are divided by s.

use alloc::vec::Vec;

use super::rounds::CUBE;
use super::schedule::{Kind, Term};
use crate::field::{ElementOf, Field, Lanes, Weight};

/// Low variables at first. Each halves the rows that are divided by s in the end, and the pairs
/// that have a weight then, and doubles the sums of the first round.
pub(super) const LOW: usize = 3;
/// With fewer columns a table gains less than its scales take: by an estimate, products of a scale
/// and the digits of eight weights take some 2 us, and its seven pairs gain 26 ns a column.
const LEAST_COLUMNS: usize = 128;

/// What the rows are multiplied by.
pub(super) struct Scales<F: Field> {
    /// Variables of a row, the low ones, which its scale does not depend on.
    low: usize,
    /// Of each value of the others.
    all: Vec<Scale<F>>,
}

#[derive(Clone, Copy)]
pub(super) struct Scale<F: Field> {
    /// s, and 1 / s.
    factor: ElementOf<F>,
    pub(super) inverse: ElementOf<F>,
    /// k.
    pub(super) power: usize,
}

impl<F: Field> Scales<F> {
    /// For a table of so many rows and columns, given the tau of the variables that are not bound:
    /// if P is z^3 - z in all rows, and their weights have cube roots.
    pub(super) fn new(
        terms: &[Term<F>],
        tau: &[ElementOf<F>],
        [height, columns]: [usize; 2],
    ) -> Option<Self> {
        let [Term { product, kind: Kind::Eq, .. }] = terms else { return None };
        let is_cube = (product.degree(), product.root()) == (CUBE, 0);
        let (low, high) = tau.split_at_checked(LOW)?;
        if !is_cube
            || columns < LEAST_COLUMNS
            || high.is_empty()
            || low.iter().any(|tau| tau.is_zero())
        {
            return None;
        }
        let (one, x) = (ElementOf::one(), ElementOf::monomial(F::residue(1), 1));
        let of_x = x.inverse();
        let mut all = vec![Scale { factor: one, inverse: one, power: 0 }];
        for &tau in high {
            let others = one - tau;
            if tau.is_zero() || others.is_zero() {
                return None;
            }
            let (root, k) = F::cube_root_vartime(tau * others.inverse())?;
            let inverse = root.inverse();
            for index in 0..all.len() {
                let mut scale: Scale<F> = all[index];
                scale.factor = scale.factor * root;
                scale.inverse = scale.inverse * inverse;
                scale.power += k;
                if scale.power >= CUBE {
                    // X^3 is a cube.
                    scale.factor = scale.factor * x;
                    scale.inverse = scale.inverse * of_x;
                    scale.power -= CUBE;
                }
                all.push(scale);
            }
        }
        all.truncate(height.div_ceil(1 << LOW));
        Some(Self { low: LOW, all })
    }

    /// A low variable is bound.
    pub(super) const fn bind(&mut self) {
        self.low -= 1;
    }

    /// Whether no variable is low any more, so that rows are [divided](Self::divide).
    pub(super) const fn are_over(&self) -> bool {
        self.low == 0
    }

    /// s of each value of the high variables.
    pub(super) fn factors(&self) -> impl Iterator<Item = ElementOf<F>> {
        self.all.iter().map(|scale| scale.factor)
    }

    /// s of a row.
    pub(super) fn at(&self, row: usize) -> ElementOf<F> {
        self.all[row >> self.low].factor
    }

    /// The scale of a pair of rows.
    pub(super) fn of_pair(&self, pair: usize) -> Scale<F> {
        self.all[pair >> (self.low - 1)]
    }

    /// The pairs that have one weight but for their scales are so many apart.
    pub(super) const fn stride(&self) -> usize {
        1 << (self.low - 1)
    }

    /// The weight of a pair but for the low variables.
    pub(super) fn weight(&self, pair: usize) -> Weight<F> {
        let Scale { factor, power, .. } = self.of_pair(pair);
        Weight::Scaled { minus_square: ElementOf::ZERO - factor * factor, power }
    }

    /// Divides rows of a group of columns by their scales, each of its own.
    ///
    /// # Constant time
    /// In the columns.
    #[inline(always)]
    pub(super) fn divide<L: Lanes<F>>(&self, token: L::Token, column: &mut [L::Stored]) {
        for (row, scale) in column.iter_mut().zip(&self.all) {
            *row = L::load(token, row).mul(L::splat(token, scale.inverse)).store();
        }
    }
}
