//! Knowledge of x with a public f(f(..f(x)..)), f(x) = x^3 + 42, by circuits committed with lattices
//! and by winterfell, a hash-based system without zero knowledge, each in its own field: in turn,
//! medians of some rounds, on one thread. The same of ML-KEM-512 keys that are well formed.
//!
//! `cargo run --release -- 10 16 20`: log2 of the number of multiplications. `.. -- keys 15 63`:
//! numbers of keys, each one less than a power of two.

mod hashed;
mod hashed_keys;
mod keys;
mod lattice;
mod stark;
mod times;

use std::time::Duration;

use times::Times;

const ROUNDS: u64 = 7;

fn main() {
    // Before any thread is started.
    rayon_threads();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("| multiplications or keys | system | commit, ms | prove, ms | verify, ms | KiB |");
    println!("|---|---|---|---|---|---|");
    match arguments.split_first() {
        Some((first, counts)) if first == "keys" => counts.iter().for_each(|count| keys(count)),
        _ => arguments.iter().for_each(|log2| circuit(log2)),
    }
}

fn circuit(log2: &str) {
    let multiplications = 1 << log2.parse::<u32>().expect("log2 of the number of multiplications");
    let steps = multiplications / 2 - 1;
    let chain = lattice::Chain::new(steps);
    race(&format!("2^{log2}"), |round| chain.run(round), || hashed::run(steps));
}

fn keys(count: &str) {
    let number: u32 = count.parse().expect("how many keys");
    assert!((number + 1).is_power_of_two(), "winterfell's last key is 0: expected 2^i - 1 keys");
    let keys = keys::Keys::new(number);
    race(count, |_| keys.run(), || hashed_keys::run(&keys.public, &keys.secrets));
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Both in turn, a row for each, and one for ratios.
fn race(what: &str, ours: impl Fn(u64) -> Times, theirs: impl Fn() -> Times) {
    let (ours, theirs): (Vec<_>, Vec<_>) = (0..ROUNDS).map(|i| (ours(i), theirs())).unzip();
    for (name, times) in [("tautochrone", &ours), ("winterfell", &theirs)] {
        let of = |time: fn(&Times) -> Duration| {
            median(times.iter().map(|times| time(times).as_secs_f64() * 1e3).collect())
        };
        let [commit, prove, verify] = [of(|t| t.commit), of(|t| t.prove), of(|t| t.verify)];
        let [statement, proof] = times[0].bytes.map(|bytes| bytes as f64 / 1024.0);
        println!(
            "| {what} | {name} | {commit:.1} | {prove:.1} | {verify:.2} | {statement:.0} + {proof:.0} |"
        );
    }
    let ratio = |time: fn(&Times) -> Duration| {
        let pairs = ours.iter().zip(&theirs);
        median(pairs.map(|(x, y)| time(x).div_duration_f64(time(y))).collect())
    };
    let [prove, verify] = [ratio(|t| t.prove), ratio(|t| t.verify)];
    println!("| {what} | medians of ratios | | {prove:.3} | {verify:.1} | |");
}

/// One thread, unless RAYON_NUM_THREADS says otherwise.
fn rayon_threads() {
    if std::env::var_os("RAYON_NUM_THREADS").is_none() {
        rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    }
}
