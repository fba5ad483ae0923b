//! The command line of `prove`.

use std::path::PathBuf;

use tautochrone_cli::device;
use tautochrone_cli::{ExactArgs, KeyArgs, ParamsArgs, Seeded};

/// Proves that you know a matrix S of small entries with T = A S mod 2^w, without revealing it
///
/// Writes a statement (parameters, the seed of A, T) and a proof that anybody can check with
/// `verify`.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  prove --preset T4-128 --statement s.lzs --proof p.lzp --check\n  prove --exact 1024:0:1 --columns 4096 --statement s.lzs --proof p.lzp --check\n  prove --exact 512:-1:1 --norm 512:3.2 --statement s.lzs --proof p.lzp --check\n  prove --preset N4-128 --statement s.lzs --proof p.lzp --check\n  prove --exact-keys --columns 4096 --statement keys.lzs --proof keys.lzp\n  prove --params params.json --whole --matrix matrix.bin --witness witness.bin \\\n    --public-keys keys.bin --context bob --statement keys.lzs --proof keys.lzp"
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) params: ParamsArgs,
    /// Witness: v * l signed entries, column after column, of 1 byte each where b is at most 127, 2
    /// up to 32767, else 4, little-endian [default: a random one]. With N1-128 and N4-128 the
    /// errors alone, 1024 bytes a column
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) exact: ExactArgs,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
    /// The public keys that must come out, if another program made them with the witness: of each r
    /// integers below 2^w of ceil(w / 8) bytes, little-endian
    #[arg(long, value_name = "FILE", requires = "witness")]
    pub(crate) public_keys: Option<PathBuf>,
    /// Write the witness that was used (mode 0600)
    #[arg(long, value_name = "OUT")]
    pub(crate) witness_out: Option<PathBuf>,
    /// Purpose of the proof; a verifier must give the same text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Statement file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    /// Verify the proof before it is written
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) device: device::Choice,
    /// Make the proof, too, a function of --seed: if one product is ever wrong, two runs reveal the
    /// secret
    #[arg(long, requires = "seed", help_heading = "Common options")]
    pub(crate) reproducible: bool,
    #[command(flatten)]
    pub(crate) common: Seeded,
}
