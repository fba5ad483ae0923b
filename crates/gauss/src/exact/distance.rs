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
        let (mut absolute, mut square, mut tail) = (BigUint::ZERO, BigUint::ZERO, BigUint::ZERO);
        let mut ratio = f64::NEG_INFINITY;
        for z in 0..masses.len().max(ideal.weights().len()) {
            let q = ideal.probability(z);
            let p = masses.get(z).map_or(BigUint::ZERO, |m| m << (f - precision));
            let gap = if p > q { &p - &q } else { &q - &p };
            if q != BigUint::ZERO {
                square += &gap * &gap / &q;
            }
            if z >= masses.len() {
                tail += &q;
            }
            if q >= floor && gap != BigUint::ZERO {
                ratio = ratio.max(fixed::log2(&gap) - fixed::log2(&q));
            }
            absolute += gap;
        }
        let f = f64::from(f);
        Self {
            log2_statistical: fixed::log2(&absolute) - f - 1.0,
            log2_renyi: fixed::log2(&square) - f,
            log2_tail: fixed::log2(&tail) - f,
            log2_ratio: ratio,
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
