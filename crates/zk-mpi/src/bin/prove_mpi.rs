//! Proves knowledge of short preimages on many machines.
//!
//! `mpirun -n 4 prove_mpi --preset T64-128 --witness shards/ --statement s.lzs --proof p.lzp`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tautochrone::zk::shard::{
    self, Coordinator, Hashes, ModQ, Shard, ShardWitness, WitnessShard, digest_from_bytes,
};
use tautochrone::zk::{
    Digest, FileSource, MAX_ATTEMPTS, Params, Prover, PublicMatrix, RandomWitness, WitnessFile,
    WitnessSource,
};
use tautochrone_zk_mpi::{
    BlockHashes, Comm, Fault, FileSink, Machine, ParamsArgs, Partial, Progress, SeedArg, Seeds,
    Verdict, about, cleanup, gather_hashes, gather_rows, gather_shards, matrix, peak_memory, run,
    same_params, sum_tc, text,
};
use zeroize::Zeroizing;

/// Proves that you know S with T = A S mod 2^w, every rank working on its own columns of S
///
/// Statement and proof are byte for byte those of `prove` with the same seed. All ranks must see
/// the folder of the statement; the links between them must be private.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Example:\n  mpirun -n 4 prove_mpi --preset T64-128 --witness shards/ --statement s.lzs --proof p.lzp"
)]
struct Args {
    #[command(flatten)]
    params: ParamsArgs,
    /// A folder, of which rank k reads `k.shard`, or one file with all columns [default: a random
    /// witness]
    #[arg(long, value_name = "PATH")]
    witness: Option<PathBuf>,
    /// What the proof is for; a verifier must give the same text
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// Statement file to write
    #[arg(long, value_name = "OUT")]
    statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    proof: PathBuf,
    /// Keep finished blocks of T in `STATEMENT.resume` if the run ends early, and take over those
    /// of an earlier run
    #[arg(long)]
    resume: bool,
    /// Bytes of S that a rank stores in memory between attempts
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    keep: u64,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    machine: Machine,
}

fn main() -> ExitCode {
    run(prove)
}

fn prove(comm: &Comm, args: &Args) -> Result<Verdict, Fault> {
    let params = comm.agree(args.machine.start().and_then(|()| args.params.read()))?;
    same_params(comm, &params)?;
    let mut partial = Partial::new(&args.statement, &args.proof, args.resume);
    let seeds = Seeds::share(comm, &args.seed, args.witness.is_none(), Some((&partial, &params)))?;
    let (witness, own) = comm.agree(open_witness(args, comm, &params, seeds.witness))?;
    let shards = gather_shards(comm, &params, own)?;

    comm.enter("expand");
    let a = matrix(comm, args.machine.isa, &params, args.params.matrix.as_deref(), seeds.a)?;
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
            let hashes = shard::commit(&a, &*witness, own, &mut sink).map_err(text)?;
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
    let coordinator = prover
        .as_ref()
        .zip(seeds.y.as_ref())
        .map(|(prover, y)| Coordinator::new(prover, args.context.as_bytes(), &s, y));
    let coordinator = comm.agree(coordinator.transpose().map_err(text))?;
    let mut worker = ShardWitness::new(&a, &*witness, own, args.keep);
    let before = comm.meter().bytes();
    let mut job = Attempts { comm, a: &a, own, hashes: &own_t, t: partial.t() };
    let (proof, attempts) = job.run(&params, coordinator.as_ref(), &mut worker, &mut progress)?;
    let after = comm.meter().bytes();

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
        report(args, &params, attempts, proof.len(), &rows);
    }
    Ok(Verdict::Yes)
}

