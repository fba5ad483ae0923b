//! What every example binary shares: common flags, exit codes, whole-file output, progress.
//!
//! Contract: exit 0 means done or "valid", 1 a negative answer, 2 bad usage or input. One line on stderr says what was
//! wrong, where, and what would be right. No output file is ever left half-written.
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "a module of several binaries, each using its own part"
)]

mod output;
mod partial;
mod seed;

use std::fmt::Display;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{FromArgMatches as _, Parser};
use tautochrone::ctr::Seed;
use tautochrone::simd::{ENVIRONMENT, Isa};
use tautochrone::zk::{Params, Prover};

pub use output::{Output, Privacy, distinct, place};
pub use seed::{SeedBytes, part, public_part};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Flags that every example takes; `#[command(flatten)]` it.
#[derive(Debug)]
pub struct Common {
    /// Where to compute.
    pub isa: Isa,
    /// Worker threads; all processors if it is not given.
    pub threads: Option<u16>,
    /// What everything random in the run comes from; the operating system's entropy if it is not given.
    pub seed: Option<SeedBytes>,
    /// One JSON object is all that goes to stdout.
    pub json: bool,
}

/// [`Common`] as it is on the command line.
///
/// The instruction set has no default value for clap, which would parse it in any case: that would ask
/// the operating system for AMX even where another one was named.
#[derive(Debug, clap::Args)]
struct Flags {
    /// Instruction set: auto, portable, avx2, avx2-gfni, avx512-base, avx512, amx; the variable
    /// TAUTOCHRONE_ISA caps it [default: auto]
    #[arg(long, value_name = "NAME", help_heading = "Common options")]
    isa: Option<Isa>,
    /// Worker threads [default: all processors]
    #[arg(long, value_name = "N", help_heading = "Common options", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// 64 hex digits; makes the run, but for proofs, deterministic on every machine
    /// [default: the operating system's entropy]
    #[arg(long, value_name = "HEX", help_heading = "Common options", value_parser = seed::parse)]
    seed: Option<SeedBytes>,
    /// Print exactly one JSON object on stdout and nothing else there
    #[arg(long, help_heading = "Common options")]
    json: bool,
}

impl From<Flags> for Common {
    fn from(Flags { isa, threads, seed, json }: Flags) -> Self {
        Self { isa: isa.unwrap_or_else(Isa::detect), threads, seed, json }
    }
}

impl clap::FromArgMatches for Common {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        Flags::from_arg_matches(matches).map(Self::from)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|new| *self = new)
    }
}

impl clap::Args for Common {
    fn augment_args(command: clap::Command) -> clap::Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Flags::augment_args_for_update(command)
    }

    fn group_id() -> Option<clap::Id> {
        Flags::group_id()
    }
}

/// What a prover takes besides; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct ProverOptions {
    /// Make the proof, too, a function of --seed: if one product is ever wrong, two runs reveal the secret
    #[arg(long, requires = "seed", help_heading = "Common options")]
    pub reproducible: bool,
}

impl ProverOptions {
    /// The prover that was asked for.
    pub fn apply<'a>(&self, prover: Prover<'a>) -> Prover<'a> {
        if self.reproducible { prover.reproducible() } else { prover }
    }
}

impl Common {
    /// Sizes the global thread pool; returns the number of threads. Call once, before any parallel work.
    pub fn start_threads(&self) -> Result<usize, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from));
        pool.build_global()
            .map_err(|e| Failure::new(format!("cannot start the worker threads: {e}")))?;
        Ok(rayon::current_num_threads())
    }

    /// The seed of everything random in a run: that of `--seed`, else the operating system's entropy.
    pub fn secret_seed(&self) -> Result<Seed, Failure> {
        match &self.seed {
            Some(bytes) => Ok(Seed::from_bytes(*bytes.0)),
            None => Seed::from_os().map_err(Failure::new),
        }
    }

    /// A progress bar on stderr: hidden unless stderr is a terminal and JSON is off.
    pub fn progress(&self, what: &'static str, steps: u64) -> indicatif::ProgressBar {
        if self.json || !io::stderr().is_terminal() {
            return indicatif::ProgressBar::hidden();
        }
        let style = indicatif::ProgressStyle::with_template(
            "{msg:>10} [{bar:40}] {percent:>3} %  {elapsed}",
        )
        .expect("the template is well formed");
        indicatif::ProgressBar::new(steps).with_style(style).with_message(what)
    }
}

