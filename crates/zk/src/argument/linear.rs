//! [`Instance`], with its [`Definition`]: what a kind of claim defines; [`LinearClaim`], to which
//! it is reduced; the [`Rounds`] of a sum-check; and the sum-check over the rows that shows linear
//! claims about entries of S, all at once, with what prover and verifier derive alike in it.
//!
//! Claim i says that the sum over rows a and columns j of the messages of lambda_a g_j T(a, j),
//! plus a sum over masks k with weights, is c_i. With powers of eta they are one claim c = sum of V
//! T over the table of the columns F_1, which hold the digits of masks, and D, the messages. mu
//! rounds bind the variables of the rows; then values h_j of the columns are sent, and what is left
//! is linear in these.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::layout::{Layout, Slot};
use super::request::{Ask, Columns, Elements, Masks};
use super::tables::Pairs;
use crate::eq;
use crate::error::Error;
use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript::Transcript;
use crate::opening::{ColumnOpening, LinearForm};
use crate::params::Params;
use crate::sum_check::{self, dot, outer};

/// The part of the definition of a kind of claim that depends on no field.
pub(super) trait Definition: core::fmt::Display {
    /// The row and the column of messages behind the last ones of the claim; no column where it is
    /// about all.
    fn end(&self, layout: &Layout) -> (u64, u64);

    /// # Errors
    /// [`Error::Parameter`] if entries that are extracted under these parameters may satisfy the
    /// claim modulo p alone, or the layout is not one of such claims.
    fn check(&self, params: &Params, layout: &Layout) -> Result<(), Error>;

    /// How many elements of K are sent, and as many mask them.
    fn sent(&self, layout: &Layout) -> usize;
}

/// The definition of a kind of claim. A claim that is not linear has a sum-check of its own, which
/// leaves linear claims about the places of messages, and about the masks of the claim's messages.
pub(super) trait Instance<F: Field = P61>: Definition {
    /// The prover's part: the elements that are sent from this state of the transcript on.
    fn argue(&self, turn: Turn<'_, F>) -> Result<Vec<ElementOf<F>>, Error>;

    /// The linear claims that are left when these elements were sent.
    fn replay(&self, transcript: &mut Transcript, sent: Sent<'_, F>) -> Vec<LinearClaim<'_, F>>;
}

/// The rounds of a sum-check as far as they were played.
#[derive(Debug)]
pub(super) struct Rounds<F: Field = P61> {
    pub(super) transcript: Transcript,
    /// Labels of messages, and of challenges.
    labels: [&'static str; 2],
    /// The challenges.
    pub(super) point: Vec<ElementOf<F>>,
    /// The messages, round after round.
    pub(super) messages: Vec<ElementOf<F>>,
}

impl<F: Field> Rounds<F> {
    pub(super) const fn new(transcript: Transcript, labels: [&'static str; 2]) -> Self {
        Self { transcript, labels, point: Vec::new(), messages: Vec::new() }
    }

    /// Sends coefficients of a round polynomial under the pads of their messages, of which there is
    /// one for each message of all rounds; the next challenge.
    ///
    /// # Constant time
    /// In both.
    pub(super) fn send(
        &mut self,
        coefficients: &[ElementOf<F>],
        pads: &[ElementOf<F>],
    ) -> ElementOf<F> {
        let pads = coefficients.iter().zip(&pads[self.messages.len()..]);
        let messages: Vec<ElementOf<F>> =
            pads.map(|(&coefficient, &pad)| coefficient + pad).collect();
        declassify_slice(&messages);
        self.round(&messages)
    }

    /// What was sent, so many messages in a round.
    pub(super) fn replay(&mut self, messages: &[ElementOf<F>], of_round: usize) {
        messages.chunks_exact(of_round).for_each(|messages| _ = self.round(messages));
    }

    /// After the messages of a round, its challenge.
    fn round(&mut self, messages: &[ElementOf<F>]) -> ElementOf<F> {
        let [message, challenge] = self.labels;
        self.transcript.absorb(message, messages);
        let r = self.transcript.challenge(challenge);
        self.point.push(r);
        self.messages.extend(messages);
        r
    }

    /// w: what the pad of each message counts in the end, if there are so many in a round; and what
    /// the first claim counts.
    pub(super) fn weights(&self, of_round: usize) -> (Vec<ElementOf<F>>, ElementOf<F>) {
        sum_check::weights(&self.point, of_round)
    }
}

/// Where a prover is when a claim's turn comes, and what it has for it.
pub(super) struct Turn<'a, F: Field = P61> {
    pub(super) transcript: Transcript,
    /// Of the elements that are sent.
    pub(super) masks: &'a [ElementOf<F>],
    /// The claim's place in its list, as workers know it.
    pub(super) index: u32,
    pub(super) layout: &'a Layout,
    pub(super) ask: &'a mut Ask<'a, F>,
}

/// The elements that were sent for a claim.
pub(super) struct Sent<'a, F: Field = P61> {
    pub(super) elements: &'a [ElementOf<F>],
    /// The number of the first one's mask.
    pub(super) first_mask: usize,
    pub(super) layout: &'a Layout,
}

/// The sum over the places of messages of weight times element, plus the sum over k of `masks`_k
/// (mask k), is `value`. Public.
pub(super) struct LinearClaim<'a, F: Field = P61> {
    pub(super) value: ElementOf<F>,
    /// The weights of places are the sum of these products, and of others, if there are any.
    pub(super) products: Vec<Product<F>>,
    pub(super) others: Option<Box<dyn Weights<F> + 'a>>,
    pub(super) masks: Vec<(usize, ElementOf<F>)>,
}

/// Weights of places that are products of weights of rows and of columns.
pub(super) type Product<F> = (Vec<(u32, ElementOf<F>)>, Columns<F>);

impl<F: Field> LinearClaim<'_, F> {
    /// A claim about masks from number `first` on alone.
    pub(super) fn of_masks(value: ElementOf<F>, first: usize, weights: Vec<ElementOf<F>>) -> Self {
        let masks = (first..).zip(weights).collect();
        Self { value, products: Vec::new(), others: None, masks }
    }
}

