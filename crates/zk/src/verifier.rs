//! [`Verifier`]: norms of Z, and W = A Z - T C against the challenge hash; one proof or a batch over
//! one A.

use alloc::vec;
use alloc::vec::Vec;

use crate::check::Check;
use crate::error::{Error, VerifyError};
use crate::matrix::{PublicMatrix, with_engine};
use crate::product::multiply_by_challenges;
use crate::products::{Engine, MatrixWord};
use crate::source::ReadAt;
use crate::statement::Statement;

/// Proofs that are multiplied together: enough for products to run at full speed, few enough that
/// memory stays below 16 times that of one proof.
const BATCH: usize = 16;

/// Checks proofs of one statement. The statement comes from its own file, never from a proof.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// # let a = PublicMatrix::new(&params, [1; 32]);
/// # let witness = RandomWitness::new(Seed::from_os()?);
/// # let mut file = Vec::new();
/// # let statement = a.commit_and_hold(&witness, &mut file)?;
/// # let proved = Prover::new(&a, &statement)?.prove(b"for this", &witness, &Seed::from_os()?)?;
/// # let proof = proved.proof.to_bytes(&params);
/// let verifier = Verifier::new(&a, &statement)?;
/// verifier.verify_streaming(b"for this", &file, &proof)?; // valid
/// assert!(verifier.verify_streaming(b"for that", &file, &proof).is_err());
/// # Ok::<(), Error>(())
/// ```
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
    /// Its file, from which T is read; `None` if the statement was [loaded](Statement::load).
    pub statement_file: Option<&'a dyn ReadAt>,
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

    /// Checks a proof file in a user's context; the statement was [loaded](Statement::load). The
    /// proof is valid if this is not an error.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`] if the proof is not valid. [`VerifyError::NoVerdict`] with
    /// [`Error::Malformed`] if the bytes are no proof file at all (see [`Proof::parse`]); with
    /// [`Error::NotLoaded`] if T is not in memory; with [`Error::Device`].
    ///
    /// [`Proof::parse`]: crate::Proof::parse
    pub fn verify(&self, context: &[u8], proof: &[u8]) -> Result<(), VerifyError> {
        self.check(context, None, proof)
    }

    /// As [`Self::verify`], and reads T block by block from `statement_file` unless the statement
    /// was [loaded](Statement::load).
    ///
    /// # Errors
    /// As [`Self::verify`]; [`VerifyError::NoVerdict`] with [`Error::Malformed`], too, if T in the
    /// file is not that of the statement; with [`Error::Io`] if it cannot be read.
    pub fn verify_streaming(
        &self,
        context: &[u8],
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Some(statement_file), proof)
    }

    pub(crate) const fn matrix(&self) -> &'a PublicMatrix {
        self.matrix
    }

    pub(crate) const fn statement(&self) -> &'a Statement {
        self.statement
    }

    fn check(
        &self,
        context: &[u8],
        statement_file: Option<&dyn ReadAt>,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        let claim = Claim { statement: self.statement, statement_file, context, proof };
        self.matrix.verify_batch(&[claim]).remove(0)
    }
}

impl PublicMatrix {
    /// Checks many proofs over this A, of one statement or of several, with one product A [Z_1 |
    /// Z_2 | ..] for every 16 of them, and one pass over T for those of one statement. Each claim
    /// has its own answer: a bad one does not hide the others.
    ///
    /// # Errors
    /// For each claim those of [`Verifier::verify_streaming`], or [`Error::ForeignMatrix`].
    #[must_use]
    pub fn verify_batch(&self, claims: &[Claim<'_>]) -> Vec<Result<(), VerifyError>> {
        claims.chunks(BATCH).flat_map(|claims| self.verify_together(claims)).collect()
    }

    fn verify_together(&self, claims: &[Claim<'_>]) -> Vec<Result<(), VerifyError>> {
        let begin =
            |claim: &Claim<'_>| Check::begin(self, claim.statement, claim.context, claim.proof);
        let begun: Vec<_> = claims.iter().map(begin).collect();
        let checks: Vec<_> = claims
            .iter()
            .zip(&begun)
            .filter_map(|(claim, check)| Some((claim, check.as_ref().ok()?)))
            .collect();
        let verdicts = with_engine!(self, engine => self.check_equations(engine, &checks));
        let mut verdicts = verdicts.into_iter();
        let verdict =
            |begun: Result<_, _>| begun.and_then(|_| verdicts.next().expect("one verdict a check"));
        begun.into_iter().map(verdict).collect()
    }

    /// Recomputes W = A Z - T C for every check, or what version 2 hashes of it, and compares its
    /// hash with the challenge.
    fn check_equations<W: MatrixWord>(
        &self,
        engine: &Engine<W>,
        checks: &[(&Claim<'_>, &Check<'_>)],
    ) -> Vec<Result<(), VerifyError>> {
        if checks.is_empty() {
            return Vec::new();
        }
        let all: Vec<_> = checks.iter().map(|(_, check)| *check).collect();
        let mut az = match Check::multiply_az(engine, &all) {
            Ok(az) => az,
            Err(error) => return vec![Err(error.into()); checks.len()],
        };
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let size = az.len() / checks.len();
        let mut rest = az.chunks_exact_mut(size);
        let mut verdicts = Vec::with_capacity(checks.len());
        // Runs of claims on one statement share a pass over its T.
        for run in checks.chunk_by(|(x, _), (y, _)| x.has_t_of(y)) {
            let hashes: Vec<_> = run.iter().map(|(_, check)| check.challenge_hash()).collect();
            let Claim { statement, statement_file, .. } = run[0].0;
            let tc = multiply_by_challenges(self, statement, *statement_file, &hashes);
            for (k, (_, check)) in run.iter().enumerate() {
                let az = rest.next().expect("one A Z a check");
                verdicts.push(match &tc {
                    Ok(tc) => check.compare(az, &tc[k]),
                    Err(error) => Err(error.clone().into()),
                });
            }
        }
        verdicts
    }
}

impl Claim<'_> {
    /// Whether two claims are on the same columns of T.
    fn has_t_of(&self, other: &Claim<'_>) -> bool {
        let same_file = match (self.statement_file, other.statement_file) {
            (Some(one), Some(other)) => core::ptr::addr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        core::ptr::eq(self.statement, other.statement) && same_file
    }
}

#[cfg(test)]
mod tests;
