//! A proof of knowledge of all columns, and of what is claimed of messages in them.

use tautochrone_cli::ExactClaim;
use tautochrone_ctr::Seed;
use tautochrone_zk::shard::{self, Coordinator, Shard, ShardWitness, WitnessDigest};
use tautochrone_zk::{Digest, Params, Prover, WitnessSource};
use tautochrone_zk_mpi::{Fault, Job, Progress, argue, text};

use super::args::Args;
use super::attempts::{Attempts, Outcome};

/// A rank's part of S, and rank 0's knowledge of T and S.
pub(crate) struct Columns<'a> {
    pub(crate) args: &'a Args,
    pub(crate) params: &'a Params,
    pub(crate) witness: &'a dyn WitnessSource,
    pub(crate) shards: &'a [Shard],
    /// Hashes of the blocks of T.
    pub(crate) t: Vec<Digest>,
    /// And of S.
    pub(crate) s: WitnessDigest,
}

/// Proves knowledge of columns, and what is claimed of messages in them.
pub(crate) fn prove(
    job: &Attempts<'_>,
    columns: Columns<'_>,
    claim: Option<&ExactClaim>,
    y: Option<&Seed>,
    progress: &mut Progress,
) -> Result<Outcome<Vec<u8>>, Fault> {
    let (comm, own) = (job.comm, job.own);
    let Columns { args, params, witness, shards, t, s } = columns;
    let statement = y.map(|_| shard::statement(params, *job.a.id(), t)).transpose();
    // The ranks computed T from the S of these hashes.
    let statement = comm.agree(statement.map_err(text))?.map(|statement| statement.owned_by(&s));
    let prover = statement.as_ref().map(|statement| Prover::new(job.a, statement)).transpose();
    let prover = comm
        .agree(prover.map_err(text))?
        .map(|prover| if args.reproducible { prover.reproducible() } else { prover });
    let argument = match claim {
        None => None,
        Some(claim) => {
            let (slot, claims) = (&claim.slot(), &claim.claims());
            let job = Job { params, witness, own, shards, slot, claims };
            argue(comm, prover.as_ref(), job)?
        }
    };
    let coordinator = prover.as_ref().zip(y).map(|(prover, y)| {
        let coordinator = Coordinator::new(prover, args.context.as_bytes(), &s, y)?;
        // The challenge is bound to what was sent for the claim.
        match &argument {
            Some(argument) => coordinator.with_argument(argument),
            None => Ok(coordinator),
        }
    });
    let coordinator = comm.agree(coordinator.transpose().map_err(text))?;
    let mut workers = [ShardWitness::new(job.a, witness, own, args.keep)];
    let outcome = job.run(params, coordinator.as_ref(), &mut workers, progress)?;
    Ok(outcome.map(|proof| match &argument {
        Some(argument) => argument.proof_file(params, &proof),
        None => proof.to_bytes(params),
    }))
}
