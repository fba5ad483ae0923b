//! [`CommittedCircuit::prove`]: new columns for the wires that are no inputs, then a proof about
//! all columns.

use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

use super::super::inputs::hash_scalars;
use super::super::prover::{ProvedCircuit, argue};
use super::super::witness::CircuitWitness;
use super::super::{Assignment, claim};
use super::CommittedCircuit;
use super::witness::Joined;
use crate::commit;
use crate::entry::with_entry;
use crate::erase::Secrets;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::with_engine;
use crate::owner::Owner;
use crate::params::{BLOCK, GROUP, Params};
use crate::prover::Prover;
use crate::shard::range::Shard;
use crate::source::Appended;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};
use crate::witness::digest::WitnessDigest;

impl CommittedCircuit<'_> {
    /// Proves in a user's context that the circuit is satisfied, knowing the witness of the
    /// committed values and all wires; inputs among the latter are not looked at, as the witness
    /// has them. The proof contains the columns of T of the other wires, and reveals nothing else,
    /// if the slot serves this claim alone ([`UsedSlots`](super::super::UsedSlots)).
    ///
    /// New columns are a function of the witness, the claim and the new wires, whatever context and
    /// seed: any number of proofs of one claim with one assignment are safe.
    ///
    /// Memory: as [`Prover::prove_circuit`], and the new columns of S and T.
    ///
    /// # Errors
    /// As [`Prover::prove_circuit`]; those of reading T; [`Error::WideEntries`] if a bound in the
    /// header exceeds 127.
    ///
    /// # Constant time
    /// In the witness and the wires, but for whether the constraints hold of them.
    pub fn prove(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        assignment: &Assignment,
        seed: &Seed,
    ) -> Result<ProvedCircuit, Error> {
        self.instance.circuit.check(assignment)?;
        let new = self.draw(witness, assignment)?;
        let columns = self.commit(&new)?;
        // Else T of all columns is compared with S of all.
        let compared = self.committed.owner_digest().map_or(Owner::Unknown, |_| Owner::Compared);
        let statement = self.statement(&columns)?.with_owner(compared);
        let joined = Joined { committed: witness, params: self.committed.params(), new: &new };
        let sent = argue(&statement, &joined, &self.instance)?;
        let file = self.file.map(|file| Appended { file, more: &columns });
        let mut prover = Prover::new(&self.matrix, &statement)?;
        if let Some(file) = &file {
            prover = prover.with_file(file);
        }
        let prover = if self.reproducible { prover.reproducible() } else { prover };
        let proved = prover.prove_opening(context, &joined, seed, Some(&sent.opening))?;
        let proof = sent.into_proof(columns, proved.proof);
        Ok(ProvedCircuit { proof, attempts: proved.attempts })
    }

    /// The new columns of S, v entries each: digits of the new wires, pads in all slots, and
    /// randomness, under the key H("new wires", H(S), digest of claim and T, new wires), S and T
    /// being those of the values. Others would be another T, for which the slot is used.
    ///
    /// # Errors
    /// Errors of reading S; [`Error::ForeignWitness`] if it is not the owner's.
    pub(in super::super) fn draw(
        &self,
        witness: &dyn WitnessSource,
        assignment: &Assignment,
    ) -> Result<Secrets, Error> {
        let (params, committed) = (self.params(), self.committed.params());
        let s_digest = with_entry!(committed, T => digest::<T>(committed, witness))?;
        self.committed.check_owner_digest(&s_digest)?;
        let of_claim = claim::fields(self.committed, &self.instance).finish();
        let wires = &assignment.secret[self.instance.inputs.len()..];
        let mut hasher = Hasher::new(params.hash(), "new wires")
            .field(s_digest.as_bytes())
            .field(of_claim.as_bytes());
        hash_scalars(&mut hasher, wires);
        let key = Seed::from_bytes(*Zeroizing::new(hasher.finish_key()));
        let entries = self.layout.draw(params, &key, self.new_columns(), wires);
        let source = CircuitWitness::new(params, self.layout.rows(), entries, key)?;
        let mut columns = Secrets::zeros(params.v() as usize * self.new_columns() as usize);
        source.read_columns(params, 0, &mut columns)?;
        Ok(columns)
    }

    /// The columns of T of new columns of S, as in a statement file.
    ///
    /// # Errors
    /// Those of a device.
    pub(in super::super) fn commit(&self, new: &[i8]) -> Result<Vec<u8>, Error> {
        let matrix = &self.matrix;
        let together = matrix.params.v() as usize * (u64::from(BLOCK) * GROUP) as usize;
        let mut bytes = Vec::new();
        for columns in new.chunks(together) {
            let (part, _) =
                with_engine!(matrix, engine => commit::multiply(matrix, engine, columns))?;
            bytes.extend(part);
        }
        Ok(bytes)
    }
}

/// H(S). Secret.
fn digest<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
) -> Result<Zeroizing<Digest>, Error> {
    let shard = Shard::whole(params);
    let mut digest = WitnessDigest::with_capacity(shard.blocks().count());
    for_column_groups(params, witness, shard, |first, entries: &[T]| {
        digest.read(params, first, entries);
        Ok(())
    })?;
    Ok(digest.finish(params))
}
