//! The acceptance battery of the workspace, with fixed seeds.

use super::*;
use tautochrone_testkit::{Battery, Distribution, Report, scaled};

pub(super) fn distribution(z: &Ziggurat) -> Distribution {
    let bound = z.bound() as i64;
    Distribution::full(z.sigma(), 0.0).cut(-bound, bound)
}

fn battery(sigma: f64, m: usize, factor: Option<u32>, samples: usize) -> Report {
    let z = ziggurat(sigma, m, factor);
    let mut stream = stream(m as u64 + (sigma * 10.0) as u64);
    Battery::new(distribution(&z)).lanes(64).run(samples, |out| z.fill(&mut stream, out))
}

const SIGMAS: [f64; 9] = [0.8, 2.0, 3.19, 10.0, 32.0, 215.0, 1000.0, 1.6e5, 2e9];
const RECTANGLES: [usize; 4] = [8, 63, 499, 7999];

/// The factors do not change the output (which tests.rs tests); here each (sigma, m) is run with
/// one of them, and each sigma with the most samples once: 10^7 in CI.
#[test]
fn accepted_for_every_sigma_and_m() {
    let factors = [None, Some(0), Some(1), Some(3), Some(7)];
    for (i, sigma) in SIGMAS.into_iter().enumerate() {
        for (j, m) in RECTANGLES.into_iter().enumerate() {
            let samples = if i % RECTANGLES.len() == j { scaled(10_000_000) } else { 300_000 };
            battery(sigma, m, factors[(i + j) % factors.len()], samples).assert_accepts();
        }
    }
}

/// 10^7 samples for each m and factor at one sigma.
fn grid(sigma: f64) {
    for m in RECTANGLES {
        for factor in [None, Some(0), Some(1), Some(3), Some(7)] {
            battery(sigma, m, factor, 10_000_000).assert_accepts();
        }
    }
}

/// The whole grid of 180 parameter sets, a test for each sigma.
macro_rules! grid {
    ($($name:ident: $sigma:expr,)*) => {
        mod grid {
            $(
                #[test]
                #[ignore = "a minute; run with cargo test --release -p tautochrone-gauss grid -- --ignored"]
                fn $name() {
                    super::grid($sigma);
                }
            )*
        }
    };
}

grid! {
    sigma_0_8: 0.8,
    sigma_2: 2.0,
    sigma_3_19: 3.19,
    sigma_10: 10.0,
    sigma_32: 32.0,
    sigma_215: 215.0,
    sigma_1000: 1000.0,
    sigma_1_6e5: 1.6e5,
    sigma_2e9: 2e9,
}

#[test]
fn accepted_at_the_ends_of_the_range() {
    for sigma in [0.5, 1_099_511_627_776.0] {
        for m in [1, 512] {
            battery(sigma, m, None, scaled(300_000)).assert_accepts();
        }
    }
}

/// Where the thesis is wrong by 2^-12.4 in distance, 2 10^7 samples are enough to see it (see
/// `errors`): we pass.
#[test]
fn accepted_where_the_thesis_fails() {
    battery(10.0, 63, Some(1), 20_000_000).assert_accepts();
}

/// sigma * 1.001: 0.2 % of variance are 8 standard errors of it.
#[test]
fn a_slightly_wider_distribution_is_refused() {
    for sigma in [10.0, 1.6e5] {
        let (asked, wider) = (ziggurat(sigma, 63, None), ziggurat(sigma * 1.001, 63, None));
        let mut stream = stream(30);
        let report =
            Battery::new(distribution(&asked)).run(1 << 25, |out| wider.fill(&mut stream, out));
        report.assert_rejects();
    }
}

/// x uniform in 0..X_i, not 0..=X_i; and rectangles that are sure one x too far.
#[test]
fn an_off_by_one_bound_is_refused() {
    let mutations: [fn(&mut Side); 2] =
        [|side| side.n -= u64::from(side.n > 1), |side| side.left += 1];
    for mutate in mutations {
        let mut z = ziggurat(10.0, 63, None);
        z.sides.iter_mut().for_each(mutate);
        let mut stream = stream(31);
        let report = Battery::new(distribution(&z)).run(1 << 20, |out| z.fill(&mut stream, out));
        report.assert_rejects();
    }
}

/// +0 and -0 both accepted.
#[test]
fn a_doubled_zero_is_refused() {
    let z = ziggurat(10.0, 63, None);
    let mut stream = stream(32);
    let (mut drawn, mut accepted) = (alloc::vec![0; 4096], Vec::new());
    let report = Battery::new(distribution(&z)).run(1 << 20, |out| {
        while accepted.len() < out.len() {
            z.fill(&mut stream, &mut drawn);
            accepted.extend(
                drawn.iter().flat_map(|x| [*x; 2].into_iter().take(1 + usize::from(*x == 0))),
            );
        }
        let rest = accepted.split_off(out.len());
        out.copy_from_slice(&accepted);
        accepted = rest;
    });
    report.assert_rejects();
}
