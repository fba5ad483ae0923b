//! Committing and proving: what a worker does with its shard, and what the coordinator does with the sums.

use tautochrone_ctr::Seed;
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use crate::challenge::ChallengeMatrix;
use crate::erase::Secrets;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::{PublicMatrix, with_engine};
use crate::params::{BLOCK, GROUP, Params, Security};
use crate::products::PackedBlock;
use crate::proof::Proof;
use crate::prover::{Prover, Started};
use crate::shard::{Shard, ShardProblem, check_hashes};
use crate::statement::Statement;
use crate::suite::Challenge;
use crate::witness::columns::read_columns;
use crate::witness::{self, WitnessSource};

/// Where a worker's blocks of T go.
pub trait BlockSink {
    /// The hash of block `index` of T if an earlier run finished it for the same block of S, whose hash is given. The
    /// default: never.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn finished(&mut self, index: u64, s_hash: &Digest) -> Result<Option<Digest>, Error> {
        let _ = (index, s_hash);
        Ok(None)
    }

    /// Stores block `index`.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn put(&mut self, index: u64, s: &Digest, t: &Digest, bytes: &[u8]) -> Result<(), Error>;
}

/// Hashes of a shard's blocks, in order.
#[derive(Debug)]
pub struct Hashes {
    /// Of T.
    pub t: Vec<Digest>,
    /// Of S. Secret: erased when dropped.
    pub s: Zeroizing<Vec<Digest>>,
}

/// Computes the blocks of T = A S of a shard. A group of blocks that the sink has finished before is not computed again.
///
/// # Errors
/// What reading the witness or the sink gives, and [`Error::WitnessBound`].
///
/// # Constant time
/// In S, while its entries are within the bound.
pub fn commit(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
    shard: Shard,
    sink: &mut dyn BlockSink,
) -> Result<Hashes, Error> {
    let params = &matrix.params;
    let v = params.v() as usize;
    let blocks = (shard.blocks().end - shard.blocks().start) as usize;
    // Room for all from the start: growing would leave copies of the hashes of S behind.
    let mut hashes =
        Hashes { t: Vec::with_capacity(blocks), s: Zeroizing::new(Vec::with_capacity(blocks)) };
    let mut buffer = Secrets::zeros(v * (GROUP * u64::from(BLOCK)) as usize);
    for (first, columns) in shard.groups(params) {
        let part = &mut buffer[..v * columns];
        read_columns(params, witness, first, part)?;
        let before = hashes.s.len();
        witness::hash_blocks(params, first, part, &mut hashes.s);
        let s_hashes = &hashes.s[before..];
        let mut kept = Vec::with_capacity(s_hashes.len());
        for (index, s_hash) in (first..).zip(s_hashes) {
            kept.extend(sink.finished(index, s_hash)?);
        }
        if kept.len() == s_hashes.len() {
            hashes.t.extend(kept);
        } else {
            let (bytes, t_hashes) =
                with_engine!(matrix, engine => matrix.commit_group(engine, first, part))?;
            let mut rest = &bytes[..];
            for (index, (s_hash, t_hash)) in (first..).zip(s_hashes.iter().zip(&t_hashes)) {
                let (bytes, after) = rest.split_at(crate::statement::block_bytes(params, index));
                sink.put(index, s_hash, t_hash, bytes)?;
                rest = after;
            }
            hashes.t.extend(t_hashes);
        }
    }
    Ok(hashes)
}

/// A worker's shard of S between attempts.
pub struct ShardWitness<'a> {
    isa: Isa,
    params: &'a Params,
    source: &'a dyn WitnessSource,
    shard: Shard,
    /// Bytes of S that may still be kept packed.
    room: u64,
    /// The first groups of columns.
    packed: Vec<PackedBlock<'a>>,
}

impl core::fmt::Debug for ShardWitness<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ShardWitness").field("shard", &self.shard).finish_non_exhaustive()
    }
}

impl<'a> ShardWitness<'a> {
    /// Keeps up to `room` bytes of S packed in memory from the first attempt on.
    pub fn new(
        matrix: &'a PublicMatrix,
        source: &'a dyn WitnessSource,
        shard: Shard,
        room: u64,
    ) -> Self {
        let (isa, params) = (matrix.isa, &matrix.params);
        Self { isa, params, source, shard, room, packed: Vec::new() }
    }

