//! The README's table of results, between two markers, from a record.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use crate::record::{self, Measurement, Record};
use crate::results::{ROWS, Row, Unit};

const BEGIN: &str = "<!-- results: written by benches/record.sh -->\n";
const END: &str = "<!-- end of results -->\n";

fn figure(unit: Unit, m: &Measurement) -> String {
    let three = |x: f64| {
        let digits = (2 - x.log10().floor() as i32).max(0) as usize;
        format!("{x:.digits$}")
    };
    match unit {
        Unit::Milliseconds => format!("{} ms", three(m.nanoseconds / 1e6)),
        Unit::MillisecondsEach(count) => {
            format!("{} ms", three(m.nanoseconds / f64::from(count) / 1e6))
        }
        Unit::Million => format!("{} M/s", three(m.rate() / 1e6)),
        Unit::Macs => format!("{} GMAC/s", three(m.rate() / 1e9)),
        Unit::Bytes if m.rate() < 1e9 => format!("{} MB/s", three(m.rate() / 1e6)),
        Unit::Bytes => format!("{} GB/s", three(m.rate() / 1e9)),
    }
}

/// Every row, of a record that has the measurements.
pub fn table(title: &str, record: &Record) -> Result<String, Box<dyn Error>> {
    let mut out = format!(
        "{title}; one thread.\n\n| what | figure | baseline, same run | ratio |\n|---|---|---|---|\n"
    );
    for &Row { what, unit, id, peer, .. } in ROWS {
        let m = match record::find(record, id) {
            Ok(m) => m,
            // Lanes exist where the CPU has them; everything else must have been measured.
            Err(_) if id.contains("lanes") => continue,
            Err(error) => return Err(error),
        };
        let (baseline, ratio) = match peer {
            Some((name, id)) => {
                let p = record::find(record, id)?;
                // A peer works on one at a time.
                let unit = match unit {
                    Unit::MillisecondsEach(_) => Unit::Milliseconds,
                    other => other,
                };
                (format!("{}, {name}", figure(unit, &p)), format!("{:.1}", m.rate() / p.rate()))
            }
            None => (String::new(), String::new()),
        };
        writeln!(out, "| {what} | {} | {baseline} | {ratio} |", figure(unit, &m))?;
    }
    Ok(out)
}

/// Replaces what stands between the markers.
pub fn update(record: &Path, readme: &Path) -> Result<(), Box<dyn Error>> {
    let (title, measurements) = record::read(record)?;
    let text = std::fs::read_to_string(readme).map_err(|e| format!("{}: {e}", readme.display()))?;
    let (before, rest) =
        text.split_once(BEGIN).ok_or("the README has no marker where results begin")?;
    let (_, after) = rest.split_once(END).ok_or("the README has no marker where results end")?;
    let table = table(&title, &measurements)?;
    std::fs::write(readme, format!("{before}{BEGIN}{table}{END}{after}"))?;
    Ok(())
}
