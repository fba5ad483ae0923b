//! Checks proofs against a statement.
//!
//! `cargo run --release --example verify -- --statement s.lzs --proof p.lzp`

#[path = "support/cli.rs"]
mod cli;
#[path = "support/device.rs"]
mod device;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, say};
use tautochrone::zk::{
    self, Claim, FileSource, PublicMatrix, ReadAt, Security, Statement, Validity,
};

/// Proofs read and checked together.
const BATCH: usize = 16;
/// Largest statement, in bytes, that is held in memory; longer ones are read once more while proofs are checked.
const HELD: u64 = 64 << 20;

/// Checks that a proof shows knowledge of short preimages for a statement
///
/// The parameters, A and T come from the statement file alone. Exit code 0: every proof is valid; 1: one is not; 2: a file
/// is malformed, unreadable or has insecure parameters.
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  verify --statement s.lzs --proof p.lzp")]
struct Args {
    /// Statement file
    #[arg(long, value_name = "FILE")]
    statement: PathBuf,
    /// Proof file; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    proof: Vec<PathBuf>,
    /// What the proof was made for
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// Go on although the statement's parameters are insecure: a proof then shows little or nothing
    #[arg(long)]
    insecure: bool,
    #[command(flatten)]
    device: device::Choice,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    cli::run(|args: Args| {
        let threads = args.common.start_threads()?;
        let device = args.device.open()?;
        let start = Instant::now();
        let file = cli::open(&args.statement)?;
        // Its parameters are the choice of whoever wrote it: anything can be proved under weak ones.
        let security = if args.insecure { Security::Waived } else { Security::Required };
        let read = if file.len() <= HELD { Statement::load } else { Statement::read };
        let statement = read(&file, security);
        let statement = statement.map_err(|e| Failure::file(&args.statement, e))?;
        let read = start.elapsed().as_secs_f64();
        let a = PublicMatrix::expand(args.common.isa, statement.params(), *statement.seed_a());
        let a = device.attach(a);
        let expand = start.elapsed().as_secs_f64() - read;
        let verdicts = check(&args, &a, &statement, &file)?;
        let verify = start.elapsed().as_secs_f64() - read - expand;
        // A malformed proof is bad input, a well-formed one that does not hold is a negative answer.
        let mut first_bad = None;
        for (path, verdict) in args.proof.iter().zip(verdicts) {
            if let Validity::Invalid(reason) = verdict.map_err(|e| Failure::file(path, e))? {
                first_bad.get_or_insert_with(|| format!("{}: {reason}", path.display()));
            }
        }
        let estimate = statement.params().estimate();
        let secure = !args.insecure || statement.params().check_security().is_ok();
        if args.common.json {
            say(serde_json::json!({
                "valid": first_bad.is_none(), "reason": first_bad, "secure_parameters": secure,
                "sis_bits": estimate.sis.classical, "hiding_bits": estimate.hiding().classical,
                "seconds": { "read": read, "expand": expand, "verify": verify },
                "isa": args.common.isa.name(), "threads": threads, "device": device.name(),
            }))?;
        } else {
            let (binding, hiding) = (estimate.sis.classical, estimate.hiding().classical);
            say(format_args!(
                "security    binding {binding:.1} bits, hiding {hiding:.1} bits (classical core-SVP)"
            ))?;
            let [read, expand, verify] = [read, expand, verify].map(|time| time * 1e3);
            say(format_args!(
                "time        statement {read:.1} ms, A {expand:.1} ms, check {verify:.1} ms ({}, {threads} threads{device})",
                args.common.isa
            ))?;
        }
        Ok(if first_bad.is_some() { Answer::No } else { Answer::Yes })
    })
}

/// The verdict on each proof, said as soon as it is known; the others of a batch do not suffer from a bad one.
fn check(
    args: &Args,
    a: &PublicMatrix,
    statement: &Statement,
    file: &FileSource,
) -> Result<Vec<Result<Validity, zk::Error>>, Failure> {
    let mut verdicts = Vec::new();
    // A batch at a time, so that memory does not grow with the number of proofs.
    for paths in args.proof.chunks(BATCH) {
        let proofs = paths.iter().map(|path| cli::read(path)).collect::<Result<Vec<_>, _>>()?;
        let context = args.context.as_bytes();
        let claim = |proof| Claim { statement, statement_file: file, context, proof };
        let claims: Vec<Claim> = proofs.iter().map(|proof| claim(proof)).collect();
        for (path, verdict) in paths.iter().zip(a.verify_batch(&claims)) {
            let text = match &verdict {
                Ok(Validity::Valid) => "valid".to_owned(),
                Ok(Validity::Invalid(reason)) => format!("invalid: {reason}"),
                Err(e) => e.to_string(),
            };
            if !args.common.json && args.proof.len() > 1 {
                say(format_args!("{}: {text}", path.display()))?;
            } else if !args.common.json && verdict.is_ok() {
                say(text)?;
            }
            verdicts.push(verdict);
        }
    }
    Ok(verdicts)
}
