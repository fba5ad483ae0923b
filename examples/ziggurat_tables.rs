//! Tables I to V of More and Katti (Discrete Gaussian Sampling for Low-Power Devices, 2015), measured on this machine at
//! their precision omega = 106, beside their figures (Core i7 2.0 GHz, NTL).
//!
//! `cargo run --release --example ziggurat_tables`

#[path = "support/cli.rs"]
mod cli;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, say};
use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::ziggurat::{Options, Partition, Ziggurat};

/// Reproduces the thesis' tables: time per million samples by factor, and time to partition
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example: ziggurat_tables --samples 100000")]
struct Args {
    #[command(flatten)]
    common: Common,
    /// Samples drawn for each entry
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    samples: u64,
}

const SIGMAS: [f64; 4] = [10.0, 32.0, 1000.0, 1.6e5];
const RECTANGLES: [usize; 6] = [63, 499, 999, 1999, 3999, 7999];

/// Seconds per million samples of the thesis: plain Ziggurat, and improved partitions with factor 1.
const THESIS: [[(f64, f64); 6]; 4] = [
    [(23.7, 16.1), (9.61, 9.19), (8.34, 7.8), (7.94, 7.78), (7.53, 7.25), (7.36, 7.16)],
    [(21.26, 15.9), (9.6, 8.59), (8.27, 7.91), (8.11, 7.61), (7.49, 7.25), (7.36, 7.29)],
    [(20.99, 15.6), (8.94, 8.62), (8.19, 7.94), (7.86, 7.61), (7.53, 7.41), (7.39, 7.3)],
    [(20.14, 15.2), (9.36, 8.72), (8.06, 7.99), (7.8, 7.74), (7.42, 7.39), (7.42, 7.34)],
];

/// Seconds to partition of the thesis, by m and sigma.
const THESIS_PARTITION: [[f64; 4]; 6] = [
    [8.011, 8.456, 8.060, 8.012],
    [72.810, 64.439, 62.560, 66.497],
    [187.144, 148.078, 124.828, 119.119],
    [424.449, 297.494, 248.006, 269.375],
    [1630.223, 1086.901, 648.892, 535.595],
    [3979.862, 1954.301, 1041.865, 800.012],
];

/// Milliseconds per million samples.
fn draw(z: &Ziggurat, samples: u64) -> f64 {
    let mut out = vec![0; 4096];
    let mut stream = Seed::from_bytes([0; 32]).stream_on(z.isa(), Label::new("ziggurat tables"), 0);
    let start = Instant::now();
    let mut left = samples;
    while left > 0 {
        let len = left.min(4096);
        z.fill(&mut stream, &mut out[..len as usize]);
        left -= len;
    }
    start.elapsed().as_secs_f64() * 1e9 / samples as f64
}

fn main() -> ExitCode {
    cli::run(|args: Args| -> Result<Answer, Failure> {
        let isa = args.common.isa;
        let text = |line: &str| if args.common.json { Ok(()) } else { say(line) };
        let (mut draws, mut partitions) = (Vec::new(), Vec::new());
        for (table, (sigma, thesis)) in
            ["I", "II", "III", "IV"].iter().zip(SIGMAS.iter().zip(THESIS))
        {
            text(&format!("Table {table}: sigma {sigma}, omega 106, ms per million samples"))?;
            text(
                "    m   chords: none       0       1       2       3       4       5       6       7   thesis: none   factor 1",
            )?;
            for (rectangles, (plain, one)) in RECTANGLES.iter().zip(thesis) {
                let options = Options { rectangles: *rectangles, factor: None, omega: Some(106) };
                let mut z = Ziggurat::new_on(isa, *sigma, options).map_err(Failure::new)?;
                let mut times = vec![draw(&z, args.samples)];
                for factor in 0..=7 {
                    z.store_chords(factor).map_err(Failure::new)?;
                    times.push(draw(&z, args.samples));
                }
                let mut line = format!("{rectangles:>5}        {:>7.2}", times[0]);
                for time in &times[1..] {
                    let _ = write!(line, " {time:>7.2}");
                }
                text(&format!("{line}   {:>12.0} {:>10.0}", plain * 1e3, one * 1e3))?;
                draws.push(serde_json::json!({
                    "sigma": sigma, "rectangles": rectangles,
                    "ms_per_million": { "no_chords": times[0], "by_factor": times[1..] },
                }));
            }
        }
        text("Table V: ms to partition, beside the thesis' seconds")?;
        text("    m     sigma 10            32                  1000                1.6e5")?;
        for (rectangles, thesis) in RECTANGLES.iter().zip(THESIS_PARTITION) {
            let mut line = format!("{rectangles:>5}");
            for (sigma, seconds) in SIGMAS.iter().zip(thesis) {
                let start = Instant::now();
                Partition::new(*sigma, *rectangles).map_err(Failure::new)?;
                let time = start.elapsed().as_secs_f64() * 1e3;
                let _ = write!(line, " {time:>7.2} ({seconds:>7.1} s)");
                partitions.push(
                    serde_json::json!({ "sigma": sigma, "rectangles": rectangles, "ms": time }),
                );
            }
            text(&line)?;
        }
        text(
            "The NTL code of Buchmann et al. at omega 106, built anew on a Sapphire Rapids core: 250 to 1150 ms per million",
        )?;
        text("samples, 0.3 to 14 s to partition for m <= 999.")?;
        if args.common.json {
            say(serde_json::json!({
                "omega": 106, "samples": args.samples, "isa": isa.name(), "draw": draws, "partition": partitions,
            }))?;
        }
        Ok(Answer::Yes)
    })
}
