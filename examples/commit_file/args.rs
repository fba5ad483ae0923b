//! The command line of `commit_file`.

use std::path::PathBuf;

use crate::cli::Common;

/// Commits to a file and opens pieces of it
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Example:\n  commit_file commit --in README.md --statement s.lzs --proof p.lzp --key k"
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
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
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
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
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
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: PathBuf,
    #[arg(long, value_name = "INDEX")]
    pub(crate) piece: u64,
    #[arg(long, value_name = "FILE")]
    pub(crate) opening: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}
