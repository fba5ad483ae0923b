//! [`Distance`]: exact comparison of an integer table with the ideal distribution.

use num_bigint::BigUint;

use super::fixed;
use super::ideal::Ideal;
use crate::float;

/// How far a table P is from the ideal distribution Q, as base-2 logarithms (minus infinity for
/// zero).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Statistical (total variation) distance: sum |p - q| / 2.
    pub log2_statistical: f64,
    /// Rényi divergence of order 2, less one: R_2 - 1 = sum (p - q)^2 / q.
    pub log2_renyi: f64,
    /// Ideal mass of the values beyond the table's last one.
    pub log2_tail: f64,
    /// Largest |p / q - 1| over q >= 2^-(P - 40).
    pub log2_ratio: f64,
}

impl Distance {
    /// Compares `masses[z] / 2^precision`, z = 0, 1, .., with `ideal`.
    ///
    /// The ideal distribution needs more than twice the table's precision for the quadratic term to
    /// be seen.
    ///
    /// # Panics
    /// If the ideal distribution has fewer bits than the table.
    #[must_use]
    pub fn between(masses: &[BigUint], precision: u32, ideal: &Ideal) -> Self {
        let f = ideal.bits();
        assert!(f >= precision, "the ideal distribution must be the finer one");
        let floor = BigUint::from(1_u8) << (f + 40).saturating_sub(precision);
        let p = |z: usize| masses.get(z).map_or(BigUint::ZERO, |m| m << (f - precision));
        let values = 0..masses.len().max(ideal.weights().len());
        let tail: BigUint = values.clone().skip(masses.len()).map(|z| ideal.probability(z)).sum();
        let log2_tail = fixed::log2(&tail) - f64::from(f);
        Self { log2_tail, ..Self::of(values.map(|z| (p(z), ideal.probability(z))), f, &floor) }
    }

    /// From the probabilities (p, q) of every value in units of 2^-`bits`, with no tail; the ratio
    /// is over q >= `floor`.
    pub(crate) fn of(
        values: impl Iterator<Item = (BigUint, BigUint)>,
        bits: u32,
        floor: &BigUint,
    ) -> Self {
        let (mut absolute, mut square) = (BigUint::ZERO, BigUint::ZERO);
        let mut log2_ratio = f64::NEG_INFINITY;
        for (p, q) in values {
            let gap = if p > q { &p - &q } else { &q - &p };
            if q != BigUint::ZERO {
                square += &gap * &gap / &q;
            }
            if q >= *floor && gap != BigUint::ZERO {
                log2_ratio = log2_ratio.max(fixed::log2(&gap) - fixed::log2(&q));
            }
            absolute += gap;
        }
        let bits = f64::from(bits);
        Self {
            log2_statistical: fixed::log2(&absolute) - bits - 1.0,
            log2_renyi: fixed::log2(&square) - bits,
            log2_tail: f64::NEG_INFINITY,
            log2_ratio,
        }
    }

    /// Asserts the acceptance bounds of a table with `n` entries of `precision` bits W: TV <= n
    /// 2^-(W+1), R_2 - 1 <= max(1, sigma / 8) 2^-(W-2), |ln P/Q| <= 2^-38 where Q >= 2^-(W-40),
    /// tail <= 2^-(W-1).
    ///
    /// # Panics
    /// If one of them fails.
    pub fn assert_acceptable(&self, n: usize, sigma: f64, precision: u32) {
        let w = f64::from(precision);
        assert!(self.log2_statistical <= float::log2(n as f64) - w - 1.0, "TV {self:?}");
        assert!(self.log2_renyi <= float::log2((sigma / 8.0).max(1.0)) - (w - 2.0), "R_2 {self:?}");
        assert!(self.log2_ratio <= -38.0, "ratio {self:?}");
        assert!(self.log2_tail <= -(w - 1.0), "tail {self:?}");
    }
}
