//! [`Prover`]: Y, W, challenge, M = S C, Z = Y + M, rejection; repeated until accepted.
//!
//! A [`Coordinator`] does all of it but M, which workers compute, each for its shard of S
//! ([`ShardWitness`]). One machine is a coordinator with one worker.

mod mask;
mod response;

use tautochrone_ctr::Seed;
use tautochrone_gauss::facct::Facct;
use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use crate::challenge::challenge_hash;
use crate::error::{Error, ShardProblem};
use crate::hash::{Digest, Hasher};
use crate::matrix::{PublicMatrix, with_engine};
use crate::norm;
use crate::proof::Proof;
use crate::rejection::{Rejection, Verdict};
use crate::shard::range::Shard;
use crate::shard::worker::ShardWitness;
use crate::statement::Statement;
use crate::suite::Challenge;
use crate::witness::WitnessSource;
use crate::words::to_bytes;
use response::add_m;

/// Bytes of packed S that one machine stores between attempts. The mean number of attempts is 3, so
/// a witness within this is read and packed once instead of four times.
const PACKED_BYTES: u64 = 64 << 20;

/// Attempts before a prover gives up: an honest one needs more with probability (2/3)^1024 <
/// 2^-598.
pub const MAX_ATTEMPTS: u32 = 1024;

/// Proves knowledge of a witness for one statement.
#[derive(Debug)]
pub struct Prover<'a> {
    matrix: &'a PublicMatrix,
    statement: &'a Statement,
    sampler: Facct,
    rejection: Rejection,
    reproducible: bool,
}

/// A proof, and how many attempts it took.
#[derive(Debug)]
pub struct Proved {
    /// The proof.
    pub proof: Proof,
    /// Attempts, the accepted one included: a geometric variable of mean 3.
    pub attempts: u32,
}

impl<'a> Prover<'a> {
    /// A prover for `statement`, whose A is `matrix`. Whether weak parameters are refused was
    /// decided when they were made or read ([`Params::security`](crate::Params::security)).
    ///
    /// # Errors
    /// [`Error::ForeignMatrix`] if it is not.
    pub fn new(matrix: &'a PublicMatrix, statement: &'a Statement) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        let sigma = statement.params().sigma();
        let sampler = Facct::new_on(matrix.isa, sigma as f64)?;
        let rejection = Rejection::new(sigma);
        Ok(Self { matrix, statement, sampler, rejection, reproducible: false })
    }

    /// Leaves the operating system's entropy out of Y: the same seed, statement, context and
    /// witness then give the same proof, on every machine. For known answers and comparisons.
    ///
    /// **One wrong product reveals S.** If W = A Y is computed wrongly once, by a device that fails
    /// or a bit that flips, that run has another challenge for the same Y as a run without the
    /// fault, and two answers Z to one Y give S away.
    #[must_use]
    pub fn reproducible(self) -> Self {
        Self { reproducible: true, ..self }
    }

    /// Proves, in a user's context (any bytes that say what the proof is for), with randomness from
    /// `seed` and from the operating system.
    ///
    /// Y comes from H("Y", seed, D, H(S), attempt, fresh entropy), and so no two attempts share
    /// one, whether the statement, the context, the witness or a product differs: two challenges
    /// for one Y would reveal S. A seed that nobody knows keeps Y secret even where the operating
    /// system's entropy is bad, and the other way round.
    ///
    /// # Errors
    /// What reading the witness gives; [`Error::WitnessBound`]; [`Error::OperatorNorm`] in binary
    /// mode; [`Error::TooManyAttempts`]; [`Error::Device`]; [`Error::Randomness`].
    pub fn prove(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        let params = self.statement.params();
        if let Challenge::Binary { norm_bound } = params.challenge() {
            norm::certify_operator_norm_vartime(self.matrix.isa, params, witness, norm_bound)?;
        }
        let shard = Shard::whole(params);
        let (mut worker, hashes) = ShardWitness::hashed(self.matrix, witness, shard, PACKED_BYTES)?;
        let coordinator = Coordinator::certified(self, context, &hashes, seed);
        for index in 0..MAX_ATTEMPTS {
            let attempt = coordinator.begin(index)?;
            let m = worker.multiply(attempt.challenge_hash())?;
            if let Some(proof) = attempt.finish(&m)? {
                return Ok(Proved { proof, attempts: index + 1 });
            }
        }
        Err(Error::TooManyAttempts(MAX_ATTEMPTS))
    }
}

/// The one place that holds Y, the seed and the sum of M, and that decides.
#[derive(Debug)]
pub struct Coordinator<'a> {
    prover: &'a Prover<'a>,
    digest: Digest,
    s_digest: Zeroizing<Digest>,
    seed: &'a Seed,
}

