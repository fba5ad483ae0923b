//! The command line of `circuit`.

use std::path::PathBuf;

use tautochrone_cli::Common;

/// Proves that you know secret inputs of a circuit, and nothing else about them
#[derive(Debug, clap::Parser)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:\n  circuit prove --sha256 secret.txt --statement s.lzs --proof p.lzp\n  circuit verify --sha256 DIGITS --length 12 --statement s.lzs --proof p.lzp\n  circuit prove --r1cs c.r1cs --wtns w.wtns --public p.json --statement s.lzs --proof p.lzp\n  circuit verify --r1cs c.r1cs --public p.json --statement s.lzs --proof p.lzp"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Commit to the wires of a circuit and prove that its constraints hold
    Prove(Prove),
    /// Check such a proof
    Verify(Verify),
}

/// What is known.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Secret {
    /// File of up to 4096 bytes whose SHA-256 digest is public; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) sha256: Option<PathBuf>,
    /// File of up to 4096 bytes whose Poseidon2 digest is public; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) poseidon2: Option<PathBuf>,
    /// Circuit over p = 2^61 - 1, as circom writes it
    #[arg(long, value_name = "FILE", requires = "wtns", requires = "public")]
    pub(crate) r1cs: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    #[command(flatten)]
    pub(crate) what: Secret,
    /// Values of the wires of --r1cs
    #[arg(long, value_name = "FILE", requires = "r1cs")]
    pub(crate) wtns: Option<PathBuf>,
    /// File of the public inputs of --r1cs to write: a JSON array of numbers in quotes
    #[arg(long, value_name = "OUT", requires = "r1cs")]
    pub(crate) public: Option<PathBuf>,
    /// What the proof is for: it is not valid for anything else
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Statement file to write: the commitments
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What is said to be known.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Claimed {
    /// SHA-256 digest of a secret message, in hexadecimal digits
    #[arg(long, value_name = "DIGITS", requires = "length")]
    pub(crate) sha256: Option<String>,
    /// Poseidon2 digest of a secret message, in hexadecimal digits
    #[arg(long, value_name = "DIGITS", requires = "length")]
    pub(crate) poseidon2: Option<String>,
    /// Circuit over p = 2^61 - 1, as circom writes it
    #[arg(long, value_name = "FILE", requires = "public")]
    pub(crate) r1cs: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) what: Claimed,
    /// Bytes of the message
    #[arg(long, value_name = "BYTES", conflicts_with = "r1cs", value_parser = clap::value_parser!(u16).range(..=4096))]
    pub(crate) length: Option<u16>,
    /// Public inputs of --r1cs: a JSON array of numbers in quotes
    #[arg(long, value_name = "FILE", requires = "r1cs")]
    pub(crate) public: Option<PathBuf>,
    /// What the proof is for
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Statement file
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Proof file; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}
