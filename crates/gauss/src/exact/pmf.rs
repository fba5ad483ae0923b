//! [`Pmf`]: an ideal distribution rounded to integers with sum exactly 2^P.

use alloc::vec::Vec;

use num_bigint::BigUint;

use super::distance::Distance;
use super::ideal::{Half, Ideal};
use super::variance::Variance;
use crate::error::Error;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;

/// Precisions a table can have, in bits.
pub(super) const PRECISION: core::ops::RangeInclusive<u32> = 32..=128;
/// Largest support of one table. Wider distributions are convolutions.
pub(super) const MAX_SUPPORT: usize = 1 << 12;

/// t with rho(t sigma) = 2^-bits.
pub(crate) fn reach(bits: f64) -> f64 {
    (2.0 * core::f64::consts::LN_2 * bits).sqrt()
}

/// Integers p_0 .. p_{n-1} with sum exactly 2^P, p_{n-1} > 0: floor of the ideal masses, then +1 to
/// the largest fractional parts.
///
/// Values whose ideal mass is below one unit are rounded by carrying the error outward instead, as
/// far as ideal masses of min(1/4, 4 / sigma) units: the mass cut off at the end stays below two
/// units (rounding to nearest would cut sigma / 18 units), and no retained value is so unlikely
/// that it spoils R_2 (one unit in place of q adds 1 / q).
///
/// ```
/// use tautochrone_gauss::exact::{Half, Pmf, Variance};
///
/// let pmf = Pmf::new(&Variance::from_sigma(2.0)?, Half::Folded, 64)?;
/// assert_eq!(pmf.masses().iter().sum::<u128>(), 1 << 64);
/// # Ok::<(), tautochrone_gauss::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pmf {
    variance: Variance,
    half: Half,
    precision: u32,
    masses: Vec<u128>,
}

impl Pmf {
    /// Rounds the distribution to `precision` bits.
    ///
    /// # Errors
    /// [`Error::Precision`] outside 32..=128; [`Error::Sigma`] if every mass but the one at 0
    /// rounds to nothing, or if the support exceeds 2^12 values.
    pub fn new(variance: &Variance, half: Half, precision: u32) -> Result<Self, Error> {
        if !PRECISION.contains(&precision) {
            return Err(Error::Precision { precision });
        }
        let sigma = variance.sigma();
        // A support near sigma reach(P), seen to be far too large before any work is done.
        if sigma * reach(f64::from(precision)) > 2.0 * MAX_SUPPORT as f64 {
            return Err(Self::out_of_range(sigma, precision));
        }
        let ideal = Ideal::new(variance, half, precision + 64);
        let mut masses = Vec::with_capacity(ideal.weights().len());
        let mut fractions = Vec::with_capacity(ideal.weights().len());
        let mut rest = BigUint::from(1_u8) << precision;
        for (z, weight) in ideal.weights().iter().enumerate() {
            let scaled = weight << precision;
            let floor = &scaled / ideal.total();
            rest -= &floor;
            fractions.push((scaled - &floor * ideal.total(), z));
            let mut digits = floor.iter_u64_digits();
            let (low, high) = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
            masses.push(u128::from(high) << 64 | u128::from(low));
        }
        let mut rest = rest.iter_u64_digits().next().unwrap_or(0) as usize;
        let tail = masses.iter().position(|&m| m == 0).unwrap_or(masses.len());
        let least = ideal.total() / (sigma / 4.0).max(4.0) as u64;
        let mut carried = ideal.total() >> 1_u8;
        for (fraction, z) in fractions.drain(tail..) {
            carried += &fraction;
            if carried >= *ideal.total() && fraction >= least {
                carried -= ideal.total();
                masses[z] = 1;
                rest -= 1;
            }
        }
        // Ties go to the smaller z, so that the table is a function of its parameters.
        fractions.sort_unstable_by(|(f, y), (g, z)| g.cmp(f).then(y.cmp(z)));
        for &(_, z) in &fractions[..rest] {
            masses[z] += 1;
        }
        while masses.last() == Some(&0) {
            masses.pop();
        }
        if !(2..=MAX_SUPPORT).contains(&masses.len()) {
            return Err(Self::out_of_range(sigma, precision));
        }
        Ok(Self { variance: variance.clone(), half, precision, masses })
    }