/// Weights of places that are no product of weights of rows and of columns.
pub(super) trait Weights<F: Field = P61> {
    /// The number of the first rows, of `rows` in all, behind which all weights are 0.
    fn end(&self, rows: usize) -> usize {
        rows
    }

    /// Adds `scale` times the weight of each of `rows` places a column to a table of `height`
    /// elements a column, which are at least as many as [`Self::end`].
    fn add(&self, scale: ElementOf<F>, rows: usize, height: usize, table: &mut [ElementOf<F>]);

    /// The sum over rows a and columns j of the weight times eq(`point`, a) `columns`_j, for `rows`
    /// places a column.
    fn at(&self, point: &[ElementOf<F>], rows: usize, columns: &[ElementOf<F>]) -> ElementOf<F>;
}

/// Messages of a round: the coefficients of 1 and X^2.
const MESSAGES: usize = 2;

/// Labels of messages and challenges.
const ETA: &str = "eta";
const ROUND: &str = "row round";
const POINT: &str = "s";
const ENDS: &str = "ends";
const RHO: &str = "rho";
const VALUES: &str = "values";

/// How many messages the rows take: 2 mu.
pub(super) const fn row_messages(slot: &Slot) -> usize {
    MESSAGES * slot.layout().rounds()
}

/// All linear claims as one, with powers of eta, and the sum-check over the rows that shows it.
pub(super) struct LastCheck<'a, F: Field = P61> {
    slot: &'a Slot,
    /// c.
    value: ElementOf<F>,
    /// Products, the rows of which are scaled.
    products: Vec<Product<F>>,
    /// The power of eta and the weights of each other one.
    others: Vec<(ElementOf<F>, Box<dyn Weights<F> + 'a>)>,
    /// The weight of each mask.
    masks: Vec<ElementOf<F>>,
    /// The challenges of the rows, and what is sent for them.
    pub(super) rounds: Rounds<F>,
}

