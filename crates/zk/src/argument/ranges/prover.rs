//! [`Prover::prove_ranges`]: a masked sum-check, its ends, then a proof that is bound to them.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::{Isa, declassify_slice};
use zeroize::Zeroizing;

use super::claim::{self, Course};
use super::columns::Pads;
use super::level::{Source, bind};
use super::polynomial::{Interpolation, evaluate};
use super::rounds::column_round;
use super::rows::Rows;
use super::{RangeProof, RangeSlot, Ranges, Shape, eq};
use crate::argument::ends::{Ends, Secrets};
use crate::argument::field::Element;
use crate::argument::opening::ColumnOpening;
use crate::argument::transcript::Transcript;
use crate::entry::with_entry;
use crate::error::Error;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::Proof;
use crate::prover::Prover;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::SourceEntry;

/// Bytes of the table that is stored between rounds: as long as it would be larger, rounds read S.
pub(in crate::argument) const TABLE_BYTES: usize = 64 << 20;

/// A proof of ranges, and how many attempts it took.
#[derive(Debug)]
pub struct ProvedRanges {
    /// The proof.
    pub proof: RangeProof,
    /// Attempts, the accepted one included: a geometric variable of mean
    /// [`Params::rho`](crate::Params::rho).
    pub attempts: u32,
}

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that the entries of some rows
    /// lie in ranges and the columns have norms, and reveals nothing else: under the pads of `slot`,
    /// which no other claim about these columns was or will be proved with. Any number of proofs of
    /// one claim in one slot are safe, whatever their context and seed.
    ///
    /// Memory: as [`Self::prove`], 200 bytes a column, and 64 MiB at most beside; S is read once
    /// more, and once for every round until what it becomes fits into these.
    ///
    /// # Errors
    /// As [`Self::prove`]; [`Error::FalseFact`] if an entry is not in its range, or a norm, with its
    /// bits, is another one; [`Error::Parameter`] if the claim is not about messages of this
    /// statement, which must have [`Ranges::least_columns`], or arguments are not offered for its
    /// parameters.
    ///
    /// # Constant time
    /// In the witness, but for whether the claim holds of it.
    pub fn prove_ranges(
        &self,
        context: &[u8],
        slot: RangeSlot,
        ranges: &Ranges,
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<ProvedRanges, Error> {
        let params = self.statement().params();
        slot.check(params, ranges)?;
        slot.front().check(ranges.closed(params.l()))?;
        let start = claim::begin(self.statement(), slot, ranges);
        let rounds = with_entry!(params, T => {
            let shard = Shard::whole(params);
            let (pads, holds) = Pads::read::<T>(params, witness, shard, slot, ranges)?;
            if !holds {
                return Err(Error::FalseFact);
            }
            Rounds::play::<T>((self.isa(), TABLE_BYTES), params, ranges, witness, pads, start)
        })?;
        let ends = rounds.ends();
        let sent = rounds.send(ranges, slot, ends, Rounds::values);
        let proved = self.prove_opening(context, witness, seed, Some(&sent.opening))?;
        let proof = sent.into_proof(proved.proof);
        Ok(ProvedRanges { proof, attempts: proved.attempts })
    }
}

/// The rounds as they were played.
pub(super) struct Rounds {
    /// D_0.
    start: Digest,
    pub(super) course: Course,
    pub(super) pads: Pads,
    pub(super) messages: Vec<Element>,
    /// phi_1(s_j). Secret.
    pub(super) images: Zeroizing<Vec<Element>>,
    /// v.
    pub(super) value: Element,
}

/// All that is sent for a claim before Y.
pub struct RangeArgument {
    start: Digest,
    slot: RangeSlot,
    ranges: Ranges,
    pub(super) messages: Vec<Element>,
    pub(super) ends: Ends,
    pub(super) values: Vec<Element>,
    pub(super) opening: ColumnOpening,
}

impl core::fmt::Debug for RangeArgument {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RangeArgument").field("ranges", &self.ranges).finish_non_exhaustive()
    }
}

impl RangeArgument {
    /// The proof of the claim, of a proof of knowledge that is bound to it.
    #[must_use]
    pub fn into_proof(self, proof: Proof) -> RangeProof {
        let Self { start, slot, ranges, messages, ends, values, .. } = self;
        RangeProof { start, slot, ranges, messages, ends, values, proof }
    }
}

impl Rounds {
    /// On these instructions, with so many bytes for the table.
    pub(super) fn play<T: SourceEntry>(
        (isa, table_bytes): (Isa, usize),
        params: &Params,
        ranges: &Ranges,
        witness: &dyn WitnessSource,
        mut pads: Pads,
        transcript: Transcript,
    ) -> Result<Self, Error> {
        let shape = Shape::new(ranges, params.l());
        let (shard, beta) = (Shard::whole(params), core::mem::take(&mut pads.beta));
        let source = Source { params, witness, ranges, rows: shape.rows, shard, beta };
        let mut check = SumCheck::new(transcript, shape, ranges, pads);
        let mut rows = Rows::new(source, shape, check.challenges(), table_bytes).on(isa);
        for _ in 0..shape.row_rounds {
            let sums = rows.sums::<T>()?;
            rows.bind(check.send(&sums));
        }
        Ok(check.finish(ranges, rows.images::<T>()?))
    }