/// A run that ends with exit code 2, and the one line that explains it.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    pub fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    /// For an error about a file.
    pub fn file(path: &Path, error: impl Display) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a run that did not fail answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Exit code 0: done, or "valid".
    Yes,
    /// Exit code 1: a negative answer.
    No,
}

/// Parses the command line, runs `body`, and turns its result into an exit code. Bad usage is one line and exit 2.
pub fn run<A: Parser>(body: impl FnOnce(A) -> Result<Answer, Failure>) -> ExitCode {
    // Before anything is detected.
    if let Err(e) = Isa::check_environment() {
        return fail(&format!("the environment variable {ENVIRONMENT}: {e}"));
    }
    let args = match A::try_parse() {
        Ok(args) => args,
        Err(e) if e.use_stderr() => {
            let text = e.render().to_string();
            let line = text
                .lines()
                .take_while(|l| !l.starts_with("Usage") && !l.starts_with("For more"))
                .map(str::trim);
            let line = line.filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
            return fail(&format!("{} (see --help)", line.trim_start_matches("error: ")));
        }
        Err(e) => {
            return if e.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    match body(args) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(Failure(message)) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    warn(format_args!("error: {message}"));
    ExitCode::from(2)
}

/// A line on stderr; if that is closed, nothing is left to do.
pub fn warn(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a line of the answer to stdout; a closed pipe is a failure, not a panic.
pub fn say(line: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(|e| Failure::new(format!("stdout: {e}")))
}

/// Most bytes of an input that is data: 1 GiB.
pub const DATA: u64 = 1 << 30;
/// Most bytes of an input that stands for an option, such as a number or a key: 1 MiB.
pub const OPTION: u64 = 1 << 20;

/// Reads a whole input of at most `most` bytes; `-` is stdin. Of a longer file nothing is read, and of a device or pipe
/// without end one byte more.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let known = |path: &Path| path.metadata().ok().filter(std::fs::Metadata::is_file);
    let known = if path == Path::new("-") { None } else { known(path) };
    if known.is_none_or(|file| file.len() <= most) {
        let bytes = read_start(path, most).map_err(|e| about_input(path, &e))?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(about_input(path, &format_args!("has over {most} bytes, the most that is read here")))
}

/// Reads an input that must have `len` bytes, and no more than one byte beyond them however long it is; `-` is stdin.
pub fn read_exactly(path: &Path, len: usize, what: impl Display) -> Result<Vec<u8>, Failure> {
    let bytes = read_start(path, len as u64).map_err(|e| about_input(path, &e))?;
    if bytes.len() == len {
        return Ok(bytes);
    }
    let got = if bytes.len() > len { "more".to_owned() } else { bytes.len().to_string() };
    Err(about_input(path, &format!("expected {len} bytes ({what}), found {got}")))
}

/// Reads a proof, and no more than one byte beyond the longest with these parameters however long
/// it is: what is longer is refused when it is parsed. `-` is stdin.
pub fn read_proof(path: &Path, params: &Params) -> io::Result<Vec<u8>> {
    read_start(path, params.max_proof_bytes())
}

/// The first `most` bytes of an input, and one more if there is one.
fn read_start(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = most.saturating_add(1);
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// An error about a file, or about stdin.
pub fn about_input(path: &Path, e: &dyn Display) -> Failure {
    if path == Path::new("-") {
        Failure::new(format!("stdin: {e}"))
    } else {
        Failure::file(path, e)
    }
}

/// Opens a regular file for reading at any offset.
pub fn open(path: &Path) -> Result<tautochrone::zk::FileSource, Failure> {
    let file = std::fs::File::open(path).map_err(|e| Failure::file(path, e))?;
    tautochrone::zk::FileSource::new(file).map_err(|e| Failure::file(path, e))
}
