//! The ten errors of the thesis (and of the paper it builds on), each with a test that would catch
//! it here.

use super::super::chords::{Bend, Chords, in_zone};
use super::*;
use crate::float;
use tautochrone_testkit::{Battery, Distribution, Report};

fn rho(sigma: f64, x: f64) -> f64 {
    float::exp_neg(x * x / (2.0 * sigma * sigma))
}

/// The table of [`Partition`] in double precision: X_0..=X_m, y_0..=y_m.
fn table(sigma: f64, m: usize) -> (Vec<u64>, Vec<f64>) {
    let partition = Partition::new(sigma, m).unwrap();
    let x = partition.corners().to_vec();
    let mut y = alloc::vec![0.0; m + 1];
    for i in (0..m).rev() {
        y[i] = y[i + 1] + partition.area() / (x[i + 1] + 1) as f64;
    }
    (x, y)
}

/// The distribution of |X| when x = 0 is accepted with probability `zero(i)` and right rectangles
/// by `right(i, x)`, both probabilities.
fn folded(x: &[u64], zero: impl Fn(usize) -> f64, right: impl Fn(usize, u64) -> f64) -> Vec<f64> {
    let m = x.len() - 1;
    let mut distribution = alloc::vec![0.0; x[m] as usize + 1];
    for i in 1..=m {
        for at in 0..=x[i] {
            let accepted = match at {
                0 => zero(i) / 2.0,
                _ if at <= x[i - 1] => 1.0,
                _ => right(i, at).clamp(0.0, 1.0),
            };
            distribution[at as usize] += accepted / (x[i] + 1) as f64;
        }
    }
    let sum: f64 = distribution.iter().sum();
    for p in &mut distribution {
        *p /= sum;
    }
    distribution
}

/// Statistical distance from the ideal folded distribution.
fn distance(distribution: &[f64], sigma: f64) -> f64 {
    let ideal: Vec<f64> = (0..distribution.len())
        .map(|x| rho(sigma, x as f64) * if x == 0 { 1.0 } else { 2.0 })
        .collect();
    let sum: f64 = ideal.iter().sum();
    distribution.iter().zip(&ideal).map(|(p, q)| (p - q / sum).abs()).sum::<f64>() / 2.0
}

/// p in double precision.
fn p(x: &[u64], y: &[f64], sigma: f64, i: usize, at: u64) -> f64 {
    debug_assert!(at <= x[i]);
    (rho(sigma, at as f64) - y[i]) / (y[i - 1] - y[i])
}

/// Error 1: x = 0 is always accepted, although y_0 > 1.
#[test]
fn error_1_zero_always_accepted() {
    let (sigma, m) = (10.0, 63);
    let (x, y) = table(sigma, m);
    let right = |i, at| p(&x, &y, sigma, i, at);
    let ours = distance(&folded(&x, |i| right(i, 0).clamp(0.0, 1.0), right), sigma);
    let theirs = distance(&folded(&x, |_| 1.0, right), sigma);
    assert!(ours < 1e-13, "{ours:e}");
    assert!((-12.5..-12.3).contains(&theirs.log2()), "2^{}", theirs.log2());
}

/// The battery for the distribution of one sampler on what another draws.
fn report(want: &Ziggurat, drawn: &Ziggurat, samples: usize) -> Report {
    let mut stream = stream(11);
    Battery::new(distribution(want)).run(samples, |out| drawn.fill(&mut stream, out))
}

fn distribution(z: &Ziggurat) -> Distribution {
    let bound = z.bound() as i64;
    Distribution::full(z.sigma(), 0.0).cut(-bound, bound)
}

/// 1, as samples: the battery sees it at 4 10^7 of them, and accepts as many of ours.
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

/// The chord of the thesis' Algorithm 3, above y_i; -1 for an empty segment.
fn s_line((x0, x1): (f64, f64), (y0, y1): (f64, f64), at: f64) -> f64 {
    if x0 == x1 { -1.0 } else { (at - x1) * (y1 - y0) / (x1 - x0) }
}

