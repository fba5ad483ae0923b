//! Multiplies two matrices modulo 2^w.
//!
//! `cargo run --release --example matmul -- --w 64 --m 1000 --k 1000 --n 1000 --check`

#[path = "support/cli.rs"]
mod cli;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, Output, Privacy, say};
use tautochrone::ctr::{Label, Seed};
use tautochrone::matmul::{Matrix, MatrixMut, Multiplier, Operand, Word};
use tautochrone::simd::Isa;

/// Computes Z = X Y mod 2^w at the speed of the machine, for words of 8, 16, 32 or 64 bits
///
/// Operands are random unless files are given: raw little-endian words, X row after row, Y and Z column after column.
/// With --x-bits or --y-bits an operand has signed entries of so many bits, held in the smallest type that fits (i8, i16,
/// i32, i64), in files too; narrow operands are multiplied faster.
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  matmul --w 64 --m 100 --k 3000 --n 3000 --y-bits 7 --check")]
struct Args {
    /// Bits of a word: 8, 16, 32 or 64
    #[arg(long, value_name = "BITS", default_value = "64", value_parser = parse_word)]
    w: u32,
    /// Rows of X and Z
    #[arg(long, default_value = "1024")]
    m: usize,
    /// Columns of X, rows of Y
    #[arg(long, default_value = "1024")]
    k: usize,
    /// Columns of Y and Z
    #[arg(long, default_value = "1024")]
    n: usize,
    /// Entries of X are signed numbers of so many bits [default: words]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=64))]
    x_bits: Option<u32>,
    /// Entries of Y are signed numbers of so many bits [default: words]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=64))]
    y_bits: Option<u32>,
    /// Read X from a file
    #[arg(long, value_name = "FILE")]
    x: Option<PathBuf>,
    /// Read Y from a file
    #[arg(long, value_name = "FILE")]
    y: Option<PathBuf>,
    /// Write Z to a file
    #[arg(long, value_name = "FILE")]
    z: Option<PathBuf>,
    /// Compare with the portable product
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: Common,
}

fn parse_word(text: &str) -> Result<u32, String> {
    match text {
        "8" => Ok(8),
        "16" => Ok(16),
        "32" => Ok(32),
        "64" => Ok(64),
        _ => Err("expected 8, 16, 32 or 64".into()),
    }
}

/// An entry with its file form.
trait Entry: Operand {
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(self) -> Vec<u8>;
    fn from_i64(value: i64) -> Self;
}

macro_rules! entry {
    ($($t:ty)*) => {$(
        impl Entry for $t {
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("an entry's bytes"))
            }
            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn from_i64(value: i64) -> Self {
                value as Self
            }
        }
    )*};
}

entry!(u8 u16 u32 u64 i8 i16 i32 i64);

fn main() -> ExitCode {
    cli::run(|args: Args| {
        args.common.start_threads()?;
        match args.w {
            8 => with_x::<u8>(&args),
            16 => with_x::<u16>(&args),
            32 => with_x::<u32>(&args),
            _ => with_x::<u64>(&args),
        }
    })
}

fn with_x<W: Word + Entry>(args: &Args) -> Result<Answer, Failure> {
    match args.x_bits {
        None => with_y::<W, W>(args),
        Some(..=8) => with_y::<W, i8>(args),
        Some(..=16) => with_y::<W, i16>(args),
        Some(..=32) => with_y::<W, i32>(args),
        Some(_) => with_y::<W, i64>(args),
    }
}

fn with_y<W: Word + Entry, X: Entry>(args: &Args) -> Result<Answer, Failure> {
    match args.y_bits {
        None => product::<W, X, W>(args),
        Some(..=8) => product::<W, X, i8>(args),
        Some(..=16) => product::<W, X, i16>(args),
        Some(..=32) => product::<W, X, i32>(args),
        Some(_) => product::<W, X, i64>(args),
    }
}

