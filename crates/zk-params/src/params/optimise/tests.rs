//! What the search finds, and what it refuses.

use core::fmt::Debug;

use super::*;
use crate::error::RequestProblem;
use crate::params::tests::name;
use crate::suite::ChallengeKind;

fn finds_nothing(goal: Goal) -> bool {
    matches!(goal.optimise(), Err(Error::Request(RequestProblem::NoParameters { .. })))
}

/// The result is secure, as `judge` says, and one step less of either dimension, of the last group
/// of rows, is not.
pub(in crate::params) fn is_least<T: Debug>(
    best: CustomParams,
    judge: impl Fn(CustomParams) -> Result<T, Error>,
) -> T {
    for r in [best.r, best.r - STEP] {
        let mut less = CustomParams { r, v: best.v - STEP, ..best };
        if let Some(last) = less.groups.iter_mut().flatten().last() {
            last.rows -= STEP;
        }
        let error = judge(less).unwrap_err();
        assert!(matches!(error, Error::Insecure(_)), "{error}");
    }
    judge(best).unwrap()
}

#[test]
fn optima_are_secure_and_least() {
    let binary = Goal { challenge: ChallengeKind::Binary, ..Goal::new(1, 4096) };
    for goal in [Goal::new(1, 4096), Goal::new(64, 4096), binary] {
        is_least(goal.optimise().unwrap(), |custom| custom.validate(Security::Required));
    }
}

/// A search that others went before has the same result, and no r is passed over: all r are tried.
#[test]
fn searches_share_what_they_find() {
    let mut search = Search::default();
    let with_messages = |rows: u32, l: u64| Goal {
        message_rows: rows,
        message_bound: Some(64),
        message_norm_squared: Some(40 * u64::from(rows)),
        pad_rows: 162,
        ..Goal::new(1, l)
    };
    let narrow = Goal { masks: Masks::Narrow { log2_proofs: 4 }, ..Goal::new(1, 512) };
    let quantum = Goal { quantum: true, ..Goal::new(1, 512) };
    for goal in [
        with_messages(1024, 800),
        with_messages(5120, 856),
        with_messages(300, 96),
        Goal::new(2, 512),
        quantum,
        narrow,
    ] {
        let custom = goal.optimise_in(&mut search).unwrap();
        assert_eq!(custom, goal.optimise().unwrap());
    }
    let goal = with_messages(300, 96);
    for w in 29..31 {
        for extra in 0..2 {
            let fits = |r: u32| {
                let k = goal.find_least_secret(w, r, 0, STEP)?;
                let custom = goal.custom(w, r, r + k + goal.known_rows());
                let params = custom.validate(Security::Waived).ok()?;
                let round_w = Some(params.sigma().ilog2() + 1 + extra);
                let custom = CustomParams { round_w, ..custom };
                let params = custom.validate(Security::Waived).ok()?;
                goal.reached(params.estimate().binding).then_some(custom)
            };
            let all = (1..200).map(|i| i * STEP).find_map(fits);
            assert_eq!(
                goal.optimise_rounding(
                    w,
                    Widths { sigma: 0, round_w: extra, round_t: 0 },
                    &mut search
                ),
                all,
                "{w} {extra}"
            );
        }
    }
}

/// No parameters are as secure as a number that is none, or infinite.
#[test]
fn unknown_security_is_not_reached() {
    for bits in [f64::NAN, f64::INFINITY] {
        for quantum in [false, true] {
            assert!(finds_nothing(Goal { bits, quantum, ..Goal::new(1, 64) }));
        }
    }
}

/// Parameters with pads describe a padded space that is secure; and none are found where
/// there can be no pads.
#[test]
fn pads_have_rows_of_their_own() {
    let goal = Goal { message_rows: 96, pad_rows: 162, ..Goal::new(1, 64) };
    let params = goal.optimise().unwrap().validate(Security::Required).unwrap();
    let rows: Vec<_> = params.row_groups().iter().map(|group| (group.rows, group.bound)).collect();
    assert_eq!(rows[..2], [(96, 1), (162, 2)]);
    let errors = Some((20, Distribution::Gaussian { micros: 3_200_000 }));
    let most = Goal { pad_rows: (1 << 20) + 1, ..goal };
    for goal in [
        Goal { errors, ..goal },
        Goal { secrets: Some((1, Distribution::Uniform)), ..goal },
        Goal { lambda: 256, ..goal },
        most,
    ] {
        assert_eq!(name(goal.optimise()), "pad rows");
    }
}

