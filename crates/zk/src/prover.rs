//! [`Prover`]: Y, W, challenge, M = S C, Z = Y + M, rejection; repeated until accepted.
//!
//! A [`Coordinator`] does all of it but M, and T C where T is rounded, which workers compute, each
//! for its shard of S ([`ShardWitness`]). One machine is a coordinator with one worker.

mod mask;
mod response;

use alloc::vec::Vec;
use core::mem::take;

use tautochrone_ctr::Seed;
use tautochrone_gauss::facct::Facct;
use tautochrone_matmul::Workspace;
use tautochrone_simd::{Isa, declassify, declassify_slice};
use zeroize::Zeroizing;

use crate::challenge::challenge_hash;
use crate::erase::{Secrets, debug_fields, redacted};
use crate::error::{Error, RequestProblem, ShardProblem};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::norm;
use crate::observer::Stage;
use crate::opening::Opening;
use crate::params::Params;
use crate::product::multiply_by_challenges;
use crate::products::{Engine, ProductWord};
use crate::proof::Proof;
use crate::rejection::{Rejection, Rho, Verdict};
use crate::shard::range::Shard;
use crate::shard::worker::ShardWitness;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::suite::Challenge;
use crate::witness::WitnessSource;
use crate::witness::digest::WitnessDigest;
use crate::words::ModQ;
pub use response::Response;
use response::{add_m, any_above};

/// Bytes of packed S that one machine stores between attempts where S is read from elsewhere. A
/// proof takes rho attempts on average, so a witness within this is read and packed once instead of
/// two or three times.
pub(crate) const PACKED_BYTES: u64 = 64 << 20;

/// Bytes of packed S that are stored: as many as S takes itself where it lies in memory, and no
/// fewer than `least`.
fn capacity(params: &Params, witness: &dyn WitnessSource, least: u64) -> u64 {
    let count = params.l() as usize;
    least.max(witness.columns(params, 0, count).map_or(0, size_of_val) as u64)
}

/// Proves knowledge of a witness for one statement.
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
/// let prover = Prover::new(&a, &statement)?;
/// let proved = prover.prove(b"what it is for", &witness, &Seed::from_os()?)?;
/// let file = proved.proof;
/// # Ok::<(), Error>(())
/// ```
pub struct Prover<'a> {
    matrix: &'a PublicMatrix,
    statement: &'a Statement,
    /// Where T is read from, if the statement does not hold it.
    statement_file: Option<&'a dyn ReadAt>,
    sampler: Facct,
    /// Of the rows of messages, with mixed masks.
    of_messages: Option<Facct>,
    /// None with narrow masks.
    rejection: Option<Rejection>,
    reproducible: bool,
}

