//! Every way to decide gives the samples of the definition.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_simd::vector::Emulated;

use super::super::super::lanes::BLOCK;
use super::super::super::{Bitslice, Builder};
use super::super::accept::{self, Accepted, Exponent};
use super::super::centre::Parts;
use super::super::thresholds::Thresholds;
use super::super::trials::{Block, Uniform};
use super::super::{Adjusted, Width, vector};
use super::Isa;

struct Drawn {
    candidates: [i64; BLOCK],
    uniform: Uniform,
}

impl Drawn {
    fn block(&self) -> Block<'_> {
        Block { candidates: &self.candidates, uniform: &self.uniform }
    }
}

/// Candidates of all tables in turn, and words at `distance` from their thresholds, on both sides,
/// or anywhere.
fn trials(e: &Exponent, fractions: &[f64; BLOCK], distance: u64, largest: i64) -> Drawn {
    let mut trials = Drawn { candidates: [0; BLOCK], uniform: [0; _] };
    let mut state = 1_u64;
    for (lane, &fraction) in fractions.iter().enumerate() {
        let candidate = lane as i64 % (2 * largest) + 1 - largest;
        let t = e.threshold(candidate as i32, fraction) << 1;
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let word = match state >> 62 {
            0 => t.wrapping_add(distance),
            1 => t.wrapping_sub(distance + 1),
            _ if distance > 0 => state,
            _ => t | 1,
        };
        trials.candidates[lane] = candidate;
        trials.uniform[8 * lane..8 * (lane + 1)].copy_from_slice(&word.to_le_bytes());
    }
    trials
}

/// Half a dozen widths, at thresholds and away from them: on every instruction set, and by the
/// polynomial where it must decide (a few margins away) and where it must not.
#[test]
fn lanes_are_decided_by_their_thresholds() {
    let centres: [f64; BLOCK] = core::array::from_fn(|i| (i * 37 % 512) as f64 / 512.0 - 1.0);
    let parts = Parts::new(Isa::PORTABLE, &centres);
    for (s, sigma, scale) in
        [(2.0, 2.0, 1.0), (2.0, 0.4, 1.0), (2.0, 1.3, 0.7), (20.0, 1.25, 1.0), (500.0, 400.0, 0.1)]
    {
        let e = Exponent::new(s, 1.0 / sigma, scale);
        for distance in [0, 1, 1 << 23] {
            let case = alloc::format!("s {s}, sigma {sigma}, {distance} away");
            let trials = trials(&e, &parts.fractions, distance, (13.0 * s) as i64);
            let mut want: Accepted = [0; _];
            for (lane, word) in trials.uniform.as_chunks().0.iter().enumerate() {
                let threshold = e.threshold(trials.candidates[lane] as i32, parts.fractions[lane]);
                want[lane / 8] |=
                    u8::from(u64::from_le_bytes(*word) >> 1 < threshold) << (lane % 8);
            }
            for isa in Isa::all() {
                let accepted = accept::lanes(isa, &e, trials.block(), &parts.fractions);
                assert_eq!(accepted, want, "{isa}, {case}");
            }
            let mut got = [0_i64; BLOCK];
            let fast =
                vector::centres::<Emulated<8>, i64>((), &e, &centres, trials.block(), &mut got);
            assert_eq!(fast, (distance > 1).then_some(want), "{case}");
            for (lane, (got, candidate)) in got.iter().zip(&trials.candidates).enumerate() {
                assert_eq!(*got, i64::from(parts.floors[lane]) + candidate);
            }
        }
    }
}

#[test]
fn look_ups_decide_as_the_definition() {
    for (scale, fraction) in [(1.0, 0.0), (1.0, 0.5), (0.7, 0.999), (0.3, 1e-9)] {
        let e = Exponent::new(2.0, 0.6, scale);
        let table = Thresholds::new(Isa::PORTABLE, 32, &e, fraction).unwrap();
        assert!(Thresholds::new(Isa::PORTABLE, 33, &e, fraction).is_none(), "candidates up to 32");
        for distance in [0, 1, 1 << 30] {
            let trials = trials(&e, &[fraction; BLOCK], distance, 32);
            let accepted = accept::lanes(Isa::PORTABLE, &e, trials.block(), &[fraction; BLOCK]);
            let want: Vec<i32> = (0..BLOCK)
                .filter(|lane| accepted[lane / 8] >> (lane % 8) & 1 == 1)
                .map(|lane| trials.candidates[lane] as i32 - 5)
                .collect();
            let mut got = [0_i32; BLOCK];
            let parts = (-5, fraction);
            let count = vector::one_centre::<Emulated<8>, i32>(
                (),
                &e,
                Some(&table),
                parts,
                trials.block(),
                &mut got,
            );
            assert_eq!(got[..count.unwrap()], want);
        }
    }
}

fn stream(isa: Isa) -> Stream {
    Seed::from_bytes([8; 32]).stream_on(isa, Label::new("adjusted tests"), 0)
}

/// Samples around one centre and around many, and how many trials they took.
fn samples(sampler: &Adjusted, isa: Isa, len: usize) -> (Vec<i32>, Vec<i64>, u64, u64) {
    let mut stream = stream(isa);
    let centres: Vec<f64> = (0..len).map(|i| i as f64 / 7.0 - 30.0).collect();
    let (mut one, mut each) = (vec![0; len], vec![0; len]);
    let trials = sampler.fill(-2.3, &mut stream, &mut one).unwrap();
    let more = sampler.fill_centres(&centres, &mut stream, &mut each).unwrap();
    (one, each, trials, more)
}

/// Samples at these lengths are the same on every instruction set, and on lanes in memory, with
/// other margins as well.
fn same_everywhere(base: &Builder, width: impl Fn() -> Width, lengths: &[usize], margins: &[u64]) {
    let of = |isa| Adjusted::new(&base.clone().isa(isa), width()).unwrap();
    for &len in lengths {
        let want = samples(&of(Isa::PORTABLE), Isa::PORTABLE, len);
        for &margin in margins {
            let sets = Isa::all().map(|isa| (isa, of(isa)));
            let emulated = Adjusted::new_emulated(base, width()).unwrap();
            for (isa, mut sampler) in sets.chain([(Isa::PORTABLE, emulated)]) {
                sampler.exponent.margin = margin;
                let which = if sampler.emulated { "emulated" } else { "" };
                assert_eq!(samples(&sampler, isa, len), want, "{which} {isa}, {len}, {margin}");
            }
        }
    }
}

/// Looked up and computed, at lengths around a block's; in doubt in half of the blocks, and in all.
#[test]
fn samples_are_the_same_on_every_instruction_set() {
    let (short, ships) = ([0, 1, 7, 511, 512, 513, 1000, 1024, 1537], [accept::MARGIN]);
    for (base, width) in [(2.0, 1.9), (2.0, 0.5), (3.19, 3.0), (20.0, 7.0)] {
        let base = Bitslice::builder().sigma(base);
        same_everywhere(&base, || Width::public(width), &short, &ships);
        let scaled = || Width::scaled(1.0 / width, 0.8 * width);
        same_everywhere(&base, scaled, &[1500], &ships);
    }
    let base = Bitslice::builder().sigma(20.0);
    same_everywhere(&base, || Width::public(17.0), &[5000], &[1 << 53, 1 << 62]);
}
