//! Shows which instruction sets this machine offers.
//!
//! `cargo run --release --example isa`

use tautochrone::simd::Isa;
use tautochrone_cli::{Answer, Common, Failure, say};

/// Lists the instruction-set tiers that `--isa` accepts on this machine, best last
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  isa --json")]
struct Args {
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| -> Result<Answer, Failure> {
        let names: Vec<&str> = Isa::all().map(Isa::name).collect();
        if args.common.json {
            say(serde_json::json!({ "available": names, "chosen": args.common.isa().name() }))?;
        } else {
            for isa in Isa::all() {
                let text = format!("{isa:?}");
                let features =
                    text.split_once(": ").map_or("no more than every CPU has", |(_, f)| f);
                say(format_args!("{:<12} {}", isa.name(), features.trim_end_matches(')')))?;
            }
            say(format_args!("chosen       {}", args.common.isa()))?;
        }
        Ok(Answer::Yes)
    })
}
