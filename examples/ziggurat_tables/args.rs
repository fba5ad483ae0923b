//! The command line of `ziggurat_tables`.

use tautochrone_cli::{Common, Failure, say};

/// Reproduces the thesis' tables: time per million samples by factor, and time to partition
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  ziggurat_tables --samples 100000")]
pub(crate) struct Args {
    /// Samples drawn for each entry
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) samples: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Args {
    /// A line for people.
    pub(crate) fn text(&self, line: &str) -> Result<(), Failure> {
        if self.common.json { Ok(()) } else { say(line) }
    }
}
