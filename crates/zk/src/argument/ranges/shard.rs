//! Ranges in column shards: workers add up the sums of the rounds for the rows, a coordinator does
//! the rest.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::claim;
use super::columns::Pads;
use super::level::Source;
use super::prover::{RangeArgument, Rounds, SumCheck, TABLE_BYTES};
use super::rows::Rows;
use super::{RangeSlot, Ranges, Shape};
use crate::argument::field::Element;
use crate::argument::transcript::{decode, encode};
use crate::entry::with_entry;
use crate::error::{Error, ShardProblem};
use crate::params::Params;
use crate::prover::{Coordinator, Prover};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;

/// A worker's shard of S while a claim of ranges is proved.
///
/// | step | each worker | the coordinator |
/// |---|---|---|
/// | pads | [`Self::new`], [`Self::pads`] of its columns | [`RangeCoordinator::new`] with those of all columns |
/// | tau | [`Self::begin`] | [`RangeCoordinator::tau`] |
/// | [`RangeCoordinator::rounds`] times | [`Self::sums`], then [`Self::bind`] | [`RangeCoordinator::send`] with the sum of the sums |
/// | end | [`Self::images`] of its columns | [`RangeCoordinator::finish`] with those of all columns |
///
/// Then a proof as without ranges, by a [`Coordinator`] that is [bound](Coordinator::with_ranges)
/// to what `finish` gives. Everything that workers send is secret.
pub struct RangeWorker<'a> {
    params: &'a Params,
    shape: Shape,
    /// Until they have begun.
    source: Option<Source<'a>>,
    rows: Option<Rows<'a>>,
    /// kappa of the columns, then gamma.
    pads: [Zeroizing<Vec<Element>>; 2],
}

impl core::fmt::Debug for RangeWorker<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("RangeWorker([REDACTED])")
    }
}

const ORDER: &str = "calls of a worker come in the order of the table";

impl<'a> RangeWorker<'a> {
    /// Reads the pads of a shard's columns.
    ///
    /// # Errors
    /// As [`Prover::prove_ranges`].
    pub fn new(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: RangeSlot,
        ranges: &'a Ranges,
    ) -> Result<Self, Error> {
        slot.check(params, ranges)?;
        let shape = Shape::new(ranges, params.l());
        let (pads, holds) = with_entry!(params, T => {
            Pads::read::<T>(params, witness, shard, slot, ranges)
        })?;
        if !holds {
            return Err(Error::FalseFact);
        }
        let Pads { kappa, gamma, beta } = pads;
        let source = Source { params, witness, ranges, rows: shape.rows, shard, beta };
        Ok(Self { params, shape, source: Some(source), rows: None, pads: [kappa, gamma] })
    }

    /// The pads, 48 bytes a column: kappa_j, then gamma_j.
    #[must_use]
    pub fn pads(&self) -> Zeroizing<Vec<u8>> {
        let [kappa, gamma] = &self.pads;
        let pairs: Zeroizing<Vec<Element>> =
            Zeroizing::new(kappa.iter().zip(gamma.iter()).flat_map(|(&x, &y)| [x, y]).collect());
        encode(&pairs)
    }

    /// How many elements tau has, and eta.
    #[must_use]
    pub const fn challenges(&self) -> usize {
        self.shape.challenges()
    }

    /// How many rounds there are for the rows.
    #[must_use]
    pub const fn rounds(&self) -> usize {
        self.shape.row_rounds
    }

    /// # Panics
    /// If it has begun, or tau is of another claim.
    pub fn begin(&mut self, tau: &[Element]) {
        assert_eq!(tau.len(), self.shape.challenges(), "tau is of another claim");
        let source = self.source.take().expect(ORDER);
        self.rows = Some(Rows::new(source, self.shape, tau, TABLE_BYTES));
    }

    /// The columns' part of the next round.
    ///
    /// # Errors
    /// What reading the witness gives.
    ///
    /// # Panics
    /// If it has not begun.
    pub fn sums(&mut self) -> Result<Zeroizing<Vec<Element>>, Error> {
        let rows = self.rows.as_mut().expect(ORDER);
        with_entry!(self.params, T => rows.sums::<T>())
    }

    /// Takes the challenge of the round.
    ///
    /// # Panics
    /// If it has not begun.
    pub fn bind(&mut self, r: Element) {
        self.rows.as_mut().expect(ORDER).bind(r);
    }

    /// What the coordinator needs of each column in the end, 24 bytes.
    ///
    /// # Errors
    /// What reading the witness gives.
    ///
    /// # Panics
    /// If it has not begun.
    pub fn images(self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let rows = self.rows.expect(ORDER);
        let images = with_entry!(self.params, T => rows.images::<T>())?;
        Ok(encode(&images))
    }
}

/// The place where rounds are masked and sent; it has the pads of all columns.
pub struct RangeCoordinator<'a> {
    check: SumCheck,
    slot: RangeSlot,
    ranges: &'a Ranges,
    columns: usize,
}

impl core::fmt::Debug for RangeCoordinator<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("RangeCoordinator([REDACTED])")
    }
}

impl<'a> RangeCoordinator<'a> {
    /// `pads` are those of all columns, in order.
    ///
    /// # Errors
    /// As [`Prover::prove_ranges`]; [`Error::Shard`] if the pads are no elements, or not two a
    /// column.
    pub fn new(
        prover: &Prover<'_>,
        slot: RangeSlot,
        ranges: &'a Ranges,
        pads: &[u8],
    ) -> Result<Self, Error> {
        let statement = prover.statement();
        let params = statement.params();
        slot.check(params, ranges)?;
        slot.front().check(ranges.closed(params.l()))?;
        let columns = params.l() as usize;
        let pairs = decode(pads, 2 * columns)?;
        let part = |first: usize| {
            Zeroizing::new(pairs.iter().skip(first).step_by(2).copied().collect::<Vec<_>>())
        };
        let pads = Pads { kappa: part(0), gamma: part(1), beta: Zeroizing::default() };
        let start = claim::begin(statement, slot, ranges);
        let check = SumCheck::new(start, Shape::new(ranges, params.l()), ranges, pads);
        Ok(Self { check, slot, ranges, columns })
    }

    /// tau, and behind it eta, if there are norms. Public.
    #[must_use]
    pub fn tau(&self) -> &[Element] {
        self.check.challenges()
    }

    /// How many rounds there are for the rows.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.check.shape().row_rounds
    }

    /// Sends what the sums of all workers add up to, and takes the challenge of the round. Public.
    ///
    /// # Errors
    /// [`Error::Shard`] if they are not as many as a round has.
    pub fn send(&mut self, sums: &[Element]) -> Result<Element, Error> {
        if sums.len() != self.check.shape().messages {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        Ok(self.check.send(sums))
    }

    /// All that is sent before Y. `images` are those of all columns, in order.
    ///
    /// # Errors
    /// [`Error::Shard`] if they are no elements, or not one a column.
    pub fn finish(self, images: &[u8]) -> Result<RangeArgument, Error> {
        let images = decode(images, self.columns)?;
        let rounds = self.check.finish(self.ranges, images);
        let ends = rounds.ends();
        Ok(rounds.send(self.ranges, self.slot, ends, Rounds::values))
    }
}

impl<'a> Coordinator<'a> {
    /// Binds the challenges, and Y, to a claim of ranges.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`] unless the statement is [owned by](crate::Statement::owned_by) the
    /// witness of the coordinator's digest.
    pub fn with_ranges(self, argument: &'a RangeArgument) -> Result<Self, Error> {
        self.bound_to(&argument.opening)
    }
}
