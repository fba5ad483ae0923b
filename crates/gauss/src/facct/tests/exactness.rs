//! The exact decision against a multi-precision oracle, the fast one against the exact one, and the
//! way from one to the other, with a margin so wide that it is taken all the time.

use super::*;
use crate::big::{Big, big};
use tautochrone_testkit::{Battery, Distribution};

/// units_x: what the alias table gives the cell x.
fn units(table: &Table, x: u32) -> u64 {
    let columns = (0..).zip(table.trial.threshold.iter().zip(&table.trial.alias));
    let part = |(c, (&threshold, &alias)): (u32, (&u32, &u32))| {
        let own = u64::from(threshold >> 5);
        own * u64::from(c == x) + ((1 << 27) - own) * u64::from(alias == x)
    };
    columns.map(part).sum()
}

/// units_x P / exp(-d^2 / (2 sigma^2)), d = K x + y + `beyond`, for P = `probability` / 2^128.
fn weight(table: &Table, sigma: f64, x: u32, y: u64, beyond: (u64, u128)) -> Big {
    let whole = big(u128::from(table.trial.k * u64::from(x) + y + beyond.0));
    let d = whole + big(beyond.1) / big(1_u128 << 127) / big(2);
    let sigma = big(sigma);
    let ideal = (-(d.clone() * d / (big(2) * sigma.clone() * sigma))).exp();
    big(units(table, x)) * big(exact::probability(table, x, y, beyond)) / ideal
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn distances_from_a_centre_are_exact(mu in centre()) {
        let centre = Centre::new(mu);
        prop_assert!(centre.floor as f64 <= mu && mu - (centre.floor as f64) <= 1.0);
        for negative in [false, true] {
            let (whole, fraction) = centre.distance(negative);
            let fast = if negative { centre.below } else { centre.above };
            let exact = whole as f64 + fraction as f64 * 2.0_f64.powi(-128);
            prop_assert!((exact - fast).abs() <= 2.0_f64.powi(-53), "{mu}: {exact} against {fast}");
        }
        let (down, up) = (centre.distance(true), centre.distance(false));
        prop_assert_eq!(down.1.wrapping_add(up.1), 0, "the distances add up to one");
        prop_assert_eq!(down.0 + up.0 + u64::from(down.1 != 0), 1);
    }
}

/// Rounds of 1000 trials, sigma over the whole range. The fast probability is within 2^-50 max(1,
/// E / 2) of the exact one, and a uniform that is 2^14 away from it is decided alike; in the first
/// `oracle` rounds, the exact one's constant of proportionality is the same for every trial to
/// 2^-100.
fn compare_probabilities(rounds: u64, oracle: u64) {
    let mut words = vec![0_u64; 5_000];
    // In 2^-50, relative to max(1, E / 2), without a centre and with one; in 2^-64; of the exact
    // one.
    let (mut worst, mut largest, mut inexact) = ([0.0_f64; 2], 0.0_f64, 0.0_f64);
    for round in 0..rounds {
        stream(round).fill_u64(&mut words);
        let sigma =
            (1.0 + 31.0 * words[0] as f64 / 2.0_f64.powi(64)).exp2().clamp(2.0, SIGMA_LIMIT - 1.0);
        let table = Table::new(sigma);
        let reference = weight(&table, sigma, 1, table.trial.k / 2, (0, 0));
        for draw in words.as_chunks::<5>().0 {
            let x = (draw[0] % 32) as u32;
            let y = ((u128::from(draw[1]) * u128::from(table.trial.k)) >> 64) as u64;
            let mu = draw[2] as i64 as f64 * 2.0_f64.powi(-((draw[3] % 200) as i32) - 13);
            let centre = (draw[4] & 2 == 0).then(|| Centre::new(mu));
            let negative = draw[4] & 1 == 1;
            let (distance, beyond) = match &centre {
                None => (y as f64, (0, 0)),
                Some(c) => {
                    let beyond = if negative { c.below } else { c.above };
                    (y as f64 + beyond, c.distance(negative))
                }
            };
            let fast = crate::acceptance::probability(portable::exponent(&table, x, distance));
            let exact = exact::probability(&table, x, y, beyond);
            // Of smaller ones fewer bits are right.
            if round < oracle && exact >= 1 << 118 {
                let ratio = weight(&table, sigma, x, y, beyond) / reference.clone();
                inexact = inexact.max((ratio - big(1.0)).to_f64().value().abs());
            }
            let difference = u128::from(fast).abs_diff(exact >> 64) as f64;
            let p = ((exact >> 64) as f64).max(1.0);
            // One for the two roundings to 2^-64.
            let relative = (difference - 1.0).max(0.0) / p * 2.0_f64.powi(50);
            let e = 64.0 - p.log2();
            let at = usize::from(centre.is_some());
            worst[at] = worst[at].max(relative / (e / 2.0).max(1.0));
            largest = largest.max(difference);
            for (uniform, want) in
                [(fast.checked_sub(1 << 14), true), (fast.checked_add(1 << 14), false)]
            {
                let Some(uniform) = uniform else { continue };
                let uniform = u128::from(uniform) << 64;
                assert_eq!(exact::accepts(&table, x, y, beyond, uniform), want);
            }
        }
    }
    println!("relative errors of {worst:?} 2^-50 max(1, E / 2), absolute ones of {largest} 2^-64");
    println!("relative error of the exact probability: {inexact:e}");
    assert!(worst[0] < 1.0 && worst[1] < 1.0, "relative errors of {worst:?} 2^-50");
    assert!(largest < 2.0_f64.powi(13), "an error of {largest} 2^-64");
    assert!(inexact < 2.0_f64.powi(-100), "the exact probability is off by {inexact:e}");
}

