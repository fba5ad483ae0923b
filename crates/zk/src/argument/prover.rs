//! [`Prover::prove_fact`]: m, rho, the values y_j of all columns, then a proof that is bound to
//! them.

use tautochrone_ctr::Seed;

use super::fact::Fact;
use super::proof::FactProof;
use super::shard::{FactCoordinator, FactWorker};
use super::slot::Slot;
use crate::error::Error;
use crate::prover::Prover;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;

/// A proof of a fact, and how many attempts it took.
#[derive(Debug)]
pub struct ProvedFact {
    /// The proof.
    pub proof: FactProof,
    /// Attempts, the accepted one included: a geometric variable of mean
    /// [`Params::rho`](crate::Params::rho).
    pub attempts: u32,
}

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that `fact` holds of it, and
    /// reveals nothing else: under the pads of `slot`, which no other fact about these columns was
    /// or will be proved with. Any number of proofs of one fact in one slot are safe, whatever
    /// their context and seed.
    ///
    /// Memory: as [`Self::prove`], and 72 bytes a column. S is read once more.
    ///
    /// # Errors
    /// As [`Self::prove`]; [`Error::FalseFact`]; [`Error::Parameter`] if the fact is not about
    /// messages of this statement, or arguments are not offered for its parameters.
    ///
    /// # Constant time
    /// In the witness, but for whether the fact holds of it.
    pub fn prove_fact(
        &self,
        context: &[u8],
        slot: Slot,
        fact: &Fact,
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<ProvedFact, Error> {
        let params = self.statement().params();
        let mut coordinator = FactCoordinator::new(self, slot, fact)?;
        let mut worker = FactWorker::new(params, witness, Shard::whole(params), slot, fact)?;
        let rho = coordinator.send(&worker.sums(coordinator.challenges())?)?;
        let argument = coordinator.complete(worker.elements(rho))?;
        let proved = self.prove_opening(context, witness, seed, Some(&argument.opening))?;
        let proof = argument.into_proof(proved.proof);
        Ok(ProvedFact { proof, attempts: proved.attempts })
    }
}
