//! The command line of `lwe_keys`, and the parameters that follow from it.

use std::path::PathBuf;

use tautochrone_cli::{Failure, Seeded};
use tautochrone_zk::{CustomParams, Expansion, Goal, Params, Preset, Security};

/// Makes LWE key pairs, or reads pairs that another program made, and proves knowledge of all their
/// secrets at once
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  lwe_keys --keys 1000 --owner alice --statement keys.lzs --proof keys.lzp\n  lwe_keys --params params.json --matrix matrix.bin --witness witness.bin \\\n    --public-keys keys.bin --owner bob --statement keys.lzs --proof keys.lzp\n  lwe_keys --exact --keys 4096 --owner carol --statement keys.lzs --proof keys.lzp"
)]
pub(crate) struct Args {
    /// How many key pairs [default: of the preset or file, else 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    keys: Option<u64>,
    /// Parameters by name: G4-128 has ternary secrets and Gaussian errors of standard deviation 3.2,
    /// H4-128 and H4-128-once have Gaussian secrets and errors and short proofs, but few about a key
    /// [default: the smallest that are secure for ternary secrets and errors]
    #[arg(long, value_name = "NAME")]
    preset: Option<Preset>,
    /// Parameters from a TOML or JSON file instead, which of them by its name (.toml, .json), else
    /// JSON if it begins with { or [; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    params: Option<PathBuf>,
    /// A' in full, if another program has it: r rows of v - r integers below 2^w, each of
    /// ceil(w / 8) bytes, little-endian; `-` is stdin [default: expanded from a seed]
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,
    /// Secrets and errors: of every key v - r entries of s, then r of e, signed, of 1 byte each where
    /// no bound exceeds 127, 2 up to 32767, else 4 [default: drawn as the parameters say]
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    /// The public keys that must come out: r integers a key, as in a file of A'
    #[arg(long, value_name = "FILE", requires = "witness")]
    pub(crate) public_keys: Option<PathBuf>,
    /// Show that every key is well formed, exactly: that all entries of s and e are within their
    /// bounds, of at most 8. The proof gives away one hint a key, a random linear combination of its
    /// entries, and no more if LWE is hard with these hints
    #[arg(long)]
    pub(crate) exact: bool,
    /// Hints of a key that may become known in all: one for each batch, order or claim in which it
    /// is ever proved to be well formed
    #[arg(long, value_name = "K", default_value_t = 1, requires = "exact",
        value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) hints: u32,
    /// Whose keys these are; the proof is for this name only
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) owner: String,
    /// Statement file to write: the public keys
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    /// Go on although the parameters are insecure
    #[arg(long)]
    pub(crate) insecure: bool,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

impl Args {
    /// Refuses names by which one file would replace another.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let inputs = tautochrone_cli::given(&[
            ("params", &self.params),
            ("matrix", &self.matrix),
            ("witness", &self.witness),
            ("public-keys", &self.public_keys),
        ]);
        tautochrone_cli::named(&[("statement", &self.statement), ("proof", &self.proof)], &inputs)
    }

    /// Parameters of a name or a file, else the smallest that give 128 bits on both sides: nobody
    /// finds a secret (LWE, with hints if they are to be exact), nobody knows two secrets for one
    /// key (SIS). Keys are for others to use, so they are published whole.
    pub(crate) fn params(&self) -> Result<Params, Failure> {
        let custom = match (&self.params, self.preset) {
            (Some(path), _) => tautochrone_cli::params::from_file(path).map_err(Failure::new)?,
            (None, Some(preset)) => preset.custom(),
            (None, None) => {
                let key_hints = if self.exact { self.hints } else { 0 };
                let goal =
                    Goal { whole_t: true, key_hints, ..Goal::new(1, self.keys.unwrap_or(1000)) };
                goal.optimise()?
            }
        };
        let custom = CustomParams {
            l: self.keys.unwrap_or(custom.l),
            round_t: Some(0),
            expansion: if self.matrix.is_some() { Expansion::Given } else { custom.expansion },
            ..custom
        };
        let security = if self.insecure { Security::Waived } else { Security::Required };
        custom.validate(security).map_err(|e| Failure::new(tautochrone_cli::waivable(&e)))
    }
}
