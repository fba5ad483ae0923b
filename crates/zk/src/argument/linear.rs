//! The sum-check over the rows that shows linear claims about entries of S, all at once, and what
//! prover and verifier derive alike in it.
//!
//! Claim i says that the sum over rows a and columns j of the messages of lambda_a g_j T(a, j), plus
//! a sum over masks k with weights, is c_i. With powers of eta they are one claim c = sum of V T over
//! the table of the columns F_1, which hold the digits of masks, and D, the messages. mu rounds bind
//! the variables of the rows; then values h_j of the columns are sent, and what is left is linear in
//! these.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::field::Element;
use super::layout::Slot;
use super::opening::LinearForm;
use super::ranges::eq;
use super::sum_check::{self, dot};
use super::tables::{bind, inner};
use super::transcript::Transcript;

/// Messages of a round: the coefficients of 1 and X^2.
const MESSAGES: usize = 2;

/// Labels of messages and challenges.
const ETA: &str = "eta";
const ROUND: &str = "row round";
const POINT: &str = "s";
const ENDS: &str = "ends";
const RHO: &str = "rho";
const VALUES: &str = "values";

/// Weights of the columns of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns {
    /// eq(r, j) for all columns j.
    Point(Vec<Element>),
    /// g_j of some columns j, in ascending order.
    Some(Vec<(u64, Element)>),
}

impl Columns {
    /// The weights of the columns from `first` on, of which there are `count`.
    pub(super) fn dense(&self, first: u64, count: usize) -> Vec<Element> {
        let end = first + count as u64;
        match self {
            Self::Point(point) => eq::table(point, end as usize).split_off(first as usize),
            Self::Some(weights) => {
                let mut dense = vec![Element::ZERO; count];
                for &(column, weight) in weights {
                    if (first..end).contains(&column) {
                        dense[(column - first) as usize] = weight;
                    }
                }
                dense
            }
        }
    }
}

/// sum over a and j of `rows`_a `columns`_j T(a, j) + sum over k of `masks`_k (mask k) = `value`.
/// Public.
#[derive(Clone, Debug)]
pub(super) struct LinearClaim {
    pub(super) value: Element,
    pub(super) rows: Vec<(u32, Element)>,
    pub(super) columns: Columns,
    pub(super) masks: Vec<(usize, Element)>,
}

/// All linear claims as one, with powers of eta.
#[derive(Debug)]
pub(super) struct Combined {
    /// c.
    value: Element,
    /// Rows, scaled, and columns of each claim that speaks of messages.
    parts: Vec<(Vec<(u32, Element)>, Columns)>,
    /// What each mask counts.
    masks: Vec<Element>,
}

impl Combined {
    /// Draws eta.
    pub(super) fn new(transcript: &mut Transcript, slot: &Slot, claims: Vec<LinearClaim>) -> Self {
        let eta = transcript.challenge(ETA);
        let mut power = Element::monomial(1, 0);
        let mut value = Element::ZERO;
        let mut masks = vec![Element::ZERO; slot.masks() as usize];
        let mut parts = Vec::new();
        for claim in claims {
            value += power * claim.value;
            for (mask, weight) in claim.masks {
                masks[mask] += power * weight;
            }
            if !claim.rows.is_empty() {
                let rows = claim.rows.into_iter().map(|(row, x)| (row, power * x)).collect();
                parts.push((rows, claim.columns));
            }
            power = power * eta;
        }
        Self { value, parts, masks }
    }

    /// The columns of the messages that sums are asked for.
    pub(super) fn columns(&self) -> Vec<Columns> {
        self.parts.iter().map(|(_, columns)| columns.clone()).collect()
    }

    /// V of the digits of masks: position after position down the message rows of F_1.
    fn of_digits(&self) -> impl Iterator<Item = Element> + '_ {
        self.masks.iter().flat_map(|&mask| Slot::digit_weights().map(move |weight| mask * weight))
    }

    /// V~(s, j) for the columns of F_1, then for those of D.
    fn at(&self, slot: &Slot, point: &[Element]) -> Vec<Element> {
        let rows = slot.layout().rows() as usize;
        let weights = eq::table(point, rows);
        let holding = (slot.holding().end - slot.holding().start) as usize;
        let mut values = vec![Element::ZERO; holding];
        for (position, x) in self.of_digits().enumerate() {
            #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
            let (column, row) = (position / rows, position % rows);
            values[column] += x * weights[row];
        }
        let columns = slot.layout().columns() as usize;
        let mut data = vec![Element::ZERO; columns];
        for (rows, columns) in &self.parts {
            let x = rows.iter().fold(Element::ZERO, |sum, &(a, x)| sum + x * weights[a as usize]);
            match columns {
                Columns::Point(point) => {
                    let table = eq::table(point, data.len());
                    data.iter_mut().zip(table).for_each(|(value, g)| *value += x * g);
                }
                Columns::Some(some) => {
                    for &(j, g) in some {
                        data[j as usize] += x * g;
                    }
                }
            }
        }
        values.extend(data);
        values
    }
}

/// The challenges of the rows, and what is sent for them.
pub(super) struct Rounds {
    transcript: Transcript,
    point: Vec<Element>,
    messages: Vec<Element>,
}

