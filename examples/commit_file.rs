//! Use as a library: commit to a file today, open single pieces of it later.
//!
//! ```sh
//! commit_file commit --in log.txt --statement s.lzs --proof p.lzp --key k     # publish s.lzs and p.lzp
//! commit_file open --in log.txt --statement s.lzs --key k --piece 3 --out o   # publish o
//! commit_file check --statement s.lzs --proof p.lzp --piece 3 --opening o     # prints the piece
//! ```
//!
//! The file is cut into pieces of 127 bytes. Each is a message of 1024 bits (a byte says how many bytes are used) under
//! uniform randomness, and a column of T commits to it. The proof shows that all pieces can be opened; an opening reveals
//! one piece and nothing about the others.

#[path = "support/cli.rs"]
mod cli;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cli::{Answer, Common, Failure, Output, Privacy, say};
use tautochrone::ctr::{Label, Seed};
use tautochrone::zk::uses::commitment::MessageSpace;
use tautochrone::zk::{Goal, Prover, PublicMatrix, Security, Statement, Validity, Verifier};

/// Bytes of a file in a piece.
const PIECE: usize = 127;
/// Bits of a piece, its length byte included.
const ROWS: u32 = 8 * (PIECE as u32 + 1);
const CONTEXT: &[u8] = b"commit_file: pieces of 127 bytes";

/// Commits to a file and opens pieces of it
#[derive(Debug, clap::Parser)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Write a statement, a proof and the secret key of the openings
    Commit(Commit),
    /// Write the opening of one piece
    Open(Open),
    /// Check the proof and an opening, and print the piece
    Check(Check),
}

