//! What proofs cost as the number of columns grows: each stage for 2^8, 2^10, .. columns, and the
//! fit `one-off + columns * each` of all of them. One thread, witness and T in memory.
//!
//! `cargo bench --bench growth -- PRESET TIERS FIRST LAST ROUNDS [STAGE ..]`, such as
//! `T64-128 amx,avx512 8 16 5 commit`: r and v of the preset and one w that suffices (n and sigma
//! follow from l) on these tiers for 2^FIRST to 2^LAST columns. All lengths take turns in every
//! round; the least counts. Cycles are those of a chain of multiplications that is timed before and
//! after each run. `growth work PRESET TIERS` prints what the products of a proof execute, what the
//! CPU's ports allow, and what memory it takes.
#![allow(unsafe_code, reason = "a loop in assembly, for the clock; an allocator that counts")]

mod case;
mod clock;
mod fit;
mod heap;
mod work;

use case::{Case, Least, STAGES, parameters};
use fit::Fit;
use tautochrone::simd::Isa;
use tautochrone::zk::{Preset, Security};

#[global_allocator]
static ALLOCATOR: heap::Counting = heap::Counting;

/// Prints the fit of a stage's points, columns and microseconds, and how far it is off.
fn report(tier: &str, stage: &str, points: &[(f64, f64)]) {
    let Fit { fixed, each } = Fit::new(points);
    let off = points.iter().map(|&(columns, time)| time / (fixed + columns * each));
    let off: Vec<String> = off.map(|ratio| format!("{ratio:.2}")).collect();
    println!(
        "{tier} {stage}: {fixed:.0} us + columns * {each:.4} us; measured / that {}",
        off.join(" ")
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("first use");
    let preset = |name: &str| name.parse::<Preset>().expect("a preset");
    let (name, tiers, first, last, rounds, wanted) = match args[..] {
        ["work", name, tiers] => {
            let case = Case::new(preset(name).params(Security::Waived).expect("a preset"));
            for tier in tiers.split(',') {
                work::print(preset(name), tier);
                case.print_memory(Isa::named(tier).expect("a tier of this CPU"));
            }
            return;
        }
        [name, tiers, first, last, rounds, ref wanted @ ..] => {
            (name, tiers, first, last, rounds, wanted)
        }
        _ => {
            println!("growth PRESET TIERS FIRST LAST ROUNDS [STAGE ..] | work PRESET TIERS");
            return;
        }
    };
    let [first, last] = [first, last].map(|log2| log2.parse::<u32>().expect("a logarithm"));
    let rounds: u32 = rounds.parse().expect("a number of rounds");
    let is_wanted = |stage: &str| wanted.is_empty() || wanted.contains(&stage);
    let lengths: Vec<u64> = (first..=last).step_by(2).map(|log2| 1 << log2).collect();
    let cases: Vec<Case> = parameters(preset(name), &lengths).into_iter().map(Case::new).collect();
    for tier in tiers.split(',') {
        let isa = Isa::named(tier).expect("a tier of this CPU");
        let mut least = vec![[Least::NONE; STAGES.len()]; cases.len()];
        for _ in 0..rounds {
            for (case, least) in cases.iter().zip(&mut least) {
                case.round(isa, least, is_wanted);
            }
        }
        let times: Vec<_> = cases.iter().zip(least).map(|(case, t)| case.stages(t)).collect();
        for (i, stage) in STAGES.iter().enumerate().filter(|(_, stage)| is_wanted(stage)) {
            let mut points = Vec::new();
            for (&columns, times) in lengths.iter().zip(&times) {
                let (micros, cycles) = (times[i].seconds * 1e6, times[i].cycles);
                let each = micros / columns as f64;
                println!(
                    "{tier} {stage} 2^{}: {micros:.0} us, {cycles:.0} cycles, {each:.4} us a column",
                    columns.ilog2()
                );
                points.push((columns as f64, micros));
            }
            if points.len() > 1 {
                report(tier, stage, &points);
            }
        }
    }
}
