//! What prover and verifier derive alike: the challenges, the weights of masks, and the last claim.

use alloc::vec::Vec;

use super::terms::{self, terms};
use super::{Ranges, Shape, eq};
use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript::Transcript;
use crate::polynomial::Product;
use crate::sum_check;

/// Labels of messages and challenges.
const TAU: &str = "tau";
const ETA: &str = "eta";
const ROUND: &str = "round";
const POINT: &str = "r";

/// The transcript of a claim.
#[derive(Debug)]
pub(in crate::argument) struct Schedule<F: Field = P61> {
    pub(in crate::argument) transcript: Transcript,
    pub(in crate::argument) shape: Shape,
    /// tau, and eta behind it, if there are norms.
    pub(super) challenges: Vec<ElementOf<F>>,
    /// r as far as it is drawn.
    pub(super) point: Vec<ElementOf<F>>,
}

impl<F: Field> Schedule<F> {
    /// From a state of the transcript to tau, and eta.
    pub(in crate::argument) fn begin(start: Transcript, shape: Shape) -> Self {
        let mut transcript = start;
        let mut challenges: Vec<ElementOf<F>> =
            (0..shape.rounds()).map(|_| transcript.challenge(TAU)).collect();
        challenges.extend(shape.has_norms.then(|| transcript.challenge(ETA)));
        Self { transcript, shape, challenges, point: Vec::new() }
    }

    /// After the e messages of a round, its challenge.
    pub(in crate::argument) fn round(&mut self, messages: &[ElementOf<F>]) -> ElementOf<F> {
        self.transcript.absorb(ROUND, messages);
        let r = self.transcript.challenge(POINT);
        self.point.push(r);
        r
    }

    /// tau of the columns.
    pub(in crate::argument) fn tau_of_columns(&self) -> &[ElementOf<F>] {
        self.shape.split(&self.challenges).1
    }

    /// r of the rows.
    pub(super) fn rows_point(&self) -> &[ElementOf<F>] {
        &self.point[..self.shape.row_rounds]
    }

    /// r of the columns.
    pub(super) fn columns_point(&self) -> &[ElementOf<F>] {
        &self.point[self.shape.row_rounds..]
    }

    /// eq(r_1, a) for the rows a of the table, the one behind the claim's included.
    pub(in crate::argument) fn row_weights(&self) -> Vec<ElementOf<F>> {
        eq::table(self.rows_point(), self.shape.rows + 1)
    }

    /// w: what the mask of message k counts in the end; and what c_0 counts.
    pub(in crate::argument) fn pad_weights(&self) -> (Vec<ElementOf<F>>, ElementOf<F>) {
        sum_check::weights(&self.point, self.shape.messages)
    }

    /// c_0 = sum over norms k of eta^(k + 1) beta_k^2 times the sum over columns j of eq(tau_2, j).
    pub(super) fn first_claim(&self, ranges: &Ranges) -> ElementOf<F> {
        let (_, columns, eta) = self.shape.split(&self.challenges);
        if eta.is_none() {
            return ElementOf::ZERO;
        }
        let columns = eq::table(columns, self.shape.columns as usize);
        let sum = columns.into_iter().fold(ElementOf::ZERO, |sum, x| sum + x);
        sum * terms::column_sum(ranges, eta)
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
        let terms = self.row_sums(ranges).into_iter();
        let sum = terms.fold(ElementOf::ZERO, |sum, (product, x)| sum + x * product.at(value));
        sum * eq::at(self.tau_of_columns(), self.columns_point())
    }
}
