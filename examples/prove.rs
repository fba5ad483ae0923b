//! Proves knowledge of short preimages and writes statement and proof to files.
//!
//! `cargo run --release --example prove -- --preset T4-128 --statement s.lzs --proof p.lzp --check`

#[path = "support/cli.rs"]
mod cli;
#[path = "support/device.rs"]
mod device;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, Output, Privacy, say};
use device::Opened;
use tautochrone::ctr::{Label, Seed};
use tautochrone::zk::{
    CustomParams, FileSource, Params, Preset, Prover, PublicMatrix, RandomWitness, Security,
    Validity, Verifier, WitnessFile, WitnessSource,
};

/// Proves that you know a matrix S of small entries with T = A S mod 2^w, without revealing it
///
/// Writes a statement (parameters, the seed of A, T) and a proof that anybody can check with `verify`.
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  prove --preset T4-128 --statement s.lzs --proof p.lzp --check")]
struct Args {
    /// Parameters by name: T1-128, T4-128, T64-128, B1-128, B4-128, B64-128, T4-Q128, T4-256, P4-128, seed
    #[arg(long, value_name = "NAME", default_value = "T4-128")]
    preset: String,
    /// Parameters from a TOML or JSON file instead
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    params: Option<PathBuf>,
    /// Change the number of columns of the witness
    #[arg(long, value_name = "L")]
    columns: Option<u64>,
    /// Witness: v * l signed bytes, column after column [default: a random one]
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Write the witness that was used (mode 0600)
    #[arg(long, value_name = "FILE")]
    witness_out: Option<PathBuf>,
    /// Challenge distribution [default: the preset's]
    #[arg(long, value_parser = ["ternary", "binary"])]
    challenge: Option<String>,
    /// Encoding of the proof
    #[arg(long, value_parser = ["rice", "rans"], default_value = "rice")]
    encoding: String,
    /// What the proof is for; a verifier must give the same text
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// Go on although the parameters are insecure
    #[arg(long)]
    insecure: bool,
    /// Statement file to write
    #[arg(long, value_name = "OUT")]
    statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    proof: PathBuf,
    /// Verify the proof before it is written
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    device: device::Choice,
    #[command(flatten)]
    common: Common,
}

impl Args {
    fn params(&self) -> Result<Params, Failure> {
        let custom = match &self.params {
            Some(path) => {
                let text = String::from_utf8(cli::read(path)?)
                    .map_err(|_| Failure::file(path, "not UTF-8; expected TOML or JSON"))?;
                if text.trim_start().starts_with('{') {
                    serde_json::from_str(&text).map_err(|e| Failure::file(path, e))?
                } else {
                    toml::from_str(&text).map_err(|e| Failure::file(path, e.message()))?
                }
            }
            None => Preset::named(&self.preset).map_err(Failure::new)?.custom(),
        };
        let custom = CustomParams {
            l: self.columns.unwrap_or(custom.l),
            binary: self.challenge.as_deref().map_or(custom.binary, |kind| kind == "binary"),
            rans: custom.rans || self.encoding == "rans",
            ..custom
        };
        custom.validate(self.security()).map_err(Failure::new)
    }

    fn security(&self) -> Security {
        if self.insecure { Security::Waived } else { Security::Required }
    }
}

fn main() -> ExitCode {
    cli::run(|args: Args| {
        let threads = args.common.start_threads()?;
        let device = args.device.open()?;
        let params = args.params()?;
        let seeds = Seeds::new(&args)?;
        if let Some(path) = &args.witness {
            let file = std::fs::File::open(path).map_err(|e| Failure::file(path, e))?;
            let source = FileSource::new(file).map_err(|e| Failure::file(path, e))?;
            let witness = WitnessFile::new(&params, source).map_err(|e| Failure::file(path, e))?;
            return prove(&args, &params, &witness, &seeds, threads, &device);
        }
        prove(&args, &params, &RandomWitness::new(seeds.witness()), &seeds, threads, &device)
    })
}

/// Everything random in a run comes from one seed.
struct Seeds(Seed);

impl Seeds {
    fn new(args: &Args) -> Result<Self, Failure> {
        match &args.common.seed {
            Some(bytes) => {
                eprintln!(
                    "warning: with --seed the proof's secrets are only as secret as the seed"
                );
                Ok(Self(Seed::from_bytes(bytes.0)))
            }
            None => Seed::from_os().map(Self).map_err(Failure::new),
        }
    }

    fn part(&self, name: &'static str) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.stream(Label::new(name), 0).fill(&mut bytes);
        bytes
    }

    fn matrix(&self) -> [u8; 32] {
        self.part("prove: seed of A")
    }

    fn witness(&self) -> Seed {
        Seed::from_bytes(self.part("prove: witness"))
    }

    fn proof(&self) -> Seed {
        Seed::from_bytes(self.part("prove: Y"))
    }
}

