//! The figures of the page docs/privacy.md, computed from the tables: every row is in the page as
//! it is printed here.

use tautochrone_gauss::bitslice::Bitslice;
use tautochrone_gauss::exact::{Pmf, Variance};

const PAGE: &str = include_str!("../docs/privacy.md");

/// The table that a sampler of this sigma^2 draws from.
fn table(numerator: u128, denominator: u128, precision: u32) -> Pmf {
    let variance = Variance::ratio(numerator, denominator).expect("in range");
    let sampler = Bitslice::builder().variance(variance).precision(precision).build();
    sampler.expect("in range").pmf().clone()
}

fn ratio(numerator: u128, denominator: u128) -> String {
    if denominator == 1 { numerator.to_string() } else { format!("{numerator}/{denominator}") }
}

fn has(row: &str) {
    assert!(PAGE.contains(row), "docs/privacy.md needs the row\n{row}");
}

#[test]
fn distances_are_those_of_the_page() {
    for (numerator, denominator) in [(1, 4), (1, 1), (7, 3), (100, 1)] {
        for precision in [64, 128] {
            let pmf = table(numerator, denominator, precision);
            let distance = pmf.distance();
            has(&format!(
                "| {} | {precision} | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
                ratio(numerator, denominator),
                pmf.precision(),
                pmf.masses().len() - 1,
                distance.log2_statistical,
                distance.log2_tail,
                pmf.log2_max_divergence(),
                pmf.log2_renyi_divergence(2),
                pmf.log2_renyi_divergence(32),
            ));
        }
    }
}

/// A count, sensitivity 1, sigma^2 = 7/3 and 100.
#[test]
fn deltas_are_those_of_the_page() {
    for (variance, epsilon) in
        [((7, 3), (1, 1)), ((7, 3), (3, 1)), ((100, 1), (1, 2)), ((100, 1), (1, 1))]
    {
        let delta = |precision| table(variance.0, variance.1, precision).log2_delta(epsilon, 1);
        let epsilon = ratio(epsilon.0.into(), epsilon.1.into());
        let (coarse, fine) = (delta(64), delta(128));
        has(&format!(
            "| {} | {epsilon} | {coarse:.6} | {fine:.6} |",
            ratio(variance.0, variance.1)
        ));
    }
}
