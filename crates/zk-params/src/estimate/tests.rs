//! Published instances, and what is none. Minimisations are compared with trying everything in
//! tests of narrow masks, by another program.

use super::*;
use proptest::prelude::*;

/// Published block sizes for well-known instances, each to be met within one.
#[test]
fn cross_checks() {
    let near = |got: Hardness, want: u32| {
        assert!(got.beta.abs_diff(want) <= 1, "beta {} instead of {want}", got.beta);
    };
    // Micciancio and Regev's style of example: n = 113, q = 2048, bound 512.
    near(sis(113.0 * 11.0, u32::MAX, 9.0), 61);
    // Falcon-512 forgery: q = 12289, dimension 2 * 512, bound 5833.93 (its specification, section
    // 2.5.1).
    near(sis(512.0 * log2(12289.0), 1024, log2(5833.93)), 415);
    // Kyber-512 and Kyber-768: secret and error from a centred binomial of variance 3/2 and 1.
    near(lwe_primal(512, 1024, log2(3329.0), 1.5_f64.sqrt()), 406);
    near(lwe_primal(768, 1536, log2(3329.0), 1.0), 624);
    // Seed parameters of the first public demonstration: r = 100, v = 3000, w = 64, 4B near 2^39.
    assert_eq!(sis(6400.0, 3000, 38.6).beta, MIN_BLOCK, "broken");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Whoever has more samples may ignore some of them.
    #[test]
    fn more_samples_are_never_harder(
        secret in 1_u32..4000,
        samples in 1_u32..6000,
        more in 1_u32..3000,
        wide: bool,
        b in prop::sample::select(&[1_u32, 2, 64, 127][..]),
    ) {
        let log2_q = if wide { 64.0 } else { 32.0 };
        let dual = |samples| lwe_dual_hybrid(secret, samples, log2_q, b);
        let primal = |samples| lwe_primal(secret, samples, log2_q, uniform_sd(b));
        for (few, many) in [
            (dual(samples), dual(samples + more)),
            (primal(samples), primal(samples + more)),
        ] {
            prop_assert!(many.classical <= few.classical && many.quantum <= few.quantum);
        }
    }

    /// Any parameters have a finite estimate within the range that is reported.
    #[test]
    fn costs_are_in_range(
        secret in 1_u32..1 << 20,
        samples in 1_u32..1 << 20,
        log2_q in 8.0_f64..64.0,
        b in 1_u32..1 << 15,
    ) {
        let most = Hardness::of_block(MAX_BLOCK);
        for hardness in [
            lwe_dual_hybrid(secret, samples, log2_q, b),
            lwe_primal(secret, samples, log2_q, uniform_sd(b)),
        ] {
            prop_assert!((0.0..=most.classical).contains(&hardness.classical));
            prop_assert!((0.0..=most.quantum).contains(&hardness.quantum));
            prop_assert!((MIN_BLOCK..=MAX_BLOCK).contains(&hardness.beta));
        }
    }
}

/// The cheaper attack may be another one on a quantum computer.
#[test]
fn each_computer_takes_its_cheaper_attack() {
    let one = Hardness { beta: 400, classical: 120.0, quantum: 110.0 };
    let other = Hardness { beta: 410, classical: 121.0, quantum: 109.0 };
    let both = Hardness { beta: 400, classical: 120.0, quantum: 109.0 };
    assert_eq!((one.min(other), other.min(one)), (both, both));
}

/// What describes no instance is not secure, be it NaN, infinite, zero, negative or subnormal.
#[test]
fn what_is_unknown_is_not_secure() {
    let least = Hardness::of_block(MIN_BLOCK);
    let (primal, hints, dual) = (lwe_primal, lwe_primal_with_hints, lwe_dual_hybrid);
    let dual_hints = |q: f64, sd: f64, hint_bits: f64| {
        lwe_dual_hybrid_with(1600, 1088, q, sd, log2(3.0), hint_bits)
    };
    for x in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, f64::MIN, -5e-324] {
        assert_eq!(sis(x, 2704, 27.0), least, "volume {x}");
        assert_eq!(sis(35_960.0, 2704, x), least, "norm {x}");
        assert_eq!(hints(1600, 1088, 32.0, 0.8, x), least, "{x} bits of hints");
        assert_eq!(dual_hints(32.0, 0.8, x), least, "{x} bits of hints");
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -32.0, 5e-324, 0.99] {
        assert_eq!(sis(x, 2704, 0.0), least, "volume {x}");
        for q in [x, 1e5, f64::MAX] {
            assert_eq!(primal(1600, 1088, q, 0.8), least, "log2 q {q}");
            assert_eq!(dual(1600, 1088, q, 1), least, "log2 q {q}");
        }
    }
    for sd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -0.8, 5e-324, -5e-324] {
        assert_eq!(primal(1600, 1088, 32.0, sd), least, "standard deviation {sd}");
        assert_eq!(dual_hints(32.0, sd, 0.0), least, "standard deviation {sd}");
    }
    for hardness in [
        sis(35_960.0, 0, 27.0),
        primal(0, 1088, 32.0, 0.8),
        dual(0, 1088, 32.0, 1),
        dual(1600, 1088, 32.0, 0),
        primal(1600, 1088, 32.0, uniform_sd(0)),
    ] {
        assert_eq!(hardness, least);
    }
    // The cheaper of two attacks is unknown where one is.
    let unknown = Hardness { classical: f64::NAN, quantum: f64::NAN, ..least };
    for both in [unknown.min(least), least.min(unknown)] {
        assert!(both.classical.is_nan() && both.quantum.is_nan());
    }
    let custom = crate::params::CustomParams::new(28, 1184, 2600, 1024, 1);
    let params = custom.validate(crate::params::Security::Required).unwrap();
    assert!(params.require("an attack", unknown).is_err());
}

/// Hints of 183 bits cost 0.7 to 0.9 bits each: keys of T4-128 with q = 2^32, r = 1088 and secrets
/// of 1600 ternary entries, by docs/sizes.md.
#[test]
fn hints_cost_what_the_table_says() {
    let sd = uniform_sd(1);
    for (hints, expected) in [(0, 132.0), (1, 131.2), (4, 128.8), (8, 125.7), (16, 119.8)] {
        let bits = 183.0 * f64::from(hints);
        let primal = lwe_primal_with_hints(1600, 1088, 32.0, sd, bits);
        let dual = lwe_dual_hybrid_with(1600, 1088, 32.0, sd, log2(3.0), bits);
        let got = primal.min(dual).classical;
        assert!(
            (got - expected).abs() < 0.35,
            "{hints} hints: {got}, {} {}",
            primal.classical,
            dual.classical
        );
    }
    // Without hints nothing is changed, and more of them never help.
    assert_eq!(lwe_primal_with_hints(1400, 1200, 29.0, sd, 0.0), lwe_primal(1400, 1200, 29.0, sd));
}
