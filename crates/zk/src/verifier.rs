//! [`Verifier`]: norms of Z, then W = A Z - T C against the challenge hash; one proof or a batch over one A.

use crate::challenge::ChallengeMatrix;
use crate::device::Attached;
use crate::engine::{Engine, Word};
use crate::error::{Error, Reason};
use crate::hash::Digest;
use crate::matrix::{GROUP, PublicMatrix, to_bytes, with_engine};
use crate::params::{BLOCK, Params};
use crate::proof::{Proof, ProofError};
use crate::prover::challenge_hash;
use crate::source::ReadAt;
use crate::statement::{self, Statement};

/// Proofs that are multiplied together: enough for products to run at full speed, few enough that memory stays below 16
/// times that of one proof.
const BATCH: usize = 16;

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

/// A proof to be checked in a batch: the proof file, and what it is said to prove in which context.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The statement, of the same A as the others in the batch.
    pub statement: &'a Statement,
    /// Its file, from which T is read unless the statement was [loaded](Statement::load).
    pub statement_file: &'a dyn ReadAt,
    /// What the proof was made for.
    pub context: &'a [u8],
    /// The proof file.
    pub proof: &'a [u8],
}

impl core::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("context", &self.context).finish_non_exhaustive()
    }
}

impl<'a> Verifier<'a> {
    /// A verifier for `statement`, whose A is `matrix`.
    ///
    /// # Panics
    /// If `matrix` is not the A of `statement`.
    #[must_use]
    pub fn new(matrix: &'a PublicMatrix, statement: &'a Statement) -> Self {
        matrix.assert_belongs_to(statement);
        Self { matrix, statement }
    }

    /// Checks a proof file in a user's context; `statement_file` is read for T, block by block, unless the statement was
    /// [loaded](Statement::load).
    ///
    /// # Errors
    /// [`Error::Malformed`] if the bytes are no proof file at all (see [`Proof::parse`]), or if T in the file is not that of
    /// the statement; [`Error::Io`] if T can not be read; [`Error::Device`]. A proof that is merely wrong is
    /// [`Validity::Invalid`].
    pub fn verify(
        &self,
        context: &[u8],
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<Validity, Error> {
        let statement = self.statement;
        let claim = Claim { statement, statement_file, context, proof };
        self.matrix.verify_batch(&[claim]).remove(0)
    }
}

/// A decoded claim whose norms are within the bounds.
struct Candidate<'a> {
    index: usize,
    claim: Claim<'a>,
    digest: Digest,
    proof: Proof,
}

