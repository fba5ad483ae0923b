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

const ROUNDS: usize = 7;

fn median(times: &[Times], of: impl Fn(&Times) -> Duration) -> f64 {
    let mut all: Vec<Duration> = times.iter().map(of).collect();
    all.sort();
    all[all.len() / 2].as_secs_f64() * 1e3
}

fn main() {
    // Before any thread is started.
    rayon_threads();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, counts)) if first == "keys" => keys(counts),
        _ => circuits(&arguments),
    }
}

fn circuits(arguments: &[String]) {
    println!("| multiplications | system | commit, ms | prove, ms | verify, ms | KiB |");
    println!("|---|---|---|---|---|---|");
    for argument in arguments {
        let log2: u32 = argument.parse().expect("log2 of the number of multiplications");
        let steps = (1 << (log2 - 1)) - 1;
        let chain = lattice::Chain::new(steps);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS as u64 {
            ours.push(chain.run(round));
            theirs.push(hashed::run(steps));
        }
        for (name, times) in [("tautochrone", &ours), ("winterfell", &theirs)] {
            let [commit, prove, verify] = [
                median(times, |times| times.commit),
                median(times, |times| times.prove),
                median(times, |times| times.verify),
            ];
            let [statement, proof] = times[0].bytes.map(|bytes| bytes as f64 / 1024.0);
            println!(
                "| 2^{log2} | {name} | {commit:.1} | {prove:.1} | {verify:.2} | {statement:.0} + {proof:.0} |"
            );
        }
    }
}

fn keys(counts: &[String]) {
    println!("| keys | system | prove, ms | verify, ms | KiB |");
    println!("|---|---|---|---|---|");
    for count in counts {
        let count: u32 = count.parse().expect("how many keys");
        assert!((count + 1).is_power_of_two(), "winterfell's last key is 0: expected 2^i - 1 keys");
        let keys = keys::Keys::new(count);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(keys.run());
            theirs.push(hashed_keys::run(&keys.public, &keys.secrets));
        }
        for (name, times) in [("tautochrone", &ours), ("winterfell", &theirs)] {
            let prove = median(times, |times| times.prove);
            let verify = median(times, |times| times.verify);
            let [statement, proof] = times[0].bytes.map(|bytes| bytes as f64 / 1024.0);
            let bytes = statement + proof;
            println!("| {count} | {name} | {prove:.1} | {verify:.2} | {bytes:.0} |");
        }
        let ratio = |of: &dyn Fn(&Times) -> Duration| {
            let pairs = ours.iter().zip(&theirs);
            let mut all: Vec<f64> =
                pairs.map(|(x, y)| of(x).as_secs_f64() / of(y).as_secs_f64()).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        let [prove, verify] = [ratio(&|times| times.prove), ratio(&|times| times.verify)];
        println!("| {count} | medians of ratios | {prove:.3} | {verify:.1} | |");
    }
}

/// One thread, unless RAYON_NUM_THREADS says otherwise.
fn rayon_threads() {
    if std::env::var_os("RAYON_NUM_THREADS").is_none() {
        rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    }
}
