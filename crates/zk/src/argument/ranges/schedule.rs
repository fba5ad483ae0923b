//! What prover and verifier derive alike: the challenges, the weights of masks, the last claim, and
//! [`Term`]s, which the sum-check adds up: polynomials in entries of the table, with weights of
//! rows.
//!
//! With norms the summand is sum over ranges k of E_k P_k(s^) and, for norm k with a challenge eta,
//! eta^(k + 1) eq(tau_2, j) (a_i s^^2 + c_i s^), a_i being 1 in its rows and c_i = 2^d in the row
//! of bit d. All of these are eq(tau_2, j) times a weight of the row times a polynomial.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Ranges, RowNorm, RowRange, Shape, eq};
use crate::argument::linear::Rounds;
use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript::Transcript;
use crate::polynomial::Product;
use crate::sum_check::dot;

/// Labels of messages and challenges.
const TAU: &str = "tau";
const ETA: &str = "eta";
const ROUND: &str = "round";
const POINT: &str = "r";

/// The transcript of a claim.
#[derive(Debug)]
pub(in crate::argument) struct Schedule<F: Field = P61> {
    pub(in crate::argument) rounds: Rounds<F>,
    pub(in crate::argument) shape: Shape,
    /// tau, and eta behind it, if there are norms.
    pub(super) challenges: Vec<ElementOf<F>>,
}

impl<F: Field> Schedule<F> {
    /// From a state of the transcript to tau, and eta.
    pub(super) fn begin(mut transcript: Transcript, shape: Shape) -> Self {
        let mut challenges: Vec<ElementOf<F>> =
            (0..shape.rounds()).map(|_| transcript.challenge(TAU)).collect();
        challenges.extend(shape.has_norms.then(|| transcript.challenge(ETA)));
        Self { rounds: Rounds::new(transcript, [ROUND, POINT]), shape, challenges }
    }

    /// From a state of the transcript to the challenges of all rounds with these messages.
    pub(in crate::argument) fn replay(
        start: Transcript,
        shape: Shape,
        messages: &[ElementOf<F>],
    ) -> Self {
        let mut schedule = Self::begin(start, shape);
        schedule.rounds.replay(messages, shape.messages);
        schedule
    }

    /// tau of the columns.
    pub(in crate::argument) fn tau_of_columns(&self) -> &[ElementOf<F>] {
        self.shape.split(&self.challenges).1
    }

    /// r of the rows.
    pub(in crate::argument) fn rows_point(&self) -> &[ElementOf<F>] {
        &self.rounds.point[..self.shape.row_rounds]
    }

    /// r of the columns.
    pub(in crate::argument) fn columns_point(&self) -> &[ElementOf<F>] {
        &self.rounds.point[self.shape.row_rounds..]
    }

    /// eq(r_1, a) for the rows a of the table, the one behind the claim's included.
    pub(in crate::argument) fn row_weights(&self) -> Vec<ElementOf<F>> {
        eq::table(self.rows_point(), self.shape.rows + 1)
    }

    /// w: what the mask of message k counts in the end; and what c_0 counts.
    pub(in crate::argument) fn pad_weights(&self) -> (Vec<ElementOf<F>>, ElementOf<F>) {
        self.rounds.weights(self.shape.messages)
    }

    /// c_0 = sum over norms k of eta^(k + 1) beta_k^2 times the sum over columns j of eq(tau_2, j).
    pub(super) fn first_claim(&self, ranges: &Ranges) -> ElementOf<F> {
        let (_, columns, eta) = self.shape.split(&self.challenges);
        if eta.is_none() {
            return ElementOf::ZERO;
        }
        let columns = eq::table(columns, self.shape.columns as usize);
        let sum = columns.into_iter().fold(ElementOf::ZERO, |sum, x| sum + x);
        let norms = ranges.norms().iter().zip(powers(eta));
        norms.fold(ElementOf::ZERO, |all, (norm, power)| {
            all + sum * power.scale(F::Word::from(norm.bound_squared))
        })
    }

    /// The polynomial of each term, and the sum over its rows a of its weight times eq(r_1, a).
    pub(in crate::argument) fn row_sums(&self, ranges: &Ranges) -> Vec<(Product, ElementOf<F>)> {
        let weights = self.row_weights();
        terms(ranges, self.shape, &self.challenges)
            .iter()
            .map(|term| (term.product, term.sum(&weights)))
            .collect()
    }

