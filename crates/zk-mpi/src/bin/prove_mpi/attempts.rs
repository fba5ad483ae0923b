//! [`Job`]: challenges and responses until one is accepted.

use std::fs::File;
use std::path::Path;

use tautochrone_zk::shard::{
    Coordinator, ModQ, Shard, ShardWitness, WitnessDigest, digest_from_bytes,
};
use tautochrone_zk::{Digest, FileSource, Params, Proof, PublicMatrix, WitnessSource};
use tautochrone_zk_mpi::{Comm, Fault, Progress, about, sum_tc, text};
use zeroize::Zeroizing;

use super::args::Args;

/// A rank's part of the job, and rank 0's knowledge of T and S.
pub(crate) struct Job<'a> {
    pub(crate) comm: &'a Comm,
    pub(crate) args: &'a Args,
    pub(crate) a: &'a PublicMatrix,
    pub(crate) params: &'a Params,
    /// S, of which a rank reads its own columns.
    pub(crate) witness: &'a dyn WitnessSource,
    pub(crate) own: Shard,
    /// At rank 0, the columns of every rank.
    pub(crate) shards: &'a [Shard],
    /// Of the blocks of T in its shard.
    pub(crate) hashes: &'a [Digest],
    /// The unfinished statement, which has all of T.
    pub(crate) file: &'a Path,
    /// Hashes of all blocks of T.
    pub(crate) t: Vec<Digest>,
    /// And of S.
    pub(crate) s: WitnessDigest,
}

/// The result of attempts.
pub(crate) struct Outcome {
    /// The file of the proof, at rank 0.
    pub(crate) proof: Option<Vec<u8>>,
    pub(crate) attempts: u32,
    /// Sent and received in the attempts.
    pub(crate) bytes: u64,
}

impl Job<'_> {
    /// T C, where T is rounded and an attempt was accepted.
    fn product(&self, challenge: &Digest) -> Result<ModQ, Fault> {
        let Self { comm, a, own, hashes, file, .. } = self;
        let file = File::open(file).and_then(FileSource::new).map_err(|e| about(file)(&e));
        sum_tc(comm, a, &comm.agree(file)?, *own, hashes, challenge)
    }

    /// The sum of the products of some columns.
    fn multiply(
        workers: &mut [ShardWitness<'_>],
        challenge: &Digest,
    ) -> Result<Zeroizing<Vec<u32>>, String> {
        let mut sum = Zeroizing::new(Vec::new());
        for worker in workers {
            let mut part = worker.multiply(challenge).map_err(text)?;
            // The first is as it is.
            part.iter_mut().zip(sum.iter()).for_each(|(x, &y): (_, &u32)| *x = x.wrapping_add(y));
            sum = part;
        }
        Ok(sum)
    }

    /// Runs attempts until rank 0 accepts one, of which `file` is the proof's. The workers have all
    /// columns of a rank, at least one of them.
    pub(crate) fn run(
        &self,
        params: &Params,
        coordinator: Option<&Coordinator<'_>>,
        workers: &mut [ShardWitness<'_>],
        progress: &mut Progress,
        file: impl Fn(&Proof) -> Vec<u8>,
    ) -> Result<Outcome, Fault> {
        let comm = self.comm;
        let bytes = || {
            let (sent, received) = comm.meter().bytes();
            sent + received
        };
        let before = bytes();
        let size = params.v() as usize * params.n() as usize;
        let mut sum = Zeroizing::new(vec![0_u32; if comm.is_root() { size } else { 0 }]);
        let most = params.max_attempts();
        for index in 0..most {
            progress.say(format_args!("proof: attempt {}", index + 1));
            comm.enter("challenge");
            let attempt = coordinator.map(|coordinator| coordinator.begin(index)).transpose();
            let attempt = comm.agree(attempt.map_err(text))?;
            let mut hash = vec![0; params.hash().digest_len()];
            if let Some(attempt) = &attempt {
                hash.copy_from_slice(attempt.challenge_hash().as_bytes());
            }
            comm.broadcast(&mut hash);
            let hash = digest_from_bytes(params.hash(), &hash).expect("a digest's length");
            comm.enter("multiply");
            let part = Self::multiply(workers, &hash);
            comm.enter("reduce");
            let part = comm.agree(part)?;
            comm.sum(&part[..], &mut sum[..]);
            comm.enter("decide");
            let response = attempt.map(|attempt| attempt.finish(&sum)).transpose();
            let response = comm.agree(response.map_err(text))?.flatten();
            let mut accepted = [u8::from(response.is_some())];
            comm.broadcast(&mut accepted);
            if accepted == [0] {
                continue;
            }
            let tc = if params.round_t() > 0 { Some(self.product(&hash)?) } else { None };
            let proof = response.map(|response| response.into_proof(tc.as_ref())).transpose();
            let proof = comm.agree(proof.map_err(text))?.flatten();
            let mut within = [u8::from(proof.is_some())];
            comm.broadcast(&mut within);
            if within == [1] {
                let proof = proof.as_ref().map(&file);
                return Ok(Outcome { proof, attempts: index + 1, bytes: bytes() - before });
            }
        }
        comm.agree(Err(format!("no proof in {most} attempts")))
    }
}
