//! The distribution that follows from the tables, and partitions and comparisons against GNU MPFR:
//! `tests/kat/ziggurat.json`, written by `tests/kat/ziggurat.py`.

use super::super::compare;
use super::super::curve::{BITS, ERROR};
use super::*;
use num_bigint::{BigInt, BigUint};
use serde_json::Value;

/// Every x must be accepted with probability rho(x) / (2 m S), by the rules of the draw: p is
/// inside [0, 1] in every right rectangle, and the sum over the rectangles is rho. Level 2 stands
/// for p.
#[test]
fn distributions_of_the_tables_are_gaussian() {
    for (sigma, m) in [
        (0.5, 3),
        (0.5, 100),
        (2.0, 8),
        (2.0, 63),
        (10.0, 1),
        (10.0, 7999),
        (32.0, 14),
        (215.0, 512),
        (1000.0, 7999),
    ] {
        let partition = Partition::new(sigma, m).unwrap();
        let (x, area, curve) = (partition.corners(), partition.area(), &partition.curve);
        let p = |i: usize, at: u64| curve.level_2(i, at) as f64 * 2.0_f64.powi(-(BITS as i32));
        let mut accepted = alloc::vec![0.0; partition.bound() as usize + 1];
        for i in 1..=m {
            let n = (x[i] + 1) as f64;
            let top = i <= partition.capped();
            accepted[0] += if top { p(i, 0).clamp(0.0, 1.0) } else { 1.0 } / n;
            for at in 1..=x[i] {
                let p = if at <= x[i - 1] { 1.0 } else { p(i, at) };
                assert!((-1e-13..=1.0 + 1e-13).contains(&p), "p({i}, {at}) = {p}");
                accepted[at as usize] += p / n;
            }
        }
        for (at, accepted) in accepted.iter().enumerate() {
            let rho = crate::float::exp_neg((at as f64).powi(2) * curve.slope);
            assert!((accepted * area - rho).abs() < 1e-13, "sigma {sigma}, m {m}, x {at}");
        }
    }
}

#[test]
fn partitions_and_all_levels_agree_with_mpfr() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kat/ziggurat.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut points = 0;
    for case in file["cases"].as_array().unwrap() {
        let sigma = case["sigma"].as_f64().unwrap();
        let corners: Vec<u64> =
            case["corners"].as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect();
        let partition = Partition::new(sigma, corners.len() - 1).unwrap();
        let area = alloc::format!("{:016x}", partition.area().to_bits());
        assert_eq!(area, case["area"], "the area that the file is for, sigma {sigma}");
        assert!(partition.corners() == corners, "corners, sigma {sigma}");

        for point in case["points"].as_array().unwrap() {
            let (i, x) = (point[0].as_u64().unwrap() as usize, point[1].as_u64().unwrap());
            let p = BigInt::parse_bytes(point[2].as_str().unwrap().as_bytes(), 16).unwrap();
            check_point(&partition, (i, x), &p);
            points += 1;
        }
    }
    assert!(points > 50, "{points}");
}

/// The three levels against p(i, x) 2^256, rounded down, and ties with it.
fn check_point(partition: &Partition, (i, x): (usize, u64), p: &BigInt) {
    let (sigma, curve) = (partition.sigma(), &partition.curve);
    let (c, b) = partition.line(i);
    let (level_1, error) = curve.level_1(c, b, x as f64);
    let exact = i128::try_from(p >> 192).unwrap() as f64 * 2.0_f64.powi(-64);
    let gap = (level_1 - exact).abs();
    assert!(gap < error / 2.0, "level 1: sigma {sigma}, p({i}, {x}) errs by {gap:e} of {error:e}");
    let gap = BigInt::from(curve.level_2(i, x)) - (p >> (256 - BITS));
    assert!(*gap.magnitude() < (ERROR as u64 / 2).into(), "level 2: {sigma}, p({i}, {x}): {gap}");
    for bits in [64, 128, 192, 224] {
        // Both are rounded.
        let gap = curve.level_3(i, x, bits) - (p >> (256 - bits));
        assert!(*gap.magnitude() <= 4_u8.into(), "level 3: {sigma}, p({i}, {x}), {bits}: {gap}");
    }
    if let Some(p) = p.to_biguint().filter(|p| p.bits() <= 256) {
        let words: [u64; 4] =
            core::array::from_fn(|k| (&p >> (192 - 64 * k)).iter_u64_digits().next().unwrap_or(0));
        for omega in [None, Some(53), Some(64), Some(106), Some(128)] {
            check_ties(partition, omega, (i, x), &words);
        }
    }
}

/// Puts u within 2^-64 to 2^-192 of p(i, x), of which `exact` are the first four words, on either
/// side: it must be decided as the real numbers do, from as many words as u and p have in common.
fn check_ties(partition: &Partition, omega: Option<u32>, (i, x): (usize, u64), exact: &[u64]) {
    let (curve, digits) = (&partition.curve, Digits::new(omega));
    for equal in 0..3 {
        for (step, want) in [(-1_i64, true), (1, false)] {
            // `equal` words as p has them, then one below or above, then the opposite extreme.
            let mut u = exact.to_vec();
            let Some(word) = u[equal].checked_add_signed(step) else { continue };
            u[equal] = word;
            u[equal + 1..].fill(if want { u64::MAX } else { 0 });
            // omega bits of u against omega bits of p: equality is a rejection.
            let want = omega.map_or(want, |omega| {
                let below = |w: &[u64]| {
                    w.iter().fold(BigUint::ZERO, |a, w| (a << 64_u32) + w) >> (256 - omega)
                };
                below(&u) < below(exact)
            });
            let mut rest = u[1..].iter();
            let mut more = || *rest.next().unwrap();
            let got = compare::decide(curve, digits, (i, x), digits.word(0, u[0]), &mut more);
            let sigma = partition.sigma();
            assert_eq!(
                got, want,
                "sigma {sigma}, p({i}, {x}), {equal} words equal, omega {omega:?}"
            );
            let read = 3 - rest.len();
            let most = omega.map_or(3, |omega| omega as usize / 65);
            assert_eq!(read, equal.min(most), "words read");
        }
    }
}

/// Probability 1 accepts even the largest u, probability 0 rejects even u = 0: at X_{i-1}, where
/// p >= 1, and past X_i, where p <= 0.
#[test]
fn certain_and_impossible_draws() {
    for (sigma, m) in [(2.0, 63), (10.0, 63), (2e9, 64)] {
        let partition = Partition::new(sigma, m).unwrap();
        let (curve, corners, digits) = (&partition.curve, partition.corners(), Digits::new(None));
        for i in (2..m).filter(|i| corners[i - 1] > 0) {
            for (x, word, want) in [(corners[i - 1], u64::MAX, true), (corners[i] + 1, 0, false)] {
                let got = compare::decide(curve, digits, (i, x), word, &mut || word);
                assert_eq!(got, want, "sigma {sigma}, p({i}, {x})");
            }
        }
    }
}

/// p(1, 0) = 1 / 2 exactly in a made-up table: a rational tie must end, and u = 1/2 is not below
/// it.
#[test]
fn rational_ties_end() {
    let mut curve = curve::Curve::new(1.0, 14.0).unwrap();
    curve.sides = alloc::vec![7];
    let digits = Digits::new(None);
    for (words, want) in
        [([1 << 63, 0], false), ([(1 << 63) - 1, u64::MAX], true), ([1 << 63, 1], false)]
    {
        let got = compare::decide(&curve, digits, (1, 0), words[0], &mut || words[1]);
        assert_eq!(got, want, "{words:x?}");
    }
}
