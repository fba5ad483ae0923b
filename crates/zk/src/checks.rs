//! Checks that stand between weak or foreign inputs and a valid answer, each at its threshold.

use tautochrone_ctr::Seed;

use crate::cases::{Case, replaced, waived, whole_t};
use crate::error::{Error, Malformation, ParameterError, Weakness};
use crate::estimate::{self, Estimate};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Goal, Params, Security};
use crate::preset::Preset;
use crate::prover::Prover;
use crate::statement::Statement;
use crate::suite::{Challenge, ChallengeKind, Masks};
use crate::uses::Sums;
use crate::witness::RandomWitness;

fn committed(params: &Params) -> Case<i8> {
    Case::read(params, 1, &RandomWitness::new(Seed::from_bytes([1; 32])))
}

// What a header may say.

/// A statement's file with some bytes of its header replaced.
fn read_with(file: &[u8], at: usize, bytes: &[u8]) -> Result<Statement, Error> {
    Statement::read(&replaced(file, at, bytes), Security::Waived)
}

/// The suite goes with lambda: BLAKE3 with 128 and SHA-3 with 256. A header that mixes them is
/// refused by name.
#[test]
fn the_hash_suite_is_that_of_lambda() {
    for (preset, own, other) in [(Preset::T4_128, 1, 2), (Preset::T4_256, 2, 1)] {
        let Case { file, .. } = committed(&waived(whole_t(preset)));
        assert_eq!(file[10], own);
        assert!(read_with(&file, 10, &[own]).is_ok());
        for suite in [other, 0, 3] {
            let error = read_with(&file, 10, &[suite]).unwrap_err();
            let Error::Malformed { what: "statement", problem } = error else { panic!("{error}") };
            assert_eq!(problem, Malformation::Field("hash"));
        }
        let lambda = if own == 1 { 256_u32 } else { 128 };
        assert!(read_with(&file, 16, &lambda.to_le_bytes()).is_err());
    }
}

/// 4 B < q / 2, to the unit: B^2 = 2^(2w-6) - 1 is the largest of which a header may speak.
#[test]
fn the_largest_b_squared_is_below_2_to_the_2w_less_6() {
    for (preset, w) in [(Preset::T4_128, 29), (Preset::B4_128, 35)] {
        let Case { file, .. } = committed(&waived(whole_t(preset)));
        let limit = 1_u128 << (2 * w - 6);
        let read = |squared: u128| read_with(&file, 64, &squared.to_le_bytes());
        assert_eq!(read(limit - 1).unwrap().params().norm_bound_squared(), limit - 1);
        assert!(read(0).is_err());
        for squared in [limit, limit + 1, 4 * limit, u128::MAX] {
            let error = read(squared).unwrap_err();
            let Error::Malformed {
                problem: Malformation::Parameter(ParameterError { name, got, .. }),
                ..
            } = error
            else {
                panic!("{error}");
            };
            assert_eq!((name, got), ("B^2", squared));
        }
    }
}

// What counts as secure.

/// sigma by its definition, in other words than the crate's: alpha solves 2 ln(rho) alpha^2 - 2 tau
/// alpha - 1 = 0, and x the equation of theorem 2, both by bisection.
fn needed_sigma(p: &Params, rho: f64) -> f64 {
    let bisect = |mut low: f64, mut high: f64, above: &dyn Fn(f64) -> bool| {
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if above(middle) { high = middle } else { low = middle }
        }
        high
    };
    let lambda = f64::from(p.lambda());
    let tau = ((lambda + 1.0) * 4.0_f64.ln()).sqrt();
    let alpha = bisect(0.0, 100.0, &|a| 2.0 * rho.ln() * a * a - 2.0 * tau * a > 1.0);
    let (v, l, n) = (f64::from(p.v()), p.l() as f64, f64::from(p.n()));
    let length = if let Challenge::Binary { norm_bound } = p.challenge() {
        norm_bound as f64 * (l * n).sqrt()
    } else {
        let x = bisect(n, 100.0 * n + 1000.0, &|x| {
            n / 2.0 * (x / n - 1.0 - (x / n).ln()) > lambda * 2.0_f64.ln()
        });
        // ||S|| of uniform entries, whose squares are (b^2 + b) / 3 on the average, and eight
        // standard deviations of a sum more.
        let moment = |k: i32| {
            let power = |s: u32| 2.0 * f64::from(s).powi(k);
            (1..=p.b()).map(power).sum::<f64>() / (2.0 * f64::from(p.b()) + 1.0)
        };
        let spread = (moment(4) - moment(2).powi(2)) * v * l;
        let squares = (moment(2) * v * l + 8.0 * spread.sqrt()).ceil();
        squares.sqrt() * (x / 2.0).sqrt()
    };
    alpha * length
}