/// Algorithm 2 as printed, with factor extra points in every rectangle.
fn printed(sigma: f64, m: usize, factor: usize) -> Vec<f64> {
    let (x, y) = table(sigma, m);
    let right = |i: usize, at: u64| {
        let (l, r, at) = (x[i - 1] as f64, x[i] as f64, at as f64);
        let (top, height) = (if i == 1 { 1.0 } else { y[i - 1] }, y[i - 1] - y[i]);
        let above = rho(sigma, at) - y[i];
        let knots: Vec<f64> = (0..factor + 2)
            .map(|j| (l + (r - l) * j as f64 / (factor + 1) as f64).floor())
            .collect();
        let sub = |k: usize| {
            let (a, b) = (knots[k], knots[k + 1]);
            let line = s_line((a, b), (rho(sigma, a), rho(sigma, b)), at - 1.0);
            if line == -1.0 { None } else { Some(line + rho(sigma, b) - y[i]) }
        };
        if r < sigma {
            // Accepted below any chord, of any segment, at x - 1.
            let chords =
                (0..=factor).filter_map(sub).fold(s_line((l, r), (top, y[i]), at), f64::max);
            chords.max(above) / height
        } else if l >= sigma {
            // Accepted above the chord and below the curve and all chords: nowhere.
            let low = s_line((l, r), (top, y[i]), at - 1.0).max(0.0);
            let high = (0..=factor).map(|k| sub(k).unwrap_or(-1.0)).fold(above, f64::min);
            (high - low).max(0.0) / height
        } else {
            above / height
        }
    };
    folded(&x, |_| 1.0, right)
}

/// Error 2: Concave-up points of right rectangles are never accepted: at sigma = 1000 thousands of
/// values get probability 0.
#[test]
fn error_2_concave_up_points_never_accepted() {
    let zeros = |distribution: &[f64]| {
        let ideal = |x: usize| rho(1000.0, x as f64) / 2506.6;
        (0..distribution.len())
            .filter(|x| distribution[*x] == 0.0 && ideal(*x) > 2.0_f64.powi(-60))
            .count()
    };
    let theirs = printed(1000.0, 63, 1);
    assert!(zeros(&theirs) > 4000, "{}", zeros(&theirs));
    let (x, y) = table(1000.0, 63);
    let right = |i, at| p(&x, &y, 1000.0, i, at);
    let ours = folded(&x, |i| right(i, 0).clamp(0.0, 1.0), right);
    assert_eq!(zeros(&ours), 0);
    // And the sampler itself reaches values that the printed algorithm cannot.
    let z = ziggurat(1000.0, 63, Some(1));
    assert!(draw(&z, 5, 200_000).iter().any(|v| theirs[v.unsigned_abs() as usize] == 0.0));
}

/// 2, 3 and 4 as samples: the battery rejects Algorithm 2 as printed.
#[test]
fn errors_2_to_4_are_rejected_by_the_battery() {
    let printed_distribution = printed(10.0, 63, 1);
    let cdf: Vec<f64> = printed_distribution
        .iter()
        .scan(0.0, |sum, p| {
            *sum += p;
            Some(*sum)
        })
        .collect();
    let mut stream = stream(12);
    let mut words = alloc::vec![0; 1 << 15];
    let report = Battery::new(distribution(&ziggurat(10.0, 63, None))).run(1_000_000, |out| {
        let words = &mut words[..out.len()];
        stream.fill_u64(words);
        for (x, word) in out.iter_mut().zip(words) {
            let u = (*word >> 11) as f64 * 2.0_f64.powi(-53);
            let magnitude = cdf.partition_point(|c| *c <= u).min(cdf.len() - 1) as i64;
            *x = if *word & 1 == 0 { magnitude } else { -magnitude };
        }
    });
    report.assert_rejects();
}