    fn out_of_range(got: f64, precision: u32) -> Error {
        Error::Sigma {
            got,
            least: Self::smallest_sigma(precision),
            limit: Self::largest_sigma(precision),
        }
    }

    /// A width just inside what one table of this precision can hold: support < 2^12.
    pub(crate) fn largest_sigma(precision: u32) -> f64 {
        (MAX_SUPPORT as f64 / reach(f64::from(precision + 1))).floor()
    }

    /// A width just inside what this precision resolves: rho(1) >= 2^-P.
    pub(crate) fn smallest_sigma(precision: u32) -> f64 {
        (1000.0 / reach(f64::from(precision))).ceil() / 1000.0
    }

    /// p_0 .. p_{n-1}.
    #[must_use]
    pub fn masses(&self) -> &[u128] {
        &self.masses
    }

    /// P: the masses sum to 2^P.
    #[must_use]
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// Which distribution this rounds.
    #[must_use]
    pub fn half(&self) -> Half {
        self.half
    }

    /// sigma^2.
    #[must_use]
    pub fn variance(&self) -> &Variance {
        &self.variance
    }

    /// Bits of the largest value: the smallest a with 2^a >= n.
    #[must_use]
    pub fn value_bits(&self) -> u32 {
        (self.masses.len() - 1).ilog2() + 1
    }

    /// Distance of this table from the ideal distribution.
    #[must_use]
    pub fn distance(&self) -> Distance {
        let ideal = Ideal::new(&self.variance, self.half, 2 * self.precision + 144);
        let masses: Vec<BigUint> = self.masses.iter().map(|&p| p.into()).collect();
        Distance::between(&masses, self.precision, &ideal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pmf(sigma: f64, half: Half, precision: u32) -> Pmf {
        Pmf::new(&Variance::from_sigma(sigma).unwrap(), half, precision).unwrap()
    }

    /// Support at 64 and 128 bits: below 9.42 sigma and 13.3 sigma; sigma 215 needs 11 and 12 bits.
    #[test]
    fn support_follows_from_the_precision() {
        assert_eq!(pmf(215.0, Half::Folded, 64).value_bits(), 11);
        assert_eq!(pmf(215.0, Half::Folded, 128).value_bits(), 12);
        assert_eq!(pmf(2.0, Half::Folded, 64).value_bits(), 5);
        let n = pmf(215.0, Half::Folded, 64).masses().len();
        assert!((8.9..9.42).contains(&(n as f64 / 215.0)), "{n}");
    }

    #[test]
    fn distances_meet_the_acceptance_bounds() {
        for sigma in [0.5, 1.5, 2.0, 3.19, 10.0, 34.0, 215.0] {
            for half in [Half::Folded, Half::Unfolded] {
                for precision in [63, 64, 128] {
                    let p = pmf(sigma, half, precision);
                    p.distance().assert_acceptable(p.masses().len(), sigma, precision);
                }
            }
        }
    }

    /// A table of doubles where 128 bits are claimed.
    #[test]
    #[should_panic(expected = "TV")]
    fn a_coarse_table_is_refused() {
        let p = pmf(2.0, Half::Folded, 53);
        p.distance().assert_acceptable(p.masses().len(), 2.0, 128);
    }

    #[test]
    fn impossible_requests_say_what_would_work() {
        let v = Variance::from_sigma(2.0).unwrap();
        for precision in [0, 31, 129] {
            assert!(matches!(Pmf::new(&v, Half::Folded, precision), Err(Error::Precision { .. })));
        }
        let tiny = Variance::from_sigma(0.01).unwrap();
        let Err(Error::Sigma { least, .. }) = Pmf::new(&tiny, Half::Folded, 64) else {
            panic!("sigma 0.01 is a constant at 64 bits")
        };
        pmf(least, Half::Folded, 64);
        for sigma in [500.0, 1e6, 1e19] {
            let wide = Variance::from_sigma(sigma).unwrap();
            for precision in [64, 128] {
                match Pmf::new(&wide, Half::Folded, precision) {
                    Err(Error::Sigma { limit, .. }) => {
                        pmf(limit, Half::Folded, precision);
                    }
                    other => panic!("sigma {sigma}: {:?}", other.map(|p| p.masses().len())),
                }
            }
        }
    }
}
