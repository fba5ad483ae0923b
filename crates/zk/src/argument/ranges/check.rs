//! [`SumCheck`]: the prover's side of a masked sum-check of ranges, between what workers compute.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::level::bind_column;
use super::rounds::columns::column_round;
use super::schedule::Schedule;
use super::{Ranges, Shape, eq};
use crate::field::{ElementOf, Field, P61};
use crate::hash::Digest;
use crate::opening::transcript::Transcript;
use crate::polynomial::{Interpolation, evaluate};

/// Bytes of the table that is stored between rounds: as long as it would be larger, rounds read S.
pub(in crate::argument) const TABLE_BYTES: usize = 64 << 20;

/// The state between rounds.
pub(in crate::argument) struct SumCheck<F: Field = P61> {
    /// D_0.
    start: Digest,
    schedule: Schedule<F>,
    /// Of messages, in their order. Secret.
    masks: Zeroizing<Vec<ElementOf<F>>>,
    interpolation: Interpolation<F>,
    /// The sum of the next round polynomial at 0 and 1. Secret.
    claim: Zeroizing<ElementOf<F>>,
    messages: Vec<ElementOf<F>>,
}

impl<F: Field> SumCheck<F> {
    /// From a transcript on, with a mask for each message.
    pub(in crate::argument) fn new(
        transcript: Transcript,
        shape: Shape,
        ranges: &Ranges,
        masks: Zeroizing<Vec<ElementOf<F>>>,
    ) -> Self {
        let start = *transcript.state();
        let schedule = Schedule::begin(transcript, shape);
        Self {
            start,
            claim: Zeroizing::new(schedule.first_claim(ranges)),
            schedule,
            masks,
            interpolation: Interpolation::new(shape.messages),
            messages: Vec::with_capacity(shape.all_messages()),
        }
    }

    /// tau, and eta behind it, if there are norms.
    pub(in crate::argument) fn challenges(&self) -> &[ElementOf<F>] {
        &self.schedule.challenges
    }

    /// Sends the polynomial that has these values at 0, 2, .., e, and takes the next challenge.
    pub(in crate::argument) fn send(&mut self, sums: &[ElementOf<F>]) -> ElementOf<F> {
        let mut values = Zeroizing::new(sums.to_vec());
        values.insert(1, *self.claim - sums[0]);
        let polynomial = Zeroizing::new(self.interpolation.coefficients(&values));
        let pads = &self.masks[self.messages.len()..];
        let sent = polynomial.iter().enumerate().filter(|(degree, _)| *degree != 1);
        let messages: Vec<ElementOf<F>> =
            sent.zip(pads).map(|((_, &coefficient), &pad)| coefficient + pad).collect();
        declassify_slice(&messages);
        let r = self.schedule.round(&messages);
        self.messages.extend(messages);
        *self.claim = evaluate(&polynomial, r);
        r
    }

    /// D_0, the transcript and the messages, where no rounds for the columns follow.
    pub(in crate::argument) fn into_parts(self) -> (Digest, Schedule<F>, Vec<ElementOf<F>>) {
        (self.start, self.schedule, self.messages)
    }

    /// The rounds for the columns, given what is left of each: all messages, and the value at the last
    /// point.
    pub(super) fn finish(
        mut self,
        ranges: &Ranges,
        images: Zeroizing<Vec<ElementOf<F>>>,
    ) -> (Vec<ElementOf<F>>, ElementOf<F>) {
        let shape = self.schedule.shape;
        let tau = self.schedule.tau_of_columns().to_vec();
        let mut factors = self.schedule.row_sums(ranges);
        let mut all = images;
        let mut table = &mut all[..];
        for (t, &variable) in tau.iter().enumerate() {
            let eq = eq::table(&tau[t + 1..], table.len().div_ceil(2));
            let mut sums = Zeroizing::new(vec![ElementOf::ZERO; shape.messages]);
            column_round(table, &eq, &factors, variable, &mut sums);
            let r = self.send(&sums);
            let factor = eq::at(&[variable], &[r]);
            for (_, x) in &mut factors {
                *x = *x * factor;
            }
            bind_column::<F, ElementOf<F>>((), table, r);
            let half = table.len().div_ceil(2);
            table = &mut table[..half];
        }
        (self.messages, declassify(table[0]))
    }
}
