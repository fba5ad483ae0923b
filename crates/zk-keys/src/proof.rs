//! [`prove`] and [`verify`], and the same over rings.

use std::sync::Arc;

use tautochrone_ctr::Label;
use tautochrone_kem_keys::Secret;
use tautochrone_zk::argument::{ArgumentProof, Claims, Layout, Relation, RelationSpace};
use tautochrone_zk::{
    CustomParams, Isa, Prover, PublicMatrix, Reason, Security, Seed, Statement, Verifier,
    VerifyError,
};

use crate::list::KeyList;
use crate::rings::{RingList, RingSecret, concatenated};

/// Lifts that are tried of lists over rings.
const RING_LIFTS: u8 = 32;

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

/// Proves that all keys of a list are well formed, with secrets that the prover knows, in their
/// order.
///
/// # Errors
/// [`Error::Empty`]; [`Error::Secrets`]; [`Error::Zk`] with
/// [`FalseFact`](tautochrone_zk::Error::FalseFact) if a secret is that of another key, with
/// [`NoParameters`](tautochrone_zk::Error::NoParameters) for lists that are too long, and with
/// [`Parameter`](tautochrone_zk::Error::Parameter) where carries of FrodoKEM keys are so far beyond
/// a byte as none of honest keys are.
///
/// # Constant time
/// In the secrets.
pub fn prove(keys: &KeyList, secrets: &[Secret]) -> Result<KeysProof, Error> {
    let seed = Seed::from_os().map_err(tautochrone_zk::Error::from)?;
    prove_on(Isa::detect(), keys, secrets, &seed)
}

/// [`prove`] on an instruction set, with a seed that commitments and proof hide the secrets by.
///
/// # Errors
/// As [`prove`].
///
/// # Constant time
/// In the secrets and the seed.
pub fn prove_on(
    isa: Isa,
    keys: &KeyList,
    secrets: &[Secret],
    seed: &Seed,
) -> Result<KeysProof, Error> {
    if keys.is_empty() {
        return Err(Error::Empty);
    }
    if secrets.len() != keys.len() {
        return Err(Error::Secrets { got: secrets.len(), expected: keys.len() });
    }
    let mut lift = 0;
    loop {
        let proved = prove_lifted(isa, keys, lift, secrets, seed);
        lift += 1;
        match proved {
            Err(Error::Zk(tautochrone_zk::Error::Parameter(error)))
                if error.name == "carry" && lift < keys.lifts() => {}
            proved => return proved,
        }
    }
}

/// The same in one lift.
fn prove_lifted(
    isa: Isa,
    keys: &KeyList,
    lift: u8,
    secrets: &[Secret],
    seed: &Seed,
) -> Result<KeysProof, Error> {
    let found = RelationSpace::optimise(Arc::new(keys.lifted(lift)))?;
    prove_relation(isa, found, &keys.unknowns(secrets), &keys.context(), seed)
}

/// A statement and a proof of a relation with these unknowns.
fn prove_relation(
    isa: Isa,
    (relation, custom): (Relation, CustomParams),
    unknowns: &[i8],
    context: &[u8],
    seed: &Seed,
) -> Result<KeysProof, Error> {
    let params = custom.validate(Security::Required)?;
    let space = RelationSpace::new(&params, &relation, Security::Required)?;
    let mut seed_a = [0; 32];
    seed.stream_on(isa, Label::new("keys: A"), 0).fill(&mut seed_a);
    let a = PublicMatrix::new_on(isa, &params, seed_a);
    let witness = space.witness(&a, &relation, unknowns, seed)?;
    let mut statement = Vec::new();
    let committed = a.commit_and_hold(&witness, &mut statement)?;
    let (slot, claims) = (space.slot(0)?, Claims::from(relation));
    let prover = Prover::new(&a, &committed)?;
    let proved = prover.prove_claims(context, &slot, &claims, &witness, seed)?;
    Ok(KeysProof { statement, proof: proved.proof.to_bytes(&params) })
}

/// Checks a proof about a list of keys.
///
/// # Errors
/// [`VerifyError::Invalid`] if it is not valid, or of another list, order, identity or purpose;
/// [`VerifyError::NoVerdict`] with [`Malformed`](tautochrone_zk::Error::Malformed) if a file is
/// none, with [`Insecure`](tautochrone_zk::Error::Insecure) if its parameters have fewer than 128
/// bits.
pub fn verify(keys: &KeyList, proof: &KeysProof) -> Result<(), VerifyError> {
    verify_on(Isa::detect(), keys, proof)
}

