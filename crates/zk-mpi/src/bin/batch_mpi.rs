//! Proves many statements on many machines, every rank whole ones: nothing but seeds and reports
//! travels.
//!
//! `mpirun -n 4 batch_mpi --preset T4-128 --witnesses in/ --out proofs/`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tautochrone::ctr::Seed;
use tautochrone::zk::shard::{self, Shard};
use tautochrone::zk::{FileSource, Params, Prover, PublicMatrix, WitnessFile};
use tautochrone_cli::{Answer, ParamsArgs, ProverOptions, Seeded};
use tautochrone_zk_mpi::{
    Comm, Fault, FileSink, Partial, Progress, Seeds, about, cleanup, gather_rows, matrix,
    peak_memory, run, same_params, text,
};

/// Proves one statement for every witness in a folder, the statements dealt out to the ranks
///
/// For more statements than ranks this is the better split: there is nothing to wait for. All
/// statements have the same A, so a verifier may check the proofs as a batch. The files are byte
/// for byte the files of `prove --witness FILE` with the same seed. If witnesses cannot be used the
/// job fails and names them, and all others have their proofs.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Example:\n  mpirun -n 4 batch_mpi --preset T4-128 --witnesses in/ --out proofs/"
)]
struct Args {
    #[command(flatten)]
    params: ParamsArgs,
    /// Folder of witnesses: v * l signed bytes each, column after column
    #[arg(long, value_name = "DIR")]
    witnesses: PathBuf,
    /// Folder for `NAME.lzs` and `NAME.lzp`, of witness NAME
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Purpose of the proofs; a verifier must give the same text
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    #[command(flatten)]
    prover: ProverOptions,
    #[command(flatten)]
    common: Seeded,
}

fn main() -> ExitCode {
    run(batch)
}

fn batch(comm: &Comm, args: &Args) -> Result<Answer, Fault> {
    let params =
        comm.agree(args.common.start_threads().map_err(text).and_then(|_| args.params.read()))?;
    same_params(comm, &params)?;
    let seeds = Seeds::share(comm, &args.common, false, None)?;
    let y = seeds.share_y(comm);
    let names = comm.agree(if comm.is_root() { list(&args.witnesses) } else { Ok(Vec::new()) })?;
    // A name holds no NUL.
    let names = comm.broadcast_any(names.join("\0").into_bytes());
    let names = String::from_utf8_lossy(&names);
    let names: Vec<&str> = names.split('\0').filter(|name| !name.is_empty()).collect();
    comm.agree(cleanup::on_signals().map_err(text))?;

    comm.enter("expand");
    let a = matrix(comm, args.common.isa, &params, args.params.matrix.as_deref(), seeds.a)?;
    comm.enter("prove");
    let mut progress = Progress::new(comm, &args.common);
    let own: Vec<&str> = names.iter().copied().skip(comm.rank()).step_by(comm.size()).collect();
    let mut failed = Vec::new();
    for (done, name) in own.iter().enumerate() {
        progress.say(format_args!("rank 0: {done} of {} proofs", own.len()));
        failed.extend(prove(args, &params, &a, &y, name).err());
    }
    comm.enter("wait");
    let mut failed = comm.gather(failed.join("; ").as_bytes());
    failed.retain(|failures| !failures.is_empty());
    let failed: Vec<_> = failed.iter().map(|failures| String::from_utf8_lossy(failures)).collect();
    comm.agree(if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) })?;

    comm.enter("end");
    let rows = gather_rows(
        comm,
        &serde_json::json!({
            "rank": comm.rank(), "proofs": own.len(), "phases": comm.meter().json(), "peak_memory": peak_memory(),
        }),
    );
    if comm.is_root() {
        if args.common.json {
            println!("{}", serde_json::json!({ "proofs": names.len(), "ranks": rows }));
        } else {
            println!("{} proofs in {}", names.len(), args.out.display());
        }
    }
    Ok(Answer::Yes)
}

/// Names of the regular files in a folder, sorted.
fn list(folder: &Path) -> Result<Vec<String>, String> {
    let fail = about(folder);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| fail(&e))? {
        let entry = entry.map_err(|e| fail(&e))?;
        if entry.path().is_file() {
            let name = entry.file_name().into_string();
            names.push(name.map_err(|name| fail(&format!("{}: not UTF-8", name.display())))?);
        }
    }
    names.sort_unstable();
    if names.is_empty() { Err(fail(&"no witness in it")) } else { Ok(names) }
}

/// One statement and its proof.
fn prove(
    args: &Args,
    params: &Params,
    a: &PublicMatrix,
    y: &Seed,
    name: &str,
) -> Result<(), String> {
    let path = args.witnesses.join(name);
    let fail = about(&path);
    let source = File::open(&path).and_then(FileSource::new).map_err(|e| fail(&e))?;
    let witness = WitnessFile::new(params, source).map_err(|e| fail(&e))?;
    let out = |end: &str| args.out.join(format!("{name}.{end}"));
    let (statement_path, proof_path) = (out("lzs"), out("lzp"));
    let about_statement = about(&statement_path);
    let mut partial = Partial::new(&statement_path, &proof_path, false);
    partial.create(params, a.id()).map_err(|e| about_statement(&e))?;
    let mut sink = FileSink::open(&partial, params, *a.id(), Progress::SILENT)
        .map_err(|e| about_statement(&e))?;
    let hashes =
        shard::commit(a, &witness, Shard::even(params, 0, 1), &mut sink).map_err(|e| fail(&e))?;
    let statement = shard::statement(params, *a.id(), hashes.t).map_err(text)?;
    let t = File::open(partial.t()).and_then(FileSource::new).map_err(|e| about_statement(&e))?;
    let prover = args.prover.apply(Prover::new(a, &statement).map_err(text)?.with_file(&t));
    let proved = prover.prove(args.context.as_bytes(), &witness, y).map_err(|e| fail(&e))?;
    partial.finish(&statement_path, (&proof_path, &proved.proof))
}
