//! Elements of F in digits that fit a byte of S: eight to the base 199.
//!
//! A residue x is the integer in [-(p - 1) / 2, (p - 1) / 2], written with eight digits d_i in [-99,
//! 99] as sum 199^i d_i: every integer of absolute value at most (199^8 - 1) / 2 > p / 2 has exactly
//! one such form. 199 is the least odd base for which eight digits suffice; with seven they would
//! not fit a byte.

use super::super::digits;
use super::super::field::{Element, P, residue};
use super::super::scalar::Scalar;

/// Bound on a digit.
pub const DIGIT_BOUND: u32 = 99;
const BASE: u64 = 2 * DIGIT_BOUND as u64 + 1;
/// Digits of an element of F.
pub const DIGITS: u32 = 8;
const _: () = assert!(
    BASE.pow(DIGITS) > P && (BASE - 2).pow(DIGITS) < P,
    "eight digits suffice, and no smaller odd base does"
);
const _: () = assert!((BASE as u128).pow(DIGITS - 1) < P as u128, "seven digits do not suffice");

/// Writes the digits of a residue below p, the lowest first.
///
/// # Constant time
/// In the residue.
pub(super) fn write(residue: u64, digits: &mut [i8]) {
    digits::write(residue, DIGIT_BOUND, digits);
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

/// What the rows of an element of K are multiplied with.
pub(super) fn weights() -> impl Iterator<Item = Element> {
    digits::weights(DIGIT_BOUND, DIGITS)
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
    }
}
