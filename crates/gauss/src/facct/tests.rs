//! Exactness of tables and acceptance, and agreement of all instruction sets.

mod exactness;

use super::batch::{GROUP_WORDS, MAX_GROUPS, SAMPLES};
use super::centre::Centre;
use super::setup::MARGIN;
use super::*;
use proptest::prelude::*;
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_testkit::scaled;

const SIGMAS: [f64; 11] =
    [2.0, 2.5, 3.3, 215.0, 300.0, 1000.7, 3.5e5, 1e6, 4.6e7, 2e9, 4_294_967_295.0];

fn stream(index: u64) -> Stream {
    Seed::from_bytes([3; 32]).stream(Label::new("facct tests"), index)
}

/// The sampler on every instruction set, and on lanes in memory.
fn everywhere(sigma: f64) -> impl Iterator<Item = (String, Facct)> {
    let sets = Isa::all().map(move |isa| (isa.to_string(), Facct::new_on(isa, sigma).unwrap()));
    sets.chain([("emulated".to_owned(), Facct::new_emulated(sigma).unwrap())])
}

/// The samples of `fill` with so wide a margin: the same on every instruction set, and so is the
/// place in the stream behind them.
fn same_everywhere<T: Default + Clone + PartialEq>(
    (sigma, margin): (f64, u64),
    index: u64,
    len: usize,
    fill: impl Fn(&Facct, &mut Stream, &mut [T]),
) -> Vec<T> {
    let drawn = |mut sampler: Facct| {
        sampler.table.margin = margin;
        let (mut out, mut stream) = (vec![T::default(); len], stream(index));
        fill(&sampler, &mut stream, &mut out);
        (out, stream.position())
    };
    let want = drawn(Facct::new_on(Isa::PORTABLE, sigma).unwrap());
    for (name, sampler) in everywhere(sigma) {
        assert!(drawn(sampler) == want, "sigma {sigma}, {len} samples, margin {margin}, {name}");
    }
    want.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(scaled(2000) as u32))]
    #[test]
    fn every_isa_gives_the_same_samples(
        sigma in prop_oneof![prop::sample::select(&SIGMAS[..]), 2.0..1e8], len in 0_usize..700, index: u64,
    ) {
        let fill = |s: &Facct, stream: &mut Stream, out: &mut [i64]| s.fill(stream, out);
        let wide = same_everywhere((sigma, MARGIN), index, len, fill);
        if Facct::new(sigma).unwrap().check_i32().is_ok() {
            let fill = |s: &Facct, stream: &mut Stream, out: &mut [i32]| s.fill_i32(stream, out).unwrap();
            let narrow = same_everywhere((sigma, MARGIN), index, len, fill);
            prop_assert!(wide.iter().zip(&narrow).all(|(&w, &n)| w == i64::from(n)));
        }
    }

    #[test]
    fn every_isa_gives_the_same_samples_around_centres(
        sigma in prop::sample::select(&SIGMAS[..]), centres in prop::collection::vec(centre(), 1..700), index: u64,
    ) {
        let (len, mu) = (centres.len(), centres[0]);
        let reach = Facct::new(sigma).unwrap().bound() as f64 + 1.0;
        let one = same_everywhere((sigma, MARGIN), index, len, |sampler, stream, out| {
            sampler.fill_centred(mu, stream, out).unwrap();
        });
        prop_assert!(one.iter().all(|&z| (z as f64 - mu).abs() <= reach));
        let each = same_everywhere((sigma, MARGIN), index, len, |sampler, stream, out| {
            sampler.fill_centres(&centres, stream, out).unwrap();
        });
        prop_assert!(each.iter().zip(&centres).all(|(&z, mu)| (z as f64 - mu).abs() <= reach));
    }
}

/// Centres of every kind: small, large, negative, whole, and next to whole.
fn centre() -> impl Strategy<Value = f64> {
    let edge = prop::sample::select(vec![
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.0,
        -3.7,
        1e6 + 1.0 / 3.0,
        1e-300,
        -1e-300,
        -1e-20,
        5e-324,
        centre::LIMIT - 0.5,
        0.5 - centre::LIMIT,
        0.999_999_999_999_999_9,
    ]);
    prop_oneof![edge, -10.0..10.0, -1e15..1e15]
}

