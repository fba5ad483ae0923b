//! Facts in column shards: workers add up what the equation has of their columns, a coordinator
//! masks and sends. One machine is a coordinator with one worker.

use alloc::vec::Vec;

use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claim::{self, MASK, RHO, VALUES};
use super::fact::{Equation, Fact};
use super::field::Element;
use super::images;
use super::opening::{ColumnOpening, LinearForm};
use super::proof::FactProof;
use super::slot::Slot;
use super::transcript::{Transcript, decode, encode};
use crate::entry::with_entry;
use crate::error::{Error, ShardProblem};
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::Proof;
use crate::prover::{Coordinator, Prover};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;

const ORDER: &str = "calls come in the order of the table";

/// A worker's shard of S while a fact is proved.
///
/// | step | each worker | the coordinator |
/// |---|---|---|
/// | challenges | [`Self::new`] | [`FactCoordinator::new`], [`FactCoordinator::challenges`] |
/// | sums | [`Self::sums`] over its columns, which it reads once | [`FactCoordinator::send`] with the sum of the sums |
/// | values | [`Self::values`] of its columns | [`FactCoordinator::finish`] with those of all columns |
///
/// Then a proof as without a fact, by a [`Coordinator`] that is [bound](Coordinator::with_fact) to
/// what `finish` gives. Sums are secret; challenges, rho and values are public, as they are in the
/// proof or follow from it.
pub struct FactWorker<'a> {
    params: &'a Params,
    witness: &'a dyn WitnessSource,
    shard: Shard,
    slot: Slot,
    fact: &'a Fact,
    /// Once they are read.
    columns: Option<Columns>,
}

impl core::fmt::Debug for FactWorker<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FactWorker([REDACTED])")
    }
}

impl<'a> FactWorker<'a> {
    /// A worker for a shard's columns, of which the fact need not speak.
    ///
    /// # Errors
    /// [`Error::Parameter`] as [`Prover::prove_fact`].
    pub fn new(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: Slot,
        fact: &'a Fact,
    ) -> Result<Self, Error> {
        slot.check(params, fact)?;
        Ok(Self { params, witness, shard, slot, fact, columns: None })
    }

    /// The columns' parts of m and of the left side of the fact.
    ///
    /// # Errors
    /// What reading the witness gives.
    ///
    /// # Panics
    /// If the challenges are of another fact.
    pub fn sums(&mut self, challenges: &[Element]) -> Result<Zeroizing<Vec<Element>>, Error> {
        let Self { params, witness, shard, slot, fact, .. } = *self;
        let equation = fact.equation_at(challenges);
        let first = shard.columns(params).start;
        let forms = [LinearForm::new(equation.rows.clone()), claim::pad(slot)];
        let [data, pads] = with_entry!(params, T => {
            images::read(params, witness, shard, &forms, |_, _: &[T]| ())
        })?;
        let columns = Columns { data, pads };
        let sums = [&columns.pads, &columns.data].map(|x| equation.sum_from(first, x));
        self.columns = Some(columns);
        Ok(Zeroizing::new(sums.to_vec()))
    }

    /// y_j of the columns, 24 bytes each.
    ///
    /// # Panics
    /// If there were no sums.
    #[must_use]
    pub fn values(self, rho: Element) -> Vec<u8> {
        encode(&self.elements(rho)).to_vec()
    }

    /// The same, not encoded.
    pub(super) fn elements(self, rho: Element) -> Vec<Element> {
        let Columns { data, pads } = self.columns.expect(ORDER);
        let values: Vec<Element> =
            pads.iter().zip(data.iter()).map(|(&pad, &data)| pad + rho * data).collect();
        declassify_slice(&values);
        values
    }
}

/// What two forms are at some columns of S. Secret.
struct Columns {
    /// sum over i of lambda_i s_ij.
    data: Zeroizing<Vec<Element>>,
    /// val(kappa_j).
    pads: Zeroizing<Vec<Element>>,
}

