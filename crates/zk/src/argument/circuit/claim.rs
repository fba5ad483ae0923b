//! What prover and verifier derive alike: D_0, the challenges, the weights of pads, and phi.

use alloc::vec::Vec;

use super::super::claim as common;
use super::super::field::Element;
use super::super::opening::LinearForm;
use super::super::ranges::eq;
use super::super::sum_check::{self, dot};
use super::super::transcript::Transcript;
use super::digits::{self, DIGIT_BOUND};
use super::instance::Instance;
use super::shape::{INNER, OUTER, Shape};
use crate::hash::Hasher;
use crate::statement::Statement;

/// Labels of messages and challenges.
const TAU: &str = "tau";
const OUTER_ROUND: &str = "constraint round";
const OUTER_POINT: &str = "r_x";
const PRODUCTS: &str = "products";
const ALPHA: &str = "alpha";
const INNER_ROUND: &str = "wire round";
const INNER_POINT: &str = "r_z";
const VALUE: &str = "value";
const CHI: &str = "chi";
const ENDS_LABEL: &str = "ends";
const RHO: &str = "rho";
const VALUES: &str = "values";

/// What is sent between chi and rho.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    /// X_1 = sum over columns k that mask of w_k phi_1(s_j), j being column k of these.
    pub(super) weighted_values: Element,
    /// X_2 = sum over j of eq(r_2, j) gamma_j.
    pub(super) gammas: Element,
    /// Y_1 = sum over columns k that mask of w_k kappa_j.
    pub(super) weighted_kappas: Element,
    /// Y_2 = sum over j of eq(r_2, j) kappa_j.
    pub(super) kappas: Element,
}

impl Ends {
    pub(super) const fn to_array(self) -> [Element; 4] {
        [self.weighted_values, self.gammas, self.weighted_kappas, self.kappas]
    }

    pub(super) const fn from_array(elements: [Element; 4]) -> Self {
        let [weighted_values, gammas, weighted_kappas, kappas] = elements;
        Self { weighted_values, gammas, weighted_kappas, kappas }
    }
}

/// All that is sent before the values of the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// Coefficients of round polynomials under pads: of 1, X^2 and X^3 for each variable of the
    /// constraints.
    pub(super) outer: Vec<Element>,
    /// v_A, v_B and v_C: A z, B z and C z at r_x.
    pub(super) products: [Element; 3],
    /// Of 1 and X^2 for each variable of the wires.
    pub(super) inner: Vec<Element>,
    /// v: z at r_z.
    pub(super) value: Element,
    pub(super) ends: Ends,
}

/// The transcript of a claim, and the challenges so far.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) transcript: Transcript,
    pub(super) shape: Shape,
    pub(super) tau: Vec<Element>,
    /// r_x.
    pub(super) outer_point: Vec<Element>,
    pub(super) alpha: Element,
    /// r_z: for the rows, then for the columns.
    pub(super) inner_point: Vec<Element>,
}

impl Course {
    /// From D_0 to tau.
    pub(super) fn begin(start: Transcript, shape: Shape) -> Self {
        let mut transcript = start;
        let tau = (0..shape.outer_rounds).map(|_| transcript.challenge(TAU)).collect();
        let (outer_point, inner_point) = (Vec::new(), Vec::new());
        Self { transcript, shape, tau, outer_point, alpha: Element::ZERO, inner_point }
    }

    /// After the messages of a round for a variable of the constraints, its challenge.
    pub(super) fn outer_round(&mut self, messages: &[Element]) -> Element {
        self.transcript.absorb(OUTER_ROUND, messages);
        let r = self.transcript.challenge(OUTER_POINT);
        self.outer_point.push(r);
        r
    }

    /// After v_A, v_B and v_C, alpha.
    pub(super) fn products(&mut self, products: &[Element; 3]) {
        self.transcript.absorb(PRODUCTS, products);
        self.alpha = self.transcript.challenge(ALPHA);
    }

    /// After the messages of a round for a variable of the wires, its challenge.
    pub(super) fn inner_round(&mut self, messages: &[Element]) -> Element {
        self.transcript.absorb(INNER_ROUND, messages);
        let r = self.transcript.challenge(INNER_POINT);
        self.inner_point.push(r);
        r
    }

    /// After v, chi.
    pub(super) fn chi(&mut self, value: Element) -> Element {
        self.transcript.absorb(VALUE, &[value]);
        self.transcript.challenge(CHI)
    }

