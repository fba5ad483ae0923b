//! Proofs by several workers.

use crate::error::Error;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::Proof;
use crate::shard::{BlockSink, Coordinator, ModQ, Shard, ShardWitness};

/// As many shards of one length as can be.
pub(crate) fn even(params: &Params, parts: u64) -> Vec<Shard> {
    (0..parts).map(|index| Shard::even(params, index, parts)).collect()
}

/// Keeps no block.
pub(crate) struct Forget;

impl BlockSink for Forget {
    fn put(&mut self, _: u64, _: &Digest, _: &Digest, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
}

/// M, the sum of what workers compute.
fn sum_of_m(workers: &mut [ShardWitness<'_>], challenge_hash: &Digest) -> Vec<u32> {
    let mut sum: Vec<u32> = Vec::new();
    for worker in workers {
        let part = worker.multiply(challenge_hash).unwrap();
        sum.resize(part.len(), 0);
        sum.iter_mut().zip(part.iter()).for_each(|(sum, &m)| *sum = sum.wrapping_add(m));
    }
    sum
}

/// The proof that is accepted first, and how many attempts there were, given T C where it is
/// needed.
pub(crate) fn attempt(
    params: &Params,
    coordinator: &Coordinator<'_>,
    workers: &mut [ShardWitness<'_>],
    tc: impl Fn(&Digest) -> ModQ,
) -> (Proof, u32) {
    let find = |index| {
        let attempt = coordinator.begin(index).unwrap();
        let m = sum_of_m(workers, attempt.challenge_hash());
        let response = attempt.finish(&m).unwrap()?;
        let tc = response.needs_product().then(|| tc(response.challenge_hash()));
        response.into_proof(tc.as_ref()).unwrap().map(|proof| (proof, index + 1))
    };
    (0..params.max_attempts()).find_map(find).unwrap()
}
