//! Parameters of a prover on its command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tautochrone_simd::Isa;
use tautochrone_zk::argument::GaussianErrors;
use tautochrone_zk::{
    ChallengeKind, CustomParams, Distribution, Error, Expansion, Goal, Hardness, Masks, Params,
    Preset, PublicMatrix, RowGroup, Security,
};

use crate::failure::Failure;

/// Where parameters come from, and what of them is changed; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct ParamsArgs {
    /// Parameters by name: T1-128, T4-128, T64-128, B1-128, B4-128, B64-128, T4-Q128, T4-256,
    /// G4-128, N1-128, N4-128, H1-128, H4-128, H64-128, H4-128-once, seed [default: T4-128, and
    /// with --exact-keys the smallest for ternary secrets and errors]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Parameters from a TOML or JSON file instead, which of them by its name (.toml, .json), else
    /// JSON if it begins with { or [; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    pub params: Option<PathBuf>,
    /// Change the number of columns of the witness
    #[arg(long, value_name = "L")]
    pub columns: Option<u64>,
    /// Publish T whole, without rounding: for keys that somebody else uses
    #[arg(long)]
    pub whole: bool,
    /// A file with A' in full, for instances that another program made: r rows of v - r integers
    /// below 2^w, each of ceil(w / 8) bytes, little-endian; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub matrix: Option<PathBuf>,
    /// Challenge distribution [default: the preset's]; with binary ones T is whole
    #[arg(long, value_parser = ["ternary", "binary"])]
    pub challenge: Option<String>,
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

    /// The name of the preset, if it is one that parameters come from: they are sought for keys
    /// that hints will be known of, `key_hints` each, where nothing is said.
    #[must_use]
    pub fn preset(&self, key_hints: u32) -> Option<&str> {
        let default = (key_hints == 0 && self.params.is_none()).then_some("T4-128");
        self.preset.as_deref().or(default)
    }

    fn named(&self, key_hints: u32) -> Result<Option<Preset>, String> {
        let preset = self.preset(key_hints).map(str::parse);
        preset.transpose().map_err(|e: Error| e.to_string())
    }

    /// The errors whose norms are to be shown, if the preset is for them.
    pub fn errors(&self, key_hints: u32) -> Result<Option<GaussianErrors>, String> {
        Ok(self.named(key_hints)?.and_then(GaussianErrors::of).filter(|_| key_hints == 0))
    }

    /// Validated parameters, or the error in them or in their file; for keys that hints are
    /// known of, if `key_hints` is not 0.
    pub fn read(&self, key_hints: u32) -> Result<Params, String> {
        /// Keys where the command line does not say how many.
        const KEYS: u64 = 4096;
        let named = self.named(key_hints)?;
        let custom = if let Some(path) = &self.params {
            let custom = from_file(path)?;
            CustomParams { l: self.columns.unwrap_or(custom.l), ..custom }
        } else if let Some(preset) = named {
            preset.for_columns(self.columns.unwrap_or(preset.custom().l))
        } else {
            let goal = Goal::new(1, self.columns.unwrap_or(KEYS));
            let goal = Goal { whole_t: true, key_hints, ..goal };
            goal.optimise().map_err(|e| e.to_string())?
        };
        let custom = CustomParams {
            challenge: match self.challenge.as_deref() {
                Some("binary") => ChallengeKind::Binary,
                Some(_) => ChallengeKind::Ternary,
                None => custom.challenge,
            },
            round_t: if self.whole || key_hints > 0 { Some(0) } else { custom.round_t },
            expansion: if self.matrix.is_some() { Expansion::Given } else { custom.expansion },
            ..custom
        };
        let most = named.map(|preset| preset.custom().l);
        let beyond = most.is_some_and(|most| self.columns.is_some_and(|l| l > most));
        custom.validate(self.security()).map_err(|e| {
            let advice = if beyond {
                "; the preset is for fewer columns: `estimate --optimise --l COLUMNS` finds others"
            } else {
                ""
            };
            waivable(&e) + advice
        })
    }
}

/// An error of a program that has the flag `--insecure`, which it names where that would help.
#[must_use]
pub fn waivable(e: &Error) -> String {
    match e {
        Error::Insecure(_) => format!("{e}; --insecure goes on all the same"),
        _ => e.to_string(),
    }
}

/// A verifier's remark on a given A': nobody has checked it.
pub const GIVEN: &str = "matrix      given: that LWE and SIS are hard for it is your claim; the bits are those of a random one";