/// Counts what passes, for the progress bar.
struct Counted<'a, W>(W, &'a indicatif::ProgressBar);

impl<W: Write> Write for Counted<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1.inc(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

fn prove(
    args: &Args,
    params: &Params,
    witness: &impl WitnessSource,
    seeds: &Seeds,
    threads: usize,
    device: &Opened,
) -> Result<Answer, Failure> {
    let start = Instant::now();
    let lap = |since: Instant| since.elapsed().as_secs_f64();
    let a = device.attach(PublicMatrix::expand(args.common.isa, params, seeds.matrix()));
    let expand = lap(start);

    let since = Instant::now();
    let bar = args.common.progress("commit", params.t_bytes() as u64);
    let mut file = Counted(BufWriter::new(Output::create(&args.statement, Privacy::Public)?), &bar);
    let statement = a.commit(witness, &mut file).map_err(Failure::new)?;
    let output = file.0.into_inner().map_err(|e| Failure::file(&args.statement, e.error()))?;
    bar.finish_and_clear();
    let commit = lap(since);

    let since = Instant::now();
    let prover = Prover::new(&a, &statement, args.security()).map_err(Failure::new)?;
    let proved =
        prover.prove(args.context.as_bytes(), witness, &seeds.proof()).map_err(Failure::new)?;
    let prove = lap(since);
    let since = Instant::now();
    let bytes = proved.proof.to_bytes(params);
    let encode = lap(since);

    if let Some(path) = &args.witness_out {
        write_witness(path, params, witness)?;
    }
    // The statement gets its name before it is read back for the check, the proof only after it.
    output.finish()?;
    let mut valid = None;
    if args.check {
        let file = cli::open(&args.statement)?;
        let verdict = Verifier::new(&a, &statement).verify(args.context.as_bytes(), &file, &bytes);
        let verdict = verdict.map_err(Failure::new)?;
        valid = Some(verdict == Validity::Valid);
        if let Validity::Invalid(reason) = verdict {
            say(format_args!("invalid: {reason} (does the witness belong to this statement?)"))?;
            return Ok(Answer::No);
        }
    }
    Output::write_whole(&args.proof, Privacy::Public, &bytes)?;
    let total = lap(start);

    let estimate = params.estimate();
    let statement_bytes = params.t_bytes() + 112;
    if args.common.json {
        say(serde_json::json!({
            "preset": args.params.is_none().then_some(&args.preset), "w": params.w(), "r": params.r(), "v": params.v(),
            "l": params.l(), "n": params.n(), "sigma": params.sigma(),
            "sis_bits": estimate.sis.classical, "hiding_bits": estimate.hiding().classical,
            "attempts": proved.attempts, "statement_bytes": statement_bytes as u64, "proof_bytes": bytes.len(),
            "seconds": { "expand": expand, "commit": commit, "prove": prove, "encode": encode, "total": total },
            "isa": args.common.isa.name(), "threads": threads, "device": device.name(), "valid": valid,
        }))?;
        return Ok(Answer::Yes);
    }
    say(format_args!(
        "parameters  q = 2^{}, A {} x {}, {} columns, n = {}, sigma = {}",
        params.w(),
        params.r(),
        params.v(),
        params.l(),
        params.n(),
        params.sigma()
    ))?;
    say(format_args!(
        "security    binding {:.1} bits, hiding {:.1} bits (classical core-SVP)",
        estimate.sis.classical,
        estimate.hiding().classical
    ))?;
    say(format_args!("statement   {} bytes in {}", statement_bytes, args.statement.display()))?;
    say(format_args!(
        "proof       {} bytes in {}, {:.1} bytes a column, {} attempts",
        bytes.len(),
        args.proof.display(),
        bytes.len() as f64 / params.l() as f64,
        proved.attempts
    ))?;
    say(format_args!(
        "time        A {:.1} ms, T {:.1} ms, proof {:.1} ms, encoding {:.1} ms ({}, {threads} threads{device})",
        expand * 1e3,
        commit * 1e3,
        prove * 1e3,
        encode * 1e3,
        args.common.isa
    ))?;
    if valid == Some(true) {
        say("check       valid")?;
    }
    Ok(Answer::Yes)
}

fn write_witness(
    path: &std::path::Path,
    params: &Params,
    witness: &impl WitnessSource,
) -> Result<(), Failure> {
    let mut output = Output::create(path, Privacy::Secret)?;
    let mut columns = vec![0_i8; params.v() as usize * 256];
    for block in 0..params.blocks() {
        let part = &mut columns[..(params.v() * params.block_columns(block)) as usize];
        witness.read_columns(params, block, part).map_err(Failure::new)?;
        let bytes: Vec<u8> = part.iter().map(|s| s.cast_unsigned()).collect();
        output.write_all(&bytes).map_err(|e| output.failure(e))?;
    }
    output.finish()
}
