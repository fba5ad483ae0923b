//! Writes the Boolean circuit of a discrete Gaussian as Rust source, and reports what it costs and
//! how exact it is.
//!
//! `cargo run --release --example configure -- --sigma 3.19 --out sampler.rs`

use std::path::PathBuf;
use std::time::Instant;

use tautochrone::gauss::exact::{Half, Variance};
use tautochrone_cli::{Answer, Common, Failure, Output, Privacy};
use tautochrone_gauss_synth::Configuration;

/// Finds a constant-time Boolean circuit for half a discrete Gaussian and writes it as
/// straight-line Rust
///
/// The file needs nothing else: circuit(&[u64; P]) gives 64 samples, bit by bit. The folded half
/// with a random sign is the full Gaussian.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  configure --sigma 2\n  configure --sigma 3.19 --precision 128 --variants 16 --out sampler.rs"
)]
struct Args {
    /// Standard deviation, as an exact decimal
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    sigma: f64,
    /// Bits of a probability, 32 to 128
    #[arg(long, value_name = "W", default_value_t = 64)]
    precision: u32,
    /// folded: |X|; unfolded: X given X >= 0
    #[arg(long, value_parser = ["folded", "unfolded"], default_value = "folded")]
    half: String,
    /// Equivalent tables to try for the smallest circuit
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1024))]
    variants: u64,
    /// Write the circuit; `-` is stdout
    #[arg(long, value_name = "OUT|-")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| -> Result<Answer, Failure> {
        let to_stdout = args.out.as_deref().is_some_and(|path| path.as_os_str() == "-");
        let half = if args.half == "folded" { Half::Folded } else { Half::Unfolded };
        let variance = Variance::from_sigma(args.sigma).map_err(Failure::new)?;
        let start = Instant::now();
        args.common.busy("searching for a small circuit");
        let made = Configuration::new(&variance, half, args.precision, args.variants)
            .map_err(Failure::new)?;
        let seconds = start.elapsed().as_secs_f64();
        if let Some(path) = &args.out {
            Output::write_whole(path, Privacy::Public, made.source().as_bytes())?;
        }
        if to_stdout {
            return Ok(Answer::Yes);
        }
        report(&args, &made, seconds)
    })
}

fn report(args: &Args, made: &Configuration, seconds: f64) -> Result<Answer, Failure> {
    let d = made.distance();
    let (operations, slots) = (made.circuit().ops().len(), made.table().slots().len());
    let values = made.pmf().masses().len();
    let random_bits = made.table().precision();
    args.common.report(
        serde_json::json!({
            "sigma": args.sigma, "precision": args.precision, "half": args.half, "values": values,
            "value_bits": made.circuit().outputs().len(), "slots": slots, "operations": operations,
            "random_bits": random_bits, "log2_statistical_distance": d.log2_statistical,
            "log2_renyi": d.log2_renyi, "log2_tail": d.log2_tail, "seconds": seconds,
        }),
        [
            format!("values       0 to {}, {slots} slots", values - 1),
            format!("operations   {operations} three-input gates for all lanes of a register"),
            format!("random bits  {random_bits} a sample, one more for a sign"),
            format!("distance     2^{:.1} statistical", d.log2_statistical),
            format!("R_2 - 1      2^{:.1}", d.log2_renyi),
            format!("tail cut     2^{:.1}", d.log2_tail),
            format!("synthesis    {seconds:.2} s"),
        ],
    )
}
