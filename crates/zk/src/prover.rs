//! [`Prover`]: Y, W, challenge, M = S C, Z = Y + M, rejection; repeated until accepted.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::facct::Facct;
use tautochrone_simd::declassify_slice;
use zeroize::{Zeroize, Zeroizing};

use crate::challenge::challenge_hash;
use crate::device::Attached;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::{PublicMatrix, with_engine};
use crate::norm;
use crate::params::{Params, Security};
use crate::proof::Proof;
use crate::rejection::{Rejection, Verdict};
use crate::statement::Statement;
use crate::suite::Challenge;
use crate::witness::WitnessSource;
use crate::words::to_bytes;

mod prepared;

use prepared::Prepared;

/// Attempts before a prover gives up: an honest one needs more with probability (2/3)^1024 < 2^-598.
pub const MAX_ATTEMPTS: u32 = 1024;

const LABEL_Y: Label = Label::new("tautochrone-zk/1 Y");
const LABEL_DEVICE: Label = Label::new("tautochrone-zk/1 Y of a device");
const LABEL_U: Label = Label::new("tautochrone-zk/1 rejection");

/// Proves knowledge of a witness for one statement.
#[derive(Debug)]
pub struct Prover<'a> {
    matrix: &'a PublicMatrix,
    statement: &'a Statement,
    sampler: Facct,
    rejection: Rejection,
    reproducible: bool,
}

/// An attempt between its halves; erased when dropped.
pub(crate) struct Started {
    seed: Seed,
    y: Zeroizing<Vec<i64>>,
    pub(crate) challenge_hash: Digest,
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
    /// A prover for `statement`, whose A is `matrix`.
    ///
    /// # Errors
    /// [`Error::ForeignMatrix`] if it is not; those of [`Params::check_security`], unless it is waived.
    pub fn new(
        matrix: &'a PublicMatrix,
        statement: &'a Statement,
        security: Security,
    ) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        if security == Security::Required {
            params.check_security()?;
        }
        let sampler = Facct::new_on(matrix.isa, params.sigma() as f64)?;
        let rejection = Rejection::new(params.sigma());
        Ok(Self { matrix, statement, sampler, rejection, reproducible: false })
    }

    /// Leaves the operating system's entropy out of Y: the same seed, statement, context and witness then give the same
    /// proof, on every machine. For known answers and comparisons.
    ///
    /// **One wrong product reveals S.** If W = A Y is computed wrongly once, by a device that fails or a bit that flips,
    /// that run has another challenge for the same Y as a run without the fault, and two answers Z to one Y give S away.
    #[must_use]
    pub fn reproducible(self) -> Self {
        Self { reproducible: true, ..self }
    }

    /// Proves, in a user's context (any bytes that say what the proof is for), with randomness from `seed` and from the
    /// operating system.
    ///
    /// Y comes from H("Y", seed, D, H(S), attempt, fresh entropy), and so no two attempts share one, whether the statement,
    /// the context, the witness or a product differs: two challenges for one Y would reveal S. A seed that nobody knows
    /// keeps Y secret even where the operating system's entropy is bad, and the other way round.
    ///
    /// # Errors
    /// What reading the witness gives; [`Error::WitnessBound`]; [`Error::OperatorNorm`] in binary mode;
    /// [`Error::TooManyAttempts`]; [`Error::Device`]; [`Error::Randomness`].
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
        let digest = self.statement.digest(context);
        let witness = Prepared::new(self.matrix, params, witness)?;
        let device = self.matrix.device.as_ref();
        for attempt in 0..MAX_ATTEMPTS {
            let started = self.start(device, seed, &digest, witness.digest(), attempt)?;
            let m = witness.multiply(&started.challenge_hash)?;
            if let Some(proof) = self.finish(started, &digest, &m) {
                return Ok(Proved { proof, attempts: attempt + 1 });
            }
        }
        Err(Error::TooManyAttempts(MAX_ATTEMPTS))
    }

    /// The first half of an attempt: Y, W = A Y, and the challenge. `s_digest` is H("witness", hashes of the blocks of S).
    ///
    /// # Errors
    /// Those of the device, if there is one; [`Error::Randomness`].
    pub(crate) fn start(
        &self,
        device: Option<&Attached>,
        seed: &Seed,
        digest: &Digest,
        s_digest: &Digest,
        attempt: u32,
    ) -> Result<Started, Error> {
        let params = self.statement.params();
        let mut hasher = Hasher::new(params.hash(), "Y")
            .field(seed.expose())
            .field(digest.as_bytes())
            .field(s_digest.as_bytes())
            .number(attempt.into());
        if !self.reproducible {
            hasher = hasher.field(Seed::from_os()?.expose());
        }
        let mut key = hasher.finish_key();
        let seed = Seed::from_bytes(key);
        key.zeroize();
        let y = self.sample_y(device, &seed)?;
        let w = with_engine!(self.matrix, engine => {
            to_bytes(&engine.apply_on(device, &y)?)
        });
        let challenge_hash = challenge_hash(params, digest, &w);
        // The public coin of the protocol, even where the attempt is rejected.
        declassify_slice(core::slice::from_ref(&challenge_hash));
        Ok(Started { seed, y, challenge_hash })
    }

    /// The second half, given M = S C: Z = Y + M and the rejection; `None` if it was rejected.
    pub(crate) fn finish(&self, started: Started, digest: &Digest, m: &[u32]) -> Option<Proof> {
        let params = self.statement.params();
        let Started { seed, mut y, challenge_hash } = started;
        assert_eq!(m.len(), y.len(), "M is v x n");
        let (inner, norm_squared) = add_m(params, &mut y, m);
        let mut uniform = Zeroizing::new([0; 16]);
        self.stream(&seed, LABEL_U, 0).fill(&mut *uniform);
        let verdict = self.rejection.decide(inner, norm_squared, u128::from_le_bytes(*uniform));
        // A column beyond B or an entry beyond 14 sigma (probability below 2^-64) counts as a rejection.
        if verdict == Verdict::Reject {
            return None;
        }
        // What passes the step is published, or beyond the bounds of any honest transcript.
        declassify_slice(&y);
        Proof::check_entries(&y, params).and_then(|()| Proof::check_norms(&y, params)).ok()?;
        Some(Proof { statement_digest: *digest, challenge_hash, z: core::mem::take(&mut *y) })
    }

    /// Y <- D_sigma^{v x n}; column j from stream j, or all of it from a device under a key that nothing else uses.
    fn sample_y(
        &self,
        device: Option<&Attached>,
        seed: &Seed,
    ) -> Result<Zeroizing<Vec<i64>>, Error> {
        let params = self.statement.params();
        let (v, n) = (params.v() as usize, params.n() as usize);
        let mut y = Zeroizing::new(vec![0_i64; v * n]);
        if let Some(Attached { device, .. }) = device {
            let mut key = Zeroizing::new([0; 32]);
            self.stream(seed, LABEL_DEVICE, 0).fill(&mut *key);
            device.sample(&self.sampler, &key, &mut y).map_err(Error::Device)?;
            return Ok(y);
        }
        crate::parallel::for_chunks(&mut y, v, |j, column| {
            self.sampler.fill(&mut self.stream(seed, LABEL_Y, j as u64), column);
        });
        Ok(y)
    }

    pub(crate) fn params(&self) -> &Params {
        self.statement.params()
    }

    fn stream(&self, seed: &Seed, label: Label, index: u64) -> Stream {
        seed.stream_with(self.matrix.isa, self.statement.params().key_size(), label, index)
    }
}