impl<'a, F: Field> LastCheck<'a, F> {
    /// Draws eta.
    pub(super) fn new(
        mut transcript: Transcript,
        slot: &'a Slot,
        claims: Vec<LinearClaim<'a, F>>,
    ) -> Self {
        let eta = transcript.challenge(ETA);
        let mut power = ElementOf::one();
        let mut value = ElementOf::ZERO;
        let mut masks = vec![ElementOf::ZERO; slot.masks() as usize];
        let (mut products, mut others) = (Vec::new(), Vec::new());
        for claim in claims {
            value += power * claim.value;
            for (mask, weight) in claim.masks {
                masks[mask] += power * weight;
            }
            for (mut rows, columns) in claim.products {
                for (_, x) in &mut rows {
                    *x = power * *x;
                }
                products.push((rows, columns));
            }
            others.extend(claim.others.map(|weights| (power, weights)));
            power = power * eta;
        }
        Self {
            slot,
            value,
            products,
            others,
            masks,
            rounds: Rounds::new(transcript, [ROUND, POINT]),
        }
    }

    /// The columns of messages that sums are asked for.
    pub(super) fn columns(&self) -> Vec<Columns<F>> {
        self.products.iter().map(|(_, columns)| columns.clone()).collect()
    }

    /// Whether all places are asked for.
    pub(super) const fn needs_places(&self) -> bool {
        !self.others.is_empty()
    }

