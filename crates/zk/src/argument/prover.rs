//! [`Prover::prove_claims`]: what is sent for claims, then a proof of knowledge that is bound to
//! it.

use tautochrone_ctr::Seed;

use super::claims::Claims;
use super::field::with_field;
use super::layout::Slot;
use super::proof::{Argument, claim_bytes};
use super::worker::ArgumentWorker;
use crate::error::Error;
use crate::observer::Stage;
use crate::prover::{Proved, Prover};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that claims about its messages
    /// hold, and reveals nothing else: under the pads of `slot`, which no other claims about this T
    /// were or will be proved with. Any number of proofs of one list of claims in one slot are
    /// safe, with any contexts and seeds, and columns of messages may be opened before and after
    /// ([`Layout::open`](super::Layout::open)).
    ///
    /// Memory: as [`Self::prove`], some 100 bytes a column and a row, and 64 MiB at most beside;
    /// for circuits 60 bytes for each constraint and 72 for each place of the messages. S is read
    /// three times more, and for ranges once for every round until the table of their entries fits
    /// into these.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if a claim does not hold; [`Error::Parameter`] if a claim is not about
    /// messages of this statement or needs more masks than the slot has, or arguments are not
    /// offered for its parameters; all errors of [`Self::prove`].
    ///
    /// # Constant time
    /// In the witness, but for whether the claims hold of it.
    pub fn prove_claims(
        &self,
        context: &[u8],
        slot: &Slot,
        claims: &Claims,
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        self.prove_bringing(&[], context, (slot, claims), witness, seed)
    }

    /// The same where the proof brings columns of T with it, given as in a statement's file.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(super) fn prove_bringing(
        &self,
        columns: &[u8],
        context: &[u8],
        (slot, claims): (&Slot, &Claims),
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        with_field!(slot.layout(), F => {
            let params = self.statement().params();
            let whole = Shard::whole(params);
            let worker = ArgumentWorker::<F>::new(params, witness, whole, slot, claims)?;
            let mut worker = worker.on(self.isa(), super::ranges::instance::TABLE_BYTES);
            let mut answers = 0;
            let argument = Argument::new(self, (slot, claims), &mut |request| {
                self.matrix().report(Stage::Argue, answers, None)?;
                answers += 1;
                worker.answer(request)
            })?;
            let opening = Some(&*argument.opening);
            let (proof, attempts) = self.prove_opening(context, witness, seed, opening)?;
            let new = (columns.len() / params.column_bytes()) as u64;
            let claim = claim_bytes(slot, claims, new);
            let argument = Argument { claim, columns: columns.to_vec(), ..argument };
            Ok(Proved { proof: argument.proof_file(params, &proof), attempts })
        })
    }
}
