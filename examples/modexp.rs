//! base^exponent mod modulus in constant time, for any modulus but zero; one, a batch, or a measurement.
//!
//! `cargo run --release --example modexp -- --base 2 --exponent ff --modulus 10001`

#[path = "support/cli.rs"]
mod cli;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, say};
use tautochrone::bignum::{Job, Method, convert, modexp_batch};

/// Raises a number to a power modulo another, all three secret
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Example: modexp --base 2 --exponent ff --modulus 10001\n         modexp bench --bits 2048 --lanes 8",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
struct Args {
    #[command(flatten)]
    common: Common,
    /// Hexadecimal digits, or @FILE
    #[arg(long, value_name = "HEX", required_unless_present = "batch")]
    base: Option<String>,
    /// Hexadecimal digits, or @FILE
    #[arg(long, value_name = "HEX", required_unless_present = "batch")]
    exponent: Option<String>,
    /// Hexadecimal digits, or @FILE
    #[arg(long, value_name = "HEX", required_unless_present = "batch")]
    modulus: Option<String>,
    /// JSON lines of {base, exponent, modulus}; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "exponent", "modulus"])]
    batch: Option<PathBuf>,
    /// Width in bits, a multiple of 64 [default: the modulus' width rounded up to 64]
    #[arg(long, value_parser = clap::value_parser!(u32).range(64..=65536))]
    bits: Option<u32>,
    /// How to reduce; auto shows the parity of the modulus in its time
    #[arg(long, value_enum, default_value = "auto")]
    method: Way,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Measures full-size exponentiations
    Bench {
        #[command(flatten)]
        common: Common,
        /// Width in bits
        #[arg(long, default_value = "2048", value_parser = clap::value_parser!(u32).range(64..=65536))]
        bits: u32,
        /// Exponentiations in one call, 1 or 8
        #[arg(long, default_value = "1", value_parser = ["1", "8"])]
        lanes: String,
        /// How to reduce
        #[arg(long, value_enum, default_value = "auto")]
        method: Way,
    },
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Way {
    Auto,
    Barrett,
    Montgomery,
}

impl Way {
    fn method(self) -> Method {
        match self {
            Self::Auto => Method::Auto,
            Self::Barrett => Method::Barrett,
            Self::Montgomery => Method::Montgomery,
        }
    }
}

fn words_of(bits: Option<u32>, hex: &str) -> Result<usize, Failure> {
    match bits {
        Some(bits) if bits.is_multiple_of(64) => Ok(bits as usize >> 6),
        Some(bits) => Err(Failure::new(format!("--bits {bits}: expected a multiple of 64"))),
        None => Ok(hex.trim_start_matches('0').len().div_ceil(16).max(1)),
    }
}

fn text(name: &str, given: Option<&str>) -> Result<String, Failure> {
    let given = given
        .ok_or_else(|| Failure::new(format!("{name} is missing: expected hexadecimal digits")))?;
    let Some(file) = given.strip_prefix('@') else { return Ok(given.to_owned()) };
    let bytes = cli::read(Path::new(file))?;
    let text = String::from_utf8(bytes).map_err(|e| Failure::file(Path::new(file), e))?;
    Ok(text.trim().to_owned())
}

/// Base, exponent and modulus of one line.
fn operands(place: &str, bits: Option<u32>, hex: [&str; 3]) -> Result<[Vec<u64>; 3], Failure> {
    let n = words_of(bits, hex[2])?;
    let number = |name: &str, hex: &str, words| {
        convert::from_hex(hex, words).map_err(|e| Failure::new(format!("{place}{name}: {e}")))
    };
    // An exponent may be wider than the modulus.
    let wide = hex[1].len().div_ceil(16).max(n);
    Ok([
        number("base", hex[0], n)?,
        number("exponent", hex[1], wide)?,
        number("modulus", hex[2], n)?,
    ])
}

fn batch(path: &Path, bits: Option<u32>) -> Result<Vec<[Vec<u64>; 3]>, Failure> {
    let bytes = cli::read(path)?;
    let lines = String::from_utf8(bytes).map_err(|e| Failure::file(path, e))?;
    let mut all = Vec::new();
    for (i, line) in lines.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let place = format!("{}, line {}: ", path.display(), i + 1);
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|e| Failure::new(format!("{place}{e}")))?;
        let field = |name: &str| {
            let text = value.get(name).and_then(serde_json::Value::as_str);
            text.ok_or_else(|| {
                Failure::new(format!("{place}expected a string \"{name}\" of hexadecimal digits"))
            })
        };
        all.push(operands(&place, bits, [field("base")?, field("exponent")?, field("modulus")?])?);
    }
    Ok(all)
}

/// `count` full-size numbers by splitmix64: a measurement needs no secrets.
fn full_size(words: usize, count: u64) -> Vec<[Vec<u64>; 3]> {
    let mut state = 1u64;
    let mut number = || -> Vec<u64> {
        let mut x: Vec<u64> = (0..words)
            .map(|_| {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^ z >> 31
            })
            .collect();
        x[0] |= 1;
        x[words - 1] |= 1 << 63;
        x
    };
    (0..count).map(|_| [number(), number(), number()]).collect()
}

fn body(args: Args) -> Result<Answer, Failure> {
    let single = args.batch.is_none() && args.command.is_none();
    let (common, way, inputs) = match args.command {
        Some(Command::Bench { common, bits, lanes, method }) => {
            let count = if lanes == "8" { 8 } else { 1 };
            (common, method, full_size(words_of(Some(bits), "")?, count))
        }
        None => {
            let inputs = if let Some(path) = &args.batch {
                batch(path, args.bits)?
            } else {
                let base = text("--base", args.base.as_deref())?;
                let exponent = text("--exponent", args.exponent.as_deref())?;
                let modulus = text("--modulus", args.modulus.as_deref())?;
                vec![operands("--", args.bits, [&base, &exponent, &modulus])?]
            };
            (args.common, args.method, inputs)
        }
    };
    let threads = common.start_threads()?;
    let jobs: Vec<Job<'_>> =
        inputs.iter().map(|[b, e, m]| Job { base: b, exponent: e, modulus: m }).collect();
    let start = Instant::now();
    let powers = modexp_batch(common.isa, way.method(), &jobs);
    let seconds = start.elapsed().as_secs_f64() / jobs.len().max(1) as f64;
    let mut results = Vec::new();
    for (i, power) in powers.into_iter().enumerate() {
        let power = power.map_err(|e| Failure::new(format!("exponentiation {}: {e}", i + 1)))?;
        results.push(convert::to_hex(&power));
    }
    let method = format!("{way:?}").to_lowercase();
    if common.json {
        let mut out = serde_json::json!({
            "seconds_per_modexp": seconds, "method": method, "isa": common.isa.name(), "threads": threads,
        });
        if single {
            out["result"] = results.swap_remove(0).into();
        } else {
            out["results"] = results.into();
        }
        say(out)?;
    } else {
        for result in results {
            say(result)?;
        }
        say(format_args!(
            "{:.3} ms per modexp, {method}, {}, {threads} threads",
            seconds * 1e3,
            common.isa
        ))?;
    }
    Ok(Answer::Yes)
}

fn main() -> ExitCode {
    cli::run(body)
}