/// Messages of a known norm cost what it is, in all other respects they are like any; the norm
/// that the bound allows is what is assumed without one.
#[test]
fn known_norms_make_sigma_shorter() {
    let goal = Goal { message_rows: 96, message_bound: Some(32), ..Goal::new(1, 64) };
    let find = |message_norm_squared| {
        let goal = Goal { message_norm_squared, pad_rows: 189, ..goal };
        goal.optimise().unwrap().validate(Security::Required).unwrap()
    };
    let [none, most, more, known] =
        [None, Some(96 * 1024), Some(u64::MAX), Some(96 * 15)].map(find);
    assert_eq!((most.sigma(), more.sigma()), (none.sigma(), none.sigma()));
    assert_eq!(known.row_groups()[0].bound, 32);
    let others = RowGroups::new(&known.row_groups()[1..]).unwrap().frobenius_squared(64);
    assert_eq!(known.frobenius_squared(), others + 64 * 96 * 15);
    assert!(3 * known.sigma() < none.sigma());
}

/// Parameters of keys are secure with the hints, and with dummy columns; least where one step
/// less of either dimension is not. Where there can be no such keys, none are found.
#[test]
fn keys_are_secure_with_hints() {
    for (b, l, hints) in [(1, 300, 1), (2, 40, 4)] {
        let goal = Goal { key_hints: hints, ..Goal::new(b, l) };
        let best = goal.optimise().unwrap();
        is_least(best, |custom| {
            let params = custom.validate(Security::Required)?;
            let claim = KeyRanges::of(&params)?.with_hints(hints)?;
            Extended::of(&params, &claim, Security::Required)
        });
        assert_eq!(best.round_t, Some(0));
    }
    let goal = Goal { key_hints: 1, ..Goal::new(1, 40) };
    for (goal, expected) in [
        (Goal { b: 9, ..goal }, "bound on secrets"),
        (Goal { key_hints: 9, ..goal }, "hints"),
        (Goal { message_rows: 8, ..goal }, "groups of rows"),
        (Goal { lambda: 256, ..goal }, "lambda"),
        (Goal { challenge: ChallengeKind::Binary, ..goal }, "challenge"),
    ] {
        assert_eq!(name(goal.optimise()), expected);
    }
}

/// With so many columns at w = 32 few r are both large enough for binding and small enough for
/// 4 B < 2^31.
#[test]
fn a_narrow_range_is_found() {
    let best = Goal { w: Some(32), ..Goal::new(1, 1 << 17) }.optimise().unwrap();
    best.validate(Security::Required).unwrap();
    assert!(
        CustomParams { r: 8192, v: best.v + 8192 - best.r, ..best }
            .validate(Security::Waived)
            .is_err()
    );
    assert!(finds_nothing(Goal { w: Some(32), ..Goal::new(1, 1 << 19) }));
}

#[test]
fn what_can_not_be_is_an_error() {
    let wide = Goal { w: Some(32), ..Goal::new(127, 1 << 20) }.optimise();
    assert!(matches!(wide, Err(Error::Request(RequestProblem::NoParameters { w: 32, .. }))));
    assert_eq!(name(Goal { w: Some(16), ..Goal::new(1, 4096) }.optimise()), "w");
    assert_eq!(name(Goal::new(1, 0).optimise()), "l");
    for log2_proofs in [21, 64, u32::MAX] {
        for per_statement in [None, Some(1)] {
            let masks = Masks::Mixed { log2_proofs };
            let goal = Goal { masks, per_statement, ..Goal::new(127, 64) };
            let secrets = Some((127, Distribution::Gaussian { micros: 5_000_000 }));
            name(goal.optimise());
            name(Goal { secrets, ..goal }.optimise());
        }
    }
    for message_rows in [1 << 21, u32::MAX - 16, u32::MAX] {
        name(Goal { message_rows, ..Goal::new(1, 64) }.optimise());
    }
}
