//! The acceptance battery on every sampler: every kind, form, width and centre, block by block and
//! one by one, and both ends of the ranges. `mutations` shows that it would notice.
#![allow(clippy::disallowed_methods, reason = "an oracle")]

use rand::distr::Distribution as _;
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::Error;
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Builder, Form, Kind, Width};
use tautochrone_gauss::exact::Variance;
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_simd::Isa;
use tautochrone_testkit::{Battery, Distribution, scaled};

/// The battery on so many samples of `fill`, whose kernels have so many lanes.
fn accepts(
    want: Distribution,
    lanes: usize,
    samples: usize,
    mut fill: impl FnMut(&mut Stream, &mut [i64]),
) {
    let mut stream = Seed::from_bytes([77; 32]).stream(Label::new("battery"), 0);
    let battery = Battery::new(want).lanes(lanes);
    battery.run(samples, |out| fill(&mut stream, out)).assert_accepts();
}

fn full(sigma: f64) -> Distribution {
    Distribution::full(sigma, 0.0)
}

fn sigma(sigma: f64) -> Builder {
    Bitslice::builder().sigma(sigma)
}

/// Blocks of 512 lanes; anything beyond the sampler's own bound is a failure.
fn bitslice_accepts(builder: &Builder, want: &Distribution, samples: usize) {
    let sampler = builder.build().expect("a supported sigma");
    let bound = sampler.bound() as i64;
    let (lo, hi) = want.range();
    let want = want.cut(lo.max(-bound), hi.min(bound));
    accepts(want, 512, samples, |stream, out| sampler.fill(stream, out));
}

fn bitslice(samples: usize) {
    for s in [0.3, 0.5, 1.5, 2.0, 3.19, 10.0, 34.0, 215.0, 1000.0] {
        bitslice_accepts(&sigma(s), &full(s), samples);
    }
}

/// The kinds that draw less or more than a sign, and beyond one byte.
fn bitslice_kinds(samples: usize) {
    for (s, builder) in
        [(2.0, sigma(2.0)), (3.19, sigma(3.19).form(Form::Bytes)), (215.0, sigma(215.0))]
    {
        for (kind, want) in [
            (Kind::FoldedHalf, Distribution::folded_half(s)),
            (Kind::UnfoldedHalf, Distribution::unfolded_half(s)),
            (Kind::Bimodal, Distribution::bimodal(s)),
        ] {
            bitslice_accepts(&builder.clone().kind(kind), &want, samples);
        }
    }
}

/// Both forms where the default is the other one, 128 bits, one wide table in place of a sum, and
/// rational variances, which no generated code is for.
fn bitslice_forms(samples: usize) {
    for (s, builder) in [
        (2.0, sigma(2.0).precision(128).form(Form::Planes)),
        (2.0, sigma(2.0).precision(128).form(Form::Bytes)),
        (2.0, sigma(2.0).form(Form::Bytes)),
        (2.5, sigma(2.5)),
        (215.0, sigma(215.0).direct()),
    ] {
        bitslice_accepts(&builder, &full(s), samples);
    }
    for (numerator, denominator) in [(1, 4), (1, 1), (9, 5), (7, 3)] {
        for precision in [64, 128] {
            let variance = Variance::ratio(numerator, denominator).expect("in range");
            let s = variance.sigma();
            let builder = Bitslice::builder().variance(variance).precision(precision);
            bitslice_accepts(&builder, &full(s), samples.div_ceil(8));
        }
    }
}

