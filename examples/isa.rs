//! Shows which instruction sets this machine offers.
//!
//! `cargo run --release --example isa`

use tautochrone::simd::Isa;
use tautochrone_cli::Common;

/// Lists the instruction-set tiers that `--isa` accepts on this machine, best last
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  isa --json")]
struct Args {
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        let names: Vec<&str> = Isa::all().map(Isa::name).collect();
        let line = |isa: Isa| {
            let text = format!("{isa:?}");
            let features = text.split_once(": ").map_or("no more than every CPU has", |(_, f)| f);
            format!("{:<12} {}", isa.name(), features.trim_end_matches(')'))
        };
        let chosen = args.common.isa();
        let lines = Isa::all().map(line).chain([format!("chosen       {chosen}")]);
        args.common
            .report(serde_json::json!({ "available": names, "chosen": chosen.name() }), lines)
    })
}
