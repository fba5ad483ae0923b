//! [`Check`]: what a verifier checks of one proof.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::challenge::challenge_hash;
use crate::error::{Error, Fault, Reason, ShardProblem};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::opening::Opening;
use crate::params::Params;
use crate::products::{Engine, ProductWord};
use crate::proof::Proof;
use crate::residual::{check_norms_and_round, subtract_tc};
use crate::statement::Statement;
use crate::words::{ModQ, Word, with_t_word};

/// A well-formed proof that waits for T C.
#[derive(Debug)]
pub struct Check<'a> {
    matrix: &'a PublicMatrix,
    digest: Digest,
    proof: Proof,
    /// What the challenge is bound to besides, if there is an argument.
    opening: Option<Box<dyn Opening>>,
}

impl<'a> Check<'a> {
    /// Parses a proof file.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Malformed`], or [`Error::Request`] if `matrix` is not the A of
    /// `statement`.
    pub fn begin(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        proof: &[u8],
    ) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        let digest = statement.digest(context);
        let proof = Proof::parse(proof, params, &digest)?;
        Ok(Self { matrix, digest, proof, opening: None })
    }

    /// Of a proof with a challenge that is bound to an argument.
    pub(crate) fn opened(
        matrix: &'a PublicMatrix,
        digest: Digest,
        proof: Proof,
        opening: impl Opening,
    ) -> Self {
        Self { matrix, digest, proof, opening: Some(Box::new(opening)) }
    }

    pub(crate) const fn matrix(&self) -> &'a PublicMatrix {
        self.matrix
    }

    /// The factor of T.
    #[must_use]
    pub const fn challenge_hash(&self) -> &Digest {
        &self.proof.challenge_hash
    }

    /// The verdict, given T C ([`multiply_tc`](crate::shard::multiply_tc)): the proof is valid if
    /// this is not an error.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Shard`] if `tc` is of another word size or not r x n;
    /// [`Error::Device`].
    pub fn finish(&self, tc: &ModQ) -> Result<(), Error> {
        check_product(&self.matrix.params, tc)?;
        with_engine!(self.matrix, engine => {
            let mut az = Self::multiply_az(engine, &[self])?;
            self.compare(&mut az, tc)
        })
    }

    /// A' [Z_1 | Z_1 | ..], for the Z_1 of at least one check over one A.
    pub(crate) fn multiply_az<W: ProductWord>(
        engine: &Engine<W>,
        checks: &[&Self],
    ) -> Result<Vec<W>, Error> {
        let matrix = checks[0].matrix;
        let multiply = |z: &[i64]| engine.apply_top(matrix.device.as_ref(), z);
        if let [one] = checks {
            return multiply(&one.proof.z);
        }
        let z: Vec<&[i64]> = checks.iter().map(|check| &check.proof.z[..]).collect();
        multiply(&z.concat())
    }

    /// Checks the norms, then compares the challenge with the hash of W_H, which V = `az` - T C and
    /// the hints give.
    pub(crate) fn compare<W: ProductWord>(&self, az: &mut [W], tc: &ModQ) -> Result<(), Error> {
        let (params, proof) = (&self.matrix.params, &self.proof);
        subtract_tc(params, az, tc);
        let opening = self.opening.as_deref();
        let errors = opening.map(|opening| opening.errors(params, az, &proof.hints));
        check_norms_and_round(params, &proof.z, &proof.hints, az)?;
        let argument = opening.zip(errors).map(|(opening, errors)| {
            let (z, hash) = ((&proof.z[..], params.z_rows()), Some(&proof.challenge_hash));
            (opening.state(), opening.delta(params, z, &errors, hash))
        });
        let argument = argument.as_ref().map(|(state, delta)| (*state, &delta[..]));
        let recomputed = challenge_hash(params, &self.digest, az, argument);
        if recomputed == proof.challenge_hash {
            Ok(())
        } else {
            Err(Reason::Content(Fault::Challenge).into())
        }
    }
}

/// # Errors
/// [`Error::Shard`] if `tc` is no T C under these parameters.
pub(crate) fn check_product(params: &Params, tc: &ModQ) -> Result<(), Error> {
    let fits = with_t_word!(params, W => W::of(tc).is_some());
    if fits && tc.len() == params.w_entries() {
        return Ok(());
    }
    Err(Error::Shard(ShardProblem::Product))
}