/// The A of these parameters: read from a file of A' where there is one, else expanded from a seed.
pub fn matrix(
    isa: Isa,
    params: &Params,
    file: Option<&Path>,
    seed: [u8; 32],
) -> Result<PublicMatrix, Failure> {
    match (params.expansion(), file) {
        (Expansion::Given, None) => {
            Err(Failure::new("A' of these parameters is given in full: say its file (--matrix)"))
        }
        (Expansion::Given, Some(path)) => {
            let bytes = crate::read_exactly(path, params.given_bytes() as usize, "A'")?;
            PublicMatrix::given_on(isa, params, &bytes).map_err(|e| Failure::file(path, e))
        }
        (_, Some(path)) => {
            let problem = "the statement's A' comes from a seed; expected no file of it";
            Err(Failure::file(path, problem))
        }
        (_, None) => Ok(PublicMatrix::new_on(isa, params, seed)),
    }
}

/// The condition on which a witness is hidden, which no statement can show; `message_rows` are
/// messages that the statement does not declare as such.
#[must_use]
pub fn assumption(params: &Params, message_rows: u32) -> String {
    let groups = params.row_groups();
    let declared = groups.iter().take_while(|group| group.distribution == Distribution::Any);
    let messages = declared.map(|group| group.rows).sum::<u32>().max(message_rows);
    let uniform = |group: &&RowGroup| group.distribution == Distribution::Uniform;
    let how = if groups.iter().all(|group| uniform(&group) || group.rows <= messages) {
        "uniform"
    } else {
        "distributed as the statement says"
    };
    let but = match messages {
        0 => String::new(),
        rows => format!(" but the first {rows}"),
    };
    let matrix = match params.expansion() {
        Expansion::Given => ", and A', which was given, is as good as random",
        _ => "",
    };
    let proofs = match params.masks().proofs() {
        None => String::new(),
        Some(1) => ", and its columns are in one proof alone, of any statement".to_owned(),
        Some(most) => format!(", and its columns are in at most {most} proofs, of all statements"),
    };
    format!("all rows of S{but} are secret and {how}{matrix}{proofs}")
}

/// Hiding of the rows of S that are no messages: an error with too many messages or, unless waived,
/// with too little security of anything.
pub fn hiding(params: &Params, message_rows: u32, security: Security) -> Result<Hardness, Error> {
    match message_rows {
        0 if security == Security::Waived => Ok(params.estimate().hiding),
        0 => params.check_security().map(|()| params.estimate().hiding),
        rows => params.hiding_of_messages(rows, security),
    }
}

/// The kind of a proof, which decides what it reveals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revealing {
    /// Knowledge alone.
    Plain,
    /// Facts, ranges or norms, too.
    Exact,
    /// Keys that are well formed.
    Keys,
}

/// The most that a proof reveals, as far as that is proved: lambda is not its distance from a
/// simulated proof (docs/protocol.md, sections 7 and 15). `secure`: whether the parameters are.
#[must_use]
pub const fn reveals(params: &Params, kind: Revealing, secure: bool) -> &'static str {
    match kind {
        _ if !secure => "as much as may be: the parameters are insecure",
        _ if matches!(params.masks(), Masks::Narrow { .. }) => {
            "nothing but T if LWE is hard, of a Gaussian S and in so many proofs alone (computational)"
        }
        _ if matches!(params.masks(), Masks::Mixed { .. }) => {
            "nothing but T and the claim if LWE is hard, in so many proofs alone (computational)"
        }
        Revealing::Plain if params.round_t() == 0 => {
            "nothing but T, to a distance of some 2^-41 a proof (statistical)"
        }
        Revealing::Plain | Revealing::Exact => {
            "nothing but T and the claim if LWE is hard, to a distance of some 2^-41 a proof (computational)"
        }
        Revealing::Keys => {
            "T and hints about every key, and nothing else if LWE is hard with them, to a distance of some 2^-41 a proof (computational)"
        }
    }
}

/// Parameters from a TOML or JSON file; `-` is stdin.
pub fn from_file(path: &Path) -> Result<CustomParams, String> {
    let bytes = crate::read(path, crate::OPTION).map_err(|e| e.to_string())?;
    parse(path, &bytes).map_err(|e| crate::about_input(path, &e).to_string())
}

/// The name of a file says which of the two it is. Of other names, JSON begins with a bracket; a
/// TOML file does not, as its first lines are outside of tables.
fn parse(path: &Path, bytes: &[u8]) -> Result<CustomParams, String> {
    let text = crate::text(bytes)?;
    let json = match path.extension().and_then(OsStr::to_str) {
        Some("json") => true,
        Some("toml") => false,
        _ => text.trim_start().starts_with(['{', '[']),
    };
    if !json {
        return toml::from_str(text).map_err(|e| e.message().to_owned());
    }
    // An array would be taken for the values of all fields, in their order.
    if !text.trim_start().starts_with('{') {
        return Err("expected an object, as in {\"w\": 32, ..}".to_owned());
    }
    serde_json::from_str(text).map_err(|e| e.to_string())
}
