//! Batches on every instruction set, against num-bigint.
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone_bignum::{Error, Job, Method, modexp_batch};
use tautochrone_simd::Isa;

use crate::numbers::{big, number};

type Operands = (Vec<u64>, Vec<u64>, Vec<u64>);

/// Widths on both sides of a block of eight digits (384 bits with the guard bits) and of several.
fn operands() -> impl Strategy<Value = Operands> {
    let widths = prop::sample::select(vec![1usize, 2, 6, 7, 12, 13, 16, 32, 33]);
    (widths, 0usize..3)
        .prop_flat_map(|(n, e)| (number(n), prop::collection::vec(any::<u64>(), e), number(n)))
}

fn check(isa: Isa, method: Method, all: &[Operands]) {
    let jobs: Vec<Job<'_>> =
        all.iter().map(|(b, e, m)| Job { base: b, exponent: e, modulus: m }).collect();
    let powers = modexp_batch(isa, method, &jobs);
    assert_eq!(powers.len(), jobs.len());
    for (job, power) in jobs.iter().zip(powers) {
        let m = big(job.modulus);
        if m == BigUint::ZERO {
            assert_eq!(power, Err(Error::ZeroModulus));
        } else {
            let want = big(job.base).modpow(&big(job.exponent), &m);
            assert_eq!(
                power.map(|r| (r.len(), big(&r))),
                Ok((job.modulus.len(), want)),
                "{isa} {job:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn batches_of_mixed_widths_agree_with_num_bigint(
        all in prop::collection::vec(operands(), 1..40),
    ) {
        for isa in Isa::all() {
            check(isa, Method::Barrett, &all);
        }
    }

    #[test]
    fn full_lanes_of_extreme_operands_agree_with_num_bigint(
        n in 1usize..40,
        seed in prop::collection::vec(any::<u64>(), 8),
    ) {
        // Full lanes: all ones everywhere, then moduli 2^(64 n) - k, 2^k and k.
        let edge = |k: u64| -> Vec<Operands> {
            (0..8u64)
                .map(|lane| {
                    let mut m = vec![if lane < 4 { u64::MAX } else { 0 }; n];
                    m[(lane as usize * n) >> 3] ^= k << lane;
                    m[0] |= u64::from(lane == 7);
                    (vec![u64::MAX; n], vec![seed[lane as usize], u64::MAX], m)
                })
                .collect()
        };
        for isa in Isa::all() {
            check(isa, Method::Barrett, &edge(0));
            check(isa, Method::Barrett, &edge(1));
            check(isa, Method::Barrett, &edge(seed[0] | 1));
        }
    }
}

#[test]
fn numbers_of_full_size_agree_with_num_bigint() {
    // 2048 and 4096 bits, exponents of full size; even, odd, top bit clear.
    let mut state = 7u64;
    let mut limb = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    for n in [32, 64] {
        let all: Vec<Operands> = (0..9)
            .map(|lane| {
                let mut number = || (0..n).map(|_| limb()).collect::<Vec<u64>>();
                let (b, e, mut m) = (number(), number(), number());
                m[0] = m[0] >> 1 << 1 | lane & 1;
                m[n - 1] >>= lane;
                (b, e[..8].to_vec(), m)
            })
            .collect();
        check(Isa::detect(), Method::Auto, &all);
    }
}

#[test]
fn a_refused_job_leaves_the_others_alone() {
    // 2^9 = 512 is 2 modulo 3 and modulo 5.
    let all = [[3u64, 0], [0, 0], [5, 0]];
    let mut jobs: Vec<Job<'_>> =
        all.iter().map(|m| Job { base: &[2, 0], exponent: &[9], modulus: m }).collect();
    jobs.push(Job { base: &[1], exponent: &[1], modulus: &[1, 1] });
    for isa in Isa::all() {
        let powers = modexp_batch(isa, Method::Barrett, &jobs);
        assert_eq!(powers[0], Ok(vec![2, 0]));
        assert_eq!(powers[1], Err(Error::ZeroModulus));
        assert_eq!(powers[2], Ok(vec![2, 0]));
        assert_eq!(powers[3], Err(Error::Width { expected: 2, found: 1 }));
        assert!(modexp_batch(isa, Method::Auto, &[]).is_empty());
    }
}