#[derive(Debug, clap::Args)]
struct Commit {
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[arg(long, value_name = "OUT")]
    statement: PathBuf,
    #[arg(long, value_name = "OUT")]
    proof: PathBuf,
    /// Secret key file to write (mode 0600)
    #[arg(long, value_name = "OUT")]
    key: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Open {
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[arg(long, value_name = "FILE")]
    statement: PathBuf,
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[arg(long, value_name = "INDEX")]
    piece: u64,
    /// Opening to write
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Check {
    #[arg(long, value_name = "FILE")]
    statement: PathBuf,
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    #[arg(long, value_name = "INDEX")]
    piece: u64,
    #[arg(long, value_name = "FILE")]
    opening: PathBuf,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    cli::run(|args: Args| match &args.task {
        Task::Commit(task) => commit(task, &task.common),
        Task::Open(task) => open(task, &task.common),
        Task::Check(task) => check(task, &task.common),
    })
}

/// One column of bits a piece: 0 or 1, so b = 1.
fn messages(path: &Path) -> Result<Vec<i8>, Failure> {
    let file = cli::read(path)?;
    if file.is_empty() {
        return Err(Failure::file(path, "is empty; there is nothing to commit to"));
    }
    let mut bits = Vec::with_capacity(file.len().div_ceil(PIECE) * ROWS as usize);
    for piece in file.chunks(PIECE) {
        let mut bytes = [0; PIECE + 1];
        bytes[0] = piece.len() as u8;
        bytes[1..=piece.len()].copy_from_slice(piece);
        bits.extend(bytes.iter().flat_map(|byte| (0..8).map(move |i| (byte >> i & 1) as i8)));
    }
    Ok(bits)
}

fn commit(task: &Commit, common: &Common) -> Result<Answer, Failure> {
    common.start_threads()?;
    let messages = messages(&task.input)?;
    let key = common.secret_seed()?;
    // The rows of the message hide nothing, so parameters are sought with so many rows besides.
    let l = messages.len() as u64 / u64::from(ROWS);
    let goal = Goal { message_rows: ROWS, ..Goal::new(32, 1, l) };
    let params =
        goal.optimise().and_then(|p| p.validate(Security::Required)).map_err(Failure::new)?;
    let space = MessageSpace::new(&params, ROWS, Security::Required).map_err(Failure::new)?;
    let witness = space.witness(&params, &messages, randomness(&key)).map_err(Failure::new)?;

    let mut seed_a = [0; 32];
    key.stream(Label::new("commit_file: A"), 0).fill(&mut seed_a);
    let a = PublicMatrix::expand(common.isa, &params, seed_a);
    let mut file = BufWriter::new(Output::create(&task.statement, Privacy::Public)?);
    let statement = a.commit(&witness, &mut file).map_err(Failure::new)?;
    let prover = Prover::new(&a, &statement, Security::Required).map_err(Failure::new)?;
    let proof =
        prover.prove(CONTEXT, &witness, &key).map_err(Failure::new)?.proof.to_bytes(&params);
    // The key first: a published statement whose key is lost can never be opened.
    Output::write_whole(&task.key, Privacy::Secret, hex::encode(key.expose()).as_bytes())?;
    file.into_inner().map_err(|e| Failure::file(&task.statement, e.error()))?.finish()?;
    Output::write_whole(&task.proof, Privacy::Public, &proof)?;
    let hiding = space.hiding().classical;
    if common.json {
        say(serde_json::json!({
            "pieces": l, "hiding_bits": hiding, "proof_bytes": proof.len(),
        }))?;
    } else {
        let proof = proof.len();
        say(format_args!("{l} pieces, {hiding:.0} bits of hiding, proof of {proof} bytes"))?;
    }
    Ok(Answer::Yes)
}

fn open(task: &Open, common: &Common) -> Result<Answer, Failure> {
    common.start_threads()?;
    let messages = messages(&task.input)?;
    let mut key = [0; 32];
    hex::decode_to_slice(cli::read(&task.key)?, &mut key)
        .map_err(|_| Failure::file(&task.key, "expected 64 hexadecimal digits"))?;
    let statement = Statement::read(&cli::open(&task.statement)?).map_err(Failure::new)?;
    let params = statement.params();
    if task.piece >= params.l() {
        return Err(Failure::new(format!(
            "--piece {}; the last is {}",
            task.piece,
            params.l() - 1
        )));
    }
    let space = MessageSpace::new(params, ROWS, Security::Waived).map_err(Failure::new)?;
    let witness = space
        .witness(params, &messages, randomness(&Seed::from_bytes(key)))
        .map_err(Failure::new)?;
    let column =
        tautochrone::zk::uses::column(params, &witness, task.piece).map_err(Failure::new)?;
    let bytes: Vec<u8> = column.iter().map(|s| s.cast_unsigned()).collect();
    Output::write_whole(&task.out, Privacy::Public, &bytes)?;
    if common.json {
        say(serde_json::json!({ "piece": task.piece, "opening_bytes": bytes.len() }))?;
    }
    Ok(Answer::Yes)
}

fn check(task: &Check, common: &Common) -> Result<Answer, Failure> {
    common.start_threads()?;
    let file = cli::open(&task.statement)?;
    let statement = Statement::read(&file).map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    // As secure as the committer's own check would ask for, and with room for a message.
    let space = MessageSpace::new(params, ROWS, Security::Required).map_err(Failure::new)?;
    let a = PublicMatrix::expand(common.isa, params, *statement.seed_a());
    let proof = cli::read(&task.proof)?;
    let verdict = Verifier::new(&a, &statement).verify(CONTEXT, &file, &proof);
    if let Validity::Invalid(reason) = verdict.map_err(|e| Failure::file(&task.proof, e))? {
        return no(task, common, &format!("invalid proof: {reason}"));
    }
    let column: Vec<i8> = cli::read(&task.opening)?.iter().map(|byte| byte.cast_signed()).collect();
    if column.len() != params.v() as usize {
        let error = format!("{} bytes; an opening has {}", column.len(), params.v());
        return Err(Failure::file(&task.opening, error));
    }
    let t = statement.column(&file, task.piece).map_err(Failure::new)?;
    let bits = space.message(&column);
    let byte = |bits: &[i8]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | (bit as u8 & 1));
    let bytes: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
    let length = usize::from(bytes[0]);
    let is_message = bits.iter().all(|&bit| bit == 0 || bit == 1) && length <= PIECE;
    if !is_message || !a.opens(&t, &column) {
        let problem = format!("{} does not open piece {}", task.opening.display(), task.piece);
        return no(task, common, &problem);
    }
    let piece = &bytes[1..=length];
    if common.json {
        say(serde_json::json!({ "piece": task.piece, "valid": true, "hex": hex::encode(piece) }))?;
    } else {
        let written = std::io::stdout().write_all(piece);
        written.map_err(|e| Failure::new(format!("stdout: {e}")))?;
    }
    Ok(Answer::Yes)
}

/// A negative answer and its reason.
fn no(task: &Check, common: &Common, reason: &str) -> Result<Answer, Failure> {
    eprintln!("{reason}");
    if common.json {
        say(serde_json::json!({ "piece": task.piece, "valid": false, "reason": reason }))?;
    }
    Ok(Answer::No)
}

/// The randomness under the messages has a seed of its own.
fn randomness(key: &Seed) -> Seed {
    let mut bytes = [0; 32];
    key.stream(Label::new("commit_file: randomness"), 0).fill(&mut bytes);
    Seed::from_bytes(bytes)
}
