//! [`Small`]: a bound on coefficients, and the digits of which a proof shows ranges.

use tautochrone_simd::declassify;
use tautochrone_zk::argument::UnknownPart;

use super::{BASE, RingError, parameter};

/// A bound on coefficients of secrets or errors, and their variance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
    bound: u32,
    variance: u64,
}

impl Small {
    /// Uniform in -1, 0, 1.
    pub const TERNARY: Self = Self { bound: 1, variance: 666_667 };

    /// Within `bound` of 0, and of this variance in millionths, from which parameters follow. A
    /// bound up to 3 is shown as it is; for a larger one, up to 24, a proof shows that coefficients
    /// are within 24.
    ///
    /// # Errors
    /// [`RingError::Parameter`] if the bound is 0 or above 24, or the variance is larger than that
    /// of integers within it.
    pub fn new(bound: u32, variance: u64) -> Result<Self, RingError> {
        if !(1..=24).contains(&bound) {
            return Err(parameter("bound", bound.into(), "1 to 24"));
        }
        if variance > 1_000_000 * u64::from(bound).pow(2) {
            return Err(parameter(
                "variance",
                variance,
                "at most the bound's square, in millionths",
            ));
        }
        Ok(Self { bound, variance })
    }

    pub(super) const fn digits(self) -> usize {
        if self.bound > 3 { 2 } else { 1 }
    }

    /// The largest digit, and the sum of the variances of all.
    pub(super) fn of_digits(self) -> (i32, u64) {
        match self.digits() {
            1 => (self.bound as i32, self.variance),
            // Lower digits are uniform.
            _ => (3, 4_100_000 + self.variance / BASE.pow(2) as u64),
        }
    }

    pub(super) fn part(self, vectors: usize) -> UnknownPart {
        let (high, all) = self.of_digits();
        let blocks = (vectors * self.digits()) as u32;
        let variance = all / self.digits() as u64;
        UnknownPart { blocks, low: -high, high, is_shown: true, variance }
    }

    /// Appends the digits of coefficients if they are within the bound: whether they are.
    pub(super) fn write(self, x: &[i64], out: &mut Vec<i8>) -> bool {
        let bound = i64::from(self.bound);
        let outside = x.iter().fold(false, |any, &x| any | (x < -bound) | (x > bound));
        if declassify(outside) {
            return false;
        }
        if self.digits() == 1 {
            out.extend(x.iter().map(|&x| x as i8));
        } else {
            // Divided by 7 by a product, which is exact below 49.
            let higher = |x: i64| (((x + 24) * 37) >> 8) - 3;
            out.extend(x.iter().map(|&x| (x - BASE * higher(x)) as i8));
            out.extend(x.iter().map(|&x| higher(x) as i8));
        }
        true
    }
}
