//! [`Verifier`]: norms of Z, then W = A Z - T C against the challenge hash.

use crate::challenge::ChallengeMatrix;
use crate::engine::{Engine, Word};
use crate::error::{Error, Reason};
use crate::hash::Digest;
use crate::matrix::{GROUP, PublicMatrix, to_bytes, with_engine};
use crate::params::{BLOCK, Params};
use crate::proof::Proof;
use crate::prover::challenge_hash;
use crate::source::ReadAt;
use crate::statement::{self, Statement};

/// Checks proofs of one statement. The statement comes from its own file, never from a proof.
#[derive(Debug)]
pub struct Verifier<'a> {
    matrix: &'a PublicMatrix,
    statement: &'a Statement,
}

/// What a verifier says of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// The prover knows a witness (see the crate's documentation for what exactly that means).
    Valid,
    /// It does not follow, and why.
    Invalid(Reason),
}

impl<'a> Verifier<'a> {
    /// A verifier for `statement`, whose A is `matrix`.
    ///
    /// # Panics
    /// If `matrix` is not the A of `statement`.
    #[must_use]
    pub fn new(matrix: &'a PublicMatrix, statement: &'a Statement) -> Self {
        assert!(
            matrix.params == *statement.params() && matrix.seed_a == *statement.seed_a(),
            "the matrix belongs to another statement"
        );
        Self { matrix, statement }
    }

    /// Checks a proof file in a user's context; `statement_file` is read for T, block by block.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the bytes are no proof file at all (see [`Proof::parse`]); [`Error::Io`] if T can not be
    /// read. A proof that is merely wrong is [`Validity::Invalid`].
    pub fn verify<R: ReadAt + ?Sized>(
        &self,
        context: &[u8],
        statement_file: &R,
        proof: &[u8],
    ) -> Result<Validity, Error> {
        let digest = self.statement.digest(context);
        match Proof::parse(proof, self.statement.params(), &digest)? {
            Ok(proof) => self.verify_parsed(&digest, statement_file, &proof),
            Err(reason) => Ok(Validity::Invalid(reason)),
        }
    }

    /// Checks a decoded proof against the statement digest of the context.
    fn verify_parsed<R: ReadAt + ?Sized>(
        &self,
        digest: &Digest,
        statement_file: &R,
        proof: &Proof,
    ) -> Result<Validity, Error> {
        let params = self.statement.params();
        if let Err(reason) = Proof::check_norms(&proof.z, params) {
            return Ok(Validity::Invalid(reason));
        }
        let w = with_engine!(self.matrix, engine => recompute_w(engine, params, statement_file, proof))?;
        if challenge_hash(params, digest, &w) == proof.challenge_hash {
            Ok(Validity::Valid)
        } else {
            Ok(Validity::Invalid(Reason::Challenge))
        }
    }
}

/// W = A Z - T C as bytes.
fn recompute_w<W: Word, R: ReadAt + ?Sized>(
    engine: &Engine<W>,
    params: &Params,
    statement_file: &R,
    proof: &Proof,
) -> Result<Vec<u8>, Error> {
    let r = params.r() as usize;
    let challenge = ChallengeMatrix::new(params, &proof.challenge_hash);
    let mut tc = vec![W::default(); r * params.n() as usize];
    let mut bytes = Vec::new();
    let mut words = Vec::new();
    for first_block in (0..params.blocks()).step_by(GROUP as usize) {
        let rest = params.l() - first_block * u64::from(BLOCK);
        let columns = rest.min(GROUP * u64::from(BLOCK)) as usize;
        bytes.resize(columns * r * W::BYTES, 0);
        statement::read_block(statement_file, params, first_block, &mut bytes)?;
        words.clear();
        words.extend(bytes.chunks_exact(W::BYTES).map(W::from_bytes));
        engine.accumulate_tc(&words, &challenge.rows(first_block, columns), &mut tc);
    }
    let mut w = engine.apply(&proof.z);
    for (w, tc) in w.iter_mut().zip(tc) {
        *w = w.sub(tc);
    }
    Ok(to_bytes(&w))
}
