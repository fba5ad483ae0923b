//! A proof that the columns are LWE keys which are well formed.

use std::fs::File;

use tautochrone::ctr::Seed;
use tautochrone::zk::FileSource;
use tautochrone::zk::argument::{ExactKeys, KeyArgument, KeyRanges};
use tautochrone_cli::params::waivable;
use tautochrone_zk_mpi::{
    Fault, Progress, about, argue_keys, check_columns, gather_key_digests, share_statement, text,
};

use super::attempts::{Attempts, Outcome};
use super::columns::Columns;

/// `seed` is the seed of Y, at rank 0.
pub(crate) fn prove(
    job: &Attempts<'_>,
    columns: Columns<'_>,
    claim: KeyRanges,
    y: Option<&Seed>,
    progress: &mut Progress,
) -> Result<Outcome<Vec<u8>>, Fault> {
    let comm = job.comm;
    let Columns { args, params, witness, shards, t, s } = columns;
    comm.agree(check_columns(params.l()))?;
    // The ranks computed T from the S of these hashes, which rank 0 has.
    let statement = share_statement(comm, params, *job.a.id(), &t)?.owned_by(&s);
    // The last keys are one block with the first dummy columns.
    let file = File::open(job.t).and_then(FileSource::new).map_err(|e| about(job.t)(&e));
    let file = comm.agree(file)?;
    let keys = ExactKeys::new(job.a, &statement, claim);
    let keys = comm.agree(keys.map_err(|e| waivable(&e)))?.with_file(&file);
    let keys = if args.reproducible { keys.reproducible() } else { keys };

    let (worker, argument) = argue_keys(comm, &keys, witness, (job.own, shards), &s)?;
    comm.enter("digest");
    let own = worker.columns();
    // At rank 0 the last keys, and the dummies.
    let last = argument.as_ref().map(KeyArgument::columns);
    let made = own.witness(args.keep).and_then(|(own, digest)| {
        Ok((own, digest, last.as_ref().map(|last| last.witness(args.keep)).transpose()?))
    });
    let (own, of_keys, last) = comm.agree(made.map_err(text))?;
    let of_last = last.as_ref().map(|(_, digest)| digest);
    let digest = gather_key_digests(comm, &keys, shards, of_keys, of_last);
    let mut workers = vec![own];
    workers.extend(last.map(|(last, _)| last));

    let prover = argument.as_ref().map(KeyArgument::prover).transpose();
    let prover = comm.agree(prover.map_err(text))?;
    let coordinator =
        argument.as_ref().zip(prover.as_ref()).zip(y).map(|((argument, prover), y)| {
            argument.coordinator(prover, args.context.as_bytes(), &digest, y)
        });
    let coordinator = comm.agree(coordinator.transpose().map_err(text))?;
    let outcome = job.run(keys.params(), coordinator.as_ref(), &mut workers, progress)?;
    drop(coordinator);
    drop(workers);
    Ok(outcome.map(|proof| {
        let argument = argument.expect("where the proof is");
        argument.into_proof(proof).to_bytes(&keys)
    }))
}
