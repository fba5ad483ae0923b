//! [`Check`]: what a verifier checks of one proof.

use crate::challenge::challenge_hash;
use crate::error::{Error, Reason, ShardProblem, VerifyError};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::products::{Engine, ProductWord};
use crate::proof::Proof;
use crate::statement::Statement;
use crate::words::{ModQ, to_bytes};

/// A well-formed proof, within the norms, that waits for T C.
#[derive(Debug)]
pub struct Check<'a> {
    matrix: &'a PublicMatrix,
    digest: Digest,
    proof: Proof,
}

impl<'a> Check<'a> {
    /// Parses a proof file and checks its norms.
    ///
    /// # Errors
    /// As [`Proof::parse`]; [`Error::ForeignMatrix`] if `matrix` is not the A of `statement`.
    pub fn begin(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        proof: &[u8],
    ) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        let digest = statement.digest(context);
        let proof = Proof::parse(proof, params, &digest)?;
        Proof::check_norms(&proof.z, params)?;
        Ok(Self { matrix, digest, proof })
    }

    /// What T is multiplied with.
    #[must_use]
    pub const fn challenge_hash(&self) -> &Digest {
        &self.proof.challenge_hash
    }

    /// The verdict, given T C: the proof is valid if this is not an error.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`]; [`Error::Shard`] if `tc` is of the other word size or not r x n;
    /// [`Error::Device`].
    pub fn finish(&self, tc: &ModQ) -> Result<(), VerifyError> {
        with_engine!(self.matrix, engine => self.finish_with(engine, tc))
    }

    fn finish_with<W: ProductWord>(
        &self,
        engine: &Engine<W>,
        tc: &ModQ,
    ) -> Result<(), VerifyError> {
        let params = &self.matrix.params;
        let size = params.r() as usize * params.n() as usize;
        let tc = W::of(tc).filter(|tc| tc.len() == size);
        let tc = tc.ok_or(Error::Shard(ShardProblem::Product))?;
        let mut az = Self::multiply_az(engine, &[self])?;
        self.compare(&mut az, tc)
    }

    /// [A Z_1 | A Z_2 | ..] of checks over one A, which are at least one.
    pub(crate) fn multiply_az<W: ProductWord>(
        engine: &Engine<W>,
        checks: &[&Self],
    ) -> Result<Vec<W>, Error> {
        let device = checks[0].matrix.device.as_ref();
        if let [one] = checks {
            return engine.apply_on(device, one.proof.z());
        }
        let z: Vec<&[i64]> = checks.iter().map(|check| check.proof.z()).collect();
        engine.apply_on(device, &z.concat())
    }

    /// Compares the challenge with the hash of W = `az` - `tc`, which takes the place of A Z.
    pub(crate) fn compare<W: ProductWord>(
        &self,
        az: &mut [W],
        tc: &[W],
    ) -> Result<(), VerifyError> {
        for (w, &tc) in az.iter_mut().zip(tc) {
            *w = w.wrapping_sub(tc);
        }
        let recomputed = challenge_hash(&self.matrix.params, &self.digest, &to_bytes(az));
        if recomputed == self.proof.challenge_hash { Ok(()) } else { Err(Reason::Challenge.into()) }
    }
}
