//! Partitions and comparisons against GNU MPFR: `tests/kat/ziggurat.json`, written by
//! `tests/kat/ziggurat.py`.

use super::super::curve::{BITS, ERROR};
use super::exact::check_ties;
use super::*;
use num_bigint::{BigInt, BigUint};
use serde_json::Value;

/// The four words of a number of 64 hexadecimal digits, first ones first.
fn words(digits: &str) -> Vec<u64> {
    (0..4).map(|k| u64::from_str_radix(&digits[16 * k..16 * (k + 1)], 16).unwrap()).collect()
}

#[test]
fn partitions_and_all_levels_agree_with_mpfr() {
    let file: Value = tautochrone_testkit::kat::read("ziggurat.json");
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
            let exact = words(point[2].as_str().unwrap());
            let p = exact.iter().fold(BigUint::ZERO, |p, word| (p << 64_u32) + word);
            let (c, b) = partition.line(i);
            let (level_1, error) = partition.curve.level_1(c, b, x as f64);
            let gap = (level_1 - exact[0] as f64 * 2.0_f64.powi(-64)).abs();
            assert!(gap < error / 2.0, "level 1: sigma {sigma}, p({i}, {x}) errs by {gap:e}");

            // Both are rounded, the file's by less than a unit of 2^-256.
            let p = BigInt::from(p);
            let gap = BigInt::from(partition.curve.level_2(i, x)) - (&p >> (256 - BITS));
            assert!(*gap.magnitude() < (ERROR as u64 / 2).into(), "level 2: p({i}, {x}): {gap}");
            for bits in [64_u32, 128, 224] {
                let gap = partition.curve.level_3(i, x, bits) - (&p >> (256 - bits));
                assert!(*gap.magnitude() <= 4_u8.into(), "level 3: p({i}, {x}), {bits}: {gap}");
            }
            for omega in [None, Some(53), Some(106), Some(128)] {
                check_ties(&partition, omega, (i, x), &exact);
            }
            points += 1;
        }
    }
    assert!(points > 50, "{points}");
}
