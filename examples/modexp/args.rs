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
    after_help = "Examples:\n  modexp --base 2 --exponent ff --modulus 10001\n  modexp bench --bits 2048 --lanes 8",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
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
    batch: Option<PathBuf>,
    /// Width in bits, a multiple of 64 [default: the width of base and modulus, rounded up to 64]
    #[arg(long, value_parser = clap::value_parser!(u32).range(64..=65536))]
    bits: Option<u32>,
    /// How to reduce; auto shows the parity of the modulus in its time
    #[arg(long, value_enum, default_value = "auto")]
    method: Way,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Measures full-size exponentiations
    Bench {
        #[command(flatten)]
        common: Common,
        /// Width in bits
        #[arg(long, default_value = "2048", value_parser = clap::value_parser!(u32).range(64..=65536))]
        bits: u32,
        /// Exponentiations in one call, 1 or 8
        #[arg(long, default_value = "1", value_parser = ["1", "8"])]
        lanes: String,
        /// How to reduce
        #[arg(long, value_enum, default_value = "auto")]
        method: Way,
    },
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

/// The work of a run: everything it raises, and how.
pub(crate) struct Work {
    pub(crate) common: Common,
    pub(crate) method: Way,
    /// Base, exponent and modulus of each.
    pub(crate) lines: Vec<Line>,
    /// The file that they are from, if it is one.
    pub(crate) batch: Option<PathBuf>,
    /// Asked for as one exponentiation and not as a batch of one.
    pub(crate) single: bool,
}

impl Args {
    pub(crate) fn work(self) -> Result<Work, Failure> {
        if let Some(Command::Bench { common, bits, lanes, method }) = self.command {
            let count = if lanes == "8" { 8 } else { 1 };
            let operands = operands::full_size(operands::limbs(Some(bits), [""; 2])?, count);
            let lines = (1..).zip(operands.into_iter().map(Ok)).collect();
            return Ok(Work { common, method, lines, batch: None, single: false });
        }
        let (common, method) = (self.common, self.method);
        if let Some(path) = self.batch {
            let lines = operands::batch(&path, self.bits)?;
            return Ok(Work { common, method, lines, batch: Some(path), single: false });
        }
        let base = operands::text("--base", self.base.as_deref())?;
        let exponent = operands::text("--exponent", self.exponent.as_deref())?;
        let modulus = operands::text("--modulus", self.modulus.as_deref())?;
        let operands = operands::parse("--", self.bits, [&base, &exponent, &modulus])?;
        Ok(Work { common, method, lines: vec![(1, Ok(operands))], batch: None, single: true })
    }
}
