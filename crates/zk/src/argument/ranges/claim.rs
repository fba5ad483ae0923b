//! What prover and verifier derive alike: D_0, the challenges, the weights of pads, and phi.

use alloc::vec::Vec;

use super::polynomial::Product;
use super::terms::{self, terms};
use super::{RangeSlot, Ranges, RowNorm, Shape, eq};
use crate::argument::claim as common;
use crate::argument::ends::Ends;
use crate::argument::field::Element;
use crate::argument::opening::LinearForm;
use crate::argument::sum_check;
use crate::argument::transcript::Transcript;
use crate::statement::Statement;

/// Labels of messages and challenges.
const TAU: &str = "tau";
const ETA: &str = "eta";
const ROUND: &str = "round";
const POINT: &str = "r";
const ENDS: &str = "ends";
const RHO: &str = "rho";
const VALUES: &str = "values";

/// The transcript of a claim.
#[derive(Debug)]
pub(in crate::argument) struct Course {
    pub(in crate::argument) transcript: Transcript,
    pub(in crate::argument) shape: Shape,
    /// tau, and eta behind it, if there are norms.
    pub(super) challenges: Vec<Element>,
    /// r as far as it is drawn.
    pub(super) point: Vec<Element>,
}

impl Course {
    /// From D_0 = H("argument", .., first row of the pads, bound on a digit, claim) to tau, and eta.
    pub(in crate::argument) fn begin(start: Transcript, shape: Shape) -> Self {
        let mut transcript = start;
        let mut challenges: Vec<Element> =
            (0..shape.rounds()).map(|_| transcript.challenge(TAU)).collect();
        challenges.extend(shape.has_norms.then(|| transcript.challenge(ETA)));
        Self { transcript, shape, challenges, point: Vec::new() }
    }

    /// After the e messages of a round, its challenge.
    pub(in crate::argument) fn round(&mut self, messages: &[Element]) -> Element {
        self.transcript.absorb(ROUND, messages);
        let r = self.transcript.challenge(POINT);
        self.point.push(r);
        r
    }

    pub(super) fn rho(&mut self, ends: &Ends) -> Element {
        self.transcript.absorb(ENDS, &ends.to_array());
        self.transcript.challenge(RHO)
    }

    pub(super) fn finish(&mut self, values: &[Element]) {
        self.transcript.absorb(VALUES, values);
    }

    /// tau of the columns.
    pub(in crate::argument) fn tau_of_columns(&self) -> &[Element] {
        self.shape.split(&self.challenges).1
    }

    /// r of the columns.
    fn columns_point(&self) -> &[Element] {
        &self.point[self.shape.row_rounds..]
    }

    /// eq(r_1, a) for the rows a of the table, that of beta included.
    pub(in crate::argument) fn row_weights(&self) -> Vec<Element> {
        eq::table(&self.point[..self.shape.row_rounds], self.shape.rows + 1)
    }

    /// eq(r_2, j) for all columns.
    pub(super) fn column_weights(&self) -> Vec<Element> {
        eq::table(self.columns_point(), self.shape.columns as usize)
    }

    /// w: what the pad of message k counts in the end; and what c_0 counts.
    pub(in crate::argument) fn pad_weights(&self) -> (Vec<Element>, Element) {
        sum_check::weights(&self.point, self.shape.messages)
    }

    /// c_0 = sum over norms k of eta^(k + 1) beta_k^2 times the sum over columns j of eq(tau_2, j).
    pub(super) fn first_claim(&self, ranges: &Ranges) -> Element {
        let (_, columns, eta) = self.shape.split(&self.challenges);
        if eta.is_none() {
            return Element::ZERO;
        }
        let columns = eq::table(columns, self.shape.columns as usize);
        let sum = columns.into_iter().fold(Element::ZERO, |sum, x| sum + x);
        sum * terms::column_sum(ranges, eta)
    }

    /// The polynomial of each term, and the sum over its rows a of its weight times eq(r_1, a).
    pub(in crate::argument) fn row_sums(&self, ranges: &Ranges) -> Vec<(Product, Element)> {
        let weights = self.row_weights();
        terms(ranges, self.shape, &self.challenges)
            .iter()
            .map(|term| (term.product, term.sum(&weights)))
            .collect()
    }

    /// sum over terms k of E_k(r) P_k(v), for E_k(r) = (sum over its rows a of its weight times
    /// eq(r_1, a)) eq(tau_2, r_2).
    pub(super) fn last_claim(&self, ranges: &Ranges, value: Element) -> Element {
        let terms = self.row_sums(ranges).into_iter();
        let sum = terms.fold(Element::ZERO, |sum, (product, x)| sum + x * product.at(value));
        sum * eq::at(self.tau_of_columns(), self.columns_point())
    }

    /// phi = val(kappa) + rho phi_1 + rho^2 val(gamma), for phi_1 = sum over rows a of eq(r_1, a)
    /// x_a + eq(r_1, rows) val(beta).
    pub(super) fn form(&self, ranges: &Ranges, slot: RangeSlot, rho: Element) -> LinearForm {
        let mut weights = self.row_weights();
        let last = weights.pop().expect("the row of beta");
        let rows = ranges.rows.iter().cloned().flatten();
        let messages = LinearForm::new(rows.zip(weights).collect());
        slot.kappa()
            .plus(rho, &messages)
            .plus(rho * last, &slot.beta())
            .plus(rho * rho, &slot.gamma())
    }
}

/// The transcript from D_0 on. The claim is 3, or 5 with norms; then the ranges; then these.
pub(super) fn begin(statement: &Statement, slot: RangeSlot, ranges: &Ranges) -> Transcript {
    let kind = if ranges.norms().is_empty() { 3 } else { 5 };
    let mut start = common::fields(statement, slot.first_row()).number(kind);
    start = start.number(ranges.parts().len() as u64);
    for part in ranges.parts() {
        start = start
            .number(part.first_row.into())
            .number(part.rows.into())
            .number(i64::from(part.low).cast_unsigned())
            .number(i64::from(part.high).cast_unsigned());
    }
    if !ranges.norms().is_empty() {
        start = start.number(ranges.norms().len() as u64);
    }
    for &RowNorm { first_row, rows, bound_squared, first_bit, bits } in ranges.norms() {
        start = start
            .number(first_row.into())
            .number(rows.into())
            .number(bound_squared)
            .number(first_bit.into())
            .number(bits.into());
    }
    Transcript::begin(start)
}
