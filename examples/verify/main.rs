//! Checks proofs against a statement.
//!
//! `cargo run --release --example verify -- --statement s.lzs --proof p.lzp`

mod args;
#[path = "../support/cli.rs"]
mod cli;
#[path = "../support/device.rs"]
mod device;
mod report;

use std::process::ExitCode;
use std::time::Instant;

use args::Args;
use cli::{Answer, Failure, say};
use report::Times;
use tautochrone::zk::{self, Claim, FileSource, PublicMatrix, ReadAt, Statement, Validity};

/// Proofs read and checked together.
const BATCH: usize = 16;
/// Largest statement, in bytes, that is held in memory; longer ones are read once more while proofs are checked.
const HELD: u64 = 64 << 20;

fn main() -> ExitCode {
    cli::run(|args: Args| {
        let threads = args.common.start_threads()?;
        let device = args.device.open()?;

        // 1. The statement: parameters, the seed of A, and T.
        let start = Instant::now();
        let file = cli::open(&args.statement)?;
        let read = if file.len() <= HELD { Statement::load } else { Statement::read };
        let statement = read(&file, args.security());
        let statement = statement.map_err(|e| Failure::file(&args.statement, e))?;
        let read = start.elapsed().as_secs_f64();

        // 2. The public matrix A, expanded once for all proofs.
        let a = PublicMatrix::expand(args.common.isa, statement.params(), *statement.seed_a());
        let a = device.attach(a);
        let expand = start.elapsed().as_secs_f64() - read;

        // 3. The proofs. A malformed one is bad input, a well-formed one that does not hold is a negative answer.
        let verdicts = check(&args, &a, &statement, &file)?;
        let verify = start.elapsed().as_secs_f64() - read - expand;
        let mut first_bad = None;
        for (path, verdict) in args.proof.iter().zip(verdicts) {
            if let Validity::Invalid(reason) = verdict.map_err(|e| Failure::file(path, e))? {
                first_bad.get_or_insert_with(|| format!("{}: {reason}", path.display()));
            }
        }

        let times = Times { read, expand, verify };
        let reason = first_bad.as_deref();
        report::say_all(&args, statement.params(), reason, &times, (threads, &device))?;
        Ok(if reason.is_some() { Answer::No } else { Answer::Yes })
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
        let read = |path| cli::read_proof(path, statement.params());
        let proofs = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
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