#[test]
fn probabilities_are_exact() {
    compare_probabilities(50, 3);
}

#[test]
#[ignore = "10^6 trials in multi-precision arithmetic, minutes; run with --release --ignored"]
fn a_million_probabilities_are_exact() {
    compare_probabilities(1000, 1000);
}

/// A margin that doubts half of all decisions.
const DOUBTFUL: u64 = 1 << 62;

type Fill = Box<dyn Fn(&Facct, &mut Stream, &mut [i64])>;

/// Every way to fill so many samples.
fn fills(len: i32) -> [Fill; 3] {
    let centres: Vec<f64> = (0..len).map(|i| f64::from(i) * 0.37 - 90.0).collect();
    [
        Box::new(|sampler, stream, out| sampler.fill(stream, out)),
        Box::new(|sampler, stream, out| sampler.fill_centred(-3.7, stream, out).unwrap()),
        Box::new(move |sampler, stream, out| sampler.fill_centres(&centres, stream, out).unwrap()),
    ]
}

#[test]
fn doubts_are_settled_alike_everywhere() {
    for sigma in SIGMAS {
        for fill in fills(500) {
            let doubted = same_everywhere((sigma, DOUBTFUL), 1, 500, &fill);
            let certain = same_everywhere((sigma, MARGIN), 1, 500, &fill);
            assert_ne!(certain, doubted, "no doubt arose, or doubts took no words of their own");
        }
    }
}

/// So many that rejected coordinates fill batches of their own. With the wider margin every other
/// batch is done again in the middle of a fill, among them batches of retries.
#[test]
fn batches_in_doubt_are_done_again() {
    for fill in fills(20_000) {
        for margin in [MARGIN, 1 << 54] {
            same_everywhere((3.3, margin), 4, 20_000, &fill);
        }
    }
}

/// One trial after the other at the edges of its doubt: where the definition doubts, so do the
/// kernels, and what they decide is what it decides.
#[test]
fn kernels_doubt_at_the_edges() {
    let mut random = stream(5);
    let (mut doubts, mut certain) = (0, 0);
    for round in 0..60 {
        let sigma = SIGMAS[round % SIGMAS.len()];
        let table = Table::new(sigma);
        let mut words = [0; GROUP_WORDS * MAX_GROUPS];
        random.fill_u64(&mut words);
        for group in words.as_chunks_mut::<GROUP_WORDS>().0 {
            for trial in 0..16 {
                let (octet, lane) = (trial >> 3, trial & 7);
                let at = 16 + 8 * octet + lane;
                let p = portable::fast_probability(
                    &table,
                    (group[lane] >> (32 * octet)) as u32,
                    group[at],
                );
                // Far away, so that one edge is all the doubt there is in a batch of certain ones.
                let far = p.wrapping_add(1 << 63);
                set_uniform(group, octet, lane, at, far);
            }
        }
        // One trial of the batch, at distances around the margin.
        let trial = round * 37 % SAMPLES;
        for steps in [-4_i64, -3, -2, -1, 0, 1, 2, 3, 4] {
            let mut words = words;
            let group = &mut words.as_chunks_mut::<GROUP_WORDS>().0[trial >> 4];
            let (octet, lane) = (trial >> 3 & 1, trial & 7);
            let at = 16 + 8 * octet + lane;
            let cell = (group[lane] >> (32 * octet)) as u32;
            let p = portable::fast_probability(&table, cell, group[at]);
            set_uniform(group, octet, lane, at, p.wrapping_add_signed(steps << 21));
            let counts = check_words(sigma, &words, steps);
            doubts += counts[0];
            certain += counts[1];
        }
    }
    let enough = 166 * everywhere(SIGMAS[0]).count();
    assert!(doubts > enough && certain > enough, "{doubts} doubts, {certain} certain");
}

/// Makes the uniform number of a trial the first 43 bits of `uniform`.
fn set_uniform(group: &mut [u64], octet: usize, lane: usize, at: usize, uniform: u64) {
    let accept = &mut group[8 + lane];
    let half = uniform >> 33 << 1;
    *accept = *accept & !(0xffff_fffe << (32 * octet)) | half << (32 * octet);
    group[at] = group[at] & ((1 << 52) - 1) | uniform << 31 >> 52 << 52;
}

/// Decisions taken by the exact rule have the distribution.
#[test]
fn settled_doubts_have_the_distribution() {
    for (sigma, mu) in [(2.0, 0.5), (3.3, -3.7), (2e9, 1e6 + 1.0 / 3.0)] {
        let mut sampler = Facct::new(sigma).unwrap();
        sampler.table.margin = DOUBTFUL;
        let mut random = stream(2);
        Battery::new(Distribution::full(sigma, 0.0))
            .run(1 << 16, |out| sampler.fill(&mut random, out))
            .assert_accepts();
        Battery::new(Distribution::full(sigma, mu))
            .run(1 << 16, |out| sampler.fill_centred(mu, &mut random, out).unwrap())
            .assert_accepts();
    }
}

/// With the margin that ships, a doubt has probability 3 2^-43 a trial.
#[test]
fn doubts_are_rare() {
    let sampler = Facct::new(215.0).unwrap();
    let mut random = stream(3);
    let (mut words, mut samples) = ([0; GROUP_WORDS * MAX_GROUPS], [0_i64; SAMPLES]);
    for _ in 0..4000 {
        random.fill_u64(&mut words);
        assert!(!sampler.fast_trials(None, &words, &mut samples).1);
    }
}