/// The narrowest and the widest distribution of a precision, as its errors tell them.
fn bitslice_ends(samples: usize) {
    for precision in [32, 64] {
        let Err(Error::Sigma { least, limit, .. }) = sigma(1e9).precision(precision).build() else {
            panic!("sigma 1e9 is not supported")
        };
        for s in [least, limit - 1.0] {
            bitslice_accepts(&sigma(s).precision(precision), &full(s), samples);
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
    let (mut count, mut trials) = (0, 0);
    accepts(Distribution::full(s, centre), 8, samples, |stream, out| {
        count += out.len() as u64;
        trials += adjusted.fill(centre, stream, out).expect("a centre in range");
    });
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
fn adjusted_ends(samples: usize) {
    let furthest = (1 << 30) as f64;
    adjusted_accepts(2.0, 0.0, 2.0, None, samples);
    adjusted_accepts(2.0, 0.5, 0.4, None, samples / 4);
    adjusted_accepts(10.0, 0.5, 0.625, None, samples / 16);
    adjusted_accepts(2.0, furthest - 0.5, 1.9, None, samples);
    adjusted_accepts(2.0, 0.5 - furthest, 1.9, None, samples);
}

/// One centre for each coordinate: every residue class of centres has its own distribution.
fn adjusted_centres(samples: usize) {
    let adjusted = Adjusted::new(&sigma(2.0), Width::public(1.6)).expect("a width");
    let cycle = [0.0, 0.25, -7.5, 100.75];
    for (at, &centre) in cycle.iter().enumerate() {
        accepts(Distribution::full(1.6, centre), 8, samples, |stream, out| {
            let centres: Vec<f64> = (0..out.len() * 4).map(|i| cycle[i % 4]).collect();
            let mut all = vec![0_i64; centres.len()];
            adjusted.fill_centres(&centres, stream, &mut all).expect("centres in range");
            for (out, x) in out.iter_mut().zip(all.iter().skip(at).step_by(4)) {
                *out = *x;
            }
        });
    }
}

/// The sigmas of the published tables, non-integers among them, and both ends of the range.
const FACCT_SIGMAS: [f64; 11] =
    [2.0, 2.5, 3.3, 215.0, 300.0, 1000.7, 3.5e5, 1e6, 4.6e7, 2e9, 4_294_967_295.0];
const FACCT_CENTRES: [f64; 4] = [0.0, 0.5, -3.7, 1e6 + 1.0 / 3.0];

fn facct(samples: usize) {
    for sigma in FACCT_SIGMAS {
        let sampler = Facct::new(sigma).expect("in range");
        accepts(full(sigma), 8, samples, |stream, out| sampler.fill(stream, out));
        for mu in FACCT_CENTRES {
            accepts(Distribution::full(sigma, mu), 8, samples / 4, |stream, out| {
                sampler.fill_centred(mu, stream, out).expect("in range");
            });
        }
    }
}

/// Centres that differ from coordinate to coordinate, by whole numbers so that all have one
/// distribution: a mix-up of lanes, or of samples that are tried again, shows.
fn facct_coordinates(samples: usize) {
    for sigma in FACCT_SIGMAS {
        for mu in FACCT_CENTRES {
            let sampler = Facct::new(sigma).expect("in range");
            let whole = |i: usize| (i * i % 1_000_003) as f64;
            accepts(Distribution::full(sigma, mu), 8, samples, |stream, out| {
                let centres: Vec<f64> = (0..out.len()).map(|i| whole(i) + mu).collect();
                sampler.fill_centres(&centres, stream, out).expect("in range");
                for (i, z) in out.iter_mut().enumerate() {
                    *z -= whole(i) as i64;
                }
            });
        }
    }
}

fn ziggurat_accepts(sigma: f64, rectangles: usize, factor: Option<u32>, samples: usize) {
    let options = Options { rectangles, factor, omega: None };
    let sampler = Ziggurat::new_on(Isa::detect(), sigma, options).expect("in range");
    let bound = sampler.bound() as i64;
    let want = full(sigma).cut(-bound, bound);
    accepts(want, 64, samples, |stream, out| sampler.fill(stream, out));
}

/// The factors do not change the output, which tests of the crate show: each width and number of
/// rectangles is run with one of them, and each width with all samples once.
fn ziggurat(samples: usize) {
    let factors = [None, Some(0), Some(1), Some(3), Some(7)];
    for (i, s) in [0.8, 2.0, 3.19, 10.0, 32.0, 215.0, 1000.0, 1.6e5, 2e9].into_iter().enumerate() {
        for (j, rectangles) in [8, 63, 499, 7999].into_iter().enumerate() {
            let samples = if i % 4 == j { samples } else { samples / 8 };
            ziggurat_accepts(s, rectangles, factors[(i + j) % factors.len()], samples);
        }
    }
    for sigma in [0.5, 1_099_511_627_776.0] {
        for rectangles in [1, 512] {
            ziggurat_accepts(sigma, rectangles, None, samples / 8);
        }
    }
}

/// One sample at a time, as `rand::distr::Distribution`.
fn single_samples(samples: usize) {
    fn each(want: Distribution, samples: usize, draw: impl Fn(&mut Stream) -> i64) {
        accepts(want, 8, samples, |stream, out| out.fill_with(|| draw(stream)));
    }
    for (builder, want) in [
        (sigma(0.5), full(0.5)),
        (sigma(2.0), full(2.0)),
        (sigma(3.19).precision(128), full(3.19)),
        (sigma(2.0).kind(Kind::FoldedHalf), Distribution::folded_half(2.0)),
        (sigma(2.0).kind(Kind::Bimodal), Distribution::bimodal(2.0)),
        (sigma(215.0), full(215.0)),
    ] {
        let sampler = builder.build().expect("a supported sigma");
        each(want, samples, |stream| sampler.sample(stream));
    }
    let adjusted = Adjusted::new(&sigma(2.0), Width::public(1.6)).expect("a width");
    let centred = adjusted.at(-3.7).expect("a centre");
    each(Distribution::full(1.6, -3.7), samples, |stream| centred.sample(stream));
    for s in [2.0, 215.5, 1e9] {
        let facct = Facct::new(s).expect("in range");
        each(full(s), samples, |stream| facct.sample(stream));
        let centred = facct.at(-3.7).expect("a centre");
        each(Distribution::full(s, -3.7), samples, |stream| centred.sample(stream));
        let ziggurat = Ziggurat::new(s).expect("in range");
        each(full(s), samples, |stream| ziggurat.sample(stream));
    }
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
                #[ignore = "minutes; run with cargo test --release -p tautochrone-gauss --test battery -- --ignored"]
                fn $name() {
                    super::super::$name(1_000_000_000);
                }
            )*
        }
    };
}

mod pass {
    use super::scaled;

    batteries! {
        bitslice / scaled(10_000_000),
        bitslice_kinds / scaled(10_000_000),
        bitslice_forms / scaled(10_000_000),
        bitslice_ends / scaled(10_000_000),
        adjusted / scaled(10_000_000),
        adjusted_ends / scaled(10_000_000),
        adjusted_centres / scaled(1 << 20),
        facct / scaled(1 << 20),
        facct_coordinates / scaled(1 << 17),
        ziggurat / scaled(10_000_000),
        single_samples / scaled(1 << 18),
    }
}