debug_fields!("Prover", Prover<'_>; statement);

/// A proof, and how many attempts it took.
#[derive(Debug)]
pub struct Proved {
    /// The proof file: of knowledge, of claims or of keys.
    pub proof: Vec<u8>,
    /// Attempts, the accepted one included: a geometric variable of mean 2, or 3 where sigma is
    /// below its default; 1 with narrow masks.
    pub attempts: u32,
}

impl<'a> Prover<'a> {
    /// A prover for `statement`, whose A is `matrix`. Whether weak parameters are refused was
    /// decided when they were made or read ([`Params::security`](crate::Params::security)).
    ///
    /// # Errors
    /// [`Error::Request`] if it is not; [`Error::Parameter`] if so few bits are rounded off W
    /// that there is no proof.
    pub fn new(matrix: &'a PublicMatrix, statement: &'a Statement) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        statement.params().check_hints()?;
        let params = statement.params();
        let facct = |sigma: u64| {
            let refused = |_| Error::parameter("sigma", sigma, "one that has a sampler");
            Facct::new_on(matrix.isa, sigma as f64).map_err(refused)
        };
        let sampler = facct(params.sigma())?;
        let mixed = params.message_mask_rows() > 0;
        let of_messages = mixed.then(|| facct(params.sigma_m())).transpose()?;
        let (sigma, rho) = (params.rejection_sigma(), params.rejection_rho());
        let rejection = (rho != Rho::One).then(|| Rejection::new(sigma, rho));
        let (statement_file, reproducible) = (None, false);
        Ok(Self {
            matrix,
            statement,
            statement_file,
            sampler,
            of_messages,
            rejection,
            reproducible,
        })
    }

    /// Where T is rounded, an accepted attempt needs it once more: it is read from this file,
    /// unless the statement was [loaded](Statement::load).
    #[must_use]
    pub fn with_file(self, statement_file: &'a dyn ReadAt) -> Self {
        Self { statement_file: Some(statement_file), ..self }
    }

    /// Whether hints are made from A Z and T C: where T is rounded, and T_0 is not known.
    fn needs_product(&self) -> bool {
        self.statement.params().round_t() > 0 && self.statement.rounded_off().is_none()
    }

    pub(crate) const fn statement(&self) -> &'a Statement {
        self.statement
    }

    pub(crate) const fn matrix(&self) -> &'a PublicMatrix {
        self.matrix
    }

    pub(crate) const fn isa(&self) -> Isa {
        self.matrix.isa
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
    /// Errors of reading the witness; [`Error::Witness`], in binary mode of its norm as well;
    /// [`Error::ForeignWitness`] where T is rounded or the statement has an [owner's
    /// digest](Statement::owner_digest); [`Error::Request`] where T is rounded and neither in
    /// memory nor [in a file](Self::with_file), errors of reading that file;
    /// [`Error::TooManyAttempts`]; [`Error::Device`]; [`Error::Randomness`].
    pub fn prove(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        let (proof, attempts) = self.prove_opening(context, witness, seed, None)?;
        Ok(Proved { proof: proof.to_bytes(self.statement.params()), attempts })
    }

    /// The same, decoded, with a challenge that is bound to an argument, if there is one; and the
    /// number of attempts.
    pub(crate) fn prove_opening(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        seed: &Seed,
        opening: Option<&dyn Opening>,
    ) -> Result<(Proof, u32), Error> {
        let params = self.statement.params();
        if let Challenge::Binary { norm_bound } = params.challenge() {
            norm::certify_operator_norm_vartime(self.matrix.isa, params, witness, norm_bound)?;
        }
        self.check_product()?;
        let shard = Shard::whole(params);
        let capacity = capacity(params, witness, PACKED_BYTES);
        let read = ShardWitness::hashed(self.matrix, witness, shard, capacity)?;
        self.prove_read(context, (witness, read), seed, opening)
    }

    /// # Errors
    /// [`Error::Request`] if T is needed and cannot be read.
    pub(crate) fn check_product(&self) -> Result<(), Error> {
        if self.needs_product() && !self.statement.is_loaded() && self.statement_file.is_none() {
            return Err(Error::Request(RequestProblem::NotLoaded));
        }
        Ok(())
    }

    /// [`Self::prove_opening`] with ternary challenges, or a certified operator norm, where S is
    /// read.
    pub(crate) fn prove_read(
        &self,
        context: &[u8],
        (witness, (mut worker, s)): (&dyn WitnessSource, (ShardWitness<'_>, WitnessDigest)),
        seed: &Seed,
        opening: Option<&dyn Opening>,
    ) -> Result<(Proof, u32), Error> {
        let params = self.statement.params();
        let coordinator =
            Coordinator { opening, ..Coordinator::certified(self, context, &s, seed)? };
        if opening.is_some() {
            self.statement.check_owner(self.matrix, witness, &coordinator.s_digest)?;
        }
        let (mut memory, mut m) = (Memory::default(), Secrets::zeros(params.response_entries()));
        for index in 0..params.max_attempts() {
            self.matrix.report(Stage::Attempt, index.into(), None)?;
            let attempt = self.matrix.inside(|| coordinator.begin_in(&mut memory, index))?;
            m.fill(0);
            worker.add_product(attempt.challenge_hash(), &mut m)?;
            let response = self.matrix.inside(|| attempt.finish_in(&mut memory, &m))?;
            let Some(response) = response else { continue };
            let tc = if response.needs_product() {
                let hash = response.challenge_hash();
                let (statement, file) = (self.statement, self.statement_file);
                multiply_by_challenges(self.matrix, statement, file, &[hash])?
            } else {
                Vec::new()
            };
            if let Some(proof) = response.into_proof(tc.first())? {
                return Ok((proof, index + 1));
            }
        }
        Err(Error::TooManyAttempts(params.max_attempts()))
    }
}

/// Memory that attempts reuse; its contents are overwritten.
#[derive(Default)]
struct Memory {
    y: Secrets<i64>,
    workspace: Workspace,
}

/// The one place that holds Y, the seed and the sum of M, and that decides.
#[derive(Debug)]
pub struct Coordinator<'a> {
    prover: &'a Prover<'a>,
    digest: Digest,
    s_digest: Zeroizing<Digest>,
    seed: &'a Seed,
    /// Further bindings of challenges, if there is an argument.
    opening: Option<&'a dyn Opening>,
}

impl<'a> Coordinator<'a> {
    /// The coordinator of a proof in a user's context; `s` is what the workers' digests of S give
    /// together ([`WitnessDigest::join`]).
    ///
    /// # Errors
    /// [`Error::Shard`] if there is not one hash a block, or the challenge is binary;
    /// [`Error::Witness`]; [`Error::ForeignWitness`] where the statement
    /// has another [owner's digest](Statement::owner_digest).
    pub fn new(
        prover: &'a Prover<'a>,
        context: &[u8],
        s: &WitnessDigest,
        seed: &'a Seed,
    ) -> Result<Self, Error> {
        let params = prover.statement.params();
        if params.challenge() != Challenge::Ternary {
            return Err(Error::Shard(ShardProblem::Binary));
        }
        Shard::whole(params).check_hashes(s.hashes())?;
        Self::certified(prover, context, s, seed)
    }

    /// The same where the operator norm is certified, if the challenge is binary.
    fn certified(
        prover: &'a Prover<'a>,
        context: &[u8],
        s: &WitnessDigest,
        seed: &'a Seed,
    ) -> Result<Self, Error> {
        let params = prover.statement.params();
        s.check_norm(params)?;
        let s_digest = s.finish(params);
        prover.statement.check_owner_digest(&s_digest)?;
        let digest = prover.statement.digest(context);
        Ok(Self { prover, digest, s_digest, seed, opening: None })
    }

    /// With challenges and Y bound to an argument, the pads of which are in S.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`] unless T is known to belong to S.
    pub(crate) fn bound_to(self, opening: &'a dyn Opening) -> Result<Self, Error> {
        self.prover.statement.check_owner_known(&self.s_digest)?;
        Ok(Self { opening: Some(opening), ..self })
    }

    /// Draws Y of an attempt (0 to [`Params::max_attempts`] - 1) and commits to it. Attempts must
    /// be taken in order, and where they are reproducible none twice with different sums.
    ///
    /// # Errors
    /// [`Error::TooManyAttempts`]; [`Error::Randomness`]; [`Error::Device`].
    pub fn begin(&self, attempt: u32) -> Result<Attempt<'_>, Error> {
        self.begin_in(&mut Memory::default(), attempt)
    }

    /// [`Self::begin`] in the memory of an earlier attempt.
    fn begin_in(&self, memory: &mut Memory, attempt: u32) -> Result<Attempt<'_>, Error> {
        let Prover { matrix, statement, sampler, of_messages, reproducible, .. } = self.prover;
        let params = statement.params();
        if attempt >= params.max_attempts() {
            return Err(Error::TooManyAttempts(params.max_attempts()));
        }
        let entropy = if *reproducible { None } else { Some(Seed::from_os()?) };
        let digests = [&self.digest, &*self.s_digest];
        let argument = self.opening.map(Opening::state);
        let key = mask::key(params, self.seed, digests, argument, attempt, entropy.as_ref());
        let samplers = (sampler, of_messages.as_ref());
        let y = mask::sample_y(matrix, samplers, &key, take(&mut memory.y))?;
        let workspace = &mut memory.workspace;
        let (challenge_hash, w) =
            with_engine!(matrix, engine => self.first_message(engine, workspace, &y)?);
        // The public coin of the protocol, even where the attempt is rejected.
        declassify_slice(core::slice::from_ref(&challenge_hash));
        Ok(Attempt { coordinator: self, key, y, w, challenge_hash })
    }

    /// The challenge hash, and W where hints are made from it.
    fn first_message<W: ProductWord>(
        &self,
        engine: &Engine<W>,
        workspace: &mut Workspace,
        y: &[i64],
    ) -> Result<(Digest, Zeroizing<ModQ>), Error> {
        let Prover { matrix, statement, .. } = self.prover;
        let params = statement.params();
        let mut w = Secrets::zeros(params.w_entries());
        engine.apply_to(matrix.device.as_ref(), workspace, y, &mut w)?;
        let mut high = Secrets::zeros(w.len());
        params.rounding_of_w().high_all(&w, &mut high);
        let argument = self.opening.map(|opening| opening.of_mask(params, &w, y));
        let argument = argument.as_ref().map(|(state, delta)| (*state, &delta[..]));
        let hash = challenge_hash(params, &self.digest, &high, argument);
        // The products with T use the high part alone.
        let mut kept = if self.prover.needs_product() { high } else { w };
        Ok((hash, Zeroizing::new(W::wrap(kept.take()))))
    }
}

