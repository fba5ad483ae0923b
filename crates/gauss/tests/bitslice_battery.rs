//! The acceptance battery on the bit-sliced samplers, and the mutations that it must refuse.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Bitslice, Builder, Form, Kind};
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
