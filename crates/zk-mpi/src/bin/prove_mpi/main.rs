//! Proves knowledge of short preimages on many machines.
//!
//! `mpirun -n 4 prove_mpi --preset T64-128 --witness shards/ --statement s.lzs --proof p.lzp`

mod args;
mod attempts;
mod columns;
mod keys;
mod report;
mod witness;

use std::process::ExitCode;

use args::Args;
use attempts::{Job, Outcome};
use report::Report;
use tautochrone_cli::{Answer, ExactClaim, signals};
use tautochrone_zk::WitnessSource;
use tautochrone_zk::shard::{self, Hashes};
use tautochrone_zk_mpi::{
    Comm, Fault, FileSink, Partial, Progress, Seeds, about, gather_hashes, gather_rows,
    gather_shards, matrix, run, same_claims, same_params, text,
};
use witness::Given;

fn main() -> ExitCode {
    run(prove)
}

fn prove(comm: &Comm, args: &Args) -> Result<Answer, Fault> {
    let claim = comm.agree(args.exact.claim(args.params.columns).map_err(text))?;
    let security = args.params.security();
    let params = claim
        .as_ref()
        .map_or_else(|| args.params.read(args.keys.hints()), |claim| claim.params(security));
    let params = comm.agree(params)?;
    same_params(comm, &params)?;
    same_claims(comm, claim.as_ref().map(ExactClaim::claims).as_ref())?;
    let keys = comm.agree(args.keys.claim(&params).map_err(text))?;
    let mut partial = Partial::new(&args.statement, &args.proof, args.resume);
    // Rows below the messages are random, whether messages are or not.
    let random = args.witness.is_none() || claim.is_some();
    let seeds = Seeds::share(comm, &args.common, random, (&partial, &params))?;
    let path = args.witness.as_deref();
    let (given, own) = Given::open(comm, &params, path, claim.as_ref(), seeds.witness)?;
    let shards = gather_shards(comm, &params, own)?;

    comm.enter("expand");
    let a = matrix(comm, args.common.isa(), &params, args.params.matrix.as_deref(), seeds.a)?;
    let padded;
    let witness: &dyn WitnessSource = match &given {
        Given::Columns(source) => &**source,
        Given::Messages { claim, messages, seed } => {
            let made = claim.witness(&a, messages, seed);
            padded = comm.agree(made.map_err(text))?;
            &padded
        }
    };
    comm.enter("files");
    let created = if comm.is_root() { partial.create(&params, a.id()) } else { Ok(()) };
    comm.agree(created.map_err(|e| about(&args.statement)(&e)))?;
    partial.guard();

    comm.enter("commit");
    let mut progress = Progress::new(comm, &args.common);
    let committed = FileSink::open(&partial, &params, *a.id(), progress.clone())
        .map_err(|e| about(partial.t())(&e))
        .and_then(|mut sink| {
            let hashes = shard::commit(&a, witness, own, &mut sink).map_err(text)?;
            Ok((hashes, own.blocks().end - own.blocks().start - sink.written()))
        });
    comm.enter("hashes");
    let (hashes, reused): (Hashes, u64) = comm.agree(committed)?;
    let Hashes { t, s } = gather_hashes(comm, &params, &shards, &hashes);
    let own_t = hashes.t;
    drop(hashes.s);

    let (a, params, shards, file) = (&a, &params, &shards[..], partial.t());
    let job = Job { comm, args, a, params, witness, own, shards, hashes: &own_t, file, t, s };
    let y = seeds.y.as_ref();
    let Outcome { proof, attempts, bytes } = match keys {
        Some(keys) => keys::prove(&job, keys, y, &mut progress)?,
        None => columns::prove(&job, claim.as_ref(), y, &mut progress)?,
    };

    comm.enter("write");
    let written =
        proof.as_deref().map(|proof| partial.finish(&args.statement, (&args.proof, proof)));
    comm.agree(written.transpose())?;
    signals::forget();

    comm.enter("end");
    let columns = own.columns(params);
    let row = serde_json::json!({
        "columns": [columns.start, columns.end], "bytes_per_attempt": bytes / u64::from(attempts),
        "blocks_reused": reused,
    });
    let rows = gather_rows(comm, row);
    if let Some(proof) = &proof {
        let (claim, proof_bytes) = (claim.as_ref(), proof.len());
        Report { args, params, claim, keys, attempts, proof_bytes, rows: &rows }.say();
    }
    Ok(Answer::Yes)
}