impl<'a> Coordinator<'a> {
    /// The coordinator of a proof in a user's context; `s_hashes` are the hashes of all blocks of
    /// S, in order.
    ///
    /// # Errors
    /// [`Error::Shard`] if there is not one hash a block, or the challenge is binary.
    pub fn new(
        prover: &'a Prover<'a>,
        context: &[u8],
        s_hashes: &[Digest],
        seed: &'a Seed,
    ) -> Result<Self, Error> {
        let params = prover.statement.params();
        if params.challenge() != Challenge::Ternary {
            return Err(Error::Shard(ShardProblem::Binary));
        }
        Shard::whole(params).check_hashes(s_hashes)?;
        Ok(Self::certified(prover, context, s_hashes, seed))
    }

    /// The same where the operator norm is certified, if the challenge is binary.
    fn certified(
        prover: &'a Prover<'a>,
        context: &[u8],
        s_hashes: &[Digest],
        seed: &'a Seed,
    ) -> Self {
        let suite = prover.statement.params().hash();
        let s_digest = Zeroizing::new(Hasher::new(suite, "witness").digests(s_hashes).finish());
        Self { prover, digest: prover.statement.digest(context), s_digest, seed }
    }

    /// Draws Y of an attempt (0 to [`MAX_ATTEMPTS`] - 1) and commits to it. Attempts must be taken
    /// in order, and where they are reproducible none twice with different sums.
    ///
    /// # Errors
    /// [`Error::Randomness`]; [`Error::Device`].
    pub fn begin(&self, attempt: u32) -> Result<Attempt<'_>, Error> {
        let Prover { matrix, statement, sampler, reproducible, .. } = self.prover;
        let params = statement.params();
        let entropy = if *reproducible { None } else { Some(Seed::from_os()?) };
        let (digest, s_digest) = (&self.digest, &self.s_digest);
        let key = mask::key(params, self.seed, digest, s_digest, attempt, entropy.as_ref());
        let y = mask::sample_y(matrix, sampler, &key)?;
        let w = with_engine!(matrix, engine => {
            to_bytes(&engine.apply_on(matrix.device.as_ref(), &y)?)
        });
        let challenge_hash = challenge_hash(params, digest, &w);
        // The public coin of the protocol, even where the attempt is rejected.
        declassify_slice(core::slice::from_ref(&challenge_hash));
        Ok(Attempt { coordinator: self, key, y, challenge_hash })
    }
}

/// An attempt that waits for M; erased when dropped.
pub struct Attempt<'a> {
    coordinator: &'a Coordinator<'a>,
    key: Seed,
    y: Zeroizing<Vec<i64>>,
    challenge_hash: Digest,
}

impl core::fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Attempt([REDACTED])")
    }
}

impl Attempt<'_> {
    /// What the workers multiply with. Public.
    #[must_use]
    pub const fn challenge_hash(&self) -> &Digest {
        &self.challenge_hash
    }

    /// The proof, or `None` if the rejection step withholds it; `m` is the sum of the workers'
    /// parts modulo 2^32.
    ///
    /// # Errors
    /// [`Error::Shard`] if `m` does not have v n entries, or one beyond b l: it is no sum of parts
    /// then, and sigma would not hide it.
    pub fn finish(self, m: &[u32]) -> Result<Option<Proof>, Error> {
        let Self { coordinator: Coordinator { prover, digest, .. }, key, mut y, challenge_hash } =
            self;
        let params = prover.statement.params();
        let largest = params.l() * u64::from(params.b());
        let beyond = |m: &u32| u64::from(m.cast_signed().unsigned_abs()) > largest;
        let any = m.iter().fold(false, |any, m| any | beyond(m));
        if m.len() != y.len() || declassify(any) {
            return Err(Error::Shard(ShardProblem::Sum));
        }
        let (inner, norm_squared) = add_m(params, &mut y, m);
        let uniform = mask::uniform(prover.matrix, &key);
        let uniform = u128::from_le_bytes(*uniform);
        let verdict = prover.rejection.decide(inner, norm_squared, uniform);
        // A column beyond B or an entry beyond 14 sigma (probability below 2^-64) counts as a
        // rejection.
        if verdict == Verdict::Reject {
            return Ok(None);
        }
        // What passes the step is published, or beyond the bounds of any honest transcript.
        declassify_slice(&y);
        if Proof::check_entries(&y, params).and_then(|()| Proof::check_norms(&y, params)).is_err() {
            return Ok(None);
        }
        let z = core::mem::take(&mut *y);
        Ok(Some(Proof { statement_digest: *digest, challenge_hash, z }))
    }
}

#[cfg(test)]
mod tests;
