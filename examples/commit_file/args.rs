//! The command line of `commit_file`.

use std::path::PathBuf;

use tautochrone_cli::Common;

/// Commits to a file and opens pieces of it
#[derive(Debug, clap::Parser)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:\n  commit_file commit --in README.md --statement s.lzs --proof p.lzp --key k\n  commit_file open --in README.md --statement s.lzs --key k --piece 3 --out o\n  commit_file check --statement s.lzs --proof p.lzp --piece 3 --opening o"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Write a statement, a proof and the secret key of the openings
    Commit(Commit),
    /// Write the opening of one piece
    Open(Open),
    /// Check the proof and an opening, and print the piece
    Check(Check),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Commit {
    /// File to commit to, of up to 64 MiB; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Statement file to write: the commitments
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    /// Secret key file to write (mode 0600)
    #[arg(long, value_name = "OUT")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Open {
    /// The file, as it was committed to; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Statement file
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Secret key file
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Which piece, from 0
    #[arg(long, value_name = "INDEX")]
    pub(crate) piece: u64,
    /// Opening to write
    #[arg(long, value_name = "OUT")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Statement file
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Proof file
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: PathBuf,
    /// Which piece, from 0
    #[arg(long, value_name = "INDEX")]
    pub(crate) piece: u64,
    /// Opening of the piece; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) opening: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}
