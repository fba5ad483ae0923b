//! [`prove`] and [`verify`].

use std::sync::Arc;

use tautochrone_kem_keys::Secret;
use tautochrone_zk::argument::{ArgumentProof, Claims, Relation, RelationSpace};
use tautochrone_zk::{Prover, PublicMatrix, Security, Seed, Statement, Verifier, VerifyError};

use crate::list::KeyList;

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No keys.
    #[error("a list without keys has no proof")]
    Empty,
    /// As many secrets as keys are needed.
    #[error("{got} secrets of {expected} keys")]
    Secrets {
        /// How many there are.
        got: usize,
        /// How many keys there are.
        expected: usize,
    },
    /// What the proof of knowledge says.
    #[error(transparent)]
    Zk(#[from] tautochrone_zk::Error),
}

/// A proof about a list of keys: two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysProof {
    /// A statement file: commitments to the secrets.
    pub statement: Vec<u8>,
    /// A proof file.
    pub proof: Vec<u8>,
}

/// Proves that all keys of a list are well formed, with secrets that the prover knows, in their order.
///
/// # Errors
/// [`Error::Empty`]; [`Error::Secrets`]; [`Error::Zk`] with
/// [`FalseFact`](tautochrone_zk::Error::FalseFact) if a secret is that of another key, with
/// [`NoParameters`](tautochrone_zk::Error::NoParameters) for lists that are too long, and with
/// [`Parameter`](tautochrone_zk::Error::Parameter) where a carry of a FrodoKEM key does not fit a
/// byte, which has a probability below 2^-30 for each entry of a key.
///
/// # Constant time
/// In the secrets.
pub fn prove(keys: &KeyList, secrets: &[Secret]) -> Result<KeysProof, Error> {
    if keys.is_empty() {
        return Err(Error::Empty);
    }
    if secrets.len() != keys.len() {
        return Err(Error::Secrets { got: secrets.len(), expected: keys.len() });
    }
    let (relation, custom) = RelationSpace::optimise(Arc::new(keys.clone()))?;
    let params = custom.validate(Security::Required)?;
    let space = RelationSpace::new(&params, &relation, Security::Required)?;
    let a = PublicMatrix::new(&params, *fresh()?.expose());
    let witness = space.witness(&a, &relation, &keys.unknowns(secrets), &fresh()?)?;
    let mut statement = Vec::new();
    let committed = a.commit_and_hold(&witness, &mut statement)?;
    let (slot, claims) = (space.slot(0)?, Claims::from(relation));
    let prover = Prover::new(&a, &committed)?;
    let proved = prover.prove_claims(&keys.context(), &slot, &claims, &witness, &fresh()?)?;
    Ok(KeysProof { statement, proof: proved.proof.to_bytes(&params) })
}

/// A seed from the operating system.
fn fresh() -> Result<Seed, tautochrone_zk::Error> {
    Ok(Seed::from_os()?)
}

/// Checks a proof about a list of keys.
///
/// # Errors
/// [`VerifyError::Invalid`] if it is not valid, or of another list, order, identity or purpose;
/// [`VerifyError::NoVerdict`] with [`Malformed`](tautochrone_zk::Error::Malformed) if a file is none,
/// with [`Insecure`](tautochrone_zk::Error::Insecure) if its parameters have fewer than 128 bits.
pub fn verify(keys: &KeyList, proof: &KeysProof) -> Result<(), VerifyError> {
    let KeysProof { statement, proof } = proof;
    let statement = Statement::load(&statement.as_slice(), Security::Required)?;
    let params = statement.params();
    let (slot, _) = ArgumentProof::claims(proof, params)?;
    let relation = Relation::with_layout(Arc::new(keys.clone()), slot.layout())?;
    let space = RelationSpace::new(params, &relation, Security::Required)?;
    let (slot, claims) = (space.slot(0)?, Claims::from(relation));
    let a = PublicMatrix::new(params, *statement.seed_a());
    Verifier::new(&a, &statement)?.verify_claims(&keys.context(), &slot, &claims, proof)
}
