//! The privacy that a table costs where its samples are the noise of differential privacy:
//! divergences from the ideal distribution, and the (epsilon, delta) of the table itself.
//! crates/gauss/docs/privacy.md has the theorems and a worked example.

use alloc::vec::Vec;

use num_bigint::BigUint;

use super::fixed;
use super::ideal::{Half, Ideal};
use super::pmf::Pmf;
use crate::float;

impl Pmf {
    /// Base-2 logarithm of the largest |ln(p / q)| over the values of the table, p its probability
    /// and q the ideal one: the max divergence, both ways, of values that occur. (Values that do
    /// not have [`Distance::log2_tail`](super::Distance) of ideal mass.) A sign changes nothing.
    #[must_use]
    pub fn log2_max_divergence(&self) -> f64 {
        let ideal = self.fine_ideal(1);
        let f = ideal.bits();
        let divergence = |(z, &p): (usize, &u128)| {
            let p = BigUint::from(p) << (f - self.precision());
            let q = ideal.probability(z);
            let (least, most) = if p < q { (p, q) } else { (q, p) };
            if least == BigUint::ZERO {
                return f64::INFINITY;
            }
            fixed::log2(&fixed::ln(&most, &least, f)) - f64::from(f)
        };
        // A table's last values may include one of mass 0.
        let values = self.masses().iter().enumerate().filter(|(_, p)| **p > 0);
        values.map(divergence).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Base-2 logarithm of the Rényi divergence D_a(P || Q) = ln(sum p (p / q)^(a - 1)) / (a - 1)
    /// of the table P from the ideal distribution Q. A sign changes nothing.
    ///
    /// # Panics
    /// If the order a is not between 2 and 64.
    #[must_use]
    pub fn log2_renyi_divergence(&self, order: u32) -> f64 {
        assert!((2..=64).contains(&order), "orders are 2 to 64");
        let ideal = self.fine_ideal(2);
        let f = ideal.bits();
        // sum q (r^a - 1 - a (r - 1)), r = p / q, as sum q (r - 1) = 0: every term is of second
        // order and not negative, so that nothing cancels between terms.
        let one = BigUint::from(1_u8) << f;
        let mut excess = BigUint::ZERO;
        for z in 0..self.masses().len().max(ideal.weights().len()) {
            let q = ideal.probability(z);
            if q == BigUint::ZERO {
                continue;
            }
            let p = self.masses().get(z).map_or(BigUint::ZERO, |&p| p.into());
            let r = (p << (2 * f - self.precision())) / &q;
            let power = (0..order).fold(one.clone(), |power, _| (power * &r) >> f);
            // a - 1 + r^a - a r, in this order.
            let bowed = power + &one * (order - 1);
            let line = r * order;
            if bowed > line {
                excess += (q * (bowed - line)) >> f;
            }
        }
        // ln(1 + x) of an x that is tiny, or a cut tail's.
        let ln = fixed::ln(&(&one + excess), &one, f);
        fixed::log2(&ln) - f64::from(f) - float::log2(f64::from(order - 1))
    }

    /// Base-2 logarithm of the delta that the table gives at this epsilon = numerator / denominator
    /// to a query of integer sensitivity `shift`: sum over z of max(0, P(z) - e^epsilon P(z -
    /// shift)), P(z) the probability of z with its sign. It is the table's own, not the ideal
    /// distribution's: nothing needs to be added for rounding or for the cut tail.
    ///
    /// # Panics
    /// If the table is of an unfolded half, or the denominator is zero.
    #[must_use]
    pub fn log2_delta(&self, (numerator, denominator): (u64, u64), shift: u64) -> f64 {
        assert_eq!(self.half(), Half::Folded, "the two signs share the mass of a folded half");
        let masses: Vec<BigUint> = self.masses().iter().map(|&p| p.into()).collect();
        let f = 2 * self.precision() + 128;
        // Probabilities with a sign, in units of 2^-(P + 1).
        let mass = |z: i64| {
            let mass = usize::try_from(z.unsigned_abs()).ok().and_then(|z| masses.get(z));
            mass.map_or(BigUint::ZERO, |mass| mass << u32::from(z == 0))
        };
        // P(z) - e^epsilon P(z - shift) = (P(z) e^-epsilon - P(z - shift)) / e^-epsilon.
        let factor = fixed::exp_neg(&numerator.into(), &denominator.into(), f);
        let last = masses.len() as i64 - 1;
        let mut sum = BigUint::ZERO;
        for z in -last..=last {
            let here = mass(z) * &factor;
            let there = mass(z.saturating_sub_unsigned(shift)) << f;
            if here > there {
                sum += here - there;
            }
        }
        fixed::log2(&sum) - fixed::log2(&factor) - f64::from(self.precision() + 1)
    }

    /// The ideal distribution, fine enough for terms of this order in the table's errors.
    fn fine_ideal(&self, order: u32) -> Ideal {
        Ideal::new(self.variance(), self.half(), (order + 1) * self.precision() + 144)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Variance;

    fn pmf(numerator: u128, denominator: u128, precision: u32) -> Pmf {
        let variance = Variance::ratio(numerator, denominator).unwrap();
        Pmf::new(&variance, Half::Folded, precision).unwrap()
    }

    /// D_2 = ln R_2, which `Distance` computes in another way; and no order is below another's.
    #[test]
    fn renyi_divergences_agree_with_the_distance() {
        for (numerator, denominator) in [(1, 4), (4, 1), (7, 3), (100, 1)] {
            for precision in [32, 64, 128] {
                let pmf = pmf(numerator, denominator, precision);
                let (got, want) = (pmf.log2_renyi_divergence(2), pmf.distance().log2_renyi);
                assert!((got - want).abs() < 1e-3, "{got} {want}");
                let orders = [2, 3, 8, 32].map(|order| pmf.log2_renyi_divergence(order));
                assert!(orders.is_sorted(), "{orders:?}");
            }
        }
    }

    /// Masses of a few units are far from exact, but of the order of the ideal ones.
    #[test]
    fn max_divergences_are_those_of_the_last_values() {
        for precision in [32, 64, 128] {
            let divergence = pmf(4, 1, precision).log2_max_divergence();
            assert!((-40.0..1.5).contains(&divergence), "{precision}: {divergence}");
        }
    }

    /// In floating point, from the definition, at 32 bits: and the limits of epsilon.
    #[test]
    fn deltas_are_those_of_the_definition() {
        for (numerator, denominator, shift) in [(4, 1, 1), (7, 3, 1), (100, 1, 3), (1, 4, 2)] {
            let pmf = pmf(numerator, denominator, 32);
            let p = |z: i64| {
                let mass = pmf.masses().get(z.unsigned_abs() as usize).copied().unwrap_or(0);
                mass as f64 / 2.0_f64.powi(if z == 0 { 32 } else { 33 })
            };
            for (n, d) in [(0_u64, 1_u64), (1, 10), (1, 1), (3, 1)] {
                let factor = (n as f64 / d as f64).exp();
                let terms = (-200..=200_i64).map(|z| (p(z) - factor * p(z - shift)).max(0.0));
                let want = terms.sum::<f64>().log2();
                let got = pmf.log2_delta((n, d), shift as u64);
                assert!(
                    (got - want).abs() < 1e-6,
                    "{numerator}/{denominator} {n}/{d}: {got} {want}"
                );
            }
            // Further away than the support is wide, all is told apart.
            assert!(pmf.log2_delta((1, 1), u64::MAX).abs() < 1e-12);
        }
    }
}
