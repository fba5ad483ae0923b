//! The command line of `keys`.

use std::path::{Path, PathBuf};

use tautochrone_cli::{Common, Seeded};
use tautochrone_zk_keys::Set;

/// Proves that a list of ML-KEM or FrodoKEM public keys is well formed, exactly, and that you know
/// all of their secrets
#[derive(Debug, clap::Parser)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:\n  keys prove --set ML-KEM-768 --ml-kem certs --purpose 'CA, 2026-11-27' --statement s.lzs --proof p.lzp\n  keys verify --set ML-KEM-768 --ml-kem certs --purpose 'CA, 2026-11-27' --statement s.lzs --proof p.lzp\n  keys prove --set FrodoKEM-640-SHAKE --ids list.txt --purpose 'round 7' --statement s.lzs --proof p.lzp"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Write a statement and a proof about public keys whose secret keys you have
    Prove(Prove),
    /// Check such a proof, from the public keys
    Verify(Verify),
}

/// Which keys, whose they are, and what for.
#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// Parameter set of all keys: ML-KEM-512, -768 or -1024, or FrodoKEM-640, -976 or -1344 with
    /// -SHAKE or -AES behind it
    #[arg(long, value_name = "NAME")]
    pub(crate) set: Set,
    /// List of up to 64 MiB of keys, one a line: identity, file of the public key, file of the
    /// secret key, with tabs between them; files are relative to the folder of the list, and
    /// whoever verifies needs no secret keys. With --ml-kem, one NAME a line. Empty lines and lines
    /// that begin with # are passed over; `-` is stdin
    #[arg(long, value_name = "FILE", required_unless_present = "ml_kem")]
    pub(crate) ids: Option<PathBuf>,
    /// Folder with the ML-KEM keys NAME.pub and NAME.priv, where NAME is the identity. All keys are
    /// taken, in the order of the bytes of their names, or the ones that --ids lists. Each is PEM
    /// or DER (RFC 9935), or in the standard encoding, as files of --ids may be
    #[arg(long, value_name = "DIR")]
    pub(crate) ml_kem: Option<PathBuf>,
    /// The purpose of the proof, such as who asks for it and a date: it is not valid for anything
    /// else
    #[arg(long, value_name = "TEXT")]
    pub(crate) purpose: String,
}

impl Which {
    /// Where keys are named, with the flag.
    pub(crate) fn source(&self) -> (&'static str, &Path) {
        match (&self.ids, &self.ml_kem) {
            (Some(path), _) => ("ids", path),
            (None, Some(path)) => ("ml-kem", path),
            (None, None) => unreachable!("one of the two is required"),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Statement file to write: commitments to the secrets
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Statement file; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Proof file; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: PathBuf,
    /// A further requirement on a valid proof: `keys:N`, that there are at least N keys, as they
    /// are found in a folder
    #[arg(long, value_name = "SPEC", value_parser = keys_at_least)]
    pub(crate) require: Option<usize>,
    #[command(flatten)]
    pub(crate) common: Common,
}

fn keys_at_least(text: &str) -> Result<usize, &'static str> {
    let count = text.strip_prefix("keys:").and_then(|count| count.parse().ok());
    count.ok_or("expected keys:N, as keys:64")
}
