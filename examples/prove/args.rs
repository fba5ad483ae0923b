//! The command line of `prove`, and the parameters that it names.

use std::path::PathBuf;

use tautochrone::zk::{CustomParams, Params, Preset, Security};

use crate::cli::{self, Common, Failure};
use crate::device;

/// Proves that you know a matrix S of small entries with T = A S mod 2^w, without revealing it
///
/// Writes a statement (parameters, the seed of A, T) and a proof that anybody can check with `verify`.
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  prove --preset T4-128 --statement s.lzs --proof p.lzp --check")]
pub(crate) struct Args {
    /// Parameters by name: T1-128, T4-128, T64-128, B1-128, B4-128, B64-128, T4-Q128, T4-256, P4-128, seed
    #[arg(long, value_name = "NAME", default_value = "T4-128")]
    pub(crate) preset: String,
    /// Parameters from a TOML or JSON file instead
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    pub(crate) params: Option<PathBuf>,
    /// Change the number of columns of the witness
    #[arg(long, value_name = "L")]
    columns: Option<u64>,
    /// Witness: v * l signed bytes, column after column [default: a random one]
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    /// Write the witness that was used (mode 0600)
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_out: Option<PathBuf>,
    /// Challenge distribution [default: the preset's]
    #[arg(long, value_parser = ["ternary", "binary"])]
    challenge: Option<String>,
    /// Encoding of the proof
    #[arg(long, value_parser = ["rice", "rans"], default_value = "rice")]
    encoding: String,
    /// What the proof is for; a verifier must give the same text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Go on although the parameters are insecure
    #[arg(long)]
    insecure: bool,
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
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Args {
    pub(crate) fn params(&self) -> Result<Params, Failure> {
        let custom = match &self.params {
            Some(path) => {
                let text = String::from_utf8(cli::read(path)?)
                    .map_err(|_| Failure::file(path, "not UTF-8; expected TOML or JSON"))?;
                if text.trim_start().starts_with('{') {
                    serde_json::from_str(&text).map_err(|e| Failure::file(path, e))?
                } else {
                    toml::from_str(&text).map_err(|e| Failure::file(path, e.message()))?
                }
            }
            None => Preset::named(&self.preset).map_err(Failure::new)?.custom(),
        };
        let custom = CustomParams {
            l: self.columns.unwrap_or(custom.l),
            binary: self.challenge.as_deref().map_or(custom.binary, |kind| kind == "binary"),
            rans: custom.rans || self.encoding == "rans",
            ..custom
        };
        custom.validate(self.security()).map_err(Failure::new)
    }

    pub(crate) fn security(&self) -> Security {
        if self.insecure { Security::Waived } else { Security::Required }
    }
}
