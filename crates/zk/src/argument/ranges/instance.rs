//! Ranges and norms as a claim: a sum-check over all rows and columns of the table, which leaves
//! one entry of its extension and the masks of its messages; and [`SumCheck`], the prover's side of
//! it between what workers compute.

use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::level::bind_column;
use super::rounds::{Polynomial, RowRound};
use super::schedule::Schedule;
use super::{Ranges, Shape, eq};
use crate::argument::layout::Layout;
use crate::argument::linear::{Definition, Instance, LinearClaim, Sent, Turn};
use crate::argument::protocol::check_length;
use crate::argument::request::{Ask, Columns, Elements, Request};
use crate::error::Error;
use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript::Transcript;
use crate::params::Params;
use crate::polynomial::{Points, evaluate};
use crate::sum_check::dot;

/// Label of v.
const VALUE: &str = "value";

impl Definition for Ranges {
    fn end(&self, _: &Layout) -> (u64, u64) {
        (self.rows.last().map_or(0, |rows| rows.end.into()), 0)
    }

    fn check(&self, params: &Params, layout: &Layout) -> Result<(), Error> {
        let expected = "entries of S, which elements of F are not";
        Error::unless(!layout.scalars, "rows of a range", layout.rows(), expected)?;
        self.check_norm_bound(params.message_norm_bound_squared(), layout.p())
    }

    /// The messages, each with its mask, and v, which beta' masks.
    fn sent(&self, layout: &Layout) -> usize {
        Shape::new(self, layout.columns()).all_messages() + 1
    }
}

impl<F: Field> Instance<F> for Ranges {
    fn argue(&self, turn: Turn<'_, F>) -> Result<Vec<ElementOf<F>>, Error> {
        let Turn { transcript, masks, index, layout, ask } = turn;
        let shape = Shape::new(self, layout.columns());
        let (of_messages, rest) = masks.split_at(shape.all_messages());
        let of_messages = Zeroizing::new(of_messages.to_vec());
        let mut check = SumCheck::new(transcript, shape, self, of_messages);
        let images = check.play_rows(index, rest[0], ask)?;
        let (mut sent, value) = check.finish(self, images)?;
        sent.push(value);
        Ok(sent)
    }

    /// That the extension of the table is v at the last point, and what this makes of the last
    /// claim about the masks of the messages.
    fn replay(&self, transcript: &mut Transcript, sent: Sent<'_, F>) -> Vec<LinearClaim<'_, F>> {
        let replayed = self.replay_rounds(transcript, sent);
        let weights = replayed.schedule.row_weights();
        let rows = self.rows.iter().cloned().flatten().zip(weights).collect();
        let columns = Columns::Point(replayed.schedule.columns_point().to_vec());
        let (value, mask) = replayed.value;
        let (products, masks) = (vec![(rows, columns)], [mask].into());
        [LinearClaim { value, products, others: None, masks }, replayed.last].into()
    }
}

/// The rounds of the sum-check, and what they leave.
pub(in crate::argument) struct Replayed<'a, F: Field = P61> {
    pub(in crate::argument) schedule: Schedule<F>,
    /// v, and the mask in it with its weight.
    pub(in crate::argument) value: (ElementOf<F>, (usize, ElementOf<F>)),
    /// What the last claim says about the masks of the messages.
    pub(in crate::argument) last: LinearClaim<'a, F>,
}

impl Ranges {
    /// The rounds, given what was sent in them.
    pub(in crate::argument) fn replay_rounds<'a, F: Field>(
        &self,
        transcript: &mut Transcript,
        Sent { elements, first_mask, layout }: Sent<'_, F>,
    ) -> Replayed<'a, F> {
        let shape = Shape::new(self, layout.columns());
        let (messages, value) = elements.split_at(shape.all_messages());
        let value = value[0];
        let schedule = Schedule::replay(transcript.clone(), shape, messages);
        let (w, product) = schedule.pad_weights();
        let last = dot(&w, messages) + product * schedule.first_claim(self)
            - schedule.last_claim(self, value);
        // beta' is in the row behind the others of the first column.
        let of_mask = schedule.row_weights().pop().expect("the row behind the others")
            * eq::table(schedule.columns_point(), 1)[0];
        *transcript = schedule.rounds.transcript.clone();
        transcript.absorb(VALUE, &[value]);
        let beta = first_mask + shape.all_messages();
        let last = LinearClaim::of_masks(last, first_mask, w);
        Replayed { schedule, value: (value, (beta, of_mask)), last }
    }
}