/// [`verify`] on an instruction set.
///
/// # Errors
/// As [`verify`].
pub fn verify_on(isa: Isa, keys: &KeyList, proof: &KeysProof) -> Result<(), VerifyError> {
    let in_lift =
        |layout: &Layout, lift| Relation::with_layout(Arc::new(keys.lifted(lift)), layout);
    verify_relation(isa, &in_lift, keys.lifts(), &keys.context(), proof)
}

/// Checks a statement and a proof of a relation, in one of its lifts.
fn verify_relation(
    isa: Isa,
    in_lift: &dyn Fn(&Layout, u8) -> Result<Relation, tautochrone_zk::Error>,
    lifts: u8,
    context: &[u8],
    KeysProof { statement, proof }: &KeysProof,
) -> Result<(), VerifyError> {
    let statement = Statement::load(&statement.as_slice(), Security::Required)?;
    let params = statement.params();
    let (slot, named) = ArgumentProof::claims(proof, params)?;
    // No place for so many keys of this set: the files are about others.
    let others = |error| match error {
        tautochrone_zk::Error::Parameter(_) => Reason::OtherFact.into(),
        error => VerifyError::from(error),
    };
    // The digest in the file says which lift it is.
    let mut relation = in_lift(slot.layout(), 0).map_err(others)?;
    for lift in 1..lifts {
        if named == Claims::from(relation.clone()) {
            break;
        }
        relation = in_lift(slot.layout(), lift).map_err(others)?;
    }
    let space = RelationSpace::new(params, &relation, Security::Required).map_err(others)?;
    let (slot, claims) = (space.slot(0)?, Claims::from(relation));
    let a = PublicMatrix::new_on(isa, params, *statement.seed_a());
    Verifier::new(&a, &statement)?.verify_claims(context, &slot, &claims, proof)
}

/// Proves that all keys or ciphertexts of a list are well formed, with secrets that the prover
/// knows, in their order.
///
/// # Errors
/// As [`prove`].
///
/// # Constant time
/// In the secrets.
pub fn prove_rings(list: &RingList, secrets: &[RingSecret]) -> Result<KeysProof, Error> {
    let seed = Seed::from_os().map_err(tautochrone_zk::Error::from)?;
    prove_rings_on(Isa::detect(), list, secrets, &seed)
}

/// [`prove_rings`] on an instruction set, with a seed that commitments and proof hide the secrets
/// by.
///
/// # Errors
/// As [`prove`].
///
/// # Constant time
/// In the secrets and the seed.
pub fn prove_rings_on(
    isa: Isa,
    list: &RingList,
    secrets: &[RingSecret],
    seed: &Seed,
) -> Result<KeysProof, Error> {
    if list.is_empty() {
        return Err(Error::Empty);
    }
    if secrets.len() != list.len() {
        return Err(Error::Secrets { got: secrets.len(), expected: list.len() });
    }
    let unknowns = concatenated(secrets);
    let family = Arc::new(list.clone());
    let mut lift = 0;
    loop {
        let found = RelationSpace::optimise_equations(family.clone(), lift)?;
        let proved = prove_relation(isa, found, &unknowns, &list.context(), seed);
        lift += 1;
        match proved {
            Err(Error::Zk(tautochrone_zk::Error::Parameter(error)))
                if error.name == "carry" && lift < RING_LIFTS => {}
            proved => return proved,
        }
    }
}

/// Checks a proof about a list of keys or ciphertexts over rings.
///
/// # Errors
/// As [`verify`].
pub fn verify_rings(list: &RingList, proof: &KeysProof) -> Result<(), VerifyError> {
    verify_rings_on(Isa::detect(), list, proof)
}

/// [`verify_rings`] on an instruction set.
///
/// # Errors
/// As [`verify`].
pub fn verify_rings_on(isa: Isa, list: &RingList, proof: &KeysProof) -> Result<(), VerifyError> {
    let family = Arc::new(list.clone());
    let in_lift =
        |layout: &Layout, lift| Relation::equations_with_layout(family.clone(), layout, lift);
    verify_relation(isa, &in_lift, RING_LIFTS, &list.context(), proof)
}
