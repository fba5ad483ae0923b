//! A proof that the columns are LWE keys which are well formed.

use std::fs::File;

use tautochrone_cli::params::waivable;
use tautochrone_ctr::Seed;
use tautochrone_zk::FileSource;
use tautochrone_zk::argument::{ExactKeys, KeyArgument, KeyRanges};
use tautochrone_zk_mpi::{
    Fault, Progress, about, argue_keys, check_columns, share_statement, text,
};

use super::attempts::{Job, Outcome};

/// `seed` is the seed of Y, at rank 0.
pub(crate) fn prove(
    job: &Job<'_>,
    claim: KeyRanges,
    y: Option<&Seed>,
    progress: &mut Progress,
) -> Result<Outcome, Fault> {
    let &Job { comm, args, a, params, witness, own, shards, file, ref t, ref s, .. } = job;
    comm.agree(check_columns(params.l()))?;
    // The ranks computed T from the S of these hashes, which rank 0 has.
    let statement = share_statement(comm, params, *a.id(), t)?.owned_by(s);
    // The last keys are one block with the first dummy columns.
    let file = File::open(file).and_then(FileSource::new).map_err(|e| about(file)(&e));
    let file = comm.agree(file)?;
    let keys = ExactKeys::new(a, &statement, claim);
    let keys = comm.agree(keys.map_err(|e| waivable(&e)))?.with_file(&file);
    let keys = if args.reproducible { keys.reproducible() } else { keys };

    let (worker, argument) = argue_keys(comm, &keys, witness, (own, shards))?;
    let mut workers = vec![worker.witness(args.keep)];
    // At rank 0 the last keys, and the dummies.
    workers.extend(argument.as_ref().map(|argument| argument.witness(args.keep)));
    let prover = argument.as_ref().map(KeyArgument::prover).transpose();
    let prover = comm.agree(prover.map_err(text))?;
    let coordinator =
        argument.as_ref().zip(prover.as_ref()).zip(y).map(|((argument, prover), y)| {
            argument.coordinator(prover, args.context.as_bytes(), y)
        });
    let coordinator = comm.agree(coordinator.transpose().map_err(text))?;
    job.run(keys.params(), coordinator.as_ref(), &mut workers, progress, |proof| {
        argument.as_ref().expect("where the proof is").proof_file(proof)
    })
}
