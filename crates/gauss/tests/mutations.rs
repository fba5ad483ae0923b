//! Faults that the acceptance battery must refuse, put into the samplers. Its own tests have faults
//! of lanes, signs, weights and widths, put into the samples of a table.
#![allow(clippy::disallowed_methods, reason = "an oracle")]

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Builder, Kind, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_testkit::{Battery, Distribution, Report};

fn sigma(sigma: f64) -> Builder {
    Bitslice::builder().sigma(sigma)
}

/// The battery on what `fill` draws.
fn report(want: Distribution, mut fill: impl FnMut(&mut Stream, &mut [i64])) -> Report {
    let mut stream = Seed::from_bytes([78; 32]).stream(Label::new("mutations"), 0);
    Battery::new(want).lanes(512).run(1 << 21, |out| fill(&mut stream, out))
}

/// An output that has only the low 32 bits and the sign, as an overflow would, is caught at
/// sigma = 2e9.
#[test]
fn lost_high_bits_are_caught() {
    let sampler = Facct::new(2e9).expect("in range");
    report(Distribution::full(2e9, 0.0), |stream, out| {
        sampler.fill(stream, out);
        for z in out {
            *z = i64::from(*z as i32);
        }
    })
    .assert_rejects();
}

/// Swapped lanes of one distribution are no fault of that distribution (the tests of the kernels
/// see them); of several centres they are.
#[test]
fn swapped_centres_are_refused() {
    let adjusted = Adjusted::new(&sigma(2.0), Width::public(1.6)).expect("a width");
    let run = |swapped: bool| {
        let shift = |i: usize| i64::from(i % 512 == 100);
        report(Distribution::full(1.6, 0.25), |stream, out| {
            let centre = |i: usize| 0.25 + shift(i) as f64;
            let centres: Vec<f64> = (0..out.len()).map(centre).collect();
            adjusted.fill_centres(&centres, stream, out).expect("centres in range");
            if swapped {
                out.chunks_exact_mut(512).for_each(|lanes| lanes.swap(100, 101));
            }
            out.iter_mut().enumerate().for_each(|(i, x)| *x -= shift(i));
        })
    };
    run(false).assert_accepts();
    run(true).assert_rejects();
}

/// The seed's adjusted sampler: Falcon's rejection on candidates from a full Gaussian, where it
/// needs one-sided ones.
#[test]
fn an_adjustment_of_the_wrong_base_is_refused() {
    let (r, s) = (0.3, 1.5);
    let adjusted_from = |kind: Kind| {
        let base = sigma(2.0).kind(kind).build().expect("a base");
        let (mut candidates, mut words) = (vec![0_i64; 4096], vec![0_u64; 4096]);
        let mut accepted = Vec::new();
        report(Distribution::full(s, r), |stream, out| {
            while accepted.len() < out.len() {
                base.fill(stream, &mut candidates);
                stream.fill_u64(&mut words);
                for (&z, word) in candidates.iter().zip(&words) {
                    let b = (word & 1) as i64;
                    let candidate = b + (2 * b - 1) * z;
                    let x = (candidate as f64 - r).powi(2) / (2.0 * s * s) - (z * z) as f64 / 8.0;
                    if ((word >> 11) as f64) < 2.0_f64.powi(53) * (-x).exp() {
                        accepted.push(candidate);
                    }
                }
            }
            let rest = accepted.split_off(out.len());
            out.copy_from_slice(&accepted);
            accepted = rest;
        })
    };
    adjusted_from(Kind::UnfoldedHalf).assert_accepts();
    adjusted_from(Kind::Full).assert_rejects();
    adjusted_from(Kind::FoldedHalf).assert_rejects();
}
