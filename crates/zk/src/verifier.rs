//! [`Verifier`]: norms of Z, then W = A Z - T C against the challenge hash; one proof or a batch over one A.

use crate::challenge::{ChallengeMatrix, challenge_hash};
use crate::device::Attached;
use crate::error::{Error, Reason, VerifyError};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::params::{BLOCK, GROUP, Params};
use crate::products::{Engine, ProductWord};
use crate::proof::Proof;
use crate::source::ReadAt;
use crate::statement::{self, Statement};
use crate::words::to_bytes;

/// Proofs that are multiplied together: enough for products to run at full speed, few enough that memory stays below 16
/// times that of one proof.
const BATCH: usize = 16;

/// Checks proofs of one statement. The statement comes from its own file, never from a proof.
#[derive(Debug)]
pub struct Verifier<'a> {
    matrix: &'a PublicMatrix,
    statement: &'a Statement,
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
    /// # Errors
    /// [`Error::ForeignMatrix`] if it is not.
    pub fn new(matrix: &'a PublicMatrix, statement: &'a Statement) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        Ok(Self { matrix, statement })
    }

    /// Checks a proof file in a user's context; `statement_file` is read for T, block by block, unless the statement was
    /// [loaded](Statement::load). The proof is valid if this is not an error.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`] if the proof is not valid. [`VerifyError::NoVerdict`] with [`Error::Malformed`] if the
    /// bytes are no proof file at all (see [`Proof::parse`]), or if T in the file is not that of the statement; with
    /// [`Error::Io`] if T cannot be read; with [`Error::Device`].
    pub fn verify(
        &self,
        context: &[u8],
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        let statement = self.statement;
        let claim = Claim { statement, statement_file, context, proof };
        self.matrix.verify_batch(&[claim]).remove(0)
    }
}

/// A decoded claim whose norms are within the bounds.
struct Candidate<'a> {
    claim: Claim<'a>,
    digest: Digest,
    proof: Proof,
}

impl<'a> Candidate<'a> {
    /// Everything that is checked but the equation.
    fn new(matrix: &PublicMatrix, claim: Claim<'a>) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(claim.statement)?;
        let params = claim.statement.params();
        let digest = claim.statement.digest(claim.context);
        let proof = Proof::parse(claim.proof, params, &digest)?;
        Proof::check_norms(&proof.z, params)?;
        Ok(Self { claim, digest, proof })
    }
}

impl PublicMatrix {
    /// Checks many proofs over this A, of one statement or of several, with one product A [Z_1 | Z_2 | ..] for every 16
    /// of them, and one pass over T for those of one statement. Each claim has its own answer: a bad one does not hide
    /// the others.
    ///
    /// # Errors
    /// For each claim those of [`Verifier::verify`], or [`Error::ForeignMatrix`].
    #[must_use]
    pub fn verify_batch(&self, claims: &[Claim<'_>]) -> Vec<Result<(), VerifyError>> {
        claims.chunks(BATCH).flat_map(|claims| self.verify_together(claims)).collect()
    }

    fn verify_together(&self, claims: &[Claim<'_>]) -> Vec<Result<(), VerifyError>> {
        let parsed: Vec<_> = claims.iter().map(|&claim| Candidate::new(self, claim)).collect();
        let candidates: Vec<_> = parsed.iter().filter_map(|parsed| parsed.as_ref().ok()).collect();
        let device = self.device.as_ref();
        let verdicts = with_engine!(self, engine => {
            check_equations(engine, device, &self.params, &candidates)
        });
        let mut verdicts = verdicts.into_iter();
        let verdict = |parsed: Result<_, _>| {
            parsed.and_then(|_| verdicts.next().expect("one verdict a candidate"))
        };
        parsed.into_iter().map(verdict).collect()
    }
}

/// Recomputes W = A Z - T C of every candidate and compares its hash with the challenge.
fn check_equations<W: ProductWord>(
    engine: &Engine<W>,
    device: Option<&Attached>,
    params: &Params,
    candidates: &[&Candidate<'_>],
) -> Vec<Result<(), VerifyError>> {
    let z: Vec<&[i64]> = candidates.iter().map(|candidate| candidate.proof.z()).collect();
    let w = match z[..] {
        [] => return Vec::new(),
        [one] => engine.apply_on(device, one),
        _ => engine.apply_on(device, &z.concat()),
    };
    let mut w = match w {
        Ok(w) => w,
        Err(error) => return vec![Err(error.into()); candidates.len()],
    };
    let size = w.len() / candidates.len();
    let mut rest = w.chunks_exact_mut(size);
    let mut verdicts = Vec::with_capacity(candidates.len());
    // Runs of claims on one statement share a pass over its T.
    let same = |x: &Claim<'_>, y: &Claim<'_>| {
        core::ptr::eq(x.statement, y.statement)
            && core::ptr::addr_eq(x.statement_file, y.statement_file)
    };
    for run in candidates.chunk_by(|x, y| same(&x.claim, &y.claim)) {
        let tc = multiply_tc(engine, device, params, run);
        for (k, candidate) in run.iter().enumerate() {
            let w = rest.next().expect("one W a candidate");
            verdicts.push(match &tc {
                Ok(tc) => check_challenge(params, candidate, w, &tc[size * k..size * (k + 1)]),
                Err(error) => Err(error.clone().into()),
            });
        }
    }
    verdicts
}

/// Compares the challenge with the hash of W = `az` - `tc`; W takes the place of A Z.
fn check_challenge<W: ProductWord>(
    params: &Params,
    candidate: &Candidate<'_>,
    az: &mut [W],
    tc: &[W],
) -> Result<(), VerifyError> {
    for (w, &tc) in az.iter_mut().zip(tc) {
        *w = w.wrapping_sub(tc);
    }
    let recomputed = challenge_hash(params, &candidate.digest, &to_bytes(az));
    if recomputed == candidate.proof.challenge_hash {
        Ok(())
    } else {
        Err(Reason::Challenge.into())
    }
}

/// [T C_1 | T C_2 | ..] for claims on one statement.
fn multiply_tc<W: ProductWord>(
    engine: &Engine<W>,
    device: Option<&Attached>,
    params: &Params,
    run: &[&Candidate<'_>],
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

#[cfg(test)]
mod tests;