impl PublicMatrix {
    /// Checks many proofs over this A, of one statement or of several, with one product A [Z_1 | Z_2 | ..] for every 16
    /// of them, and one pass over T for those of one statement. Each claim has its own answer: a bad one does not hide
    /// the others.
    ///
    /// # Errors
    /// For each claim those of [`Verifier::verify`].
    ///
    /// # Panics
    /// If this is not the A of every statement.
    #[must_use]
    pub fn verify_batch(&self, claims: &[Claim<'_>]) -> Vec<Result<Validity, Error>> {
        let mut answers = Vec::with_capacity(claims.len());
        for claims in claims.chunks(BATCH) {
            let mut candidates = Vec::with_capacity(claims.len());
            let start = answers.len();
            for claim in claims {
                self.assert_belongs_to(claim.statement);
                let digest = claim.statement.digest(claim.context);
                let answer = match parse(claim, &digest) {
                    Ok(proof) => {
                        let index = answers.len() - start;
                        candidates.push(Candidate { index, claim: *claim, digest, proof });
                        // Until the equation is checked.
                        Ok(Validity::Invalid(Reason::Challenge))
                    }
                    Err(answer) => answer,
                };
                answers.push(answer);
            }
            with_engine!(self, engine => check_equation(engine, self.device.as_ref(), &self.params, &candidates, &mut answers[start..]));
        }
        answers
    }

    /// # Panics
    /// If this is not the A of `statement`.
    pub(crate) fn assert_belongs_to(&self, statement: &Statement) {
        assert!(
            self.params == *statement.params() && self.seed_a == *statement.seed_a(),
            "the matrix belongs to another statement"
        );
    }
}

/// The proof if its bytes are well formed and its norms within the bounds, else the answer to the claim.
fn parse(claim: &Claim<'_>, digest: &Digest) -> Result<Proof, Result<Validity, Error>> {
    let params = claim.statement.params();
    let proof = Proof::parse(claim.proof, params, digest).map_err(ProofError::verdict)?;
    Proof::check_norms(&proof.z, params).map_err(|reason| Ok(Validity::Invalid(reason)))?;
    Ok(proof)
}

/// Recomputes W = A Z - T C of every candidate and compares its hash with the challenge.
fn check_equation<W: Word>(
    engine: &Engine<W>,
    device: Option<&Attached>,
    params: &Params,
    candidates: &[Candidate<'_>],
    answers: &mut [Result<Validity, Error>],
) {
    if candidates.is_empty() {
        return;
    }
    let z: Vec<&[i64]> = candidates.iter().map(|candidate| candidate.proof.z()).collect();
    let w = match z[..] {
        [one] => engine.apply_on(device, one),
        _ => engine.apply_on(device, &z.concat()),
    };
    let mut w = match w {
        Ok(w) => w,
        Err(error) => {
            for candidate in candidates {
                answers[candidate.index] = Err(again(&error));
            }
            return;
        }
    };
    let size = w.len() / candidates.len();
    let mut rest = w.chunks_exact_mut(size);
    // Runs of claims on one statement share a pass over its T.
    let same = |x: &Claim<'_>, y: &Claim<'_>| {
        core::ptr::eq(x.statement, y.statement)
            && core::ptr::addr_eq(x.statement_file, y.statement_file)
    };
    for run in candidates.chunk_by(|x, y| same(&x.claim, &y.claim)) {
        let tc = multiply_tc(engine, device, params, run);
        for (k, candidate) in run.iter().enumerate() {
            let w = rest.next().expect("one W a candidate");
            let tc = tc.as_ref().map(|tc| &tc[size * k..size * (k + 1)]);
            answers[candidate.index] = tc.map_err(again).map(|tc| {
                for (w, &tc) in w.iter_mut().zip(tc) {
                    *w = w.wrapping_sub(tc);
                }
                if challenge_hash(params, &candidate.digest, &to_bytes(w))
                    == candidate.proof.challenge_hash
                {
                    Validity::Valid
                } else {
                    Validity::Invalid(Reason::Challenge)
                }
            });
        }
    }
}

/// [T C_1 | T C_2 | ..] for claims on one statement.
fn multiply_tc<W: Word>(
    engine: &Engine<W>,
    device: Option<&Attached>,
    params: &Params,
    run: &[Candidate<'_>],
) -> Result<Vec<W>, Error> {
    let (r, n) = (params.r() as usize, params.n() as usize);
    let challenges: Vec<ChallengeMatrix> = run
        .iter()
        .map(|candidate| ChallengeMatrix::new(params, &candidate.proof.challenge_hash))
        .collect();
    let mut tc = vec![W::default(); r * n * run.len()];
    let claim = run[0].claim;
    let held = claim.statement.columns::<W>();
    let (mut bytes, mut read, mut c) = (Vec::new(), Vec::new(), Vec::new());
    for first_block in (0..params.blocks()).step_by(GROUP as usize) {
        let rest = params.l() - first_block * u64::from(BLOCK);
        let columns = rest.min(GROUP * u64::from(BLOCK)) as usize;
        let words = if let Some(t) = held {
            &t[first_block as usize * BLOCK as usize * r..][..columns * r]
        } else {
            bytes.resize(columns * r * W::BYTES, 0);
            let hashes = &claim.statement.block_hashes()[first_block as usize..]
                [..columns.div_ceil(BLOCK as usize)];
            statement::read_checked(claim.statement_file, params, first_block, &mut bytes, hashes)?;
            read.clear();
            read.extend(bytes.chunks_exact(W::BYTES).map(W::from_bytes));
            &read
        };
        c.clear();
        for challenge in &challenges {
            c.extend(challenge.rows(first_block, columns));
        }
        engine.accumulate_tc(device, words, &c, &mut tc)?;
    }
    Ok(tc)
}

/// The error once more, for every claim that it concerns.
fn again(error: &Error) -> Error {
    match error {
        Error::Io { what, source } => {
            Error::Io { what, source: std::io::Error::new(source.kind(), source.to_string()) }
        }
        Error::Device(error) => Error::Device(error.clone()),
        Error::Malformed { what, problem } => Error::Malformed { what, problem: problem.clone() },
        _ => unreachable!("products fail by reading T or by a device"),
    }
}

#[cfg(test)]
mod tests;
