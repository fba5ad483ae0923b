//! The ten errors of the thesis (and of the paper it builds on), each with a test that would catch
//! it here:
//!
//! | error | test |
//! |---|---|
//! | 1. x = 0 is always accepted, although y_0 > 1 | `error_1_is_rejected_by_the_battery` |
//! | 2. concave-up points of right rectangles are never accepted | `output_is_the_same_for_every_factor_and_instruction_set` |
//! | 3, 4. the chord at x - 1, or of another segment | `errors_3_and_4_chords_stay_on_their_side` |
//! | 5. rho(x) = exp(-x^2 / sigma^2); 6. area; 7. height of the interval of y' | `partitions_and_all_levels_agree_with_mpfr` |
//! | 8, 9, 10. zone, step and number of points | the tests of these numbers |

use super::super::chords::{Bend, Chords};
use super::super::curve::BITS;
use super::*;
use tautochrone_testkit::{Battery, Distribution, Report};

/// The battery for the distribution of one sampler on what another draws.
fn report(want: &Ziggurat, drawn: &Ziggurat, samples: usize) -> Report {
    let mut stream = stream(11);
    Battery::new(distribution(want)).run(samples, |out| drawn.fill(&mut stream, out))
}

fn distribution(z: &Ziggurat) -> Distribution {
    let bound = z.bound() as i64;
    Distribution::full(z.sigma(), 0.0).cut(-bound, bound)
}

/// Error 1: the battery sees it at 4 10^7 of them, and accepts as many of ours.
#[test]
fn error_1_is_rejected_by_the_battery() {
    let ours = ziggurat(10.0, 63, Some(1));
    let mut theirs = ours.clone();
    assert!(theirs.capped > 0);
    theirs.capped = 0;
    report(&ours, &theirs, 40_000_000).assert_rejects();
    report(&ours, &ours, 40_000_000).assert_accepts();
}

/// x uniform in 0..X_i, not 0..=X_i; and rectangles that are sure one x too far.
#[test]
fn an_off_by_one_bound_is_refused() {
    let mutations: [fn(&mut Side); 2] =
        [|side| side.n -= u64::from(side.n > 1), |side| side.left += 1];
    for mutate in mutations {
        let ours = ziggurat(10.0, 63, None);
        let mut theirs = ours.clone();
        theirs.sides.iter_mut().for_each(mutate);
        report(&ours, &theirs, 1 << 20).assert_rejects();
    }
}

/// Errors 3 and 4: The chord belongs to the segment which holds x, taken at x: it never crosses the
/// curve, so that it accepts nothing above the curve and rejects nothing below it. The chord at
/// x - 1 does cross it.
#[test]
fn errors_3_and_4_chords_stay_on_their_side() {
    for (sigma, m, factor) in [(32.0, 14, 2), (1000.0, 63, 7), (10.0, 8, 1)] {
        let partition = Partition::new(sigma, m).unwrap();
        let (x, chords) = (partition.corners(), Chords::new(&partition, factor).unwrap());
        let mut shifted = 0;
        for i in (1..=m).filter(|i| chords.bend(*i) != Bend::None) {
            for at in x[i - 1] + 1..=x[i] {
                let p = partition.curve.level_2(i, at) as f64 * 2.0_f64.powi(-(BITS as i32));
                let crosses = |chord: f64| (chord > p) == (chords.bend(i) == Bend::Down);
                assert!(!crosses(chords.at(i, at)), "sigma {sigma}, rectangle {i}, x {at}");
                shifted += usize::from(at > x[i - 1] + 1 && crosses(chords.at(i, at - 1)));
            }
        }
        assert!(shifted > 0);
    }
}

/// Error 8: Extra points are left out where S1 / S2 <= 2, as the text says, not where it is >= 2,
/// as Algorithm 1 says: the rectangles around the inflection point, where a chord hugs the curve,
/// have none; those far from it have.
#[test]
fn error_8_zone_without_extra_points() {
    for (sigma, m) in [(32.0, 14), (1000.0, 63), (2e9, 499)] {
        let partition = Partition::new(sigma, m).unwrap();
        let chords = Chords::new(&partition, 2).unwrap();
        let slope = |t: f64| t * (-t * t / 2.0).exp();
        for i in 1..=m {
            let t = partition.corners()[i] as f64 / sigma;
            assert_eq!(
                !chords.has_extra(i),
                slope(1.0) / slope(t) <= 2.0,
                "sigma {sigma}, rectangle {i}, t = {t}"
            );
        }
        let plain: Vec<usize> = (1..=m).filter(|i| !chords.has_extra(*i)).collect();
        assert!(plain.windows(2).all(|w| w[1] == w[0] + 1), "one zone: {plain:?}");
        let inflection = (1..=m).find(|i| partition.corners()[*i] as f64 >= sigma).unwrap();
        assert!(plain.contains(&inflection) && !plain.contains(&m), "{plain:?}");
    }
}

/// Error 9: The step between points is (X_i - X_{i-1}) / (factor + 1): factor points make
/// factor + 1 equal segments, and the last one ends at X_i.
#[test]
fn error_9_step_between_points() {
    let (sigma, m) = (1.6e5, 20);
    let partition = Partition::new(sigma, m).unwrap();
    let x = partition.corners();
    for factor in [0_u32, 1, 2, 7] {
        let chords = Chords::new(&partition, factor).unwrap();
        let segments = u64::from(factor) + 1;
        // Not the last one: its curve is zero for most of its width.
        for i in (1..m).filter(|i| chords.has_extra(*i) && chords.bend(*i) != Bend::None) {
            let (c, b) = partition.line(i);
            let width = x[i] - x[i - 1];
            let gap =
                |at: u64| (chords.at(i, at) - partition.curve.level_1(c, b, at as f64).0).abs();
            // The chords meet the curve at the points (the integers among them can be asked), and
            // nowhere else.
            for j in (1..=segments).filter(|j| (width * j).is_multiple_of(segments)) {
                let at = x[i - 1] + width * j / segments;
                assert!(gap(at) < 1e-9, "factor {factor}, rectangle {i}, point {j}: {}", gap(at));
                assert!(
                    gap(at - width / (2 * segments)) > 1e-5,
                    "factor {factor}, rectangle {i}, before point {j}"
                );
            }
        }
    }
}

/// Error 10: T = (m + 1) + factor (m - count), not (factor + 1) (m + 1) - factor count: there is no
/// rectangle 0.
#[test]
fn error_10_number_of_points() {
    for (sigma, m) in [(32.0, 14), (1000.0, 63), (1e6, 499)] {
        for factor in [0, 1, 3, 7] {
            let z = ziggurat(sigma, m, Some(factor));
            let count = z.chords.as_ref().unwrap().plain();
            assert!(count > 0 && count < m);
            assert_eq!(z.points(), m + 1 + factor as usize * (m - count));
        }
    }
}
