//! Whether products are formed in the best way: for a table of shapes every way that could be
//! taken is timed in turn, and the one that is chosen is compared with the fastest. One thread.
//!
//! `cargo bench --bench choice -- [tiers [rounds [part of a name]]]`, such as `amx,avx512 9 A-S`.
//! The least time of the rounds counts. An operand that a proof uses again is packed before.
#![allow(missing_docs, reason = "a bench")]

mod case;
#[path = "../matmul/entries.rs"]
mod entries;
mod shapes;

use std::time::Instant;

use case::Case;
use tautochrone::matmul::{Multiplier, Threads};
use tautochrone::simd::Isa;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Ways that take this many times as long as the best in the first round are timed no more.
const HOPELESS: f64 = 3.0;
/// A round of a way takes at least this long, in seconds.
const ROUND: f64 = 50e-6;

/// Seconds that each way takes, the least of some rounds.
fn time(case: &mut Case<'_>, rounds: usize) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; case.ways.len()];
    let mut repetitions = vec![1_u32; case.ways.len()];
    for (i, (_, run)) in case.ways.iter_mut().enumerate() {
        let best = least.iter().copied().fold(f64::INFINITY, f64::min);
        let mut once = || {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        };
        least[i] = once();
        if least[i] < 2.0 * HOPELESS * best {
            least[i] = least[i].min(once());
        }
        repetitions[i] = (ROUND / least[i]).ceil().max(1.0) as u32;
    }
    let best = least.iter().copied().fold(f64::INFINITY, f64::min);
    for _ in 0..rounds {
        for (i, (_, run)) in case.ways.iter_mut().enumerate() {
            if least[i] > HOPELESS * best {
                continue;
            }
            let start = Instant::now();
            for _ in 0..repetitions[i] {
                run();
            }
            least[i] = least[i].min(start.elapsed().as_secs_f64() / f64::from(repetitions[i]));
        }
    }
    least
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let tiers = arguments.next().unwrap_or_else(|| "amx,avx512,avx2".into());
    let rounds: usize = arguments.next().map_or(9, |rounds| rounds.parse().expect("rounds"));
    let part = arguments.next().unwrap_or_default();
    for tier in tiers.split(',') {
        let Ok(isa) = Isa::named(tier) else { continue };
        let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
        let mut worst = (1.0, String::new());
        shapes::for_each(multiplier, &part, |mut case| {
            let times = time(&mut case, rounds);
            let best = (0..times.len()).min_by(|&i, &j| times[i].total_cmp(&times[j]));
            let best = best.expect("there is a way");
            let ratio = times[case.chosen] / times[best];
            let named = |i: usize| format!("{} {:.1} us", case.ways[i].0, 1e6 * times[i]);
            let note = if ratio > 1.1 { "  <-- LOSES" } else { "" };
            let (chosen, name) = (case.chosen, &case.name);
            println!("{tier} {name}: {}; best {}; {ratio:.2}{note}", named(chosen), named(best));
            if std::env::var_os("ALL").is_some() {
                for i in 0..times.len() {
                    println!("    {}", named(i));
                }
            }
            if ratio > worst.0 {
                worst = (ratio, name.clone());
            }
        });
        println!("{tier} worst: {:.2} {}", worst.0, worst.1);
    }
}
