//! [`CommittedCircuit::verify`]: T with the new columns of a proof, and the checks of a proof about
//! a circuit.

use alloc::borrow::Cow;

use super::CommittedCircuit;
use crate::argument::proof::Parts;
use crate::check::Check;
use crate::error::Error;
use crate::pending::{Pending, settle_one};

impl CommittedCircuit<'_> {
    /// Checks a proof in a user's context. If this is not an error, the prover knows columns as
    /// [`Verifier::verify`](crate::Verifier::verify) shows them, of the values and new ones, and
    /// the wires in them satisfy the circuit.
    ///
    /// T is in memory or [in a file](Self::with_file), which is read block by block.
    ///
    /// # Errors
    /// [`Error::Invalid`] if T, the claim or an equation is another;
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no such file or the file has another
    /// T than the statement, [`Error::Io`](crate::Error::Io) if T cannot be read.
    pub fn verify(&self, context: &[u8], proof: &[u8]) -> Result<(), Error> {
        settle_one(self.pending(context, proof))
    }

    fn pending(&self, context: &[u8], proof: &[u8]) -> Result<Pending<'_>, Error> {
        let (matrix, about) = (&self.matrix, (&self.slot, &self.claims));
        let parts = Parts::of_claims(proof, self.params(), about, self.new_columns())?;
        let statement = self.statement(parts.columns)?;
        let check = Check::of_claims(matrix, &statement, context, about, &parts)?;
        Ok(Pending::new(check, Cow::Owned(statement), self.file))
    }
}
