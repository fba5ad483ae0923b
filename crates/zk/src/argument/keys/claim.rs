//! What prover and verifier of keys derive alike: D_0, the challenges, the last claim, and phi.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};

use super::ExactKeys;
use crate::argument::claims::statement_fields;
use crate::argument::digits::Radix;
use crate::argument::ranges::schedule::Schedule;
use crate::argument::ranges::{Ranges, Shape};
use crate::eq;
use crate::field::{Element, Lanes, Products, with_lanes};
use crate::hash::{Digest, Hasher};
use crate::keys::KeyPads;
use crate::opening::transcript::Transcript;
use crate::opening::{ColumnOpening, LinearForm};
use crate::polynomial::Product;
use crate::statement::Statement;

/// Labels of messages and challenges other than rounds.
const THETA: &str = "theta";
const ENDS: &str = "ends";
const RHO: &str = "rho";
const VALUES: &str = "values";

/// The messages between the rounds and rho.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FinalMessages {
    /// h_j = sum over rows a of eq(r_1, a) s_aj, for every key.
    pub(super) hints: Vec<Element>,
    /// X_1 = sum over dummies j of w_j (sum over rows a of eq(r_1, a) s~_aj), where s~_j is the
    /// preimage of the published column of T.
    pub(super) weighted_hints: Element,
    /// Y_1 = sum over dummies j of w_j theta(pads of j).
    pub(super) weighted_masks: Element,
}

impl FinalMessages {
    /// The messages that these elements are, in the order in which they are sent.
    pub(super) fn of(elements: &[Element]) -> Self {
        let (hints, sums) = elements.split_at(elements.len() - 2);
        let (hints, [weighted_hints, weighted_masks]) = (hints.to_vec(), [sums[0], sums[1]]);
        Self { hints, weighted_hints, weighted_masks }
    }

    pub(super) fn to_vec(&self) -> Vec<Element> {
        let mut elements = self.hints.clone();
        elements.extend([self.weighted_hints, self.weighted_masks]);
        elements
    }
}

/// The transcript of a claim behind its rounds.
pub(super) struct KeySchedule {
    pub(super) schedule: Schedule,
    /// theta_i, for each row of pads.
    pub(super) theta: Vec<Element>,
    /// Columns of the keys, and rows of their secrets.
    keys: usize,
    secrets: u32,
    pads: KeyPads,
}

impl ExactKeys<'_> {
    /// Of the sum-check over the rows of S and one row that is 0.
    pub(super) fn shape(&self) -> Shape {
        Shape::new(&self.ranges, self.statement.params().l())
    }

    /// The transcript from D_0 = H("argument", .., first row of the pads, b', 4, claim, dT_x) on,
    /// where the statement has keys and dummies.
    pub(super) fn transcript(&self, extended: &Statement) -> Transcript {
        Transcript::begin(self.fields(extended))
    }

    /// The binding of the dummy columns' key: the same for the keys alone.
    pub(super) fn claim_digest(&self) -> Digest {
        self.fields(self.statement).finish()
    }

    fn fields(&self, statement: &Statement) -> Hasher {
        let (params, pads) = (self.statement.params(), &self.extended.pads);
        let first_row = params.v() - params.r();
        statement_fields(statement)
            .number(first_row.into())
            .number(pads.bound.into())
            .number(4)
            .number(params.l())
            .number(pads.uniform.into())
            .number(pads.digits.into())
            .number(self.claim.secret_bound().into())
            .number(self.claim.error_bound().into())
            .number(self.extended.round_t().into())
    }

    /// The context that D is about: the number of hints, in four bytes, and the user's.
    pub(super) fn context(&self, context: &[u8]) -> Vec<u8> {
        [&self.claim.hints().to_le_bytes(), context].concat()
    }

    /// The challenges theta behind the rounds.
    pub(super) fn after_rounds(&self, mut schedule: Schedule) -> KeySchedule {
        let (params, pads) = (self.statement.params(), self.extended.pads);
        let theta = (0..pads.rows()).map(|_| schedule.rounds.transcript.challenge(THETA)).collect();
        let (keys, secrets) = (params.l() as usize, params.v() - params.r());
        KeySchedule { schedule, theta, keys, secrets, pads }
    }
}

impl KeySchedule {
    pub(super) fn rho(&mut self, ends: &FinalMessages) -> Element {
        self.schedule.rounds.transcript.absorb(ENDS, &ends.to_vec());
        self.schedule.rounds.transcript.challenge(RHO)
    }

    /// Absorbs the values of dummy columns; the opening of phi.
    pub(super) fn finish(&mut self, rho: Element, values: &[Element]) -> ColumnOpening {
        self.schedule.rounds.transcript.absorb(VALUES, values);
        ColumnOpening::new(*self.schedule.rounds.transcript.state(), self.form(rho))
    }

    /// w: what the pads of dummy columns count in the end.
    pub(super) fn pad_weights(&self) -> Vec<Element> {
        let (mut weights, _) = self.schedule.pad_weights();
        weights.truncate(self.pads.columns as usize);
        weights
    }

    /// sum over ranges k of (sum over its rows a of eq(tau_1, a) eq(r_1, a)) sum over keys j of
    /// eq(tau_2, j) P_k(h_j).
    pub(super) fn last_claim(&self, ranges: &Ranges, hints: &[Element]) -> Element {
        let eq = eq::table(self.schedule.tau_of_columns(), self.keys);
        let terms = self.schedule.row_sums(ranges).into_iter();
        terms.fold(Element::ZERO, |sum, (product, rows)| {
            sum + rows * weighted_sum(product, &eq, hints)
        })
    }

    /// phi_R = sum over rows a of secrets and errors of eq(r_1, a) x_a, on columns with pads
    /// between the two.
    pub(super) fn rows(&self) -> LinearForm {
        let (secrets, pads) = (self.secrets, self.pads.rows());
        let rows = (0..).map(|a| if a < secrets { a } else { a + pads });
        let mut weights = self.schedule.row_weights();
        // The weight of the row behind the last, which is 0.
        weights.pop();
        LinearForm::new(rows.zip(weights).collect())
    }

    /// theta(pads).
    pub(super) fn mask(&self) -> LinearForm {
        LinearForm::new((self.secrets..).zip(self.theta.iter().copied()).collect())
    }

    /// phi = theta(pads) + rho phi_R + rho^2 val(gamma).
    pub(super) fn form(&self, rho: Element) -> LinearForm {
        let gamma = gamma(self.secrets, &self.pads);
        self.mask().plus(rho, &self.rows()).plus(rho * rho, &gamma)
    }
}

/// sum over keys j of eq_j P(h_j). Public.
fn weighted_sum(product: Product, eq: &[Element], hints: &[Element]) -> Element {
    with_lanes!(Isa::detect_vectors(), L, token => vectorize!(token, {
        let mut sum = Element::ZERO;
        let mut groups = (0..eq.len()).step_by(L::LANES);
        while groups.len() > 0 {
            let mut products = <L as Lanes>::Products::zero(token);
            for first in groups.by_ref().take(L::MAX_PRODUCTS) {
                let [eq, hints] = [eq, hints].map(|x| L::gather(token, &x[first..]));
                products.add(eq, product.at(hints));
            }
            sum += products.reduce().sum();
        }
        sum
    }))
}

/// val(gamma), the rows of secrets being so many.
pub(super) fn gamma(secrets: u32, pads: &KeyPads) -> LinearForm {
    let first = secrets + pads.uniform;
    LinearForm::new((first..).zip(Radix::of(pads.bound, pads.digits).weights()).collect())
}
