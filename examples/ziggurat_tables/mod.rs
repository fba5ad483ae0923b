//! Tables I to V of More and Katti (Discrete Gaussian Sampling for Low-Power Devices, 2015),
//! measured on this machine at their precision omega = 106, next to their figures (Core i7 2.0 GHz,
//! NTL).
//!
//! `cargo run --release --example ziggurat_tables`

mod args;
mod tables;
mod thesis;

use std::process::ExitCode;

use args::Args;
use tables::{draws, partitions};
use tautochrone_cli::{Answer, Failure, say};
use thesis::OMEGA;

fn main() -> ExitCode {
    program().main()
}

pub(crate) fn program() -> tautochrone_cli::Program {
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
