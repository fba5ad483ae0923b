//! The command line of `verify`.

use std::path::PathBuf;

use tautochrone_zk::Security;

use tautochrone_cli::Common;
use tautochrone_cli::device;
use tautochrone_cli::require::RequireArgs;

/// Checks that a proof shows knowledge of short preimages for a statement
///
/// The parameters, A and T come from the statement file alone. Every proof has its own verdict.
/// Exit code 2: the statement or a proof is malformed or unreadable, or the parameters are
/// insecure; else 1: a proof is invalid, or shows less than `--require` asks for; else 0.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  verify --statement s.lzs --proof p.lzp\n  verify --statement keys.lzs --proof keys.lzp --require exact-keys:1:1"
)]
pub(crate) struct Args {
    /// Statement file; it is read at any offset, so a pipe will not do
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Proof file; may be given several times; `-` is stdin
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) proof: Vec<PathBuf>,
    /// Purpose that the proof was made for
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// A' in full, if the statement was made for one that is given; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,
    /// Public keys that T must be, each r integers below 2^w of ceil(w / 8) bytes, little-endian
    #[arg(long, value_name = "FILE")]
    pub(crate) public_keys: Option<PathBuf>,
    /// How many first rows of S are messages, known or chosen by others, as the maker of the
    /// statement says; they hide nothing
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub(crate) message_rows: u32,
    /// Go on although the statement's parameters are insecure: a proof then shows little or nothing
    #[arg(long)]
    pub(crate) insecure: bool,
    #[command(flatten)]
    pub(crate) required: RequireArgs,
    #[command(flatten)]
    pub(crate) device: device::Choice,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Args {
    /// The parameters of a statement are the choice of whoever wrote it: anything can be proved
    /// under weak ones.
    pub(crate) fn security(&self) -> Security {
        if self.insecure { Security::Waived } else { Security::Required }
    }
}
