//! [`CommittedCircuit::prove`]: new columns for the wires that are no inputs, then a proof about
//! all columns.

use alloc::sync::Arc;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

use super::super::constraints::Assignment;
use super::CommittedCircuit;
use crate::argument::joined::Joined;
use crate::argument::space::{PaddedMessages, hash_scalars};
use crate::commit;
use crate::entry::{WitnessEntry, with_entry};
use crate::erase::Secrets;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::with_engine;
use crate::owner::Owner;
use crate::params::{BLOCK, GROUP, Params};
use crate::prover::{Proved, Prover};
use crate::rounded_off::RoundedOff;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::for_column_groups;
use crate::witness::digest::WitnessDigest;

impl CommittedCircuit<'_> {
    /// Proves in a user's context that the circuit is satisfied, knowing the witness of the
    /// committed values and all wires; inputs among the latter are not looked at, as the witness
    /// has them. The proof contains the columns of T of the other wires, and reveals nothing else,
    /// if the slot serves this claim alone ([`UsedSlots`](super::super::UsedSlots)).
    ///
    /// New columns are a function of the witness, the claim and the new wires, and do not depend on
    /// context and seed: any number of proofs of one claim with one assignment are safe.
    ///
    /// Memory: as [`Prover::prove_claims`], and the new columns of S and T.
    ///
    /// # Errors
    /// The errors of [`Prover::prove_claims`], and of reading T; [`Error::Witness`] if a bound in
    /// the header exceeds 127; [`Error::Parameter`] if the assignment has other wires than the
    /// circuit, or other public inputs than the claim, by which
    /// [`UsedSlots`](super::super::UsedSlots) would name another claim.
    ///
    /// # Constant time
    /// In the witness and the wires, but for whether the constraints hold of them.
    pub fn prove(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        assignment: &Assignment,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        self.circuit.check(assignment)?;
        let mut public = self.public.iter().zip(&assignment.public);
        if let Some(index) = public.position(|(claimed, assigned)| claimed != assigned) {
            let expected = "the same in the claim and in the assignment";
            return Err(Error::parameter("public input", index as u64, expected));
        }
        let new = self.draw(witness, assignment)?;
        let (columns, rounded_off) = self.commit(&new)?;
        // Else T of all columns is compared with S of all.
        let compared = self.committed.owner_digest().map_or(Owner::Unknown, |_| Owner::Compared);
        let statement = self.statement(&columns)?.with_owner(compared);
        let statement = statement.with_rounded_off(rounded_off.map(Arc::new));
        let joined = Joined { first: witness, params: self.committed.params(), behind: &new };
        let mut prover = Prover::new(&self.matrix, &statement)?;
        if let Some(file) = self.file {
            prover = prover.with_file(file);
        }
        let prover = if self.reproducible { prover.reproducible() } else { prover };
        let about = (&self.slot, &self.claims);
        prover.prove_bringing(&columns, context, about, &joined, seed)
    }

    /// The new columns of S, v entries each: digits of the new wires, pads in all slots, and
    /// randomness, under the key H("new wires", H(S), D_0 of the claim about T, new wires), where S
    /// and T belong to the committed values. A function of these: other columns would mean another
    /// T in a slot that is used.
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
        let of_claim = self.claims.begin(self.committed, &self.slot);
        let mut hasher = Hasher::new(params.hash(), "new wires")
            .field(s_digest.as_bytes())
            .field(of_claim.state().as_bytes());
        let wires = &assignment.secret[self.inputs..];
        hash_scalars(&mut hasher, wires);
        let key = Seed::from_bytes(*Zeroizing::new(hasher.finish_key()));
        let count = self.new_columns();
        let source = PaddedMessages::behind(self.slot.layout(), count, wires, key);
        let mut columns = Secrets::zeros(params.v() as usize * count as usize);
        source.fill(params, 0, &mut columns)?;
        Ok(columns)
    }

    /// The columns of T of new columns of S, as in a statement file; and the part rounded off
    /// all columns, if it is known of the others.
    pub(in super::super) fn commit(
        &self,
        new: &[i8],
    ) -> Result<(Vec<u8>, Option<RoundedOff>), Error> {
        let matrix = &self.matrix;
        let together = matrix.params.v() as usize * (u64::from(BLOCK) * GROUP) as usize;
        let mut rounded_off = self.committed.rounded_off().map(|known| RoundedOff::clone(known));
        let mut bytes = Vec::new();
        for columns in new.chunks(together) {
            let (part, [_, t]) =
                with_engine!(matrix, engine => commit::multiply(matrix, engine, columns))?;
            bytes.extend(part);
            if let Some(rounded_off) = &mut rounded_off {
                rounded_off.append(&t);
            }
        }
        Ok((bytes, rounded_off))
    }
}

/// H(S). Secret.
fn digest<T: WitnessEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
) -> Result<Zeroizing<Digest>, Error> {
    let shard = Shard::whole(params);
    let mut digest = WitnessDigest::with_capacity(shard.blocks().count());
    for_column_groups(params, witness, shard, &mut |first, entries: &[T]| {
        digest.read(params, first, entries);
        Ok(())
    })?;
    Ok(digest.finish(params))
}