/// Errors 3 and 4: The chord belongs to the segment which holds x, taken at x: it never crosses the
/// curve. The chord at x - 1, and the chord of another segment, do.
#[test]
fn errors_3_and_4_chords_stay_on_their_side() {
    for (sigma, m, factor) in [(32.0, 14, 2), (1000.0, 63, 7), (10.0, 8, 1)] {
        let partition = Partition::new(sigma, m).unwrap();
        let chords = Chords::new(&partition, factor).unwrap();
        let (x, y) = table(sigma, m);
        let (mut shifted, mut elsewhere) = (0, 0);
        for i in 1..=m {
            let bend = chords.bend(i);
            let wrong = |chord: f64, p: f64| match bend {
                Bend::Down => chord > p,
                Bend::Up => chord < p,
                Bend::None => false,
            };
            for at in x[i - 1] + 1..=x[i] {
                if bend == Bend::None {
                    continue;
                }
                let p = p(&x, &y, sigma, i, at);
                assert!(!wrong(chords.at(i, at), p), "sigma {sigma}, rectangle {i}, x {at}");
                if at > x[i - 1] + 1 {
                    shifted += usize::from(wrong(chords.at(i, at - 1), p));
                }
                // The line of the first segment, continued.
                let width = (x[i] - x[i - 1]) as f64
                    / if chords.has_extra(i) { f64::from(factor) + 1.0 } else { 1.0 };
                let (a, b) = (x[i - 1] as f64, x[i - 1] as f64 + width);
                let line =
                    s_line((a, b), (rho(sigma, a), rho(sigma, b)), at as f64) + rho(sigma, b);
                elsewhere += usize::from(wrong((line - y[i]) / (y[i - 1] - y[i]), p));
            }
        }
        assert!(shifted > 0 && elsewhere > 0, "{shifted} {elsewhere}");
    }
}

/// Error 5: rho(x) = exp(-x^2 / sigma^2) would have half the variance.
#[test]
fn error_5_rho_has_two_sigma_squared() {
    for sigma in [3.19, 10.0, 1000.0] {
        let (x, y) = table(sigma, 63);
        let right = |i, at| p(&x, &y, sigma, i, at);
        let distribution = folded(&x, |i| right(i, 0).clamp(0.0, 1.0), right);
        let variance: f64 = distribution.iter().enumerate().map(|(x, p)| p * (x * x) as f64).sum();
        assert!((variance / (sigma * sigma) - 1.0).abs() < 1e-10, "{variance}");
    }
}

/// Error 6: S = sigma sqrt(pi/2) / m c with c a little above 1; the printed sigma / (m sqrt(pi/2))
/// is 1.57 times too small to cover the curve, so that its c starts far from 1.
#[test]
fn error_6_area_of_a_rectangle() {
    for (sigma, m, most) in
        [(10.0, 63, 1.2), (1000.0, 63, 1.1), (1000.0, 499, 1.02), (1.6e5, 7999, 1.002)]
    {
        let partition = Partition::new(sigma, m).unwrap();
        let c = partition.area() * m as f64 / (sigma * core::f64::consts::FRAC_PI_2.sqrt());
        assert!(c > 1.0 && c < most, "sigma {sigma}, m {m}: c = {c}");
        assert!((c * partition.acceptance() - 1.0).abs() < 1e-9);
    }
}

/// Error 7: y' is uniform in an interval of height y_{i-1} - y_i: p falls from 1 to 0 across the
/// right rectangle.
#[test]
fn error_7_height_of_the_interval() {
    for (sigma, m) in [(32.0, 14), (1000.0, 63), (1.6e5, 499)] {
        let z = ziggurat(sigma, m, None);
        let corners = z.partition.corners();
        for i in 2..m {
            let level_1 =
                |x: u64| z.partition.curve.level_1(z.lines[i - 1].0, z.lines[i - 1].1, x as f64).0;
            assert!(
                level_1(corners[i - 1]) >= 1.0 - 1e-9 && level_1(corners[i - 1] + 1) <= 1.0 + 1e-9
            );
            assert!(level_1(corners[i]) >= -1e-9 && level_1(corners[i] + 1) <= 1e-9);
        }
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
    assert!(
        in_zone(1.0)
            && in_zone(0.5)
            && in_zone(1.9)
            && !in_zone(0.2)
            && !in_zone(2.5)
            && !in_zone(0.0)
    );
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
