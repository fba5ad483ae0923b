//! The command line of `modexp`.

use std::path::PathBuf;

use tautochrone::bignum::Method;

use super::operands::{self, Line};
use tautochrone_cli::{Common, Failure};

/// Raises a number to a power modulo another, all three secret
///
/// Numbers have up to 16384 hexadecimal digits, which are 65536 bits; a file of one has up to 1
/// MiB, a batch up to 64 MiB.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  modexp --base 2 --exponent ff --modulus 10001\n  modexp --batch jobs --json"
)]
pub(crate) struct Args {
    /// Hexadecimal digits, or @FILE; `@-` is stdin
    #[arg(long, value_name = "HEX", required_unless_present = "batch")]
    base: Option<String>,
    /// Hexadecimal digits, or @FILE
    #[arg(long, value_name = "HEX", required_unless_present = "batch")]
    exponent: Option<String>,
    /// Hexadecimal digits, or @FILE
    #[arg(long, value_name = "HEX", required_unless_present = "batch")]
    modulus: Option<String>,
    /// JSON lines of {base, exponent, modulus}; `-` is stdin. A line that is bad fails alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "exponent", "modulus"])]
    pub(crate) batch: Option<PathBuf>,
    /// Width in bits, a multiple of 64 [default: the width of base and modulus, rounded up to 64]
    #[arg(long, value_parser = clap::value_parser!(u32).range(64..=65536))]
    bits: Option<u32>,
    /// How to reduce; auto shows the parity of the modulus in its time
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) method: Way,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Way {
    Auto,
    Barrett,
    Montgomery,
}

impl Way {
    pub(crate) fn method(self) -> Method {
        match self {
            Self::Auto => Method::Auto,
            Self::Barrett => Method::Barrett,
            Self::Montgomery => Method::Montgomery,
        }
    }
}

impl Args {
    /// Base, exponent and modulus of everything that is raised.
    pub(crate) fn lines(&self) -> Result<Vec<Line>, Failure> {
        if let Some(path) = &self.batch {
            return operands::batch(path, self.bits);
        }
        let base = operands::text("--base", self.base.as_deref())?;
        let exponent = operands::text("--exponent", self.exponent.as_deref())?;
        let modulus = operands::text("--modulus", self.modulus.as_deref())?;
        let operands = operands::parse("--", self.bits, [&base, &exponent, &modulus])?;
        Ok(vec![(1, Ok(operands))])
    }
}
