//! [`commit`], [`prove`] and [`verify`] on the bytes of files, for statements that fit into memory.
//!
//! ```
//! use tautochrone_zk::{Preset, RandomWitness, Security, Seed, simple};
//!
//! let params = Preset::T1_128.params(Security::Required)?;
//! let witness = RandomWitness::new(Seed::from_os()?); // or a `Witness` of your own entries
//! let statement = simple::commit(&params, &witness)?;
//! let proof = simple::prove(b"context", &statement, &witness)?;
//! // An error unless the proof is valid.
//! let shows = simple::verify(b"context", &statement, &proof)?;
//! assert_eq!(shows.to_string(), "knowledge of a short preimage of every column");
//! # Ok::<(), tautochrone_zk::Error>(())
//! ```
//!
//! Each call reads the statement and expands A once more. Whoever makes or checks many proofs about
//! one statement keeps a [`PublicMatrix`] and a [`Statement`], and calls the methods of [`Prover`]
//! and [`Verifier`], which also prove claims, work from files and take insecure parameters.

use alloc::vec::Vec;

use tautochrone_ctr::Seed;

use crate::error::Error;
use crate::matrix::PublicMatrix;
use crate::params::{Params, Security};
use crate::prover::Prover;
use crate::shows::Shows;
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::WitnessSource;

/// The statement file of T = A S mod q, for S of the shape (v, l) of `params` and an A of a fresh
/// public seed.
///
/// # Errors
/// [`Error::Witness`] and errors of reading the witness; [`Error::Randomness`] if the
/// operating system has no entropy.
///
/// # Constant time
/// In S, while its entries are within the bound.
pub fn commit(params: &Params, witness: &dyn WitnessSource) -> Result<Vec<u8>, Error> {
    let a = PublicMatrix::new(params, *Seed::from_os()?.expose());
    let mut statement = Vec::new();
    a.commit(witness, &mut statement)?;
    Ok(statement)
}

/// A proof file, made for this context: that somebody knows S, the witness that was committed to.
///
/// # Errors
/// [`Error::Malformed`] if `statement` is no statement file, [`Error::Insecure`] if its parameters
/// have fewer bits than they claim, and as [`Prover::prove`].
///
/// # Constant time
/// As [`Prover::prove`].
pub fn prove(
    context: &[u8],
    statement: &[u8],
    witness: &dyn WitnessSource,
) -> Result<Vec<u8>, Error> {
    let statement = Statement::load(&statement, Security::Required)?;
    let a = PublicMatrix::new(statement.params(), *statement.seed_a());
    let proved = Prover::new(&a, &statement)?.prove(context, witness, &Seed::from_os()?)?;
    Ok(proved.proof)
}

/// Checks a proof file of any kind that says itself what it shows, and says so.
///
/// # Errors
/// [`Error::Invalid`] if the proof is not valid, or was made for another context or statement.
/// [`Error::Malformed`] if one of the files cannot be read, [`Error::Insecure`] if the statement's
/// parameters have fewer bits than they claim, and as [`Verifier::verify_file`].
pub fn verify(context: &[u8], statement: &[u8], proof: &[u8]) -> Result<Shows, Error> {
    let statement = Statement::load(&statement, Security::Required)?;
    let a = PublicMatrix::new(statement.params(), *statement.seed_a());
    Verifier::new(&a, &statement)?.verify_file(context, proof, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use crate::witness::RandomWitness;

    #[test]
    fn files_agree_with_the_methods() {
        let params = Preset::T1_128.params(Security::Required).unwrap();
        let witness = RandomWitness::new(Seed::from_bytes([1; 32]));
        let file = commit(&params, &witness).unwrap();
        let proof = prove(b"here", &file, &witness).unwrap();
        assert_eq!(verify(b"here", &file, &proof).unwrap(), Shows::Knowledge);
        assert!(matches!(verify(b"there", &file, &proof), Err(Error::Invalid(_))));
        assert!(matches!(verify(b"here", &file[1..], &proof), Err(Error::Malformed { .. })));
        assert!(prove(b"here", &proof, &witness).is_err());
        let other = RandomWitness::new(Seed::from_bytes([2; 32]));
        assert!(matches!(prove(b"here", &file, &other), Err(Error::ForeignWitness)));
    }

    /// Only whoever says so gets a statement without security.
    #[test]
    fn insecure_statements_are_refused() {
        let params = Preset::Seed.params(Security::Waived).unwrap();
        let witness = RandomWitness::new(Seed::from_bytes([1; 32]));
        let file = commit(&params, &witness).unwrap();
        assert!(matches!(prove(b"", &file, &witness), Err(Error::Insecure(_))));
        assert!(matches!(verify(b"", &file, &[]), Err(Error::Insecure(_))));
    }
}
