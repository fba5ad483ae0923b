//! [`prove`] and [`verify`].

use std::sync::Arc;

use sha3::{Digest, Sha3_256};
use tautochrone_ctr::Label;
use tautochrone_simd::Isa;
use tautochrone_zk::argument::{Claims, Family, Relation};
use tautochrone_zk::{
    CustomParams, Prover, PublicMatrix, Reason, Security, Seed, Shows, Statement, Verifier,
};
use zeroize::Zeroizing;

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

/// A list of which a relation is proved, in one of its lifts: another one is tried where a carry
/// does not fit.
pub trait List: Family + Clone + 'static {
    /// Secrets of one key or ciphertext.
    type Secret;

    /// How many lifts there are.
    fn lifts(&self) -> u8;
    /// The hash of all that the relation does not have, to which a proof is bound.
    fn context(&self) -> [u8; 32];
    /// The unknowns of the relation that one is.
    fn unknowns(secret: &Self::Secret) -> &[i8];
}

/// SHA3-256 of fields, each with its length in eight bytes before it.
pub(crate) fn hash<'a>(fields: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = Sha3_256::new();
    for field in fields {
        hasher.update((field.len() as u64).to_le_bytes());
        hasher.update(field);
    }
    hasher.finalize().into()
}

/// Proves that all keys or ciphertexts of a [`KeyList`](crate::KeyList) or a
/// [`RingList`](crate::RingList) are well formed, with secrets that the prover knows, in their
/// order.
///
/// # Errors
/// [`Error::Empty`]; [`Error::Secrets`]; [`Error::Zk`] with
/// [`FalseFact`](tautochrone_zk::Error::FalseFact) if a secret belongs to another key, with
/// [`Request`](tautochrone_zk::Error::Request) for lists that are too long, and with
/// [`Parameter`](tautochrone_zk::Error::Parameter) where carries of FrodoKEM keys are so far beyond
/// a byte as none of honest keys are.
///
/// # Constant time
/// In the secrets.
pub fn prove<L: List>(list: &L, secrets: &[L::Secret]) -> Result<KeysProof, Error> {
    let seed = Seed::from_os().map_err(tautochrone_zk::Error::from)?;
    prove_on(Isa::detect(), list, secrets, &seed)
}

/// [`prove`] on an instruction set, with a seed that commitments and proof hide the secrets by.
///
/// # Errors
/// As [`prove`].
///
/// # Constant time
/// In the secrets and the seed.
pub fn prove_on<L: List>(
    isa: Isa,
    list: &L,
    secrets: &[L::Secret],
    seed: &Seed,
) -> Result<KeysProof, Error> {
    let (got, expected) = (secrets.len(), list.instances() as usize);
    if expected == 0 {
        return Err(Error::Empty);
    }
    if got != expected {
        return Err(Error::Secrets { got, expected });
    }
    let of_each: Vec<&[i8]> = secrets.iter().map(L::unknowns).collect();
    // Allocated once, so that no copy stays behind.
    let unknowns = Zeroizing::new(of_each.concat());
    let (family, context) = (Arc::new(list.clone()), list.context());
    let mut lift = 0;
    // The first lift in which carries fit.
    loop {
        let relation = Relation::optimise(family.clone(), lift)?;
        let proved = prove_relation(isa, relation, &unknowns, &context, seed);
        lift += 1;
        match proved {
            Err(Error::Zk(tautochrone_zk::Error::Parameter(error)))
                if error.name == "carry" && lift < list.lifts() => {}
            proved => return proved,
        }
    }
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
    let mut seed_a = [0; 32];
    seed.stream_on(isa, Label::new("keys: A"), 0).fill(&mut seed_a);
    let a = PublicMatrix::new_on(isa, &params, seed_a);
    let witness = relation.witness(&a, unknowns, seed)?;
    let mut statement = Vec::new();
    let committed = a.commit_and_hold(&witness, &mut statement)?;
    let (slot, claims) = (relation.layout()?.slot(0)?, Claims::from(relation));
    let prover = Prover::new(&a, &committed)?;
    let proved = prover.prove_claims(context, &slot, &claims, &witness, seed)?;
    Ok(KeysProof { statement, proof: proved.proof })
}

/// Checks a proof about a list of keys or ciphertexts.
///
/// # Errors
/// [`Invalid`](tautochrone_zk::Error::Invalid) if it is not valid, or of another list, order,
/// identity or purpose; [`Malformed`](tautochrone_zk::Error::Malformed) if a file is none;
/// [`Insecure`](tautochrone_zk::Error::Insecure) if its parameters have fewer than 128 bits.
pub fn verify(list: &impl List, proof: &KeysProof) -> Result<(), tautochrone_zk::Error> {
    verify_on(Isa::detect(), list, proof)
}

/// [`verify`] on an instruction set.
///
/// # Errors
/// As [`verify`].
pub fn verify_on(
    isa: Isa,
    list: &impl List,
    KeysProof { statement, proof }: &KeysProof,
) -> Result<(), tautochrone_zk::Error> {
    let statement = Statement::load(&statement.as_slice(), Security::Required)?;
    let params = statement.params();
    let a = PublicMatrix::new_on(isa, params, *statement.seed_a());
    let verifier = Verifier::new(&a, &statement)?;
    let Shows::Claims(slot, named) = Shows::of(proof, params)? else {
        // A proof of another kind.
        return verifier.verify(b"", proof).and(Err(Reason::OtherFact.into()));
    };
    // No place for so many keys of this set: the files are about others.
    let others = |error| match error {
        tautochrone_zk::Error::Parameter(_) => Reason::OtherFact.into(),
        error => error,
    };
    // The digest in the file says which lift it is.
    let family = Arc::new(list.clone());
    let in_lift = |lift| Relation::with_layout(family.clone(), slot.layout(), lift).map_err(others);
    let mut relation = in_lift(0)?;
    for lift in 1..list.lifts() {
        if named == Claims::from(relation.clone()) {
            break;
        }
        relation = in_lift(lift)?;
    }
    let layout = relation.layout().map_err(others)?;
    layout.hiding(params).map_err(others)?;
    let (slot, claims) = (layout.slot(0)?, Claims::from(relation));
    verifier.verify_claims(&list.context(), &slot, &claims, proof)
}
