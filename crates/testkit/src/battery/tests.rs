use super::*;
use crate::numbers::Numbers;

/// Inversion of a distribution function tabulated over the range of a distribution: the plainest
/// sampler there is.
struct Table {
    lo: i64,
    cdf: Vec<f64>,
    random: Numbers,
}

impl Table {
    fn of(distribution: &Distribution) -> Self {
        let (lo, hi) = distribution.range();
        let mut sum = 0.0;
        let mut below = |x| {
            sum += distribution.pmf(x);
            sum
        };
        let mut cdf: Vec<f64> = (lo..=hi).map(&mut below).collect();
        for c in &mut cdf {
            *c /= sum;
        }
        Self { lo, cdf, random: Numbers(1) }
    }

    fn fill(&mut self, out: &mut [i64]) {
        for x in out {
            let u = (self.random.word() >> 11) as f64 * 2.0_f64.powi(-53);
            *x = self.lo + self.cdf.partition_point(|c| *c <= u) as i64;
        }
    }
}

const N: usize = 1_000_000;

/// Inside the range and beyond it, of cells of one integer and of several.
#[test]
fn signs_and_bits_are_those_of_every_sample() {
    let values: Vec<i64> = (0..CHUNK as i64).map(|i| i * i % 83 - 30).collect();
    let of = |f: &dyn Fn(i64) -> bool| values.iter().filter(|x| f(**x)).count() as u64;
    for distribution in [Distribution::full(3.0, 0.0).cut(-11, 9), Distribution::full(5000.0, 0.0)]
    {
        let battery = Battery::new(distribution);
        let mut tally = Tally::new(&battery);
        tally.count(&values);
        tally.add_signs_of_cells();
        assert_eq!(tally.outside + tally.counts.iter().sum::<u64>(), values.len() as u64);
        assert_eq!((tally.signs.negative, tally.signs.zero), (of(&|x| x < 0), of(&|x| x == 0)));
        for (b, &count) in tally.signs.bits.iter().enumerate() {
            assert_eq!(count, of(&|x| x >> b & 1 == 1), "bit {b}");
        }
    }
}

#[test]
fn products_are_summed_up_to_the_last() {
    let a: Vec<f64> = (0..40).map(f64::from).collect();
    for len in 0..40 {
        let want = a[..len].iter().zip(&a[1..]).map(|(a, b)| a * b).sum::<f64>();
        assert_eq!(dot(&a[..len], &a[1..]), want, "{len} integers, exactly");
    }
}

#[test]
fn accepts_exact_samplers() {
    for distribution in [
        Distribution::full(0.5, 0.0),
        Distribution::full(2.0, 0.0),
        Distribution::full(3.19, -0.4),
        Distribution::full(215.0, 0.0),
        Distribution::full(2000.0, 7.5),
        Distribution::unfolded_half(2.0),
        Distribution::unfolded_half(900.0),
        Distribution::folded_half(2.0),
        Distribution::bimodal(1.8),
        Distribution::full(2.0, 0.0).cut(-6, 6),
    ] {
        let mut table = Table::of(&distribution);
        Battery::new(distribution).lanes(64).run(N, |out| table.fill(out)).assert_accepts();
    }
}

#[test]
fn rejects_a_wrong_deviation() {
    // The variance is off by 0.2 %: 7.7 standard errors at 3e7 samples.
    let mut table = Table::of(&Distribution::full(10.01, 0.0).cut(-130, 130));
    Battery::new(Distribution::full(10.0, 0.0))
        .run(30_000_000, |out| table.fill(out))
        .assert_rejects();
}

#[test]
fn rejects_wrong_weights() {
    // A zero that is doubled, and one that is halved.
    let (distribution, folded) = (Distribution::unfolded_half(2.0), Distribution::folded_half(2.0));
    let (mut doubled, mut halved) = (Table::of(&distribution), Table::of(&folded));
    Battery::new(folded).run(N, |out| doubled.fill(out)).assert_rejects();
    Battery::new(distribution.clone()).run(N, |out| halved.fill(out)).assert_rejects();
    let mut short = Table::of(&distribution.cut(0, 6));
    let report = Battery::new(distribution).run(N, |out| short.fill(out));
    report.assert_rejects();
    // A cut that is not the one claimed shows as values beyond it.
    let wide = Distribution::full(3.0, 0.0);
    let mut table = Table::of(&wide);
    let report = Battery::new(wide.cut(-12, 12)).run(N, |out| table.fill(out));
    assert!(!report.checks()[0].passed, "{report}");
}

fn rejects_all(battery: &Battery, distribution: &Distribution, mutations: &[fn(&mut [i64])]) {
    for (i, mutate) in mutations.iter().enumerate() {
        let mut table = Table::of(distribution);
        let report = battery.run(N, |out| {
            table.fill(out);
            mutate(out);
        });
        assert!(report.rejects(), "mutation {i}:\n{report}");
    }
}

#[test]
fn rejects_shifts_signs_and_bits() {
    let distribution = Distribution::full(50.0, 0.0);
    let battery = Battery::new(distribution.clone());
    let mutations: [fn(&mut [i64]); 4] = [
        |out| out.iter_mut().for_each(|x| *x += 1),
        |out| out.iter_mut().for_each(|x| *x = x.abs()),
        |out| out.iter_mut().for_each(|x| *x |= 1),
        |out| out.iter_mut().skip(100).step_by(1000).for_each(|x| *x = 0),
    ];
    rejects_all(&battery, &distribution, &mutations);
}

#[test]
fn rejects_dependence() {
    let distribution = Distribution::full(4.0, 0.0);
    let battery = Battery::new(distribution.clone()).lanes(32);
    let mutations: [fn(&mut [i64]); 5] = [
        // One lane repeats another.
        |out| out.chunks_mut(32).for_each(|row| row[17] = row[3]),
        // One lane has the sign of another.
        |out| out.chunks_mut(32).for_each(|row| row[30] = row[30].abs() * row[2].signum()),
        // One lane is of another distribution.
        |out| out.chunks_mut(32).for_each(|row| row[9] = row[9] / 2 * 2),
        // A row repeats the last one, with its sign turned: only squares see it.
        |out| {
            out.chunks_mut(64).for_each(|row| {
                (0..32).for_each(|i| row[32 + i] = row[i] * if row[32 + i] < 0 { -1 } else { 1 });
            });
        },
        // The same magnitude throughout a vector.
        |out| {
            out.chunks_mut(64).for_each(|row| {
                let m = row[0].abs();
                for x in row {
                    *x = m * x.signum();
                }
            });
        },
    ];
    rejects_all(&battery, &distribution, &mutations);
}

#[test]
fn merges_bins_from_both_tails() {
    let (statistic, freedom) =
        chi_square(&[1, 9, 40, 41, 8, 1], &[0.01, 0.09, 0.4, 0.4, 0.09, 0.01], 100.0);
    assert_eq!(freedom, 3.0);
    assert!((statistic - (1.0 / 40.0 + 1.0 / 10.0)).abs() < 1e-12, "{statistic}");
}
