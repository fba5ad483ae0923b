//! The README's table of results, between two markers, from a record.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use crate::record::{self, Measurement, Record};

const BEGIN: &str = "<!-- results: written by benches/record.sh -->\n";
const END: &str = "<!-- end of results -->\n";

/// How a figure is printed.
#[derive(Clone, Copy)]
enum Unit {
    /// Milliseconds an iteration.
    Milliseconds,
    /// Milliseconds each, of that many in an iteration.
    MillisecondsEach(u32),
    /// Million elements a second.
    Million,
    /// 10^9 multiply-and-adds a second.
    Macs,
    /// GB/s or MB/s.
    Bytes,
}

/// (what, id, unit, peer and its id)
type Row = (&'static str, &'static str, Unit, Option<(&'static str, &'static str)>);

const NORMAL: &str = "rand_distr Normal rounded, which is no discrete Gaussian";
const ROWS: &[Row] = &[
    (
        "proof of 4096 preimages (T4-128), mean attempts",
        "prove/T4-128/{best}",
        Unit::Milliseconds,
        None,
    ),
    ("its check, T in memory", "verify-loaded/T4-128/{best}", Unit::Milliseconds, None),
    ("its check, T read from a file", "verify/T4-128/{best}", Unit::Milliseconds, None),
    (
        "its check, one of a batch of 16",
        "verify-16/T4-128/{best}",
        Unit::MillisecondsEach(16),
        None,
    ),
    ("commitment T = A S for it", "commit/T4-128/{best}", Unit::Milliseconds, None),
    (
        "FACCT, sigma = 215 (or any other)",
        "facct/sigma=215/{best}",
        Unit::Million,
        Some((NORMAL, "rand/sigma=1e6/peer: rand_distr Normal + round, ChaCha12")),
    ),
    (
        "bit-sliced, sigma = 2, 64 bits",
        "bitslice/sigma 2 p64 planes/{best}",
        Unit::Million,
        Some((NORMAL, "bitslice/rand_distr Normal rounded, sigma 2/any")),
    ),
    (
        "Ziggurat, sigma = 215 (variable time)",
        "ziggurat/sigma=215,m=512/{best}",
        Unit::Million,
        Some((NORMAL, "ziggurat/sigma=215/peer: rand_distr Normal + round, ChaCha12")),
    ),
    (
        "AES-128-CTR",
        "keystream/AES-128/{best}",
        Unit::Bytes,
        Some(("the bare block function", "keystream/AES-128/peer: aes encrypt_blocks alone")),
    ),
    (
        "product modulo 2^8, 1024^3",
        "square/w8-1024/{best}",
        Unit::Macs,
        Some(("nalgebra", "square/w8-1024/nalgebra")),
    ),
    (
        "product modulo 2^32, 1024^3",
        "square/w32-1024/{best}",
        Unit::Macs,
        Some(("nalgebra", "square/w32-1024/nalgebra")),
    ),
    (
        "product modulo 2^64, 1024^3",
        "square/w64-1024/{best}",
        Unit::Macs,
        Some(("nalgebra", "square/w64-1024/nalgebra")),
    ),
    (
        "Thin-ICE, 64 KiB, constant time",
        "encrypt/0-8192/{best}",
        Unit::Bytes,
        Some(("icefast (tables)", "encrypt/0-8192/icefast")),
    ),
    (
        "ICE, 64 KiB, constant time",
        "encrypt/1-8192/{best}",
        Unit::Bytes,
        Some(("icefast (tables)", "encrypt/1-8192/icefast")),
    ),
    (
        "exponentiation of 2048 bits, odd modulus",
        "modexp-odd/2048/{best}",
        Unit::Milliseconds,
        Some(("crypto-bigint", "modexp-odd/2048/crypto-bigint")),
    ),
    (
        "exponentiation of 2048 bits, odd modulus, AVX2 alone",
        "modexp-odd/2048/avx2",
        Unit::Milliseconds,
        Some(("crypto-bigint", "modexp-odd/2048/crypto-bigint")),
    ),
    (
        "exponentiation of 2048 bits, even modulus",
        "modexp-even/2048/{best}",
        Unit::Milliseconds,
        Some(("num-bigint (variable time)", "modexp-even/2048/num-bigint")),
    ),
    (
        "exponentiation of 2048 bits, any modulus, one of eight at once",
        "modexp-even/2048/ifma-8-lanes",
        Unit::MillisecondsEach(8),
        Some(("num-bigint (variable time)", "modexp-even/2048/num-bigint")),
    ),
];

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
    for &(what, id, unit, peer) in ROWS {
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