fn product<W: Word + Entry, X: Entry, Y: Entry>(args: &Args) -> Result<Answer, Failure> {
    let Args { w, m, k, n, .. } = *args;
    let standard = |path: &Option<PathBuf>| path.as_deref() == Some(std::path::Path::new("-"));
    let z_to_stdout = standard(&args.z);
    if z_to_stdout && args.common.json {
        return Err(Failure::new("--z - and --json would both write to stdout; name a file for Z"));
    }
    if standard(&args.x) && standard(&args.y) {
        return Err(Failure::new("--x - and --y - would both read stdin; name a file for one"));
    }
    for (name, rows, columns, size) in
        [("X", m, k, size_of::<X>()), ("Y", k, n, size_of::<Y>()), ("Z", m, n, size_of::<W>())]
    {
        let bytes = rows.checked_mul(columns).and_then(|entries| entries.checked_mul(size));
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize / 8) {
            return Err(Failure::new(format!("{name}: a {rows} x {columns} matrix is too large")));
        }
    }
    let seed = match &args.common.seed {
        Some(bytes) => Seed::from_bytes(bytes.0),
        None => Seed::from_os().map_err(Failure::new)?,
    };
    let x: Vec<X> = operand(args.x.as_ref(), (m, k), args.x_bits, &seed, Label::new("matmul X"))?;
    let y: Vec<Y> = operand(args.y.as_ref(), (k, n), args.y_bits, &seed, Label::new("matmul Y"))?;
    let mut z = room::<W>(m * n)?;
    let x = Matrix::row_major(&x, m, k).map_err(Failure::new)?.with_bits(args.x_bits.unwrap_or(64));
    let y =
        Matrix::column_major(&y, k, n).map_err(Failure::new)?.with_bits(args.y_bits.unwrap_or(64));

    let view = MatrixMut::column_major(&mut z, m, n).map_err(Failure::new)?;
    let start = Instant::now();
    Multiplier::new_on(args.common.isa).multiply(x, y, view).map_err(Failure::new)?;
    let seconds = start.elapsed().as_secs_f64();

    let mut bytes = Vec::with_capacity(size_of_val(z.as_slice()));
    for entry in &z {
        bytes.extend(entry.to_bytes());
    }
    if let Some(path) = &args.z {
        Output::write_whole(path, Privacy::Public, &bytes)?;
    }
    let correct = if args.check {
        let mut want = room::<W>(m * n)?;
        let view = MatrixMut::column_major(&mut want, m, n).map_err(Failure::new)?;
        Multiplier::new_on(Isa::PORTABLE).multiply(x, y, view).map_err(Failure::new)?;
        Some(want == z)
    } else {
        None
    };
    let rate = (m * n) as f64 * k as f64 / seconds / 1e9;
    let (isa, threads) = (args.common.isa.name(), rayon::current_num_threads());
    let hash = blake3::hash(&bytes).to_hex();
    if args.common.json {
        say(serde_json::json!({
            "w": w, "m": m, "k": k, "n": n, "gmacs_per_second": rate, "seconds": seconds,
            "z_blake3": hash.as_str(), "correct": correct, "isa": isa, "threads": threads,
        }))?;
    } else if !z_to_stdout {
        say(format_args!("product    {m} x {k} times {k} x {n} modulo 2^{w}"))?;
        say(format_args!("time       {:.3} ms, packing included", seconds * 1e3))?;
        say(format_args!("speed      {rate:.1} * 10^9 multiply-adds per second"))?;
        say(format_args!("machine    {isa}, {threads} threads"))?;
        say(format_args!("BLAKE3(Z)  {hash}"))?;
        if let Some(correct) = correct {
            say(if correct {
                "check      equal to the portable product"
            } else {
                "check      WRONG"
            })?;
        }
    }
    Ok(if correct == Some(false) { Answer::No } else { Answer::Yes })
}

/// Zeros, or the reason why there is no memory for them.
fn room<T: Entry>(len: usize) -> Result<Vec<T>, Failure> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(Failure::new)?;
    values.resize(len, T::default());
    Ok(values)
}

/// The entries of a file, or random ones of `bits` bits.
fn operand<T: Entry>(
    file: Option<&PathBuf>,
    (rows, columns): (usize, usize),
    bits: Option<u32>,
    seed: &Seed,
    label: Label,
) -> Result<Vec<T>, Failure> {
    let down = 64 - bits.unwrap_or(64);
    let size = size_of::<T>();
    if let Some(path) = file {
        let what = format!("a {rows} x {columns} matrix of {size}-byte entries");
        let bytes = cli::read_exactly(path, rows * columns * size, what)?;
        let values: Vec<T> = bytes.chunks_exact(size).map(T::from_bytes).collect();
        let fits = |value: &T| {
            let wide = value.widen() as i64;
            bits.is_none() || wide << down >> down == wide
        };
        return match values.iter().position(|value| !fits(value)) {
            None => Ok(values),
            Some(at) => Err(Failure::file(
                path,
                format_args!("entry {at} does not fit {} signed bits", 64 - down),
            )),
        };
    }
    let mut values = room(rows * columns)?;
    let mut stream = seed.stream(label, 0);
    let mut words = [0; 1024];
    for values in values.chunks_mut(words.len()) {
        stream.fill_u64(&mut words);
        for (value, word) in values.iter_mut().zip(words) {
            *value = T::from_i64(word as i64 >> down);
        }
    }
    Ok(values)
}
