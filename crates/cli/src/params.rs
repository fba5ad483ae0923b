//! Parameters of a prover on its command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tautochrone_zk::{ChallengeKind, CustomParams, Encoding, Params, Preset, Security};

/// Where parameters come from, and what of them is changed; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct ParamsArgs {
    /// Parameters by name: T1-128, T4-128, T64-128, B1-128, B4-128, B64-128, T4-Q128, T4-256,
    /// P4-128, seed
    #[arg(long, value_name = "NAME", default_value = "T4-128")]
    pub preset: String,
    /// Parameters from a TOML or JSON file instead; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    pub params: Option<PathBuf>,
    /// Change the number of columns of the witness
    #[arg(long, value_name = "L")]
    pub columns: Option<u64>,
    /// Challenge distribution [default: the preset's]
    #[arg(long, value_parser = ["ternary", "binary"])]
    pub challenge: Option<String>,
    /// Encoding of the proof [default: that of the file, else rice]
    #[arg(long, value_parser = ["rice", "rans"])]
    pub encoding: Option<String>,
    /// Go on although the parameters are insecure
    #[arg(long)]
    pub insecure: bool,
}

impl ParamsArgs {
    /// Whether insecure parameters are refused.
    #[must_use]
    pub fn security(&self) -> Security {
        if self.insecure { Security::Waived } else { Security::Required }
    }

    /// Validated parameters, or what is wrong with them or with their file.
    pub fn read(&self) -> Result<Params, String> {
        let custom = match &self.params {
            Some(path) => from_file(path).map_err(|e| match path.to_str() {
                Some("-") => format!("stdin: {e}"),
                _ => format!("{}: {e}", path.display()),
            })?,
            None => self.preset.parse::<Preset>().map_err(|e| e.to_string())?.custom(),
        };
        let custom = CustomParams {
            l: self.columns.unwrap_or(custom.l),
            challenge: match self.challenge.as_deref() {
                Some("binary") => ChallengeKind::Binary,
                Some(_) => ChallengeKind::Ternary,
                None => custom.challenge,
            },
            encoding: match self.encoding.as_deref() {
                Some("rans") => Encoding::Rans,
                Some(_) => Encoding::Rice,
                None => custom.encoding,
            },
            ..custom
        };
        custom.validate(self.security()).map_err(|e| e.to_string())
    }
}

/// Most bytes of a file of parameters.
const LONGEST: u64 = 1 << 20;

fn from_file(path: &Path) -> Result<CustomParams, String> {
    let start = |input: &mut dyn Read| io::read_to_string(input.take(LONGEST + 1));
    let text = if path == Path::new("-") {
        start(&mut io::stdin())
    } else {
        File::open(path).and_then(|mut file| start(&mut file))
    };
    let text = text.map_err(|e| match e.kind() {
        io::ErrorKind::InvalidData => "not UTF-8; expected TOML or JSON".to_owned(),
        _ => e.to_string(),
    })?;
    if text.len() as u64 > LONGEST {
        return Err(format!("has over {LONGEST} bytes, the most that is read here"));
    }
    if text.trim_start().starts_with('{') {
        serde_json::from_str(&text).map_err(|e| e.to_string())
    } else {
        toml::from_str(&text).map_err(|e| e.message().to_owned())
    }
}
