//! The acceptance battery on the bit-sliced samplers, and the mutations that it must refuse.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Builder, Form, Kind, Width};
use tautochrone_testkit::{Battery, Law, Report};

/// Samples of a run that every test pass takes, and of the long run.
const SHORT: usize = 1 << 21;
const LONG: usize = 1_000_000_000;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([77; 32]).stream(Label::new("bitslice battery"), index)
}

/// The battery over blocks of 512 lanes.
fn run(builder: &Builder, law: Law, samples: usize) -> Report {
    let sampler = builder.build().expect("a law that can be had");
    let mut stream = stream(sampler.sigma().to_bits());
    Battery::new(law).lanes(512).run(samples, |out| sampler.fill(&mut stream, out))
}

fn check_all(samples: usize) {
    let sigma = |s: f64| Bitslice::builder().sigma(s);
    for s in [0.5, 1.5, 2.0, 3.19, 10.0, 34.0, 215.0, 1000.0] {
        run(&sigma(s), Law::full(s, 0.0), samples).assert_accepts();
    }
    for form in [Form::Planes, Form::Bytes] {
        for s in [2.0, 3.19] {
            run(&sigma(s).form(form), Law::full(s, 0.0), samples).assert_accepts();
            run(&sigma(s).form(form).kind(Kind::UnfoldedHalf), Law::half(s), samples)
                .assert_accepts();
            run(&sigma(s).form(form).kind(Kind::Bimodal), Law::bimodal(s), samples)
                .assert_accepts();
        }
        run(&sigma(2.0).precision(128).form(form), Law::full(2.0, 0.0), samples).assert_accepts();
    }
    run(&sigma(215.0).direct(), Law::full(215.0, 0.0), samples).assert_accepts();
}

#[test]
fn samplers_pass() {
    check_all(SHORT);
}

#[test]
#[ignore = "an hour; run with cargo test --release -p tautochrone-gauss --test bitslice_battery -- --ignored"]
fn samplers_pass_at_length() {
    check_all(LONG);
}

/// Adjusted to (mu, s') from sigma 2: public widths, and one that is scaled as a secret one would be.
#[test]
fn adjusted_samplers_pass() {
    let base = Bitslice::builder().sigma(2.0);
    let scaled = Width::scaled(1.0 / 1.7, 1.2);
    for (centre, sigma, width) in [
        (0.5, 1.9, Width::public(1.9)),
        (0.0, 2.0, Width::public(2.0)),
        (0.3, 1.5, Width::public(1.5)),
        (-3.7, 1.2, Width::public(1.2)),
        (0.25, 1.7, scaled),
    ] {
        let adjusted = Adjusted::new(&base, width).expect("a width below the base's");
        let mut stream = stream(10);
        let (mut samples, mut trials) = (0, 0);
        let report = Battery::new(Law::full(sigma, centre)).run(SHORT, |out| {
            samples += out.len() as u64;
            trials += adjusted.fill(centre, &mut stream, out).expect("a centre in range");
        });
        report.assert_accepts();
        // sum_z rho_{s'}(z - r) / 2R, times the scale.
        let rho = |x: f64, s: f64| (-x * x / (2.0 * s * s)).exp();
        let r = (0..40).map(|z| rho(f64::from(z), 2.0)).sum::<f64>();
        let mass = (-60..60).map(|z| rho(f64::from(z) - centre, sigma)).sum::<f64>();
        let scale = if sigma == 1.7 { 1.2 / 1.7 } else { 1.0 };
        let rate = samples as f64 / trials as f64 / (mass / (2.0 * r) * scale);
        assert!((rate - 1.0).abs() < 0.02, "acceptance off by {rate}");
    }
}

/// One centre for each coordinate: every residue class of centres has its own law.
#[test]
fn batches_of_centres_pass() {
    let base = Bitslice::builder().sigma(2.0);
    let adjusted = Adjusted::new(&base, Width::public(1.6)).expect("a width below the base's");
    let cycle = [0.0, 0.25, -7.5, 100.75];
    for (at, &centre) in cycle.iter().enumerate() {
        let mut stream = stream(20 + at as u64);
        let report = Battery::new(Law::full(1.6, centre)).run(1 << 20, |out| {
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

/// The seed's mistake: a full Gaussian where the adjustment needs an unfolded half.
#[test]
fn an_adjustment_of_the_wrong_base_is_refused() {
    let right =
        Adjusted::new(&Bitslice::builder().sigma(2.0), Width::public(1.5)).expect("a width");
    let mut stream = stream(30);
    let report = Battery::new(Law::full(1.5, 0.3)).run(SHORT, |out| {
        right.fill(0.3, &mut stream, out).expect("a centre");
        // A candidate of doubled zero: z = 0 accepted twice as often.
        for i in 1..out.len() {
            if out[i - 1] & 7 == 3 {
                out[i] = 0;
            }
        }
    });
    report.assert_rejects();
}

/// A sampler and what a mutation makes of its samples.
fn mutated(sigma: f64, samples: usize, mutate: impl Fn(&mut [i64])) -> Report {
    let sampler = Bitslice::try_new(sigma).expect("a law that can be had");
    let mut stream = stream(0);
    Battery::new(Law::full(sigma, 0.0)).lanes(512).run(samples, |out| {
        sampler.fill(&mut stream, out);
        mutate(out);
    })
}

#[test]
fn the_battery_accepts_the_unmutated() {
    mutated(2.0, SHORT, |_| ()).assert_accepts();
}

#[test]
fn a_slightly_wider_law_is_refused() {
    let sampler = Bitslice::try_new(10.0 * 1.001).unwrap();
    let mut stream = stream(1);
    let report = Battery::new(Law::full(10.0, 0.0))
        .lanes(512)
        .run(1 << 25, |out| sampler.fill(&mut stream, out));
    report.assert_rejects();
}

#[test]
fn an_unfolded_half_with_a_sign_is_refused() {
    // Zero is doubled: sign * U in place of sign * H.
    let sampler = Bitslice::builder().sigma(2.0).kind(Kind::UnfoldedHalf).build().unwrap();
    let mut stream = stream(2);
    let mut coins = self::stream(3);
    let report = Battery::new(Law::full(2.0, 0.0)).lanes(512).run(SHORT, |out| {
        sampler.fill(&mut stream, out);
        let mut bytes = vec![0; out.len()];
        coins.fill(&mut bytes);
        for (x, coin) in out.iter_mut().zip(bytes) {
            *x *= 1 - 2 * i64::from(coin & 1);
        }
    });
    report.assert_rejects();
}

#[test]
fn lane_mix_ups_are_refused() {
    // Lane 5 copies lane 4.
    mutated(2.0, SHORT, |out| out.chunks_exact_mut(512).for_each(|lanes| lanes[5] = lanes[4]))
        .assert_rejects();
    // Lane 7 lost its sign.
    mutated(2.0, SHORT, |out| {
        out.chunks_exact_mut(512).for_each(|lanes| lanes[7] = lanes[7].abs());
    })
    .assert_rejects();
    // A bit plane of the value stuck in one register of 64 lanes.
    mutated(10.0, SHORT, |out| {
        for lanes in out.chunks_exact_mut(512) {
            lanes[..64].iter_mut().for_each(|x| *x &= !1);
        }
    })
    .assert_rejects();
}

#[test]
fn an_off_by_one_bound_is_refused() {
    mutated(2.0, SHORT, |out| out.iter_mut().for_each(|x| *x += i64::from(*x > 3)))
        .assert_rejects();
}
