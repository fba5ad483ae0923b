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
use tautochrone::zk::{Claim, PublicMatrix, Statement, Validity};

/// Proofs read and checked together.
const BATCH: usize = 16;

/// Checks that a proof shows knowledge of short preimages for a statement
///
/// The parameters, A and T come from the statement file alone. Exit code 0: every proof is valid; 1: one is not; 2: a file
/// is malformed or unreadable.
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
        let statement = Statement::read(&file).map_err(|e| Failure::file(&args.statement, e))?;
        let read = start.elapsed().as_secs_f64();
        let since = Instant::now();
        let a = PublicMatrix::expand(args.common.isa, statement.params(), *statement.seed_a());
        let a = device.attach(a);
        let expand = since.elapsed().as_secs_f64();

        let since = Instant::now();
        let (mut first_bad, mut broken) = (None, None);
        // Proofs are held a batch at a time, so that memory does not grow with their number.
        for paths in args.proof.chunks(BATCH) {
            let files = paths.iter().map(|path| cli::read(path)).collect::<Result<Vec<_>, _>>()?;
            let claims: Vec<Claim> = files
                .iter()
                .map(|proof| Claim {
                    statement: &statement,
                    statement_file: &file,
                    context: args.context.as_bytes(),
                    proof,
                })
                .collect();
            for (path, verdict) in paths.iter().zip(a.verify_batch(&claims)) {
                let text = match &verdict {
                    Ok(Validity::Valid) => "valid".to_owned(),
                    Ok(Validity::Invalid(reason)) => format!("invalid: {reason}"),
                    Err(e) => e.to_string(),
                };
                match verdict {
                    Ok(Validity::Valid) => {}
                    Ok(Validity::Invalid(reason)) => {
                        first_bad.get_or_insert((path, reason));
                    }
                    Err(e) => {
                        broken.get_or_insert(Failure::file(path, e));
                    }
                }
                if args.proof.len() > 1 && !args.common.json {
                    say(format_args!("{}: {text}", path.display()))?;
                } else if broken.is_none() && !args.common.json {
                    say(text)?;
                }
            }
        }
        if let Some(failure) = broken {
            return Err(failure);
        }
        let verify = since.elapsed().as_secs_f64();
        let estimate = statement.params().estimate();
        let insecure = statement.params().check_security().err();
        if args.common.json {
            say(serde_json::json!({
                "valid": first_bad.is_none(),
                "reason": first_bad.as_ref().map(|(path, reason)| format!("{}: {reason}", path.display())),
                "sis_bits": estimate.sis.classical, "hiding_bits": estimate.hiding().classical,
                "secure_parameters": insecure.is_none(),
                "seconds": { "read": read, "expand": expand, "verify": verify },
                "isa": args.common.isa.name(), "threads": threads, "device": device.name(),
            }))?;
        } else {
            if let Some(e) = insecure {
                say(format_args!("warning     {e}"))?;
            }
            say(format_args!(
                "security    binding {:.1} bits, hiding {:.1} bits (classical core-SVP)",
                estimate.sis.classical,
                estimate.hiding().classical
            ))?;
            say(format_args!(
                "time        statement {:.1} ms, A {:.1} ms, check {:.1} ms ({}, {threads} threads{device})",
                read * 1e3,
                expand * 1e3,
                verify * 1e3,
                args.common.isa
            ))?;
        }
        Ok(if first_bad.is_some() { Answer::No } else { Answer::Yes })
    })
}
