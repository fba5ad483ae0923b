//! Faults that the acceptance battery must refuse, put into the samplers. Its own tests have faults
//! of lanes, signs and weights, put into the samples of a table.
#![allow(clippy::disallowed_methods, reason = "an oracle")]

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::Sampler;
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Builder, Kind, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::Ziggurat;
use tautochrone_testkit::{Battery, Distribution, Report};

const SAMPLES: usize = 1 << 21;
/// 0.2 % of variance are 8 standard errors of it.
const LONG_RUN: usize = 1 << 25;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([78; 32]).stream(Label::new("mutations"), index)
}

fn sigma(sigma: f64) -> Builder {
    Bitslice::builder().sigma(sigma)
}

fn full(sigma: f64) -> Distribution {
    Distribution::full(sigma, 0.0)
}

/// The battery on what `fill` draws.
fn report(
    want: Distribution,
    samples: usize,
    mut fill: impl FnMut(&mut Stream, &mut [i64]),
) -> Report {
    let mut stream = stream(0);
    Battery::new(want).lanes(512).run(samples, |out| fill(&mut stream, out))
}

/// The battery on a bit-sliced sampler and what a mutation makes of its samples.
fn of_samples(builder: &Builder, want: Distribution, mut mutate: impl FnMut(&mut [i64])) -> Report {
    let sampler = builder.build().expect("a supported sigma");
    report(want, SAMPLES, |stream, out| {
        sampler.fill(stream, out);
        mutate(out);
    })
}

/// A full Gaussian, mutated.
fn mutated(s: f64, mutate: impl FnMut(&mut [i64])) -> Report {
    of_samples(&sigma(s), full(s), mutate)
}

/// Gives each magnitude a fair sign.
fn sign(out: &mut [i64], stream: &mut Stream) {
    let mut coins = vec![0; out.len()];
    stream.fill(&mut coins);
    for (x, coin) in out.iter_mut().zip(coins) {
        *x *= 1 - 2 * i64::from(coin & 1);
    }
}

/// sigma * 1.001, for bytes, sums, FACCT, the Ziggurat and adjusted distributions.
#[test]
fn a_slightly_wider_distribution_is_refused() {
    let wider = |s: f64, sampler: &dyn Sampler| {
        report(full(s), LONG_RUN, |stream, out| sampler.fill(stream, out)).assert_rejects();
    };
    for s in [10.0, 215.0] {
        wider(s, &Bitslice::new(s * 1.001).expect("in range"));
    }
    for s in [3.3, 215.0, 2e9] {
        wider(s, &Facct::new(s * 1.001).expect("in range"));
    }
    for s in [10.0, 1.6e5] {
        wider(s, &Ziggurat::new(s * 1.001).expect("in range"));
    }
    let adjusted = Adjusted::new(&sigma(2.0), Width::public(1.9 * 1.001)).expect("a width");
    report(Distribution::full(1.9, 0.5), LONG_RUN, |stream, out| {
        adjusted.fill(0.5, stream, out).expect("a centre");
    })
    .assert_rejects();
}

/// 215.73, the standard deviation that an implementation which rounds the cell width to an integer
/// delivers for 215: its variance is 0.7 % too large, 14 standard deviations of the estimate from
/// 2^23 samples.
#[test]
fn a_rounded_cell_width_is_caught() {
    let sampler = Facct::new(215.73).expect("in range");
    report(full(215.0), 1 << 23, |stream, out| sampler.fill(stream, out)).assert_rejects();
}

/// A centre off by a hundredth of sigma is told apart.
#[test]
fn a_slightly_wrong_centre_is_caught() {
    let sampler = Facct::new(3.3).expect("in range");
    report(Distribution::full(3.3, 0.5), SAMPLES, |stream, out| {
        sampler.fill_centred(0.533, stream, out).expect("in range");
    })
    .assert_rejects();
}

/// An output that has only the low 32 bits and the sign, as an overflow would, is caught at
/// sigma = 2e9.
#[test]
fn lost_high_bits_are_caught() {
    let sampler = Facct::new(2e9).expect("in range");
    report(full(2e9), SAMPLES, |stream, out| {
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
        report(Distribution::full(1.6, 0.25), SAMPLES, |stream, out| {
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

/// A bound that is off by one in a comparison of values, at the end of the table, and in a uniform
/// number.
#[test]
fn an_off_by_one_bound_is_refused() {
    mutated(2.0, |out| out.iter_mut().for_each(|x| *x += i64::from(*x > 3))).assert_rejects();
    // A magnitude of mass 2^-10 is not reached, its samples moved to the one below.
    mutated(2.0, |out| out.iter_mut().filter(|x| x.abs() == 7).for_each(|x| *x -= x.signum()))
        .assert_rejects();
    // One value beyond the cut, once.
    let bound = sigma(2.0).build().expect("a distribution").bound() as i64;
    let mut first = true;
    let beyond = of_samples(&sigma(2.0), full(2.0).cut(-bound, bound), |out| {
        if core::mem::take(&mut first) {
            out[99] = bound + 1;
        }
    });
    beyond.assert_rejects();
    // -z or z + 1 without the one.
    let mut stream = stream(4);
    let unfolded = sigma(2.0).kind(Kind::UnfoldedHalf);
    let want = Distribution::bimodal(2.0);
    of_samples(&unfolded, want, |out| sign(out, &mut stream)).assert_rejects();
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
        report(Distribution::full(s, r), SAMPLES, |stream, out| {
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
