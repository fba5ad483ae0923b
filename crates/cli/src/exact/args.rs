//! `--exact ROWS:LOW:HIGH` and `--norm ROWS:SIGMA` on a command line.

use std::str::FromStr;

use tautochrone_zk::argument::{GaussianErrors, KeyRanges};
use tautochrone_zk::{Error, Params};

use crate::masks::MaskArgs;

/// Exact claims about messages; `#[command(flatten)]` it beside
/// [`ParamsArgs`](crate::ParamsArgs).
#[derive(Debug, clap::Args)]
pub struct ExactArgs {
    /// Show besides, exactly, that messages are in a range: S has so many rows of messages, all
    /// from LOW to HIGH, over rows of randomness, as many as the smallest proof needs; several
    /// times for the rows that follow. `--witness` has the messages alone, a byte each, and
    /// `--columns` counts theirs; columns that mask the proof are added
    #[arg(
        long,
        value_name = "ROWS:LOW:HIGH",
        allow_hyphen_values = true,
        conflicts_with_all = ["preset", "params", "whole", "matrix", "challenge"]
    )]
    pub exact: Vec<RangeArg>,
    /// Show, exactly, that so many rows of messages have a bounded norm in every column: one that
    /// Gaussians of standard deviation SIGMA exceed in one column of 2^64 (squared, 1.48 ROWS
    /// SIGMA^2 for 1024 rows). These rows follow the rows of `--exact`; may be repeated
    #[arg(
        long,
        value_name = "ROWS:SIGMA",
        conflicts_with_all = ["preset", "params", "whole", "matrix", "challenge"]
    )]
    pub norm: Vec<NormArg>,
    /// How wide masks are.
    #[command(flatten)]
    pub masks: MaskArgs,
}

impl ExactArgs {
    /// Whether nothing is shown of messages.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.norm.is_empty()
    }
}

/// An exact claim about keys; `#[command(flatten)]` it beside [`ExactArgs`].
#[derive(Debug, clap::Args)]
pub struct KeyArgs {
    /// Show that T, which is then published whole, is LWE keys that are well formed, exactly: that
    /// all secrets and errors are within their bounds, of at most 8. The proof gives away one hint
    /// a key, a random linear combination of its entries, and no more if LWE is hard with these
    /// hints
    #[arg(long, conflicts_with_all = ["exact", "norm"])]
    pub exact_keys: bool,
    /// Hints of a key that may become known in all: one for each batch, order or claim in which it
    /// is ever proved to be well formed
    #[arg(long, value_name = "K", default_value_t = 1, requires = "exact_keys",
        value_parser = clap::value_parser!(u32).range(1..=8))]
    hints: u32,
}

impl KeyArgs {
    /// Hints that parameters have to stand: 0 without a claim.
    #[must_use]
    pub const fn hints(&self) -> u32 {
        if self.exact_keys { self.hints } else { 0 }
    }

    /// The claim about keys of these parameters, if there is one.
    pub fn claim(&self, params: &Params) -> Result<Option<KeyRanges>, Error> {
        let claim = || KeyRanges::of(params)?.with_hints(self.hints);
        self.exact_keys.then(claim).transpose()
    }
}

/// ROWS:LOW:HIGH of the command line.
#[derive(Clone, Copy, Debug)]
pub struct RangeArg {
    pub(super) rows: u32,
    pub(super) low: i32,
    pub(super) high: i32,
}

impl FromStr for RangeArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected ROWS:LOW:HIGH, as 1024:0:1";
        let fields: Vec<&str> = text.split(':').collect();
        let [rows, low, high] = fields[..] else { return Err(expected) };
        let number = |text: &str| text.parse().map_err(|_| expected);
        let rows = rows.parse().map_err(|_| expected)?;
        let (low, high) = (number(low)?, number(high)?);
        if low > high { Err("LOW is above HIGH") } else { Ok(Self { rows, low, high }) }
    }
}

/// ROWS:SIGMA of the command line: Gaussians of this standard deviation, in millionths.
#[derive(Clone, Copy, Debug)]
pub struct NormArg {
    pub(super) rows: u32,
    pub(super) micros: u64,
}

impl FromStr for NormArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected ROWS:SIGMA, as 1024:3.2, sigma from 0.5 to 12.7";
        let (rows, sigma) = text.split_once(':').ok_or(expected)?;
        let sigma: f64 = sigma.parse().map_err(|_| expected)?;
        let rows = rows.parse().map_err(|_| expected)?;
        // Ten standard deviations are a byte.
        if !(0.5..=12.7).contains(&sigma) {
            return Err(expected);
        }
        Ok(Self { rows, micros: (sigma * 1e6).round() as u64 })
    }
}

impl From<GaussianErrors> for NormArg {
    fn from(errors: GaussianErrors) -> Self {
        Self { rows: errors.rows(), micros: errors.micros() }
    }
}

impl NormArg {
    pub(super) fn sigma(self) -> f64 {
        self.micros as f64 / 1e6
    }

    /// The prover's bound on an entry, ten standard deviations: exceeded once in 2^75 entries.
    pub(super) fn bound(self) -> u32 {
        (10.0 * self.sigma()).ceil() as u32
    }
}
