//! The tables, measured.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Value, json};
use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::ziggurat::{Options, Partition, Ziggurat};

use super::Args;
use super::thesis::{self, OMEGA, RECTANGLES, SIGMAS};
use tautochrone_cli::Failure;

/// Tables I to IV: without chords, and with the chords that factor 0 to 7 stores, which spare most
/// evaluations of the curve.
pub(super) fn draws(args: &Args) -> Result<Vec<Value>, Failure> {
    let mut all = Vec::new();
    for (table, (sigma, figures)) in
        ["I", "II", "III", "IV"].iter().zip(SIGMAS.iter().zip(thesis::DRAW))
    {
        args.text(&format!("Table {table}: sigma {sigma}, omega {OMEGA}, ms per million samples"))?;
        args.text(
            "    m   chords: none       0       1       2       3       4       5       6       7   thesis: none   factor 1",
        )?;
        for (rectangles, (plain, one)) in RECTANGLES.iter().zip(figures) {
            let options = Options { rectangles: *rectangles, factor: None, omega: Some(OMEGA) };
            let partition = Partition::new(*sigma, *rectangles).map_err(Failure::new)?;
            let with = |factor| {
                let options = Options { factor, ..options };
                Ziggurat::from_partition(args.common.isa(), partition.clone(), options)
                    .map(|z| time(&z, args.samples))
                    .map_err(Failure::new)
            };
            let none = with(None)?;
            let by_factor = (0..=7).map(|k| with(Some(k))).collect::<Result<Vec<_>, _>>()?;
            let mut line = format!("{rectangles:>5}        {none:>7.2}");
            for time in &by_factor {
                let _ = write!(line, " {time:>7.2}");
            }
            args.text(&format!("{line}   {:>12.0} {:>10.0}", plain * 1e3, one * 1e3))?;
            all.push(json!({
                "sigma": sigma, "rectangles": rectangles,
                "ms_per_million": { "no_chords": none, "by_factor": by_factor },
            }));
        }
    }
    Ok(all)
}

/// Table V.
pub(super) fn partitions(args: &Args) -> Result<Vec<Value>, Failure> {
    let mut all = Vec::new();
    args.text("Table V: ms to partition, and the thesis' seconds")?;
    args.text("    m     sigma 10            32                  1000                1.6e5")?;
    for (rectangles, figures) in RECTANGLES.iter().zip(thesis::PARTITION) {
        let mut line = format!("{rectangles:>5}");
        for (sigma, seconds) in SIGMAS.iter().zip(figures) {
            let start = Instant::now();
            Partition::new(*sigma, *rectangles).map_err(Failure::new)?;
            let time = start.elapsed().as_secs_f64() * 1e3;
            let _ = write!(line, " {time:>7.2} ({seconds:>7.1} s)");
            all.push(json!({ "sigma": sigma, "rectangles": rectangles, "ms": time }));
        }
        args.text(&line)?;
    }
    Ok(all)
}

/// Milliseconds per million samples.
fn time(z: &Ziggurat, samples: u64) -> f64 {
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