#[test]
fn sigma_is_what_the_theorems_ask_for() {
    let binary = CustomParams { challenge: ChallengeKind::Binary, ..whole_t(Preset::B4_128) };
    // One group of uniform rows, and sigma at its default.
    let mut all: Vec<Params> = Preset::ALL.iter().map(|preset| waived(preset.custom())).collect();
    all.pop();
    all.retain(|params| params.row_groups().len() == 1 && params.masks() == Masks::Wide);
    all.extend([
        waived(whole_t(Preset::T4_128)),
        waived(whole_t(Preset::T4_256)),
        waived(CustomParams { b: 127, l: 1, n: Some(300), ..whole_t(Preset::B4_128) }),
        waived(binary),
        waived(CustomParams { norm_bound: Some(12_345), ..binary }),
        waived(CustomParams {
            lambda: 256,
            challenge: ChallengeKind::Binary,
            w: 40,
            ..Preset::T4_256.custom()
        }),
    ]);
    for params in all {
        let close = |got: u64, want: f64| {
            let error = (got as f64 - want.ceil()).abs();
            assert!(error <= 1.0 + 1e-9 * want, "{got}, {want}: {params:?}");
            assert!(got as f64 >= want * (1.0 - 1e-12), "rounded up");
        };
        close(params.needed_sigma(), needed_sigma(&params, 3.0));
        close(params.sigma(), needed_sigma(&params, 2.0));
        assert_eq!(params.rho(), 2);
    }
    // The numbers of docs/protocol.md: alpha = 12.21 and 19.33, and sqrt(x / 2) = 15.43 at n = 130.
    let params = waived(Preset::T4_128.custom());
    let length = 15.43 * (params.frobenius_squared() as f64).sqrt();
    for (sigma, alpha) in [(params.needed_sigma(), 12.21), (params.sigma(), 19.33)] {
        assert!((sigma as f64 / (alpha * length) - 1.0).abs() < 0.001);
    }
}

