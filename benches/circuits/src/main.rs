//! Knowledge of x with a public f(f(..f(x)..)), f(x) = x^3 + 42, by circuits committed with
//! lattices and by winterfell, a hash-based system without zero knowledge, each in its own field:
//! in turn, medians of some rounds, on one thread.
//!
//! `cargo run --release -- 10 16 20`: log2 of the number of multiplications.

mod hashed;
mod lattice;

use std::time::Duration;

const ROUNDS: u64 = 7;

/// The times of one proof.
struct Times {
    commit: Duration,
    prove: Duration,
    verify: Duration,
    /// Bytes of commitments, and of the proof.
    bytes: [usize; 2],
}

fn main() {
    // Before any thread is started.
    rayon_threads();
    println!("| multiplications | system | commit, ms | prove, ms | verify, ms | KiB |");
    println!("|---|---|---|---|---|---|");
    for log2 in std::env::args().skip(1) {
        race(log2.parse().expect("log2 of the number of multiplications"));
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Both in turn, a row for each, and one for ratios.
fn race(log2: u32) {
    let steps = (1 << log2) / 2 - 1;
    let chain = lattice::Chain::new(steps);
    let (ours, theirs): (Vec<_>, Vec<_>) =
        (0..ROUNDS).map(|round| (chain.run(round), hashed::run(steps))).unzip();
    for (name, times) in [("tautochrone", &ours), ("winterfell", &theirs)] {
        let of = |time: fn(&Times) -> Duration| {
            median(times.iter().map(|times| time(times).as_secs_f64() * 1e3).collect())
        };
        let [commit, prove, verify] = [of(|t| t.commit), of(|t| t.prove), of(|t| t.verify)];
        let [statement, proof] = times[0].bytes.map(|bytes| bytes as f64 / 1024.0);
        println!(
            "| 2^{log2} | {name} | {commit:.1} | {prove:.1} | {verify:.2} | {statement:.0} + {proof:.0} |"
        );
    }
    let ratio = |time: fn(&Times) -> Duration| {
        let pairs = ours.iter().zip(&theirs);
        median(pairs.map(|(x, y)| time(x).div_duration_f64(time(y))).collect())
    };
    let [prove, verify] = [ratio(|t| t.prove), ratio(|t| t.verify)];
    println!("| 2^{log2} | medians of ratios | | {prove:.3} | {verify:.1} | |");
}

/// One thread, unless RAYON_NUM_THREADS says otherwise.
fn rayon_threads() {
    if std::env::var_os("RAYON_NUM_THREADS").is_none() {
        rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    }
}