/// Y becomes Z = Y + M; returns <Z, M> and `||M||^2`, exactly.
fn add_m(params: &Params, y: &mut [i64], m: &[u32]) -> (i128, u128) {
    let v = params.v() as usize;
    // |z| <= 14 sigma + b l < 2^37 and |m| <= b l < 2^31: a product is below 2^68 and a column's sum may not fit 64 bits.
    let largest = (u128::from(params.entry_bound()) + (1 << 31))
        * u128::from(params.b())
        * u128::from(params.l());
    let narrow = largest * u128::from(params.v()) < 1 << 63;
    let (mut inner, mut norm_squared) = (0_i128, 0_u128);
    for (z, m) in y.chunks_exact_mut(v).zip(m.chunks_exact(v)) {
        let column = z.iter_mut().zip(m.iter().map(|m| i64::from(m.cast_signed())));
        if narrow {
            let (mut column_inner, mut column_norm) = (0, 0);
            for (z, m) in column {
                *z += m;
                column_inner += *z * m;
                column_norm += m * m;
            }
            inner += i128::from(column_inner);
            norm_squared += column_norm as u128;
        } else {
            for (z, m) in column {
                *z += m;
                inner += i128::from(*z) * i128::from(m);
                norm_squared += u128::from(m.unsigned_abs()).pow(2);
            }
        }
    }
    (inner, norm_squared)
}

#[cfg(test)]
mod tests;