/// The smallest sigma is accepted, one less is not.
#[test]
fn one_less_than_the_needed_sigma_is_refused() {
    let binary = Goal { challenge: ChallengeKind::Binary, ..Goal::new(1, 1024) };
    for custom in [Preset::T1_128.custom(), binary.optimise().unwrap()] {
        let needed = waived(custom).needed_sigma();
        let custom = CustomParams { round_w: None, ..custom };
        let with =
            |sigma| CustomParams { sigma: Some(sigma), ..custom }.validate(Security::Required);
        assert!(with(needed).is_ok());
        match with(needed - 1) {
            Err(Error::Insecure(Weakness::Sigma { got, needed: n })) => {
                assert_eq!((got, n), (needed - 1, needed));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Hiding grows with v and binding with r. At the least of each that is accepted the estimate is at
/// least 128 bits, one below it is less, and it is for that attack that those parameters are
/// refused.
#[test]
fn hiding_and_binding_decide_at_128_bits() {
    let base = CustomParams { l: 64, ..Preset::T4_128.custom() };
    let validate = |r, secret| {
        let custom = CustomParams { r, v: r + secret, ..base };
        (custom.validate(Security::Required).map(drop), waived(custom).estimate())
    };
    let least = |mut refused: u32, mut accepted: u32, check: &dyn Fn(u32) -> bool| {
        assert!(!check(refused) && check(accepted));
        while accepted - refused > 1 {
            let middle = u32::midpoint(refused, accepted);
            if check(middle) { accepted = middle } else { refused = middle }
        }
        accepted
    };
    let secret = least(1000, 2000, &|secret| validate(1300, secret).0.is_ok());
    let r = least(500, 1300, &|r| validate(r, 2200).0.is_ok());
    type Cost = fn(&Estimate) -> f64;
    let (hiding, binding): (Cost, Cost) = (|it| it.hiding.classical, |it| it.binding.classical);
    for (name, (refused, below), above, [decides, other]) in [
        ("hiding", validate(1300, secret - 1), validate(1300, secret).1, [hiding, binding]),
        ("binding", validate(r - 1, 2200), validate(r, 2200).1, [binding, hiding]),
    ] {
        assert!(decides(&below) < 128.0 && decides(&above) >= 128.0);
        assert!(other(&below) >= 128.0, "{name} is what decides here");
        match refused {
            Err(Error::Insecure(Weakness::Attack { attack, bits, .. })) => {
                assert!(attack.contains(name), "{attack}");
                assert_eq!(bits, decides(&below));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Where security is required, what is weak is refused as parameters and in a statement's header:
/// by its dimensions, its n or its sigma. What is accepted remembers whether it was judged, so that
/// nobody is asked again.
#[test]
fn weak_parameters_are_refused_where_they_come_in() {
    let secure = CustomParams { l: 4, ..Preset::T4_128.custom() };
    let dimensions = CustomParams { r: 400, ..secure };
    let repetitions = CustomParams { n: Some(100), ..secure };
    let sigma = CustomParams { sigma: Some(1000), ..secure };
    let read = |custom: CustomParams, security| {
        let Case { matrix, statement, file, .. } = committed(&waived(custom));
        assert_eq!(statement.params().security(), Security::Waived);
        Prover::new(&matrix, &statement).unwrap();
        Statement::read(&file, security)
    };
    for security in [Security::Required, Security::Waived] {
        let params = secure.validate(security).unwrap();
        assert_eq!(params.security(), security);
        assert_eq!(params, waived(secure));
        assert_eq!(committed(&params).statement.params().security(), security);
        assert_eq!(read(secure, security).unwrap().params().security(), security);
    }
    for weak in [dimensions, repetitions, sigma] {
        read(weak, Security::Waived).unwrap();
    }
    assert!(matches!(read(dimensions, Security::Required), Err(Error::Insecure(_))));
    let error = read(repetitions, Security::Required).unwrap_err();
    assert!(
        matches!(error, Error::Parameter(ParameterError { name: "n", got: 100, .. })),
        "{error}"
    );
    assert!(matches!(
        read(sigma, Security::Required),
        Err(Error::Insecure(Weakness::Sigma { got: 1000, .. }))
    ));
}

/// Messages ask for all that a statement asks for, besides their own hiding: with enough rows of
/// randomness, too few repetitions or too small a sigma are refused all the same.
#[test]
fn messages_are_refused_under_weak_parameters() {
    let goal = Goal { message_rows: 64, ..Goal::new(1, 4) };
    let secure = goal.optimise().unwrap();
    let hiding = |custom, security| waived(custom).hiding_of_messages(64, security);
    assert!(hiding(secure, Security::Required).unwrap().classical >= 128.0);
    let repetitions = CustomParams { n: Some(100), sigma: secure.sigma, ..secure };
    let sigma = CustomParams { sigma: Some(1000), round_w: None, ..secure };
    for weak in [repetitions, sigma] {
        assert!(hiding(weak, Security::Waived).unwrap().classical >= 128.0);
    }
    let error = hiding(repetitions, Security::Required).unwrap_err();
    assert!(
        matches!(error, Error::Parameter(ParameterError { name: "n", got: 100, .. })),
        "{error}"
    );
    let error = hiding(sigma, Security::Required).unwrap_err();
    assert!(matches!(error, Error::Insecure(Weakness::Sigma { got: 1000, .. })), "{error}");
}

// What opens a column.

/// A vector with A s = t exactly, and one entry beyond b, is no opening.
#[test]
fn openings_are_within_the_bound() {
    let params = |b| waived(CustomParams { b, l: 1, ..whole_t(Preset::B4_128) });
    for (place, entry) in [(0, 4), (63, 4), (5, -4)] {
        let mut s: Vec<i8> = (0..64).map(|i| i % 7 - 3).collect();
        s[place] = entry;
        // A does not depend on b: t is A s, as a statement with a larger bound has it.
        let wide = Case::of(params(127), 1, s.clone());
        let t = wide.statement.column(&wide.file, 0).unwrap();
        let opens = |b, s: &[i8]| PublicMatrix::new(&params(b), [1; 32]).opens(&t, s);
        assert!(opens(127, &s) && opens(4, &s), "an entry of b opens");
        assert!(!opens(3, &s), "{entry} at {place} does not");
        s[place] = 0;
        assert!(!opens(4, &s), "nor does another vector");
    }
}

// Sums.

/// Two openings of a sum differ by at most 2 B' + 2 weight B, and that is the norm of the SIS
/// instance: with half of it, or with one of the two terms, the estimate would be several bits
/// higher.
#[test]
fn sums_bind_by_twice_their_bounds() {
    let params = waived(CustomParams { w: 40, ..Preset::T4_256.custom() });
    for terms in [1, 4, 8] {
        let sums = Sums::new(4096, vec![(0..terms).map(|j| (j, 1)).collect(); 30]).unwrap();
        let sum_params = sums.params(&params, Security::Waived).unwrap();
        let b = |p: &Params| (p.norm_bound_squared() as f64).sqrt();
        let sis =
            |norm: f64| estimate::sis(f64::from(params.r() * params.w()), params.v(), norm.log2());
        let (of_t, of_sums) = (terms as f64 * b(&params), b(&sum_params));
        let expected = sis(2.0 * of_t + 2.0 * of_sums);
        assert_eq!(sums.binding(&params, &sum_params), expected);
        for less in [of_t + of_sums, 2.0 * of_sums, of_t + 2.0 * of_sums] {
            assert!(sis(less).classical > expected.classical + 1.0, "a test that tells them apart");
        }
    }
}
