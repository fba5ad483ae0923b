//! The second half of a proof in shards, for tests: attempts that are bound to an argument.

use tautochrone_ctr::Seed;

use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::PublicMatrix;
use crate::proof::Proof;
use crate::prover::{Coordinator, Prover};
use crate::shard::{BlockSink, Shard, ShardWitness, WitnessDigest, commit, multiply_tc};
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::witness::WitnessSource;

/// Keeps no block.
struct Forget;

impl BlockSink for Forget {
    fn finished(&mut self, _: u64, _: &Digest) -> Result<Option<Digest>, Error> {
        Ok(None)
    }

    fn put(&mut self, _: u64, _: &Digest, _: &Digest, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
}

/// A proof by these shards, in the order of their columns, once the coordinator is bound.
pub(super) fn prove<'a>(
    (matrix, statement, file): (&PublicMatrix, &Statement, &dyn ReadAt),
    witness: &dyn WitnessSource,
    prover: &'a Prover<'a>,
    shards: &[Shard],
    (context, seed): (&[u8], &'a Seed),
    bind: impl FnOnce(Coordinator<'a>) -> Coordinator<'a>,
) -> Proof {
    let mut digest = WitnessDigest::default();
    for &shard in shards {
        digest.join(&commit(matrix, witness, shard, &mut Forget).unwrap().s);
    }
    let coordinator = bind(Coordinator::new(prover, context, &digest, seed).unwrap());
    let sum = |hash: &Digest| {
        let mut sum = vec![0_u32; statement.params().response_entries()];
        for &shard in shards {
            let part = ShardWitness::new(matrix, witness, shard, 0).multiply(hash).unwrap();
            sum.iter_mut().zip(part.iter()).for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
        }
        sum
    };
    let find = |index| {
        let attempt = coordinator.begin(index).unwrap();
        let m = sum(attempt.challenge_hash());
        let response = attempt.finish(&m).unwrap()?;
        let hash = *response.challenge_hash();
        let tc = response.needs_product().then(|| {
            let whole = Shard::whole(statement.params());
            multiply_tc(matrix, file, whole, statement.block_hashes(), &hash).unwrap()
        });
        response.into_proof(tc.as_ref()).unwrap()
    };
    (0..statement.params().max_attempts()).find_map(find).unwrap()
}
