//! [`Ideal`]: the weights of the ideal distribution to any number of bits.

use alloc::vec::Vec;

use num_bigint::BigUint;

use super::fixed;
use super::variance::Variance;

/// Which distribution on z >= 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// |X| for X ~ D_sigma: weight rho(0) at zero and 2 rho(z) elsewhere. A sign makes it the full
    /// Gaussian.
    Folded,
    /// X ~ D_sigma given X >= 0: weight rho(z). Base of the bimodal and adjusted samplers; a sign
    /// makes it *wrong* at 0.
    Unfolded,
}

/// Weights 2^F rho(z) (doubled for z > 0 if folded), z = 0, 1, .. until they vanish at F bits.
#[derive(Clone, Debug)]
pub struct Ideal {
    bits: u32,
    weights: Vec<BigUint>,
    total: BigUint,
}

/// Bits carried beyond F while the weights are multiplied up.
const GUARD: u32 = 64;

impl Ideal {
    /// Weights to `bits` fraction bits: about sigma sqrt(2 ln 2 bits) of them, however wide the
    /// distribution.
    ///
    /// rho(z + 1) = rho(z) t_z with t_0 = q, t_{z+1} = t_z q^2, q = exp(-1 / 2 sigma^2): two
    /// products per value. Each product errs by one unit of 2^-(F + 64), so that rho(z) errs by
    /// less than (z + 1)^2 of them: 2^-(F + 16) at z = 2^24.
    #[must_use]
    pub fn new(variance: &Variance, half: Half, bits: u32) -> Self {
        let w = bits + GUARD;
        let (n, d) = variance.as_ratio();
        let q = fixed::exp_neg(d, &(n * 2_u8), w);
        let square = (&q * &q) >> w;
        let mut rho = BigUint::from(1_u8) << w;
        let mut t = q;
        let mut weights = Vec::new();
        let mut total = BigUint::ZERO;
        loop {
            let folded = half == Half::Folded && !weights.is_empty();
            let weight = if folded { &rho << 1_u8 } else { rho.clone() } >> GUARD;
            if weight == BigUint::ZERO {
                break;
            }
            total += &weight;
            weights.push(weight);
            rho = (rho * &t) >> w;
            t = (t * &square) >> w;
        }
        Self { bits, weights, total }
    }

    /// F.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The weights, in units of 2^-F.
    #[must_use]
    pub fn weights(&self) -> &[BigUint] {
        &self.weights
    }

    /// Their sum.
    #[must_use]
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// Probability of `z` in units of 2^-F, rounded down.
    #[must_use]
    pub fn probability(&self, z: usize) -> BigUint {
        self.weights.get(z).map_or(BigUint::ZERO, |w| (w << self.bits) / &self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::big::{Big, big};

    /// To 400 bits, by a library of multi-precision floating point that shares nothing with this
    /// module.
    #[test]
    fn probabilities_agree_with_floating_point_to_400_bits() {
        for (numerator, denominator) in [(1, 4), (4, 1), (319 * 319, 10_000), (34 * 34, 1)] {
            for half in [Half::Folded, Half::Unfolded] {
                let v = Variance::ratio(numerator, denominator).unwrap();
                let ideal = Ideal::new(&v, half, 400);
                let weight = |z: u64| {
                    let t = big(z * z) * big(denominator as u64) / big(2 * numerator as u64);
                    let doubled = half == Half::Folded && z > 0;
                    (-t).exp() * big(if doubled { 2 } else { 1 })
                };
                let weights: Vec<Big> = (0..ideal.weights().len() as u64 + 9).map(weight).collect();
                let total = weights.iter().fold(big(0), |sum, w| sum + w);
                for (z, w) in weights.iter().enumerate() {
                    let want = (w / &total * Big::from_parts(1.into(), 400)).floor().to_int();
                    let want: BigUint = want.value().to_string().parse().unwrap();
                    let got = ideal.probability(z);
                    let gap = if want > got { want - got } else { got - want };
                    assert!(gap < 8_u8.into(), "{numerator}/{denominator} {half:?} {z}: {gap}");
                }
            }
        }
    }
}