/// An attempt that waits for M; erased when dropped.
pub struct Attempt<'a> {
    coordinator: &'a Coordinator<'a>,
    key: Seed,
    y: Secrets<i64>,
    w: Zeroizing<ModQ>,
    challenge_hash: Digest,
}

redacted!("Attempt", Attempt<'_>);

impl<'a> Attempt<'a> {
    /// The factor of the workers' products. Public.
    #[must_use]
    pub const fn challenge_hash(&self) -> &Digest {
        &self.challenge_hash
    }

    /// The response, or `None` if the rejection step withholds it; `m` is the sum of the workers'
    /// parts modulo 2^32.
    ///
    /// # Errors
    /// [`Error::Shard`] if `m` does not have v n entries, or one beyond b l: it is no sum of parts
    /// then, and sigma would not hide it.
    pub fn finish(self, m: &[u32]) -> Result<Option<Response<'a>>, Error> {
        self.finish_in(&mut Memory::default(), m)
    }

    /// [`Self::finish`], which leaves its memory to the next attempt where it withholds Z.
    fn finish_in(self, memory: &mut Memory, m: &[u32]) -> Result<Option<Response<'a>>, Error> {
        let Self { coordinator, key, mut y, w, challenge_hash } = self;
        let prover = coordinator.prover;
        let params = prover.statement.params();
        let largest = params.l() * u64::from(params.b());
        if m.len() != y.len() || declassify(any_above(m, largest)) {
            return Err(Error::Shard(ShardProblem::Sum));
        }
        let (inner, norm_squared) = add_m(params, &mut y, m);
        if let Some(rejection) = &prover.rejection {
            let uniform = mask::uniform(prover.matrix, &key);
            let uniform = u128::from_le_bytes(*uniform);
            let verdict = rejection.decide(inner, norm_squared, uniform);
            if verdict == Verdict::Reject {
                memory.y = y;
                return Ok(None);
            }
        }
        Ok(Some(Response { prover, digest: coordinator.digest, challenge_hash, z: y, w }))
    }
}

#[cfg(test)]
mod tests;