    /// The shard's part of M = S C, v x n, column after column; parts add up modulo 2^32 to M in two's complement.
    ///
    /// # Errors
    /// What reading the witness gives; [`Error::WitnessBound`].
    ///
    /// # Constant time
    /// In S.
    pub fn multiply(&mut self, challenge_hash: &Digest) -> Result<Zeroizing<Vec<u32>>, Error> {
        let (v, n) = (self.params.v() as usize, self.params.n() as usize);
        let challenge = ChallengeMatrix::new(self.params, challenge_hash);
        let mut m = Zeroizing::new(vec![0_u32; v * n]);
        let mut buffer = Zeroizing::new(Vec::new());
        for (index, (first, columns)) in self.shard.groups(self.params).enumerate() {
            let c = challenge.rows(first, columns);
            if let Some(block) = self.packed.get(index) {
                block.accumulate(&c, &mut m)?;
                continue;
            }
            if buffer.is_empty() {
                // The first group is the largest.
                *buffer = vec![0_i8; v * columns];
            }
            let part = &mut buffer[..v * columns];
            read_columns(self.params, self.source, first, part)?;
            let block = PackedBlock::new(self.isa, None, self.params, part);
            block.accumulate(&c, &mut m)?;
            // Once a group did not fit, none after it may be kept: the packed ones are a prefix.
            self.room = self.room.saturating_sub(part.len() as u64);
            if self.room > 0 {
                self.packed.push(block);
            }
        }
        Ok(m)
    }
}

/// The one place that holds Y, the seed and the sum of M, and that decides.
#[derive(Debug)]
pub struct Coordinator<'a> {
    prover: Prover<'a>,
    digest: Digest,
    s_digest: Zeroizing<Digest>,
    seed: &'a Seed,
}

impl<'a> Coordinator<'a> {
    /// The coordinator of a proof in a user's context; `s_hashes` are the hashes of all blocks of S, in order.
    ///
    /// # Errors
    /// Those of [`Prover::new`]; [`Error::Shard`] if there is not one hash a block, or the challenge is binary.
    pub fn new(
        matrix: &'a PublicMatrix,
        statement: &'a Statement,
        security: Security,
        context: &[u8],
        s_hashes: &[Digest],
        seed: &'a Seed,
    ) -> Result<Self, Error> {
        let params = statement.params();
        if params.challenge() != Challenge::Ternary {
            return Err(Error::Shard(ShardProblem::Binary));
        }
        check_hashes(params, s_hashes)?;
        let prover = Prover::new(matrix, statement, security)?;
        let digest = statement.digest(context);
        let s_digest =
            Zeroizing::new(Hasher::new(params.hash(), "witness").digests(s_hashes).finish());
        Ok(Self { prover, digest, s_digest, seed })
    }

    /// As [`Prover::reproducible`], with the same danger: files are then those of one machine with the same seed.
    #[must_use]
    pub fn reproducible(self) -> Self {
        Self { prover: self.prover.reproducible(), ..self }
    }

    /// Draws Y of an attempt (0 to [`MAX_ATTEMPTS`](crate::MAX_ATTEMPTS) - 1) and commits to it. Attempts must be taken
    /// in order, and where they are reproducible none twice with different sums.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn begin(&self, attempt: u32) -> Result<Attempt<'_>, Error> {
        let started = self.prover.start(None, self.seed, &self.digest, &self.s_digest, attempt)?;
        Ok(Attempt { coordinator: self, started })
    }
}

/// An attempt that waits for M.
pub struct Attempt<'a> {
    coordinator: &'a Coordinator<'a>,
    started: Started,
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
        &self.started.challenge_hash
    }

    /// The proof, or `None` if the rejection step withholds it; `m` is the sum of the workers' parts modulo 2^32.
    ///
    /// # Errors
    /// [`Error::Shard`] if `m` does not have v n entries, or one beyond b l: it is no sum of parts then, and sigma would
    /// not hide it.
    pub fn finish(self, m: &[u32]) -> Result<Option<Proof>, Error> {
        let prover = &self.coordinator.prover;
        let params = prover.params();
        let largest = params.l() * u64::from(params.b());
        let beyond = |m: &u32| u64::from(m.cast_signed().unsigned_abs()) > largest;
        let any = m.iter().fold(false, |any, m| any | beyond(m));
        if m.len() != params.z_entries() || declassify(any) {
            return Err(Error::Shard(ShardProblem::Sum));
        }
        Ok(prover.finish(self.started, &self.coordinator.digest, m))
    }
}