    /// chi of a transcript that is beyond it, given all that was sent before.
    #[cfg(test)]
    pub(super) fn chi_again(&self, start: Transcript, sent: &Sent) -> Element {
        let mut course = Self::begin(start, self.shape);
        for messages in sent.outer.chunks(OUTER) {
            course.outer_round(messages);
        }
        course.products(&sent.products);
        for messages in sent.inner.chunks(INNER) {
            course.inner_round(messages);
        }
        course.chi(sent.value)
    }

    pub(super) fn rho(&mut self, ends: &Ends) -> Element {
        self.transcript.absorb(ENDS_LABEL, &ends.to_array());
        self.transcript.challenge(RHO)
    }

    pub(super) fn finish(&mut self, values: &[Element]) {
        self.transcript.absorb(VALUES, values);
    }

    /// eq(r_1, i) for the elements of a column and, in the end, its beta.
    pub(super) fn row_weights(&self) -> Vec<Element> {
        let point = &self.inner_point[..self.shape.row_rounds];
        eq::table(point, self.shape.elements as usize + 1)
    }

    /// eq(r_2, j) for all columns.
    pub(super) fn column_weights(&self) -> Vec<Element> {
        eq::table(&self.inner_point[self.shape.row_rounds..], self.shape.columns as usize)
    }

    /// w: what the pad of each message counts in the end.
    pub(super) fn pad_weights(&self, chi: Element) -> Vec<Element> {
        let (mut weights, _) = sum_check::weights(&self.outer_point, OUTER);
        let (inner, _) = sum_check::weights(&self.inner_point, INNER);
        weights.extend(inner.into_iter().map(|weight| chi * weight));
        weights
    }

    /// Lambda = sum of w_j m_j - eq(tau, r_x) (v_A v_B - v_C) + chi (c prod r_z - M~ v), c being the
    /// claim about the wires and M~ that of the constraints' coefficients at r_x and r_z.
    pub(super) fn lambda(
        &self,
        sent: &Sent,
        chi: Element,
        public: Element,
        coefficients: Element,
    ) -> Element {
        let (outer, _) = sum_check::weights(&self.outer_point, OUTER);
        let (inner, product) = sum_check::weights(&self.inner_point, INNER);
        let [a, b, c] = sent.products;
        let outer = dot(&outer, &sent.outer) - eq::at(&self.tau, &self.outer_point) * (a * b - c);
        let claim = a + self.alpha * (b + self.alpha * c) - public;
        let inner = dot(&inner, &sent.inner) + claim * product - coefficients * sent.value;
        outer + chi * inner
    }

    /// phi = val(kappa) + rho phi_1 + rho^2 val(gamma), for phi_1 = sum over elements i of eq(r_1,
    /// i) val(x_i) + eq(r_1, i_0) val(beta).
    pub(super) fn form(&self, rho: Element) -> LinearForm {
        let pads = self.shape.pads();
        let mut weights = self.row_weights();
        let last = weights.pop().expect("the row of beta");
        let digits = weights
            .iter()
            .flat_map(|&weight| digits::powers().map(move |power| weight.scale(power)));
        let wires = LinearForm::new((0..).zip(digits).collect());
        let form = pads.kappa().plus(rho, &wires);
        form.plus(rho * last, &pads.beta()).plus(rho * rho, &pads.gamma())
    }
}

/// The transcript from D_0 on.
pub(super) fn begin(statement: &Statement, instance: &Instance<'_>) -> Transcript {
    Transcript::begin(fields(statement, instance))
}

/// D_0 = H("argument", .., first row of the pads, bound on a digit of a pad of a fact, 7, elements
/// of a column, bound on a digit, circuit, public inputs). Where there are columns that were
/// committed before, 8, their number and the inputs stand in the place of 7.
pub(super) fn fields(statement: &Statement, instance: &Instance<'_>) -> Hasher {
    let Instance { circuit, public, shape, inputs } = instance;
    let start = common::fields(statement, shape.pads().first_row());
    let start = if shape.committed == 0 {
        start.number(7)
    } else {
        let inputs: Vec<u8> = inputs.iter().flat_map(|element| element.to_le_bytes()).collect();
        start.number(8).number(shape.committed).field(&inputs)
    };
    let start = start
        .number(shape.elements.into())
        .number(DIGIT_BOUND.into())
        .field(circuit.digest().as_bytes());
    let bytes: Vec<u8> = public.iter().flat_map(|scalar| scalar.value().to_le_bytes()).collect();
    start.field(&bytes)
}
