//! What prover and verifier derive alike: D_0, the challenges, the weights of pads, and phi.

use alloc::vec::Vec;

use super::{RangeSlot, Ranges, Shape, eq};
use crate::argument::claim as common;
use crate::argument::field::Element;
use crate::argument::opening::LinearForm;
use crate::argument::sum_check;
use crate::argument::transcript::Transcript;
use crate::statement::Statement;

/// Labels of messages and challenges.
const TAU: &str = "tau";
const ROUND: &str = "round";
const POINT: &str = "r";
const ENDS: &str = "ends";
const RHO: &str = "rho";
const VALUES: &str = "values";

/// What is sent between the rounds and rho.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    /// v = sum over j of eq(r_2, j) phi_1(s_j).
    pub(super) value: Element,
    /// X_1 = sum over j of w_j phi_1(s_j).
    pub(super) weighted_values: Element,
    /// X_2 = sum over j of eq(r_2, j) gamma_j.
    pub(super) gammas: Element,
    /// Y_1 = sum over j of w_j kappa_j.
    pub(super) weighted_kappas: Element,
    /// Y_2 = sum over j of eq(r_2, j) kappa_j.
    pub(super) kappas: Element,
}

impl Ends {
    pub(super) const COUNT: usize = 5;

    pub(super) const fn to_array(self) -> [Element; Self::COUNT] {
        [self.value, self.weighted_values, self.gammas, self.weighted_kappas, self.kappas]
    }

    pub(super) const fn from_array(elements: [Element; Self::COUNT]) -> Self {
        let [value, weighted_values, gammas, weighted_kappas, kappas] = elements;
        Self { value, weighted_values, gammas, weighted_kappas, kappas }
    }
}

/// The transcript of a claim.
#[derive(Debug)]
pub(in crate::argument) struct Course {
    pub(in crate::argument) transcript: Transcript,
    pub(in crate::argument) shape: Shape,
    /// tau, a variable for each round.
    pub(in crate::argument) tau: Vec<Element>,
    /// r as far as it is drawn.
    pub(super) point: Vec<Element>,
}

impl Course {
    /// From D_0 = H("argument", .., first row of the pads, bound on a digit, 3, ranges) to tau.
    pub(in crate::argument) fn begin(start: Transcript, shape: Shape) -> Self {
        let mut transcript = start;
        let tau = (0..shape.rounds()).map(|_| transcript.challenge(TAU)).collect();
        Self { transcript, shape, tau, point: Vec::new() }
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

    /// tau and r of the rows.
    fn of_rows(&self) -> [&[Element]; 2] {
        [&self.tau[..self.shape.row_rounds], &self.point[..self.shape.row_rounds]]
    }

    /// tau and r of the columns.
    fn of_columns(&self) -> [&[Element]; 2] {
        [&self.tau[self.shape.row_rounds..], &self.point[self.shape.row_rounds..]]
    }

    /// eq(r_1, a) for the rows a of the table, that of beta included.
    pub(in crate::argument) fn row_weights(&self) -> Vec<Element> {
        eq::table(self.of_rows()[1], self.shape.rows + 1)
    }

    /// eq(r_2, j) for all columns.
    pub(super) fn column_weights(&self) -> Vec<Element> {
        eq::table(self.of_columns()[1], self.shape.columns as usize)
    }

    /// eq(tau_1, a) for the rows of the claim.
    fn row_factors(&self) -> Vec<Element> {
        eq::table(&self.tau[..self.shape.row_rounds], self.shape.rows)
    }

    /// w: what the pad of message k counts in the end.
    pub(in crate::argument) fn pad_weights(&self) -> Vec<Element> {
        sum_check::weights(&self.point, self.shape.messages).0
    }

    /// sum over the rows a of each range of eq(tau_1, a) eq(r_1, a).
    pub(in crate::argument) fn row_sums(&self, ranges: &Ranges) -> Vec<Element> {
        let (factors, weights) = (self.row_factors(), self.row_weights());
        let mut start = 0;
        let sum = |part: &super::RowRange| {
            let rows = start..start + part.rows as usize;
            start = rows.end;
            let pairs = factors[rows.clone()].iter().zip(&weights[rows]);
            pairs.fold(Element::ZERO, |sum, (&x, &y)| sum + x * y)
        };
        ranges.parts().iter().map(sum).collect()
    }

    /// sum over ranges k of E_k(r) P_k(v), for E_k(r) = (sum over its rows a of eq(tau_1, a)
    /// eq(r_1, a)) eq(tau_2, r_2).
    pub(super) fn last_claim(&self, ranges: &Ranges, value: Element) -> Element {
        let sums = self.row_sums(ranges);
        let pairs = ranges.parts().iter().zip(sums);
        let sum = pairs.fold(Element::ZERO, |sum, (part, x)| sum + x * part.product().at(value));
        let [tau, r] = self.of_columns();
        sum * eq::at(tau, r)
    }

    /// phi = val(kappa) + rho phi_1 + rho^2 val(gamma), for phi_1 = sum over rows a of eq(r_1, a)
    /// x_a + eq(r_1, rows) val(beta).
    pub(super) fn form(&self, ranges: &Ranges, slot: RangeSlot, rho: Element) -> LinearForm {
        let mut weights = self.row_weights();
        let last = weights.pop().expect("the row of beta");
        let rows = ranges.parts().iter().flat_map(|part| part.first_row..part.end() as u32);
        let messages = LinearForm::new(rows.zip(weights).collect());
        slot.kappa()
            .plus(rho, &messages)
            .plus(rho * last, &slot.beta())
            .plus(rho * rho, &slot.gamma())
    }
}

/// The transcript from D_0 on.
pub(super) fn begin(statement: &Statement, slot: RangeSlot, ranges: &Ranges) -> Transcript {
    let mut start = common::fields(statement, slot.first_row()).number(3);
    start = start.number(ranges.parts().len() as u64);
    for part in ranges.parts() {
        start = start
            .number(part.first_row.into())
            .number(part.rows.into())
            .number(i64::from(part.low).cast_unsigned())
            .number(i64::from(part.high).cast_unsigned());
    }
    Transcript::begin(start)
}
