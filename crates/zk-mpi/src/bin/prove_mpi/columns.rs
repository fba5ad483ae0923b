//! A proof of knowledge of all columns, and of what is claimed of messages in them.

use tautochrone_cli::ExactClaim;
use tautochrone_ctr::Seed;
use tautochrone_zk::Prover;
use tautochrone_zk::shard::{self, Coordinator, ShardWitness};
use tautochrone_zk_mpi::{Fault, Progress, argue, text};

use super::attempts::{Job, Outcome};

/// Proves knowledge of columns, and what is claimed of messages in them.
pub(crate) fn prove(
    job: &Job<'_>,
    claim: Option<&ExactClaim>,
    y: Option<&Seed>,
    progress: &mut Progress,
) -> Result<Outcome, Fault> {
    let &Job { comm, args, a, params, witness, own, shards, ref t, ref s, .. } = job;
    let statement = y.map(|_| shard::statement(params, *a.id(), t.clone())).transpose();
    // The ranks computed T from the S of these hashes.
    let statement = comm.agree(statement.map_err(text))?.map(|statement| statement.owned_by(s));
    let prover = statement.as_ref().map(|statement| Prover::new(a, statement)).transpose();
    let prover = comm
        .agree(prover.map_err(text))?
        .map(|prover| if args.reproducible { prover.reproducible() } else { prover });
    let argument = match claim {
        None => None,
        Some(claim) => {
            let about = (&claim.slot(), &claim.claims());
            argue(comm, prover.as_ref(), (params, witness), (own, shards), about)?
        }
    };
    let coordinator = prover.as_ref().zip(y).map(|(prover, y)| {
        let coordinator = Coordinator::new(prover, args.context.as_bytes(), s, y)?;
        // The challenge is bound to what was sent for the claim.
        match &argument {
            Some(argument) => coordinator.with_argument(argument),
            None => Ok(coordinator),
        }
    });
    let coordinator = comm.agree(coordinator.transpose().map_err(text))?;
    let mut workers = [ShardWitness::new(a, witness, own, args.keep)];
    job.run(params, coordinator.as_ref(), &mut workers, progress, |proof| match &argument {
        Some(argument) => argument.proof_file(params, proof),
        None => proof.to_bytes(params),
    })
}
