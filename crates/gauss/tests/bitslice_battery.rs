//! The acceptance battery on the bit-sliced samplers: every kind, form and adjustment, and both
//! ends of their ranges. `bitslice_mutations` shows that it would notice.
#![allow(clippy::disallowed_methods, reason = "an oracle")]

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::Error;
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Builder, Form, Kind, Width};
use tautochrone_testkit::{Battery, Distribution};

/// Samples of a distribution in a run that every test pass takes, and in the long run.
const SHORT: usize = 10_000_000;
const LONG: usize = 1_000_000_000;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([77; 32]).stream(Label::new("bitslice battery"), index)
}

fn sigma(sigma: f64) -> Builder {
    Bitslice::builder().sigma(sigma)
}

/// The battery over blocks of 512 lanes; anything beyond the sampler's own bound is a failure.
fn accepts(builder: &Builder, distribution: &Distribution, samples: usize) {
    let sampler = builder.build().expect("a supported sigma");
    let mut stream = stream(sampler.sigma().to_bits());
    let bound = sampler.bound() as i64;
    let (lo, hi) = distribution.range();
    Battery::new(distribution.cut(lo.max(-bound), hi.min(bound)))
        .lanes(512)
        .run(samples, |out| sampler.fill(&mut stream, out))
        .assert_accepts();
}

fn full_distributions(samples: usize) {
    for s in [0.3, 0.5, 1.5, 2.0, 3.19, 10.0, 34.0, 215.0, 1000.0] {
        accepts(&sigma(s), &Distribution::full(s, 0.0), samples);
    }
}

/// The kinds that draw less or more than a sign, and beyond one byte.
fn other_kinds(samples: usize) {
    let kinds = |builder: &Builder, s: f64| {
        let kind = |kind| builder.clone().kind(kind);
        accepts(&kind(Kind::FoldedHalf), &Distribution::folded_half(s), samples);
        accepts(&kind(Kind::UnfoldedHalf), &Distribution::unfolded_half(s), samples);
        accepts(&kind(Kind::Bimodal), &Distribution::bimodal(s), samples);
    };
    kinds(&sigma(2.0), 2.0);
    kinds(&sigma(3.19).form(Form::Bytes), 3.19);
    kinds(&sigma(215.0), 215.0);
}

/// Both forms where the default is the other one, 128 bits, one wide table in place of a sum.
fn other_forms(samples: usize) {
    for form in [Form::Planes, Form::Bytes] {
        accepts(&sigma(2.0).precision(128).form(form), &Distribution::full(2.0, 0.0), samples);
    }
    accepts(&sigma(2.0).form(Form::Bytes), &Distribution::full(2.0, 0.0), samples);
    accepts(&sigma(2.5), &Distribution::full(2.5, 0.0), samples);
    accepts(&sigma(215.0).direct(), &Distribution::full(215.0, 0.0), samples);
}

/// The narrowest and the widest distribution of a precision, as its errors tell them.
fn ends_of_the_range(samples: usize) {
    for precision in [32, 64] {
        let Err(Error::Sigma { least, limit, .. }) = sigma(1e9).precision(precision).build() else {
            panic!("sigma 1e9 is not supported")
        };
        for s in [least, limit - 1.0] {
            accepts(&sigma(s).precision(precision), &Distribution::full(s, 0.0), samples);
        }
    }
}

/// Adjusted to (mu, s') from a base; the acceptance rate is sum_z rho_{s'}(z - r) / 2R, times the
/// scale.
fn adjusted_accepts(base: f64, centre: f64, s: f64, s_min: Option<f64>, samples: usize) {
    let width = match s_min {
        None => Width::public(s),
        Some(s_min) => Width::scaled(1.0 / s, s_min),
    };
    let adjusted = Adjusted::new(&sigma(base), width).expect("a width below the base's");
    let mut stream = stream(10);
    let (mut count, mut trials) = (0, 0);
    let report = Battery::new(Distribution::full(s, centre)).run(samples, |out| {
        count += out.len() as u64;
        trials += adjusted.fill(centre, &mut stream, out).expect("a centre in range");
    });
    report.assert_accepts();
    let rho = |x: f64, s: f64| (-x * x / (2.0 * s * s)).exp();
    let all = |f: &dyn Fn(f64) -> f64| (0..400).map(|z| f(f64::from(z))).sum::<f64>();
    let (r, half) = (centre - centre.floor(), all(&|z| rho(z, base)));
    let mass = all(&|z| rho(z - r, s) + rho(z + 1.0 + r, s));
    let rate = count as f64 / trials as f64 / (mass / (2.0 * half) * s_min.unwrap_or(s) / s);
    assert!((rate - 1.0).abs() < 0.02, "base {base}, ({centre}, {s}): acceptance off by {rate}");
}