/// The witness that this rank reads, and its range.
fn open_witness(
    args: &Args,
    comm: &Comm,
    params: &Params,
    random: Option<tautochrone::ctr::Seed>,
) -> Result<(Box<dyn WitnessSource>, Shard), String> {
    let even = Shard::even(params, comm.rank() as u64, comm.size() as u64);
    let Some(path) = &args.witness else {
        let seed = random.ok_or("a random witness needs a seed")?;
        return Ok((Box::new(RandomWitness::new(seed)), even));
    };
    let folder = path.is_dir();
    let path = if folder { path.join(format!("{}.shard", comm.rank())) } else { path.clone() };
    let fail = about(&path);
    let file = File::open(&path).map_err(|e| fail(&e))?;
    let source = FileSource::new(file).map_err(|e| fail(&e))?;
    if folder {
        let witness = WitnessShard::new(params, source).map_err(|e| fail(&e))?;
        let shard = witness.shard();
        return Ok((Box::new(witness), shard));
    }
    Ok((Box::new(WitnessFile::new(params, source).map_err(|e| fail(&e))?), even))
}

/// What a rank needs for its part in attempts, besides its shard of S.
struct Attempts<'a> {
    comm: &'a Comm,
    a: &'a PublicMatrix,
    own: Shard,
    /// Of the blocks of T in its shard.
    hashes: &'a [Digest],
    /// The unfinished statement, which has all of T.
    t: &'a Path,
}

impl Attempts<'_> {
    /// T C, where T is rounded and an attempt was accepted.
    fn product(&self, challenge: &Digest) -> Result<ModQ, Fault> {
        let Self { comm, a, own, hashes, t } = self;
        let file = File::open(t).and_then(FileSource::new).map_err(|e| about(t)(&e));
        sum_tc(comm, a, &comm.agree(file)?, *own, hashes, challenge)
    }

    /// Runs attempts until rank 0 accepts one; returns the proof file there, and their number
    /// everywhere.
    fn run(
        &mut self,
        params: &Params,
        coordinator: Option<&Coordinator<'_>>,
        worker: &mut ShardWitness<'_>,
        progress: &mut Progress,
    ) -> Result<(Option<Vec<u8>>, u32), Fault> {
        let comm = self.comm;
        let size = params.v() as usize * params.n() as usize;
        let mut sum = Zeroizing::new(vec![0_u32; if comm.is_root() { size } else { 0 }]);
        for index in 0..MAX_ATTEMPTS {
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
            let part = worker.multiply(&hash).map_err(text);
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
                return Ok((proof.map(|proof| proof.to_bytes(params)), index + 1));
            }
        }
        comm.agree(Err(format!("no proof in {MAX_ATTEMPTS} attempts")))
    }
}

fn report(
    args: &Args,
    params: &Params,
    attempts: u32,
    proof_bytes: usize,
    rows: &[serde_json::Value],
) {
    let preset = args.params.params.is_none().then_some(&args.params.preset);
    let statement_bytes = params.statement_bytes();
    if args.machine.json {
        println!(
            "{}",
            serde_json::json!({
                "preset": preset, "w": params.w(), "r": params.r(), "v": params.v(), "l": params.l(), "n": params.n(),
                "sigma": params.sigma(), "attempts": attempts, "statement_bytes": statement_bytes as u64,
                "proof_bytes": proof_bytes, "isa": args.machine.isa.name(), "ranks": rows,
            })
        );
        return;
    }
    println!("statement   {statement_bytes} bytes in {}", args.statement.display());
    println!(
        "proof       {proof_bytes} bytes in {}, {} columns, {attempts} attempts",
        args.proof.display(),
        params.l()
    );
    for row in rows {
        print!("rank {:<6} columns {} to {}, ", row["rank"], row["columns"][0], row["columns"][1]);
        for phase in row["phases"].as_array().into_iter().flatten() {
            let name = phase["phase"].as_str().unwrap_or_default();
            print!("{name} {:.2} s, ", phase["seconds"].as_f64().unwrap_or_default());
        }
        println!(
            "sent {} bytes, received {} bytes, peak {} MiB",
            row["bytes_sent"],
            row["bytes_received"],
            row["peak_memory"].as_u64().unwrap_or_default() >> 20
        );
    }
}
