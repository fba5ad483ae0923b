//! Multiplies two matrices modulo 2^w.
//!
//! `cargo run --release --example matmul -- --w 64 --m 1000 --k 1000 --n 1000 --check`

mod args;
mod entry;

use std::path::Path;
use std::time::Instant;

use args::Args;
use entry::{Entry, allocate, operand};
use tautochrone::ctr::Label;
use tautochrone::matmul::{Matrix, MatrixMut, Multiplier, Word};
use tautochrone::simd::Isa;
use tautochrone_cli::{Answer, Failure, Output, Privacy};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match args.w {
        8 => with_x::<u8>(&args),
        16 => with_x::<u16>(&args),
        32 => with_x::<u32>(&args),
        _ => with_x::<u64>(&args),
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
    args.validate([size_of::<X>(), size_of::<Y>(), size_of::<W>()])?;
    let Args { m, k, n, .. } = *args;

    // Views say how entries lie in memory, and how many bits of them are in use.
    let seed = args.common.secret_seed()?;
    args.common.busy("reading or drawing the matrices");
    let x: Vec<X> = operand(args.x.as_ref(), (m, k), args.x_bits, &seed, Label::new("matmul X"))?;
    let y: Vec<Y> = operand(args.y.as_ref(), (k, n), args.y_bits, &seed, Label::new("matmul Y"))?;
    let x = Matrix::row_major(&x, m, k).map_err(Failure::new)?;
    let x = x.with_bits(args.x_bits.unwrap_or(64));
    let y = Matrix::column_major(&y, k, n).map_err(Failure::new)?;
    let y = y.with_bits(args.y_bits.unwrap_or(64));

    let (z, seconds) = multiply::<W, X, Y>(args, args.common.isa(), x, y)?;
    let portable = || multiply::<W, X, Y>(args, Isa::PORTABLE, x, y);
    let correct = if args.check { Some(portable()?.0 == z) } else { None };
    let bytes: Vec<u8> = z.iter().flat_map(|entry| entry.to_bytes()).collect();
    answer(args, &bytes, seconds, correct)
}

/// The product, and how many seconds it took.
fn multiply<W: Word + Entry, X: Entry, Y: Entry>(
    args: &Args,
    isa: Isa,
    x: Matrix<'_, X>,
    y: Matrix<'_, Y>,
) -> Result<(Vec<W>, f64), Failure> {
    let mut z = allocate::<W>(args.m * args.n)?;
    let view = MatrixMut::column_major(&mut z, args.m, args.n).map_err(Failure::new)?;
    // A multiplier is made once for an instruction set, and used for any number of products.
    let multiplier = Multiplier::new_on(isa);
    let start = Instant::now();
    args.common.busy("multiplying");
    multiplier.product(x, y).write_to(view).map_err(Failure::new)?;
    Ok((z, start.elapsed().as_secs_f64()))
}

/// Writes the product, and says how fast it came.
fn answer(
    args: &Args,
    bytes: &[u8],
    seconds: f64,
    correct: Option<bool>,
) -> Result<Answer, Failure> {
    let Args { w, m, k, n, .. } = *args;
    args.common.busy("writing and hashing the product");
    if let Some(path) = &args.z {
        Output::write_whole(path, Privacy::Public, bytes)?;
    }
    let hash = blake3::hash(bytes).to_hex();

    let rate = (m * n) as f64 * k as f64 / seconds / 1e9;
    let (isa, threads) = (args.common.isa().name(), rayon::current_num_threads());
    let json = serde_json::json!({
        "w": w, "m": m, "k": k, "n": n, "gmacs_per_second": rate, "seconds": seconds,
        "z_blake3": hash.as_str(), "correct": correct, "isa": isa, "threads": threads,
    });
    let check = correct.map(|correct| {
        let verdict = if correct { "equal to the portable product" } else { "WRONG" };
        format!("check      {verdict}")
    });
    let lines = [
        Some(format!("product    {m} x {k} times {k} x {n} modulo 2^{w}")),
        Some(format!("time       {:.3} ms, packing included", seconds * 1e3)),
        Some(format!("speed      {rate:.1} * 10^9 multiply-adds per second")),
        Some(format!("machine    {isa}, {threads} threads")),
        Some(format!("BLAKE3(Z)  {hash}")),
        check,
    ];
    // Where stdout has Z, nothing else may go there.
    let shown = if args.z.as_deref() == Some(Path::new("-")) { 0 } else { lines.len() };
    let done = args.common.report(json, lines.into_iter().take(shown).flatten())?;
    Ok(if correct == Some(false) { Answer::No } else { done })
}
