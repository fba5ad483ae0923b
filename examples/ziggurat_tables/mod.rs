//! Tables I to V of More and Katti (Discrete Gaussian Sampling for Low-Power Devices, 2015),
//! measured on this machine at their precision omega = 106, next to their figures (Core i7 2.0 GHz,
//! NTL).
//!
//! `cargo run --release --example ziggurat_tables`

mod tables;
mod thesis;

use tables::{draws, partitions};
use tautochrone_cli::{Answer, Common, Failure, say};
use thesis::OMEGA;

/// Reproduces the thesis' tables: time per million samples by factor, and time to partition
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  ziggurat_tables --samples 100000")]
struct Args {
    /// Samples drawn for each entry
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    samples: u64,
    #[command(flatten)]
    common: Common,
}

impl Args {
    /// A line for people.
    fn text(&self, line: &str) -> Result<(), Failure> {
        if self.common.json { Ok(()) } else { say(line) }
    }
}

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| -> Result<Answer, Failure> {
        let (draw, partition) = (draws(&args)?, partitions(&args)?);
        args.text(
            "The NTL code of Buchmann et al. at omega 106, built anew on a Sapphire Rapids core: 250 to 1150 ms per million\n\
             samples, 0.3 to 14 s to partition for m <= 999.",
        )?;
        if args.common.json {
            say(serde_json::json!({
                "omega": OMEGA, "samples": args.samples, "isa": args.common.isa().name(), "draw": draw, "partition": partition,
            }))?;
        }
        Ok(Answer::Yes)
    })
}
