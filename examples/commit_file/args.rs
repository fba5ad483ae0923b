//! The command line of `commit_file`.

use std::path::PathBuf;

use tautochrone_cli::{Common, MaskArgs, Seeded};

/// Commits to a file and opens pieces of it
#[derive(Debug, clap::Parser)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:\n  commit_file commit --in README.md --facts 2 --statement s.lzs --proof p.lzp --key k\n  commit_file open --in README.md --statement s.lzs --key k --piece 3 --out o\n  commit_file check --statement s.lzs --proof p.lzp --piece 3 --opening o\n  commit_file prove --in README.md --statement s.lzs --key k --slot 0 --bytes 2:11 --out f.lzf\n  commit_file verify --statement s.lzs --fact f.lzf --slot 0 --bytes 2:11 --text Tautochrone"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Write a statement, a proof and the secret key of the openings
    Commit(Commit),
    /// Write the opening of one piece and of the length
    Open(Open),
    /// Check the proof and an opening, and print the piece
    Check(Check),
    /// Prove facts about the file: that bytes stand at a place, or that numbers add up to a total
    Prove(Prove),
    /// Check a proof of facts
    Verify(Verify),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Commit {
    /// File to commit to, of up to 64 MiB; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// How many slots for facts there are, up to 8: facts that are proved later take one, however
    /// many they are. Each has 22 columns and makes the proof about 3 percent longer; implies
    /// --exact
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=8))]
    pub(crate) facts: u32,
    /// Prove that all entries are bits, exactly, so that every piece consists of bytes, as sums
    /// ask. The proof is longer, and so is the statement by some 26 columns
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) masks: MaskArgs,
    /// Statement file to write: the commitments
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    /// Secret key file to write (mode 0600); one that is there is never replaced
    #[arg(long, value_name = "OUT")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
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

/// Bytes of a file, or of each of its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

impl std::str::FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once(':').and_then(|(offset, length)| {
            Some(Self { offset: offset.parse().ok()?, length: length.parse().ok()? })
        });
        numbers.ok_or("expected OFFSET:LENGTH, as in 300:12")
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.offset, self.length)
    }
}

/// The subjects of facts: a place for each. They are in this order, bytes first.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
pub(crate) struct What {
    /// Bytes of the file, within one of its pieces of 128 bytes; may be given several times
    #[arg(long, value_name = "OFFSET:LENGTH")]
    pub(crate) bytes: Vec<Place>,
    /// The numbers, little-endian, in up to 7 bytes at this place of every piece: their sum. A last
    /// piece that ends before counts nothing. May be given several times
    #[arg(long, value_name = "OFFSET:LENGTH")]
    pub(crate) sum: Vec<Place>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    /// The file, as it was committed to
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Statement file
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Secret key file; which slots were used is remembered next to it
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Which slot to use, from 0: one that no other facts were proved with
    #[arg(long, value_name = "INDEX")]
    pub(crate) slot: u32,
    #[command(flatten)]
    pub(crate) what: What,
    /// Proof of the facts to write, with the length of the file
    #[arg(long, value_name = "OUT")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Statement file
    #[arg(long, value_name = "FILE")]
    pub(crate) statement: PathBuf,
    /// Proof of the statement: shows that the terms are bits, so --sum needs it
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// Proof of the facts, and the length of the file
    #[arg(long, value_name = "FILE")]
    pub(crate) fact: PathBuf,
    /// Which slot it was proved with
    #[arg(long, value_name = "INDEX")]
    pub(crate) slot: u32,
    #[command(flatten)]
    pub(crate) what: What,
    #[command(flatten)]
    pub(crate) value: Value,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The bytes that stand there: a value for each place, in the same order.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
pub(crate) struct Value {
    /// The bytes, as text
    #[arg(long, conflicts_with = "hex")]
    pub(crate) text: Vec<String>,
    /// The bytes, in hexadecimal digits
    #[arg(long, value_name = "DIGITS")]
    pub(crate) hex: Vec<String>,
    /// The sum of the numbers
    #[arg(long = "value", value_name = "NUMBER")]
    pub(crate) total: Vec<u64>,
}
