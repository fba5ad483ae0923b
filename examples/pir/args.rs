//! The command line of `pir`.

use std::path::PathBuf;

use tautochrone_cli::{Common, Seeded};

/// Reads one block of a file on a server, which does not learn which one
///
/// Private information retrieval from one server in the manner of SimplePIR (Henzinger, Hong,
/// Corrigan-Gibbs, Meiklejohn, Vaikuntanathan, USENIX Security 2023). The server reads its whole
/// file for each query. What a client downloads once, the hint, has some
/// 5700 bytes for each byte of a block and a hash for each block, and a query four bytes for each
/// block: blocks of about the square root of the file's size are best, and small files are faster
/// downloaded whole. Files have up to 1 GiB.
///
/// A file that changes needs a new hint: `answer` refuses queries for another file, and `recover`
/// every block but the hint's, even from a server that lies. Such a server learns whether one
/// of the blocks was asked for about which it has lied, if it learns that `recover` has refused.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Example:\n  pir setup --in file --block 4096 --hint h\n  pir query --hint h --index 3 --query q --secret k\n  pir answer --in file --query q --answer a\n  pir recover --hint h --secret k --answer a --out -"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Server, once: write the hint, which is public
    Setup(SetupArgs),
    /// Client: write a query, and the secret that its answer needs
    Query(QueryArgs),
    /// Server: answer a query
    Answer(AnswerArgs),
    /// Client: recover the block from the answer
    Recover(RecoverArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct SetupArgs {
    /// The file that is served; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Bytes of a block: what one query retrieves
    #[arg(long, value_name = "BYTES", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) block: u32,
    /// Hint to write
    #[arg(long, value_name = "OUT")]
    pub(crate) hint: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The server's hint
    #[arg(long, value_name = "FILE")]
    pub(crate) hint: PathBuf,
    /// Which block, from 0
    #[arg(long, value_name = "INDEX")]
    pub(crate) index: u32,
    /// Query to write, for the server
    #[arg(long, value_name = "OUT")]
    pub(crate) query: PathBuf,
    /// Secret to write (mode 0600)
    #[arg(long, value_name = "OUT")]
    pub(crate) secret: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AnswerArgs {
    /// The file that is served; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// The client's query; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) query: PathBuf,
    /// Answer to write
    #[arg(long, value_name = "OUT")]
    pub(crate) answer: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RecoverArgs {
    /// The server's hint
    #[arg(long, value_name = "FILE")]
    pub(crate) hint: PathBuf,
    /// The secret of the query
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: PathBuf,
    /// The server's answer; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) answer: PathBuf,
    /// Block to write; `-` is stdout, which then has no report
    #[arg(long, value_name = "OUT|-")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}