/// Bytes of the table that is stored between rounds: as long as it would be larger, rounds read S.
pub(in crate::argument) const TABLE_BYTES: usize = 64 << 20;

/// The state between rounds.
pub(in crate::argument) struct SumCheck<F: Field = P61> {
    /// What was sent.
    pub(in crate::argument) schedule: Schedule<F>,
    /// Of messages, in their order. Secret.
    masks: Zeroizing<Vec<ElementOf<F>>>,
    /// The sum of the next round polynomial at 0 and 1. Secret.
    claim: Zeroizing<ElementOf<F>>,
}

impl<F: Field> SumCheck<F> {
    /// From a transcript on, with a mask for each message.
    pub(in crate::argument) fn new(
        transcript: Transcript,
        shape: Shape,
        ranges: &Ranges,
        masks: Zeroizing<Vec<ElementOf<F>>>,
    ) -> Self {
        let schedule = Schedule::begin(transcript, shape);
        Self { claim: Zeroizing::new(schedule.first_claim(ranges)), schedule, masks }
    }

    /// The rounds for the rows of the claim in this place, with a mask in the table: what is left
    /// of each column.
    ///
    /// # Errors
    /// [`Error::Shard`] if answers have another length; what `ask` gives.
    pub(in crate::argument) fn play_rows(
        &mut self,
        claim: u32,
        mask: ElementOf<F>,
        ask: &mut Ask<'_, F>,
    ) -> Result<Elements<F>, Error> {
        let (shape, challenges) = (self.schedule.shape, self.schedule.challenges.clone());
        let mut sums = ask(&Request::Begin { claim, challenges, mask })?;
        for _ in 1..shape.row_rounds {
            sums = ask(&Request::Bind(self.send(&sums)?))?;
        }
        let images = ask(&Request::BindLast(self.send(&sums)?))?;
        check_length(&images, shape.columns)?;
        Ok(images)
    }

    /// Sends the polynomial that has these coefficients of 1, X^2, .., X^e, and takes the next
    /// challenge.
    ///
    /// # Errors
    /// [`Error::Shard`] if they are more or fewer.
    fn send(&mut self, sums: &[ElementOf<F>]) -> Result<ElementOf<F>, Error> {
        check_length(sums, self.schedule.shape.messages as u64)?;
        let r = self.schedule.rounds.send(sums, &self.masks);
        let of_x = sums.iter().fold(*self.claim - sums[0], |rest, &x| rest - x);
        *self.claim = sums[0] + r * (of_x + r * evaluate(&sums[1..], r));
        Ok(r)
    }

    /// The rounds for the columns, given what is left of each: all messages, and the value at the
    /// last point.
    ///
    /// # Errors
    /// As [`Self::send`].
    fn finish(
        mut self,
        ranges: &Ranges,
        mut images: Elements<F>,
    ) -> Result<(Vec<ElementOf<F>>, ElementOf<F>), Error> {
        let degree = self.schedule.shape.messages;
        let points: Vec<Points<F>> = (0..=degree).map(Points::new).collect();
        let tau = self.schedule.tau_of_columns().to_vec();
        let mut factors = self.schedule.row_sums(ranges);
        let mut table = &mut images[..];
        for (t, &variable) in tau.iter().enumerate() {
            // Two columns that follow each other are one with two rows.
            let eq = eq::table(&tau[t + 1..], table.len().div_ceil(2));
            let round = RowRound::of_pair(&factors, variable);
            let mut values = Zeroizing::new(vec![ElementOf::ZERO; round.values()]);
            round.add::<ElementOf<F>>((), (&mut *table, 2, 0), (None, None), &eq, &mut values);
            let mut polynomial = Polynomial::zero(degree);
            round.add_to(&mut polynomial, &points, &values, None);
            let r = self.send(&polynomial.sent())?;
            let factor = eq::at(&[variable], &[r]);
            for (_, x) in &mut factors {
                *x = *x * factor;
            }
            bind_column::<F, ElementOf<F>>((), table, (r, None));
            let half = table.len().div_ceil(2);
            table = &mut table[..half];
        }
        Ok((self.schedule.rounds.messages, declassify(table[0])))
    }
}