    pub(super) fn ends(&self) -> Ends {
        let (eq, w) = (self.course.column_weights(), self.course.pad_weights().0);
        self.secrets().ends(self.value, [&eq, &w])
    }

    fn secrets(&self) -> Secrets<'_> {
        let Pads { kappa, gamma, .. } = &self.pads;
        Secrets { kappa, gamma, images: &self.images }
    }

    /// y_j = phi(s_j).
    pub(super) fn values(&self, rho: Element) -> Vec<Element> {
        self.secrets().values(rho)
    }

    /// Sends the ends, and after rho the values.
    pub(super) fn send(
        mut self,
        ranges: &Ranges,
        slot: RangeSlot,
        ends: Ends,
        values: impl FnOnce(&Self, Element) -> Vec<Element>,
    ) -> RangeArgument {
        let rho = self.course.rho(&ends);
        let values = values(&self, rho);
        self.course.finish(&values);
        let form = self.course.form(ranges, slot, rho);
        let opening = ColumnOpening::new(*self.course.transcript.state(), form);
        let (ranges, Self { start, messages, .. }) = (ranges.clone(), self);
        RangeArgument { start, slot, ranges, messages, ends, values, opening }
    }
}

/// The state between rounds.
pub(in crate::argument) struct SumCheck {
    /// D_0.
    start: Digest,
    course: Course,
    pads: Pads,
    interpolation: Interpolation,
    /// What the next round polynomial is at 0 and 1 together. Secret.
    claim: Zeroizing<Element>,
    messages: Vec<Element>,
}

impl SumCheck {
    /// From D_0 on, with the pads of all columns; beta is not needed.
    pub(in crate::argument) fn new(
        transcript: Transcript,
        shape: Shape,
        ranges: &Ranges,
        pads: Pads,
    ) -> Self {
        let start = *transcript.state();
        let course = Course::begin(transcript, shape);
        Self {
            start,
            claim: Zeroizing::new(course.first_claim(ranges)),
            course,
            pads,
            interpolation: Interpolation::new(shape.messages),
            messages: Vec::with_capacity(shape.all_messages()),
        }
    }

    pub(super) const fn shape(&self) -> Shape {
        self.course.shape
    }

    /// tau, and eta behind it, if there are norms.
    pub(in crate::argument) fn challenges(&self) -> &[Element] {
        &self.course.challenges
    }

    /// Sends the polynomial that has these values at 0, 2, .., e, and takes the next challenge.
    pub(in crate::argument) fn send(&mut self, sums: &[Element]) -> Element {
        let mut values = Zeroizing::new(sums.to_vec());
        values.insert(1, *self.claim - sums[0]);
        let polynomial = Zeroizing::new(self.interpolation.coefficients(&values));
        let pads = &self.pads.gamma[self.messages.len()..];
        let sent = polynomial.iter().enumerate().filter(|(degree, _)| *degree != 1);
        let messages: Vec<Element> =
            sent.zip(pads).map(|((_, &coefficient), &pad)| coefficient + pad).collect();
        declassify_slice(&messages);
        let r = self.course.round(&messages);
        self.messages.extend(messages);
        *self.claim = evaluate(&polynomial, r);
        r
    }

    /// D_0, the transcript and the messages, where no rounds for the columns follow.
    pub(in crate::argument) fn into_parts(self) -> (Digest, Course, Vec<Element>) {
        (self.start, self.course, self.messages)
    }

    /// The rounds for the columns, given phi_1 of each.
    pub(super) fn finish(mut self, ranges: &Ranges, images: Zeroizing<Vec<Element>>) -> Rounds {
        let shape = self.course.shape;
        let tau = self.course.tau_of_columns().to_vec();
        let mut factors = self.course.row_sums(ranges);
        let mut table = images.clone();
        for (t, &variable) in tau.iter().enumerate() {
            let eq = eq::table(&tau[t + 1..], table.len().div_ceil(2));
            let mut sums = Zeroizing::new(vec![Element::ZERO; shape.messages]);
            column_round(&table, &eq, &factors, variable, &mut sums);
            let r = self.send(&sums);
            let factor = eq::at(&[variable], &[r]);
            for (_, x) in &mut factors {
                *x = *x * factor;
            }
            let height = table.len();
            table = bind::<Element>((), &table, height, r);
        }
        let Self { start, course, pads, messages, .. } = self;
        Rounds { start, course, pads, messages, images, value: table[0] }
    }
}
