//! What prover and verifier derive alike: D_0, the challenges, the weights of pads, and phi.

use alloc::vec;
use alloc::vec::Vec;

use super::{BatchSlot, Facts, Shape};
use crate::argument::claim::{self as common, RHO, VALUES};
use crate::argument::ends::Ends;
use crate::argument::fact::Equation;
use crate::argument::field::Element;
use crate::argument::opening::LinearForm;
use crate::argument::ranges::eq;
use crate::argument::sum_check::{self, dot};
use crate::argument::transcript::Transcript;
use crate::statement::Statement;

/// Labels of messages and challenges.
const ETA: &str = "eta";
const ROUND: &str = "round";
const POINT: &str = "r";
const ENDS: &str = "ends";

/// The transcript of a claim.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) transcript: Transcript,
    pub(super) shape: Shape,
    /// Of the facts, in order.
    pub(super) equations: Vec<Equation>,
    /// 1, eta, eta^2, ..: what each counts.
    pub(super) scales: Vec<Element>,
    /// r as far as it is drawn.
    point: Vec<Element>,
}

impl Course {
    /// From D_0 to eta.
    pub(super) fn begin(start: Transcript, shape: Shape, facts: &Facts) -> Self {
        let mut transcript = start;
        let equations: Vec<Equation> =
            facts.facts().iter().map(|fact| fact.equation(&mut transcript)).collect();
        let eta = transcript.challenge(ETA);
        let one = Element::monomial(1, 0);
        let powers = core::iter::successors(Some(one), |&power| Some(power * eta));
        let scales = powers.take(equations.len()).collect();
        Self { transcript, shape, equations, scales, point: Vec::new() }
    }

    /// c_0: the sum of all values, each with what it counts.
    pub(super) fn first_claim(&self) -> Element {
        let pairs = self.equations.iter().zip(&self.scales);
        pairs.fold(Element::ZERO, |sum, (equation, &scale)| sum + scale * equation.value)
    }

    /// After the messages of a round, its challenge.
    pub(super) fn round(&mut self, messages: &[Element]) -> Element {
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

    /// eq(r_1, a) for the rows a of the table, that of beta included.
    pub(super) fn row_weights(&self) -> Vec<Element> {
        eq::table(&self.point[..self.shape.row_rounds], self.shape.rows + 1)
    }

    /// eq(r_2, j) for all columns.
    pub(super) fn column_weights(&self) -> Vec<Element> {
        eq::table(&self.point[self.shape.row_rounds..], self.shape.columns as usize)
    }

    /// w: what the pad of each message counts in the end; and what c_0 counts.
    pub(super) fn pad_weights(&self) -> (Vec<Element>, Element) {
        sum_check::weights(&self.point, Shape::MESSAGES)
    }

    /// W~(r_1, j) for all columns j: the sum over the facts of what each counts, lambda~(r_1) and
    /// g_j.
    pub(super) fn columns(&self) -> Vec<Element> {
        let weights = self.row_weights();
        let mut columns = vec![Element::ZERO; self.shape.columns as usize];
        for (equation, &scale) in self.equations.iter().zip(&self.scales) {
            let rows = equation.rows.iter();
            let rows = rows.fold(Element::ZERO, |sum, &(row, x)| sum + x * weights[row as usize]);
            let factor = scale * rows;
            for &(column, g) in &equation.columns {
                columns[column as usize] += factor * g;
            }
        }
        columns
    }

    /// Lambda = sum over j of w_j m_j + c_0 times the product of r - W~(r) v.
    pub(super) fn lambda(&self, messages: &[Element], value: Element) -> Element {
        let (w, product) = self.pad_weights();
        let last = dot(&self.columns(), &self.column_weights()) * value;
        dot(&w, messages) + product * self.first_claim() - last
    }

    /// phi_1 = sum over rows a of eq(r_1, a) x_a + eq(r_1, rows) val(beta).
    pub(super) fn images(&self, slot: BatchSlot) -> LinearForm {
        let mut weights = self.row_weights();
        let last = weights.pop().expect("the row of beta");
        LinearForm::new((0..).zip(weights).collect()).plus(last, &slot.beta())
    }

    /// phi = val(kappa) + rho phi_1 + rho^2 val(gamma).
    pub(super) fn form(&self, slot: BatchSlot, rho: Element) -> LinearForm {
        slot.kappa().plus(rho, &self.images(slot)).plus(rho * rho, &slot.gamma())
    }
}

/// The transcript from D_0 on: 9, the number of facts, and the facts.
pub(super) fn begin(statement: &Statement, slot: BatchSlot, facts: &Facts) -> Transcript {
    let start = common::fields(statement, slot.first_row()).number(9);
    let start = start.number(facts.facts().len() as u64);
    Transcript::begin(facts.facts().iter().fold(start, |start, fact| fact.fields(start)))
}