    /// sum over terms k of E_k(r) P_k(v), for E_k(r) = (sum over its rows a of its weight times
    /// eq(r_1, a)) eq(tau_2, r_2).
    pub(super) fn last_claim(&self, ranges: &Ranges, value: ElementOf<F>) -> ElementOf<F> {
        let sums = self.row_sums(ranges).into_iter();
        let sum = sums.fold(ElementOf::ZERO, |sum, (product, x)| sum + x * product.at(value));
        sum * eq::at(self.tau_of_columns(), self.columns_point())
    }
}

/// A polynomial and the weights of the rows of the table with which it counts, as far as variables
/// are bound: 0 for all others.
#[derive(Debug)]
pub(super) struct Term<F: Field> {
    pub(super) product: Product,
    /// Whether it is 0 at all entries of a claim that holds.
    pub(super) vanishes: bool,
    pub(super) kind: Kind,
    first: usize,
    rows: Vec<ElementOf<F>>,
    /// Its rows of which the weights are as its kind says.
    regular: Range<usize>,
}

/// How weights of rows belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// eq(tau, .) times a constant, as far as variables are not bound.
    Eq,
    /// All are the same.
    Constant,
    /// They do not.
    Other,
}

impl<F: Field> Term<F> {
    pub(super) fn new(product: Product, kind: Kind, first: usize, rows: Vec<ElementOf<F>>) -> Self {
        let end = if kind == Kind::Other { first } else { first + rows.len() };
        Self { product, vanishes: kind == Kind::Eq, kind, first, rows, regular: first..end }
    }

    pub(super) fn at(&self, row: usize) -> ElementOf<F> {
        let place = row.checked_sub(self.first);
        place.and_then(|place| self.rows.get(place)).copied().unwrap_or(ElementOf::ZERO)
    }

    /// The blocks of 2^t rows of which it has any, and those that are regular.
    pub(super) fn blocks(&self, t: usize) -> [Range<usize>; 2] {
        let end = (self.first + self.rows.len()).div_ceil(1 << t);
        let regular = self.regular.start.div_ceil(1 << t)..self.regular.end >> t;
        let some = !regular.is_empty();
        [self.first >> t..end, if some { regular } else { end..end }]
    }

    /// Binds a variable.
    pub(super) fn bind(&mut self, r: ElementOf<F>) {
        let [pairs, regular] = self.blocks(1);
        let pair = |g| self.at(2 * g) + r * (self.at(2 * g + 1) - self.at(2 * g));
        self.rows = pairs.clone().map(pair).collect();
        (self.first, self.regular) = (pairs.start, regular);
    }

    /// sum over its rows a of its weight times `weights`_a.
    pub(super) fn sum(&self, weights: &[ElementOf<F>]) -> ElementOf<F> {
        dot(&self.rows, &weights[self.first..])
    }
}

/// All terms, with tau, and eta behind it, if there are norms.
pub(super) fn terms<F: Field>(
    ranges: &Ranges,
    shape: Shape,
    challenges: &[ElementOf<F>],
) -> Vec<Term<F>> {
    let (of_rows, _, eta) = shape.split(challenges);
    // eq(tau_1, a).
    let factors = eq::table(of_rows, shape.rows);
    let of_range = |part: &RowRange| {
        let first = ranges.place(part.first_row);
        let rows = factors[first..first + part.rows as usize].to_vec();
        Term::new(part.product(), Kind::Eq, first, rows)
    };
    let mut terms: Vec<Term<F>> = ranges.parts().iter().map(of_range).collect();
    for (norm, power) in ranges.norms().iter().zip(powers(eta)) {
        let RowNorm { first_row, rows, first_bit, bits, .. } = *norm;
        let rows = alloc::vec![power; rows as usize];
        let first = ranges.place(first_row);
        terms.push(Term::new(Product::SQUARE, Kind::Constant, first, rows));
        if bits > 0 {
            let rows = (0..bits).map(|d| power.scale(F::Word::from(1_u64 << d))).collect();
            let first = ranges.place(first_bit);
            terms.push(Term::new(Product::LINE, Kind::Other, first, rows));
        }
    }
    terms
}

/// eta, eta^2, ..
fn powers<F: Field>(eta: Option<ElementOf<F>>) -> impl Iterator<Item = ElementOf<F>> {
    core::iter::successors(eta, move |&power| eta.map(|eta| power * eta))
}