/// The place where sums are added up, masked and sent.
pub struct FactCoordinator {
    /// D_0.
    start: Digest,
    transcript: Transcript,
    slot: Slot,
    columns: usize,
    challenges: Vec<Element>,
    equation: Equation,
    /// m and rho, once m is sent.
    sent: Option<[Element; 2]>,
}

impl core::fmt::Debug for FactCoordinator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FactCoordinator").field("slot", &self.slot).finish_non_exhaustive()
    }
}

impl FactCoordinator {
    /// # Errors
    /// [`Error::Parameter`] as [`Prover::prove_fact`].
    pub fn new(prover: &Prover<'_>, slot: Slot, fact: &Fact) -> Result<Self, Error> {
        let statement = prover.statement();
        let params = statement.params();
        slot.check(params, fact)?;
        let mut transcript = claim::begin(statement, slot, fact);
        let start = *transcript.state();
        let challenges = fact.challenges(&mut transcript);
        let equation = fact.equation_at(&challenges);
        let columns = params.l() as usize;
        Ok(Self { start, transcript, slot, columns, challenges, equation, sent: None })
    }

    /// x and y of a block; nothing for a sum. Public.
    #[must_use]
    pub fn challenges(&self) -> &[Element] {
        &self.challenges
    }

    /// Sends m, and takes rho. Public.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if what the sums of all workers add up to says so; [`Error::Shard`] if
    /// they are not two.
    pub fn send(&mut self, sums: &[Element]) -> Result<Element, Error> {
        let &[mask, left] = sums else { return Err(Error::Shard(ShardProblem::Elements)) };
        let difference = left - self.equation.value;
        if !declassify(difference.is_zero()) {
            return Err(Error::FalseFact);
        }
        let mask = declassify(mask);
        self.transcript.absorb(MASK, &[mask]);
        let rho = self.transcript.challenge(RHO);
        self.sent = Some([mask, rho]);
        Ok(rho)
    }

    /// All that is sent before Y. `values` are those of all columns, in order.
    ///
    /// # Errors
    /// [`Error::Shard`] if they are no elements, not one a column, or contradict the sums.
    ///
    /// # Panics
    /// If no sums were sent.
    pub fn finish(self, values: &[u8]) -> Result<FactArgument, Error> {
        let values = decode(values, self.columns)?.to_vec();
        self.complete(values)
    }

    /// The same of decoded values, one a column.
    pub(super) fn complete(self, values: Vec<Element>) -> Result<FactArgument, Error> {
        let Self { start, mut transcript, slot, equation, sent, .. } = self;
        let [mask, rho] = sent.expect(ORDER);
        if equation.sum(&values) != rho * equation.value + mask {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        transcript.absorb(VALUES, &values);
        let form = claim::pad(slot).plus(rho, &LinearForm::new(equation.rows));
        let opening = ColumnOpening::new(*transcript.state(), form);
        Ok(FactArgument { start, mask, values, opening })
    }
}

/// All that is sent for a fact before Y. Public once there is a proof.
pub struct FactArgument {
    start: Digest,
    mask: Element,
    values: Vec<Element>,
    pub(super) opening: ColumnOpening,
}

impl core::fmt::Debug for FactArgument {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FactArgument").field("start", &self.start).finish_non_exhaustive()
    }
}

impl FactArgument {
    /// The proof of the fact, of a proof of knowledge that is bound to it.
    #[must_use]
    pub fn into_proof(self, proof: Proof) -> FactProof {
        let Self { start, mask, values, .. } = self;
        FactProof { start, mask, values, proof }
    }
}

impl<'a> Coordinator<'a> {
    /// Binds the challenges, and Y, to a fact.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`] unless the statement is [owned by](crate::Statement::owned_by) the
    /// witness of the coordinator's digest.
    pub fn with_fact(self, argument: &'a FactArgument) -> Result<Self, Error> {
        self.bound_to(&argument.opening)
    }
}
