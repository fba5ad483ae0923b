//! Elements of F in digits that fit a byte of S: eight to the base 199.
//!
//! A residue x is the integer in [-(p - 1) / 2, (p - 1) / 2], written with eight digits d_i in [-99,
//! 99] as sum 199^i d_i: every integer of absolute value at most (199^8 - 1) / 2 > p / 2 has exactly
//! one such form. 199 is the least odd base for which eight digits suffice; with seven they would
//! not fit a byte.

use super::super::field::{Element, P, residue};
use super::super::scalar::Scalar;

/// Bound on a digit.
pub const DIGIT_BOUND: u32 = 99;
const BASE: u64 = 2 * DIGIT_BOUND as u64 + 1;
/// Digits of an element of F.
pub const DIGITS: u32 = 8;
/// (199^8 - 1) / 2: what makes the sum of all digits plus 99 of the sum of digits.
const OFFSET: u64 = (BASE.pow(DIGITS) - 1) / 2;

const _: () = assert!(
    BASE.pow(DIGITS) > P && (BASE - 2).pow(DIGITS) < P,
    "eight digits suffice, and no smaller odd base does"
);
const _: () = assert!((BASE as u128).pow(DIGITS - 1) < P as u128, "seven digits do not suffice");

/// Writes the digits of a residue below p, the lowest first.
///
/// # Constant time
/// In the residue: it is divided by multiplication.
pub(super) fn write(residue: u64, digits: &mut [i8]) {
    // All ones if residue > (p - 1) / 2.
    let above = ((P / 2).wrapping_sub(residue) >> 63).wrapping_neg();
    // In [0, 199^8), as OFFSET > p / 2; below 2^62.
    let mut rest = residue + OFFSET - (P & above);
    for digit in digits {
        let quotient = divide(rest);
        *digit = ((rest - BASE * quotient) as i16 - DIGIT_BOUND as i16) as i8;
        rest = quotient;
    }
}

/// floor(x / 199) for x < 2^62: with m = ceil(2^70 / 199), 199 m - 2^70 is at most 198, so x m / 2^70
/// exceeds x / 199 by at most 198 x / (199 2^70) < 2^-8 < 1 / 199, and reaches no integer that x /
/// 199 does not reach.
const fn divide(x: u64) -> u64 {
    const RECIPROCAL: u128 = (1_u128 << 70).div_ceil(BASE as u128);
    ((x as u128 * RECIPROCAL) >> 70) as u64
}

/// 199^d, which all digits of an element are multiplied with.
pub(super) fn powers() -> impl Iterator<Item = u64> {
    (0..DIGITS).map(|d| BASE.pow(d))
}

/// The element of F that digits, or any other integers in their rows, stand for.
///
/// # Constant time
/// In the digits.
pub(super) fn value<T: Copy + Into<i64>>(digits: &[T]) -> Scalar {
    // Below 2^31 times 8 199^7 < 2^57.
    let terms = digits.iter().zip(powers());
    let terms = terms.map(|(&digit, power)| i128::from(digit.into()) * i128::from(power));
    Scalar::of_residue(residue(terms.sum()))
}

/// What the rows of an element of K are multiplied with: val(x) = sum over t < 3 of X^t sum over d
/// of 199^d x_(8 t + d). Any integers in these rows have a value.
pub(super) fn weights() -> impl Iterator<Item = Element> {
    (0..3).flat_map(|place| powers().map(move |power| Element::monomial(power, place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(residue: u64) {
        let mut digits = [0_i8; DIGITS as usize];
        write(residue, &mut digits);
        assert!(digits.iter().all(|digit| digit.unsigned_abs() <= DIGIT_BOUND as u8));
        let sum: i128 =
            (0..).zip(digits).map(|(i, digit)| i128::from(digit) * 199_i128.pow(i)).sum();
        let centred =
            if residue > P / 2 { i128::from(residue) - i128::from(P) } else { residue.into() };
        assert_eq!(sum, centred);
        assert_eq!(value(&digits).value(), residue);
    }

    #[test]
    fn extreme_residues_have_digits() {
        for residue in [0, 1, 99, 100, 198, 199, 200, P / 2 - 1, P / 2, P / 2 + 1, P - 2, P - 1] {
            check(residue);
        }
    }

    proptest! {
        #[test]
        fn digits_are_the_residue(residue in 0..P) {
            check(residue);
        }

        #[test]
        fn division_is_exact(x in 0..1_u64 << 62) {
            for x in [x, x - x % 199, (x - x % 199).saturating_sub(1)] {
                prop_assert_eq!(divide(x), x / 199);
            }
        }
    }

    #[test]
    fn the_largest_dividends() {
        for x in (1_u64 << 62) - 1000..1 << 62 {
            assert_eq!(divide(x), x / 199);
        }
    }
}
