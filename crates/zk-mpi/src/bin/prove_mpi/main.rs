//! Proves knowledge of short preimages on many machines.
//!
//! `mpirun -n 4 prove_mpi --preset T64-128 --witness shards/ --statement s.lzs --proof p.lzp`

mod args;
mod attempts;
mod report;
mod witness;

use std::process::ExitCode;

use args::Args;
use attempts::Attempts;
use report::Report;
use tautochrone::zk::shard::{self, Coordinator, Hashes, ShardWitness};
use tautochrone::zk::{Prover, WitnessSource};
use tautochrone_cli::ExactClaim;
use tautochrone_zk_mpi::{
    BlockHashes, Comm, Fault, FileSink, Partial, Seeds, Verdict, about, check_columns, cleanup,
    gather_hashes, gather_rows, gather_shards, matrix, peak_memory, prove_ranges, run, same_claim,
    same_params, text,
};
use witness::Given;

fn main() -> ExitCode {
    run(prove)
}

fn prove(comm: &Comm, args: &Args) -> Result<Verdict, Fault> {
    let claim = comm.agree(args.machine.start().and_then(|()| {
        let claim = args.exact.claim(args.params.columns).map_err(text)?;
        claim.as_ref().map_or(Ok(()), |claim| check_columns(claim.columns()))?;
        Ok(claim)
    }))?;
    let security = args.params.security();
    let params = claim.as_ref().map_or_else(|| args.params.read(), |claim| claim.params(security));
    let params = comm.agree(params)?;
    same_params(comm, &params)?;
    same_claim(comm, claim.as_ref().map(ExactClaim::ranges))?;
    let mut partial = Partial::new(&args.statement, &args.proof, args.resume);
    // What is under messages is random, whether they are or not.
    let random = args.witness.is_none() || claim.is_some();
    let seeds = Seeds::share(comm, &args.seed, random, Some((&partial, &params)))?;
    let path = args.witness.as_deref();
    let (given, own) = Given::open(comm, &params, path, claim.as_ref(), seeds.witness)?;
    let shards = gather_shards(comm, &params, own)?;

    comm.enter("expand");
    let a = matrix(comm, args.machine.isa, &params, args.params.matrix.as_deref(), seeds.a)?;
    let padded;
    let witness: &dyn WitnessSource = match &given {
        Given::Columns(source) => &**source,
        Given::Messages { claim, messages, seed } => {
            let made = claim.witness(&a, &params, security, messages, seed);
            padded = comm.agree(made.map_err(text))?;
            &padded
        }
    };
    comm.enter("files");
    let created = cleanup::on_signals()
        .and_then(|()| if comm.is_root() { partial.create(&params, a.id()) } else { Ok(()) });
    comm.agree(created.map_err(|e| about(&args.statement)(&e)))?;
    partial.guard();

    comm.enter("commit");
    let mut progress = args.machine.progress(comm);
    let committed = FileSink::open(&partial, &params, *a.id(), progress.clone())
        .map_err(|e| about(partial.t())(&e))
        .and_then(|mut sink| {
            let hashes = shard::commit(&a, witness, own, &mut sink).map_err(text)?;
            Ok((hashes, own.blocks().end - own.blocks().start - sink.written()))
        });
    comm.enter("hashes");
    let (hashes, reused): (Hashes, u64) = comm.agree(committed)?;
    let BlockHashes { t, s } = gather_hashes(comm, &params, &shards, &hashes);
    let own_t = hashes.t;
    drop(hashes.s);

    let statement = seeds.y.as_ref().map(|_| shard::statement(&params, *a.id(), t)).transpose();
    let statement = comm.agree(statement.map_err(text))?;
    let prover =
        statement.as_ref().map(|statement| Prover::new(&a, statement)).transpose().map_err(text);
    let prover = comm
        .agree(prover)?
        .map(|prover| if args.seed.reproducible { prover.reproducible() } else { prover });
    let argument = match &claim {
        None => None,
        Some(claim) => {
            let slot = comm.agree(claim.slot(&params, security).map_err(text))?;
            let columns = (own, &shards[..]);
            prove_ranges(comm, prover.as_ref(), &params, witness, columns, (slot, claim.ranges()))?
        }
    };
    let coordinator = prover
        .as_ref()
        .zip(seeds.y.as_ref())
        .map(|(prover, y)| Coordinator::new(prover, args.context.as_bytes(), &s, y));
    let coordinator = comm.agree(coordinator.transpose().map_err(text))?;
    // The challenge is bound to what was sent for the claim.
    let coordinator = match (coordinator, &argument) {
        (Some(coordinator), Some(argument)) => Some(coordinator.with_ranges(argument)),
        (coordinator, _) => coordinator,
    };
    let mut worker = ShardWitness::new(&a, witness, own, args.keep);
    let before = comm.meter().bytes();
    let job = Attempts { comm, a: &a, own, hashes: &own_t, t: partial.t() };
    let (proof, attempts) = job.run(&params, coordinator.as_ref(), &mut worker, &mut progress)?;
    let after = comm.meter().bytes();
    drop(coordinator);
    let proof = proof.map(|proof| match argument {
        Some(argument) => argument.into_proof(proof).to_bytes(&params),
        None => proof.to_bytes(&params),
    });

    comm.enter("write");
    let written =
        proof.as_deref().map(|proof| partial.finish(&args.statement, (&args.proof, proof)));
    comm.agree(written.transpose())?;
    cleanup::forget();

    comm.enter("end");
    let meter = comm.meter();
    let (sent, received) = meter.bytes();
    let columns = own.columns(&params);
    let rows = gather_rows(
        comm,
        &serde_json::json!({
            "rank": comm.rank(), "columns": [columns.start, columns.end], "phases": meter.json(),
            "bytes_sent": sent, "bytes_received": received,
            "bytes_per_attempt": (after.0 + after.1 - before.0 - before.1) / u64::from(attempts),
            "blocks_reused": reused, "peak_memory": peak_memory(),
        }),
    );
    if let Some(proof) = &proof {
        let (claim, proof_bytes) = (claim.as_ref(), proof.len());
        Report { args, params: &params, claim, attempts, proof_bytes, rows: &rows }.say();
    }
    Ok(Verdict::Yes)
}