    /// The prover's rounds: `sums` are t_a = sum over j of g_j T(a, j) for all rows a, beta behind
    /// them, of each product of the claim; `places` all places of D, if they are needed. Whether
    /// the claim holds.
    ///
    /// # Constant time
    /// In all of them and the masks, but for whether the claim holds.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn play(
        &mut self,
        [sums, mut places]: [Elements<F>; 2],
        Masks { gamma, beta, places: masks }: &Masks<F>,
    ) -> bool {
        let rows = self.slot.layout().rows() as usize;
        let height = rows + 1;
        let products = self.products.len();
        // Tables of products and of F_1; and of D.
        let mut front = Zeroizing::new(vec![ElementOf::ZERO; sums.len() + beta.len() * height]);
        let mut of_front = vec![ElementOf::ZERO; front.len()];
        // Weights of messages end with the last one that is not 0.
        let ends = self.others.iter().map(|(_, others)| others.end(rows));
        let end = ends.max().unwrap_or(height);
        let mut of_places = vec![ElementOf::ZERO; places.len() / height * end];
        {
            let (of_sums, of_masks) = of_front.split_at_mut(products * height);
            for (out, (part, _)) in of_sums.chunks_exact_mut(height).zip(&self.products) {
                for &(a, x) in part {
                    out[a as usize] += x;
                }
            }
            let all = self.of_masks();
            for (out, weights) in of_masks.chunks_exact_mut(height).zip(all.chunks(rows)) {
                out[..weights.len()].copy_from_slice(weights);
            }
            for (scale, others) in &self.others {
                others.add(*scale, rows, end, &mut of_places);
            }
            let (values, holding) = front.split_at_mut(products * height);
            values.copy_from_slice(&sums);
            let columns = masks.chunks_exact(rows).zip(&**beta);
            for (out, (places, &beta)) in holding.chunks_exact_mut(height).zip(columns) {
                out[..rows].copy_from_slice(places);
                out[rows] = beta;
            }
        }
        drop(sums);
        let mut tables = Pairs::new();
        tables.extend([(&mut of_front, height), (&mut front, height)]);
        tables.extend([(&mut of_places, end), (&mut places, height)]);
        let sums = tables.bind(None);
        let sum = sums[0] + sums[2];
        let gamma = self.masking(gamma);
        let mut s = self.rounds.send(&sums[..MESSAGES], gamma);
        for _ in 1..self.slot.layout().rounds() {
            s = self.rounds.send(&tables.bind(Some(s))[..MESSAGES], gamma);
        }
        declassify((sum - self.value).is_zero())
    }

    /// V of the places of masks: place after place down the columns of F_1.
    fn of_masks(&self) -> Vec<ElementOf<F>> {
        let weights = self.slot.layout().mask_weights();
        outer(&self.masks, &weights)
    }

    /// The sum over the columns of F_1, then of D, of V~(s, j) h_j.
    fn at(&self, table: &[ElementOf<F>]) -> ElementOf<F> {
        let point = &self.rounds.point[..];
        let rows = self.slot.layout().rows() as usize;
        let weights = eq::table(point, rows);
        let (holding, data) = table.split_at(self.slot.holding_columns());
        let mut sum = ElementOf::ZERO;
        let places = self.of_masks();
        for (places, &h) in places.chunks(rows).zip(holding) {
            sum += dot(places, &weights) * h;
        }
        for (places, columns) in &self.products {
            let x =
                places.iter().fold(ElementOf::ZERO, |sum, &(a, x)| sum + x * weights[a as usize]);
            sum += x * match columns {
                Columns::Point(point) => dot(&eq::table(point, data.len()), data),
                Columns::Some(some) => {
                    some.iter().fold(ElementOf::ZERO, |sum, &(j, g)| sum + g * data[j as usize])
                }
            };
        }
        for (scale, others) in &self.others {
            sum += *scale * others.at(point, rows, data);
        }
        sum
    }

    /// Elements of the columns of F_2, given one of each column from the first one on.
    fn masking<'b>(&self, columns: &'b [ElementOf<F>]) -> &'b [ElementOf<F>] {
        let Range { start, end } = self.slot.masking();
        &columns[start as usize..end as usize]
    }

    /// The verifier's part, given what was sent for it: if sum over F_2 of w_j y_j = X + rho
    /// Lambda, for Lambda = sum over F_2 of w_j m_j + c prod s - sum over the table of V~(s, j)
    /// h_j, the opening that shows the values of all columns.
    pub(super) fn replay(mut self, sent: &[ElementOf<F>]) -> Option<ColumnOpening<F>> {
        let (messages, rest) = sent.split_at(row_messages(self.slot));
        let (table, rest) = rest.split_at(self.slot.table_columns());
        let (&weighted, others) = rest.split_first().expect("X");
        self.rounds.replay(messages, MESSAGES);
        let rho = self.rho(table, weighted);
        let values = self.slot.in_order(table, others);
        let (w, product) = self.rounds.weights(MESSAGES);
        let lambda = dot(&w, messages) + self.value * product - self.at(table);
        let holds = dot(&w, self.masking(&values)) == weighted + rho * lambda;
        holds.then(|| self.finish(rho, others).with_values(values))
    }

    /// X = sum over F_2 of w_j phi_1(s_j), given phi_1 of all columns.
    ///
    /// # Constant time
    /// In the values.
    pub(super) fn weighted(&self, values: &[ElementOf<F>]) -> ElementOf<F> {
        dot(&self.rounds.weights(MESSAGES).0, self.masking(values))
    }

    /// After h_j of the columns in the table, and X, rho.
    pub(super) fn rho(&mut self, table: &[ElementOf<F>], weighted: ElementOf<F>) -> ElementOf<F> {
        self.rounds.transcript.absorb(ENDS, table);
        self.rounds.transcript.absorb(ENDS, &[weighted]);
        self.rounds.transcript.challenge(RHO)
    }

    /// After y_j of all other columns, the last state; and phi = phi_1 + rho val(gamma), for
    /// phi_1 = sum over rows a of eq(s, a) x_a + eq(s, i_0) val(beta), i_0 being the row behind the
    /// messages.
    pub(super) fn finish(mut self, rho: ElementOf<F>, others: &[ElementOf<F>]) -> ColumnOpening<F> {
        self.rounds.transcript.absorb(VALUES, others);
        let mut weights = eq::table(&self.rounds.point, self.slot.layout().rows() as usize + 1);
        let last = weights.pop().expect("the row of beta");
        let weights = self.slot.layout().row_weights(&weights);
        let messages = LinearForm::new((0..).zip(weights).collect());
        let form = messages.plus(last, &self.slot.beta()).plus(rho, &self.slot.gamma());
        ColumnOpening::new(*self.rounds.transcript.state(), form)
    }
}
