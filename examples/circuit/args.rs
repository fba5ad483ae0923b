//! The command line of `circuit`.

use std::path::PathBuf;

use tautochrone_cli::{Common, Seeded};

/// Proves that you know secret inputs of a circuit, and nothing else about them; also inputs to
/// which you have committed before
#[derive(Debug, clap::Parser)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:\n  circuit prove --sha256 secret.txt --statement s.lzs --proof p.lzp\n  circuit verify --sha256 DIGITS --length 12 --statement s.lzs --proof p.lzp\n  circuit prove --r1cs c.r1cs --wtns w.wtns --public p.json --statement s.lzs --proof p.lzp\n  circuit verify --r1cs c.r1cs --public p.json --statement s.lzs --proof p.lzp\n  circuit commit --in secret.txt --statement c.lzs --key k\n  circuit prove --sha256 secret.txt --committed c.lzs --key k --proof p.lzp\n  circuit verify --sha256 DIGITS --length 12 --committed c.lzs --slot 0 --proof p.lzp\n  circuit export --sha256 DIGITS --length 12 --r1cs c.r1cs --public p.json"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Commit to values, so that circuits about them can be proved later
    Commit(Commit),
    /// Commit to the wires of a circuit and prove that its constraints hold
    Prove(Prove),
    /// Check a proof
    Verify(Verify),
    /// Write the circuit of a digest, which other tools can read
    Export(Export),
}

/// The values to commit to.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Values {
    /// File of up to 4096 bytes, as its length and its bytes, seven in a value; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Numbers below 2^61 - 1: a JSON array of numbers in quotes; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Commit {
    #[command(flatten)]
    pub(crate) what: Values,
    /// How many claims can be proved later, each any number of times
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) slots: u32,
    /// How many secret wires besides the values a circuit may have for which the commitments are
    /// short: SHA-256 takes 27000 for 64 bytes, Poseidon2 2000
    #[arg(long, value_name = "NUMBER", default_value_t = 1 << 16, value_parser = clap::value_parser!(u64).range(..=1 << 26))]
    pub(crate) wires: u64,
    /// Statement file to write: the commitments
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Secret key file to write (mode 0600), in which `prove` records the slots that are used: no
    /// copy of it may be used as well, and a file that is there is never replaced
    #[arg(long, value_name = "OUT")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

/// The known secret.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Secret {
    /// File of up to 4096 bytes whose SHA-256 digest is public; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) sha256: Option<PathBuf>,
    /// File of up to 4096 bytes whose Poseidon2 digest is public; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) poseidon2: Option<PathBuf>,
    /// Circuit file of `circom --prime goldilocks --r1cs`, or in this format over p = 2^61 - 1
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
    /// Statement of `commit`, for the message with its length, or for the first secret wires of
    /// --r1cs
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with = "statement")]
    pub(crate) committed: Option<PathBuf>,
    /// Secret key file of `commit`
    #[arg(long, value_name = "FILE", requires = "committed")]
    pub(crate) key: Option<PathBuf>,
    /// The numbers of `commit --values`
    #[arg(long, value_name = "FILE", requires = "committed", requires = "r1cs")]
    pub(crate) values: Option<PathBuf>,
    /// Purpose of the proof: it is not valid for anything else
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Statement file to write: the commitments
    #[arg(long, value_name = "OUT", required_unless_present = "committed")]
    pub(crate) statement: Option<PathBuf>,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

/// The claimed knowledge.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Claimed {
    /// SHA-256 digest of a secret message, in hexadecimal digits
    #[arg(long, value_name = "DIGITS", requires = "length")]
    pub(crate) sha256: Option<String>,
    /// Poseidon2 digest of a secret message, in hexadecimal digits
    #[arg(long, value_name = "DIGITS", requires = "length")]
    pub(crate) poseidon2: Option<String>,
    /// Circuit file of `circom --prime goldilocks --r1cs`, or in this format over p = 2^61 - 1
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
    /// Statement of `commit`, in the place of --statement
    #[arg(long, value_name = "FILE", requires = "slot", conflicts_with = "statement")]
    pub(crate) committed: Option<PathBuf>,
    /// Which slot of the commitments the proof is for
    #[arg(long, value_name = "INDEX", requires = "committed")]
    pub(crate) slot: Option<u32>,
    /// How many secret wires of --r1cs were committed to: the first ones
    #[arg(long, value_name = "NUMBER", requires = "committed", requires = "r1cs", value_parser = clap::value_parser!(u32).range(..=1 << 26))]
    pub(crate) inputs: Option<u32>,
    /// Purpose of the proof
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Statement file
    #[arg(long, value_name = "FILE", required_unless_present = "committed")]
    pub(crate) statement: Option<PathBuf>,
    /// Proof file; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A digest that is public.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Hashed {
    /// SHA-256 digest of a message, in hexadecimal digits
    #[arg(long, value_name = "DIGITS")]
    pub(crate) sha256: Option<String>,
    /// Poseidon2 digest of a message, in hexadecimal digits
    #[arg(long, value_name = "DIGITS")]
    pub(crate) poseidon2: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) what: Hashed,
    /// Bytes of the message
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u16).range(..=4096))]
    pub(crate) length: u16,
    /// The circuit for a message that was committed to: its length and bytes are the first wires
    #[arg(long)]
    pub(crate) committed: bool,
    /// Circuit file to write, in circom's format .r1cs
    #[arg(long, value_name = "OUT")]
    pub(crate) r1cs: PathBuf,
    /// File of the public inputs to write: a JSON array of numbers in quotes
    #[arg(long, value_name = "OUT")]
    pub(crate) public: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}