impl Rounds {
    pub(super) const fn new(transcript: Transcript) -> Self {
        Self { transcript, point: Vec::new(), messages: Vec::new() }
    }

    fn round(&mut self, messages: &[Element]) -> Element {
        self.transcript.absorb(ROUND, messages);
        let s = self.transcript.challenge(POINT);
        self.point.push(s);
        self.messages.extend(messages);
        s
    }

    /// The prover's rounds: `sums` are t_a = sum over j of g_j T(a, j) for all rows a, beta behind
    /// them, of each part of the claim; then the message rows of F_1 and its beta, and `gamma` of the
    /// columns of F_2. Whether the claim holds.
    ///
    /// # Constant time
    /// In all of them, but for whether the claim holds.
    pub(super) fn play(
        &mut self,
        slot: &Slot,
        claim: &Combined,
        sums: &[Element],
        (digits, beta): (&[i8], &[Element]),
        gamma: &[Element],
    ) -> bool {
        let (rows, rounds) = (slot.layout().rows() as usize, slot.layout().rounds());
        let height = 1 << rounds;
        let holding = digits.chunks_exact(rows).len();
        let tables = claim.parts.len() + holding;
        let mut weights = vec![Element::ZERO; tables * height];
        let mut values = Zeroizing::new(vec![Element::ZERO; tables * height]);
        let (of_parts, of_digits) = values.split_at_mut(claim.parts.len() * height);
        for (k, (part, _)) in claim.parts.iter().enumerate() {
            for &(a, x) in part {
                weights[k * height + a as usize] = x;
            }
            of_parts[k * height..][..=rows].copy_from_slice(&sums[k * (rows + 1)..][..=rows]);
        }
        for (position, x) in claim.of_digits().enumerate() {
            #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
            let (column, row) = (position / rows, position % rows);
            weights[(claim.parts.len() + column) * height + row] = x;
        }
        let columns = digits.chunks_exact(rows).zip(beta);
        for (out, (digits, &beta)) in of_digits.chunks_exact_mut(height).zip(columns) {
            out.iter_mut().zip(digits).for_each(|(out, &digit)| *out = i64::from(digit).into());
            out[rows] = beta;
        }
        let difference = dot(&weights, &values) - claim.value;
        let holds = declassify(difference.is_zero());
        let mut weights = Zeroizing::new(weights);
        for _ in 0..rounds {
            let pads = &gamma[self.messages.len()..];
            let messages = sum_check::masked(inner(&weights, &values), pads);
            let s = self.round(&messages);
            weights = bind(&weights, s);
            values = bind(&values, s);
        }
        holds
    }

    /// The verifier's: what was sent, in the order of the rounds.
    pub(super) fn replay(&mut self, messages: &[Element]) {
        for messages in messages.chunks_exact(MESSAGES) {
            self.round(messages);
        }
    }

    /// s.
    pub(super) fn point(&self) -> &[Element] {
        &self.point
    }

    pub(super) fn messages(&self) -> &[Element] {
        &self.messages
    }

    /// How many messages there are: 2 mu.
    pub(super) const fn count(slot: &Slot) -> usize {
        MESSAGES * slot.layout().rounds()
    }

    /// w: what the pad of each message counts in the end; and what c counts.
    fn weights(&self) -> (Vec<Element>, Element) {
        sum_check::weights(&self.point, MESSAGES)
    }

    /// X = sum over F_2 of w_j phi_1(s_j).
    ///
    /// # Constant time
    /// In the values.
    pub(super) fn weighted(&self, values: &[Element]) -> Element {
        dot(&self.weights().0, values)
    }

    /// After h_j of the columns in the table, and X, rho.
    pub(super) fn rho(&mut self, table: &[Element], weighted: Element) -> Element {
        self.transcript.absorb(ENDS, table);
        self.transcript.absorb(ENDS, &[weighted]);
        self.transcript.challenge(RHO)
    }

    /// After y_j of all other columns, the last state.
    pub(super) fn finish(mut self, values: &[Element]) -> Transcript {
        self.transcript.absorb(VALUES, values);
        self.transcript
    }

    /// Whether sum over F_2 of w_j y_j = X + rho Lambda, for Lambda = sum over F_2 of w_j m_j + c
    /// prod s - sum over the table of V~(s, j) h_j.
    pub(super) fn hold(
        &self,
        slot: &Slot,
        claim: &Combined,
        (table, weighted, rho): (&[Element], Element, Element),
        masking: &[Element],
    ) -> bool {
        let (w, product) = self.weights();
        let rest = dot(&claim.at(slot, &self.point), table);
        let lambda = dot(&w, &self.messages) + claim.value * product - rest;
        dot(&w, masking) == weighted + rho * lambda
    }

    /// phi = phi_1 + rho val(gamma), for phi_1 = sum over rows a of eq(s, a) x_a + eq(s, i_0)
    /// val(beta), i_0 being the row behind the messages.
    pub(super) fn form(&self, slot: &Slot, rho: Element) -> LinearForm {
        let mut weights = eq::table(&self.point, slot.layout().rows() as usize + 1);
        let last = weights.pop().expect("the row of beta");
        let messages = LinearForm::new((0..).zip(weights).collect());
        messages.plus(last, &slot.beta()).plus(rho, &slot.gamma())
    }
}
