//! Criterion's results as a Markdown record, and records read again.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use serde_json::Value;
use tautochrone::simd::Isa;

/// One benchmark: the median time of an iteration, and what an iteration does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Nanoseconds.
    pub nanoseconds: f64,
    /// Elements or bytes of an iteration; 1 where none are stated.
    pub amount: f64,
    /// Whether `amount` counts bytes.
    pub bytes: bool,
}

impl Measurement {
    /// Elements or bytes a second.
    pub fn rate(&self) -> f64 {
        self.amount / self.nanoseconds * 1e9
    }
}

/// Measurements by their ids.
pub type Record = BTreeMap<String, Measurement>;

/// Everything in criterion's folder, written as a record.
pub fn write(folder: &Path, date: &str) -> Result<String, Box<dyn Error>> {
    let mut record = Record::new();
    collect(folder, &mut record)?;
    if record.is_empty() {
        return Err(format!("{}: no results; run cargo bench first", folder.display()).into());
    }
    let isa = Isa::detect();
    let mut out = String::new();
    writeln!(out, "# All benches, {}, {date}\n", cpu()?)?;
    writeln!(
        out,
        "{} logical CPUs, best instruction set {isa}, one thread unless an id says otherwise.",
        cpus()
    )?;
    writeln!(
        out,
        "Written by `benches/record.sh`, which runs `cargo bench --benches` with a short measuring time; medians."
    )?;
    writeln!(
        out,
        "Compare ratios within this file rather than figures between files: shared machines drift.\n"
    )?;
    writeln!(out, "| id | median, ns | amount | unit | per second |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    for (id, m) in &record {
        let unit = if m.bytes { "bytes" } else { "elements" };
        writeln!(
            out,
            "| {id} | {:.1} | {} | {unit} | {:.4e} |",
            m.nanoseconds,
            m.amount,
            m.rate()
        )?;
    }
    Ok(out)
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn cpu() -> Result<String, Box<dyn Error>> {
    let info = std::fs::read_to_string("/proc/cpuinfo")?;
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    Ok(model.map_or("unknown CPU", |(_, name)| name.trim()).to_owned())
}

fn json(path: &Path) -> Result<Value, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?)
}

fn collect(folder: &Path, record: &mut Record) -> Result<(), Box<dyn Error>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        if path.file_name().is_some_and(|name| name == "new")
            && path.join("benchmark.json").is_file()
        {
            let about = json(&path.join("benchmark.json"))?;
            let estimates = json(&path.join("estimates.json"))?;
            let id =
                about["full_id"].as_str().ok_or("benchmark.json without an id")?.replace('|', "/");
            let nanoseconds = estimates["median"]["point_estimate"]
                .as_f64()
                .ok_or("estimates.json without a median")?;
            let throughput = &about["throughput"];
            let bytes = throughput["Bytes"].as_f64();
            let amount = bytes.or(throughput["Elements"].as_f64()).unwrap_or(1.0);
            record.insert(id, Measurement { nanoseconds, amount, bytes: bytes.is_some() });
        } else {
            collect(&path, record)?;
        }
    }
    Ok(())
}

/// Reads a record that [`write`] wrote: its title and its measurements.
pub fn read(path: &Path) -> Result<(String, Record), Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let title = text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
    let mut record = Record::new();
    for line in text.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [id, nanoseconds, amount, unit, _] = cells[..] else {
            return Err(format!("{}: not a row of a record: {line}", path.display()).into());
        };
        let measurement = Measurement {
            nanoseconds: nanoseconds.parse()?,
            amount: amount.parse()?,
            bytes: unit == "bytes",
        };
        record.insert(id.to_owned(), measurement);
    }
    Ok((title, record))
}

/// Instruction sets from the best down.
/// (`ifma` and `adx` are tiers of big numbers.)
pub const TIERS: [&str; 9] =
    ["amx", "ifma", "avx512", "avx512-base", "avx2-gfni", "avx2", "adx", "neon", "portable"];

/// The measurement of `id`, in which `{best}` stands for the best instruction set that was
/// measured.
pub fn find(record: &Record, id: &str) -> Result<Measurement, Box<dyn Error>> {
    TIERS
        .iter()
        .find_map(|tier| record.get(&id.replace("{best}", tier)))
        .copied()
        .ok_or_else(|| format!("the record has no measurement {id}").into())
}