fn adjusted(samples: usize) {
    for (centre, s) in [(0.5, 1.9), (0.3, 1.5), (-3.7, 1.2)] {
        adjusted_accepts(2.0, centre, s, None, samples);
    }
    // As a secret width would be.
    adjusted_accepts(2.0, 0.25, 1.7, Some(1.2), samples);
}

/// s' = s and r = 0, where one side is always accepted; s' = 0.4 and s' = s / 16 around 1/2, where
/// hardly anything is; the largest centres.
fn ends_of_adjustment(samples: usize) {
    let furthest = (1 << 30) as f64;
    adjusted_accepts(2.0, 0.0, 2.0, None, samples);
    adjusted_accepts(2.0, 0.5, 0.4, None, samples / 4);
    adjusted_accepts(10.0, 0.5, 0.625, None, samples / 16);
    adjusted_accepts(2.0, furthest - 0.5, 1.9, None, samples);
    adjusted_accepts(2.0, 0.5 - furthest, 1.9, None, samples);
}

/// One centre for each coordinate: every residue class of centres has its own distribution.
fn batches_of_centres(samples: usize) {
    let adjusted = Adjusted::new(&sigma(2.0), Width::public(1.6)).expect("a width");
    let cycle = [0.0, 0.25, -7.5, 100.75];
    for (at, &centre) in cycle.iter().enumerate() {
        let mut stream = stream(20 + at as u64);
        let report = Battery::new(Distribution::full(1.6, centre)).run(samples, |out| {
            let centres: Vec<f64> = (0..out.len() * 4).map(|i| cycle[i % 4]).collect();
            let mut all = vec![0_i64; centres.len()];
            adjusted.fill_centres(&centres, &mut stream, &mut all).expect("centres in range");
            for (out, x) in out.iter_mut().zip(all.iter().skip(at).step_by(4)) {
                *out = *x;
            }
        });
        report.assert_accepts();
    }
}

/// One sample at a time, as `rand::distr::Distribution`.
fn single_samples(samples: usize) {
    use rand::distr::Distribution as _;
    let mut rng = stream(30);
    for (builder, distribution) in [
        (sigma(2.0), Distribution::full(2.0, 0.0)),
        (sigma(3.19).precision(128), Distribution::full(3.19, 0.0)),
        (sigma(2.0).kind(Kind::FoldedHalf), Distribution::folded_half(2.0)),
        (sigma(2.0).kind(Kind::Bimodal), Distribution::bimodal(2.0)),
        (sigma(215.0), Distribution::full(215.0, 0.0)),
    ] {
        let sampler = builder.build().expect("a supported sigma");
        Battery::new(distribution)
            .run(samples, |out| out.fill_with(|| sampler.sample(&mut rng)))
            .assert_accepts();
    }
    let adjusted = Adjusted::new(&sigma(2.0), Width::public(1.6)).expect("a width");
    let centred = adjusted.at(-3.7).expect("a centre");
    Battery::new(Distribution::full(1.6, -3.7))
        .run(samples, |out| out.fill_with(|| centred.sample(&mut rng)))
        .assert_accepts();
}

macro_rules! batteries {
    ($($name:ident / $short:expr,)*) => {
        $(
            #[test]
            fn $name() {
                super::$name($short);
            }
        )*

        /// All of the above at length, side by side on the cores that there are.
        mod at_length {
            $(
                #[test]
                #[ignore = "minutes; run with cargo test --release -p tautochrone-gauss --test bitslice_battery -- --ignored"]
                fn $name() {
                    super::super::$name(super::super::LONG);
                }
            )*
        }
    };
}

mod pass {
    use super::SHORT;

    batteries! {
        full_distributions / SHORT,
        other_kinds / SHORT,
        other_forms / SHORT,
        ends_of_the_range / SHORT,
        adjusted / SHORT,
        ends_of_adjustment / SHORT,
        batches_of_centres / SHORT / 8,
        single_samples / 1 << 18,
    }
}
