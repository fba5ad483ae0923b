//! [`Variance`]: sigma^2 as an exact positive rational.

use num_bigint::BigUint;

use crate::error::Error;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;

/// The squared width sigma^2 > 0 of a discrete Gaussian, as an exact fraction.
///
/// A width is usually rational (3.19 = 319/100); the base of a convolution is not, but its square
/// is.
///
/// ```
/// use tautochrone_gauss::exact::Variance;
///
/// assert_eq!(Variance::from_sigma(3.19)?.sigma(), 3.19);
/// # Ok::<(), tautochrone_gauss::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variance {
    // Invariant: both are positive, in lowest terms.
    numerator: BigUint,
    denominator: BigUint,
}

/// Widths outside 2^-32 .. 2^64 are refused: no sampler of this crate serves them, and set-up cost
/// stays bounded.
const MIN_SIGMA: f64 = 1.0 / 4_294_967_296.0;
const LIMIT: f64 = 18_446_744_073_709_551_616.0;

fn check(sigma: f64) -> Result<(), Error> {
    let inside = (MIN_SIGMA..LIMIT).contains(&sigma);
    if inside { Ok(()) } else { Err(Error::Sigma { got: sigma, least: MIN_SIGMA, limit: LIMIT }) }
}

impl Variance {
    /// sigma^2 for the *decimal* number that `sigma` prints as: `3.19` means 319/100, not the
    /// nearest binary fraction.
    ///
    /// The two differ by 2^-53 of sigma, more than the error of a 64-bit table.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless `sigma` is between 2^-32 and 2^64.
    pub fn from_sigma(sigma: f64) -> Result<Self, Error> {
        check(sigma)?;
        // `Display` of f64 is the shortest decimal that reads back as the same value, without an
        // exponent.
        let text = alloc::format!("{sigma}");
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = alloc::format!("{whole}{fraction}");
        let n = BigUint::parse_bytes(digits.as_bytes(), 10).expect("a number prints as digits");
        let d = BigUint::from(10_u8).pow(fraction.len() as u32);
        Ok(Self::reduced(&n * &n, &d * &d))
    }

    /// sigma^2 for the exact binary value of `sigma`.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless `sigma` is between 2^-32 and 2^64.
    pub fn from_binary_sigma(sigma: f64) -> Result<Self, Error> {
        check(sigma)?;
        // sigma is normal: sigma = m 2^(e - 1075) with 2^52 <= m < 2^53.
        let bits = sigma.to_bits();
        let m = BigUint::from(bits & ((1 << 52) - 1) | 1 << 52);
        let e = i64::from((bits >> 52) as u32) - 1075;
        let up = BigUint::from(1_u8) << e.max(0).unsigned_abs();
        let down = BigUint::from(1_u8) << (-e).max(0).unsigned_abs();
        let n = m * up;
        Ok(Self::reduced(&n * &n, &down * &down))
    }

    /// sigma^2 = `numerator / denominator`.
    ///
    /// # Errors
    /// [`Error::Sigma`] if either is zero, or sigma is not between 2^-32 and 2^64.
    pub fn ratio(numerator: u128, denominator: u128) -> Result<Self, Error> {
        let sigma = (numerator as f64 / denominator as f64).sqrt();
        check(sigma)?;
        Ok(Self::reduced(numerator.into(), denominator.into()))
    }

    /// sigma^2 / `divisor`, for the base of a convolution.
    ///
    /// # Panics
    /// If `divisor` is zero.
    #[must_use]
    pub fn divided_by(&self, divisor: u64) -> Self {
        assert!(divisor > 0, "a variance cannot be divided by zero");
        Self::reduced(self.numerator.clone(), &self.denominator * divisor)
    }

    /// sigma, correctly rounded (ties to even).
    #[must_use]
    pub fn sigma(&self) -> f64 {
        // floor(2^e sigma), which has 64 or 65 bits, its lowest bit set if anything was cut off:
        // the conversion then rounds as it would round the exact root. 0 <= e, as sigma <= 2^64.
        let e = 64 - (self.numerator.bits() as i64 - self.denominator.bits() as i64).div_euclid(2);
        let scaled = &self.numerator << (2 * e);
        let root = (&scaled / &self.denominator).sqrt();
        let inexact = &root * &root * &self.denominator != scaled;
        let root = u128::try_from(root).expect("65 bits") | u128::from(inexact);
        // Both factors and their product are normal numbers.
        root as f64 * f64::from_bits(((1023 - e) as u64) << 52)
    }

    /// (numerator, denominator) in lowest terms.
    #[must_use]
    pub fn as_ratio(&self) -> (&BigUint, &BigUint) {
        (&self.numerator, &self.denominator)
    }

    fn reduced(numerator: BigUint, denominator: BigUint) -> Self {
        let zero = BigUint::ZERO;
        let (mut a, mut b) = (numerator.clone(), denominator.clone());
        while b != zero {
            (a, b) = (b.clone(), a % b);
        }
        Self { numerator: numerator / &a, denominator: denominator / a }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(n: u64, d: u64) -> Variance {
        Variance::ratio(n.into(), d.into()).unwrap()
    }

    #[test]
    fn decimal_and_binary_readings() {
        assert_eq!(Variance::from_sigma(2.0).unwrap(), ratio(4, 1));
        assert_eq!(Variance::from_sigma(3.19).unwrap(), ratio(319 * 319, 10_000));
        assert_eq!(Variance::from_binary_sigma(1.5).unwrap(), ratio(9, 4));
        assert_ne!(Variance::from_binary_sigma(3.19).unwrap(), ratio(319 * 319, 10_000));
        assert_eq!(ratio(215 * 215, 1).divided_by(122), ratio(215 * 215, 122));
        for sigma in [0.5, 3.19, 215.0, 1e6] {
            assert_eq!(Variance::from_sigma(sigma).unwrap().sigma(), sigma);
        }
    }

    #[test]
    fn sigma_is_correctly_rounded() {
        // IEEE 754 rounds the root of 2 correctly; 1/3 is no f64. Then a tie between two numbers,
        // and a little more.
        assert_eq!(ratio(2, 1).sigma(), 2.0_f64.sqrt());
        assert_eq!(ratio(1, 3).sigma(), 0.577_350_269_189_625_7);
        let tie = (1_u128 << 53) + 1;
        assert_eq!(Variance::ratio(tie * tie, 1).unwrap().sigma(), (1_u64 << 53) as f64);
        let above = Variance::ratio(tie * tie + 1, 1).unwrap();
        assert_eq!(above.sigma(), ((1_u64 << 53) + 2) as f64);
        for exponent in -31..64 {
            let sigma = 1.75 * 2.0_f64.powi(exponent);
            assert_eq!(Variance::from_binary_sigma(sigma).unwrap().sigma(), sigma);
        }
    }

    proptest! {
        #[test]
        fn sigma_is_what_was_asked_for(exponent in -31.9_f64..63.9) {
            let sigma = exponent.exp2();
            prop_assert_eq!(Variance::from_sigma(sigma).unwrap().sigma(), sigma);
            prop_assert_eq!(Variance::from_binary_sigma(sigma).unwrap().sigma(), sigma);
        }
    }

    #[test]
    fn impossible_widths_are_refused() {
        for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e300, f64::MIN_POSITIVE] {
            assert!(matches!(Variance::from_sigma(sigma), Err(Error::Sigma { .. })), "{sigma}");
            assert!(matches!(Variance::from_binary_sigma(sigma), Err(Error::Sigma { .. })));
        }
        assert!(Variance::ratio(0, 1).is_err());
        assert!(Variance::ratio(1, 0).is_err());
    }
}