/// Kernels may doubt more than the definition, never less, and what they decide is what it decides.
/// How many of them doubt, and how many do not.
fn check_words(sigma: f64, words: &[u64; GROUP_WORDS * MAX_GROUPS], what: i64) -> [usize; 2] {
    let mut reference = [0; SAMPLES];
    let sampler = Facct::new_on(Isa::PORTABLE, sigma).unwrap();
    let want = sampler.compress(None, words, None, &mut reference);
    let mut counts = [0; 2];
    for (name, sampler) in everywhere(sigma) {
        let mut samples = [0_i64; SAMPLES];
        let (count, doubt) = sampler.fast_trials(None, words, &mut samples);
        assert!(samples[..count].iter().all(|z| z.unsigned_abs() <= sampler.bound()));
        assert!(doubt || !want.1, "sigma {sigma}, {name}, {what}");
        if !doubt {
            assert_eq!(samples[..count], reference[..want.0], "sigma {sigma}, {name}, {what}");
        }
        counts[usize::from(!doubt)] += 1;
    }
    counts
}

#[test]
fn hostile_words_stay_in_range() {
    for sigma in SIGMAS {
        for pattern in [0, u64::MAX, 1 << 63, 0xffff_ffff, 0xffff_ffff_0000_0000] {
            check_words(sigma, &[pattern; GROUP_WORDS * MAX_GROUPS], pattern.cast_signed());
        }
    }
}

#[test]
fn bad_sigmas_are_refused() {
    for sigma in [0.0, -3.0, 1.999, SIGMA_LIMIT, f64::INFINITY, f64::NAN] {
        assert!(matches!(Facct::new(sigma), Err(Error::Sigma { .. })), "{sigma}");
    }
    assert!(Facct::new(1e9).unwrap().fill_i32(&mut stream(0), &mut [0]).is_err());
    assert!(Facct::new(1e7).unwrap().fill_i32(&mut stream(0), &mut [0]).is_ok());
}

#[test]
fn acceptance_rate_is_as_computed() {
    for sigma in SIGMAS {
        let sampler = Facct::new(sigma).unwrap();
        let (mut accepted, rounds) = (0, 200);
        let mut words = [0; GROUP_WORDS * MAX_GROUPS];
        let mut samples = [0_i64; SAMPLES];
        let mut stream = stream(9);
        for _ in 0..rounds {
            stream.fill_u64(&mut words);
            accepted += sampler.trials(None, &words, &mut stream, &mut samples);
        }
        let trials = (rounds * SAMPLES) as f64;
        let p = sampler.acceptance();
        let rate = accepted as f64 / trials;
        assert!(
            (rate - p).abs() < 5.0 * (p * (1.0 - p) / trials).sqrt(),
            "sigma {sigma}: {rate} against {p}"
        );
    }
}

#[test]
fn bad_centres_are_refused() {
    let sampler = Facct::new(215.0).unwrap();
    for mu in [centre::LIMIT, -centre::LIMIT, f64::INFINITY, f64::NAN] {
        assert!(matches!(
            sampler.fill_centred(mu, &mut stream(0), &mut [0]),
            Err(Error::Centre { .. })
        ));
        let centres = [0.0, mu];
        assert!(matches!(
            sampler.fill_centres(&centres, &mut stream(0), &mut [0; 2]),
            Err(Error::Centre { .. })
        ));
    }
    assert_eq!(
        sampler.fill_centres(&[0.0], &mut stream(0), &mut []),
        Err(Error::Length { centres: 1, out: 0 })
    );
}

/// One at a time, in either width, of a copy that an iterator owns.
#[test]
fn samples_are_iterators() {
    use rand::distr::Distribution;
    let facct = Facct::new(215.0).unwrap();
    let wide: Vec<i64> = facct.clone().sample_iter(stream(40)).take(100).collect();
    let narrow: Vec<i32> = facct.sample_iter(stream(40)).take(100).collect();
    assert!(wide.into_iter().eq(narrow.into_iter().map(i64::from)));
}

#[test]
#[should_panic(expected = "samples that fit 32 bits")]
fn wide_samples_do_not_wrap() {
    use rand::distr::Distribution;
    let _: i32 = Facct::new(2e9).unwrap().sample(&mut stream(41));
}
