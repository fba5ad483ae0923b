//! Pads: uniform elements of K, written in small digits so that columns of S can hold them.
//!
//! A residue x of F_p is the integer in [-(p - 1) / 2, (p - 1) / 2], written with 27 digits d_i in
//! [-2, 2] as sum 5^i d_i: every integer of absolute value at most (5^27 - 1) / 2 > p / 2 has
//! exactly one such form. Uniform digits would not be a uniform residue. Digits beyond 2 would need
//! more of sigma, and products by multiplications where small entries are looked up; digits in {-1,
//! 0, 1} would be 39 a residue.

use super::field::{Element, P};

/// Bound on a digit.
pub const PAD_BOUND: u32 = 2;
const BASE: u64 = 2 * PAD_BOUND as u64 + 1;
/// Digits of a residue: the least number with 5^27 > p.
pub(super) const DIGITS: usize = 27;
/// Rows of S that the digits of one element of K take.
pub const PAD_ROWS: u32 = 3 * DIGITS as u32;
/// (5^27 - 1) / 2: what makes the sum of all digits plus 2 of the sum of digits.
const OFFSET: u64 = (BASE.pow(DIGITS as u32) - 1) / 2;

const _: () = assert!(
    BASE.pow(DIGITS as u32) > P && BASE.pow(DIGITS as u32 - 1) < P,
    "digits suffice, and none is too many"
);

/// Writes the digits of a residue below p, the lowest first.
///
/// # Constant time
/// In the residue: it is divided by multiplication.
pub(super) fn write(residue: u64, digits: &mut [i8]) {
    // All ones if residue > (p - 1) / 2.
    let above = ((P / 2).wrapping_sub(residue) >> 63).wrapping_neg();
    // In [0, 5^27), as OFFSET > p / 2; below 2^63.
    let mut rest = residue + OFFSET - (P & above);
    for digit in digits {
        let quotient = divide(rest);
        *digit = ((rest - BASE * quotient) as i8) - PAD_BOUND as i8;
        rest = quotient;
    }
}

/// floor(x / 5) for x < 2^63: with m = (2^66 + 1) / 5, x m / 2^66 is x / 5 + x / (5 2^66), which
/// exceeds it by less than 1/40, and so reaches no integer that x / 5 does not reach.
const fn divide(x: u64) -> u64 {
    const RECIPROCAL: u128 = ((1 << 66) + 1) / BASE as u128;
    const { assert!(RECIPROCAL * BASE as u128 == (1 << 66) + 1) };
    ((x as u128 * RECIPROCAL) >> 66) as u64
}

/// What the rows of a pad are multiplied with: val(x) = sum over t < 3 of X^t sum over i of 5^i
/// x_(27 t + i). Any integers in these rows have a value.
pub(super) fn weights() -> impl Iterator<Item = Element> {
    (0..3).flat_map(|place| {
        (0..DIGITS as u32).map(move |i| Element::monomial(BASE.pow(i) % P, place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(residue: u64) {
        let mut digits = [0_i8; DIGITS];
        write(residue, &mut digits);
        assert!(digits.iter().all(|digit| digit.unsigned_abs() <= PAD_BOUND as u8));
        let sum: i128 = (0..).zip(digits).map(|(i, digit)| i128::from(digit) * 5_i128.pow(i)).sum();
        let centred =
            if residue > P / 2 { i128::from(residue) - i128::from(P) } else { residue.into() };
        assert_eq!(sum, centred);
    }

    #[test]
    fn extreme_residues_have_digits() {
        for residue in [0, 1, 2, 3, P / 2 - 1, P / 2, P / 2 + 1, P - 2, P - 1] {
            check(residue);
        }
    }

    proptest! {
        #[test]
        fn digits_are_the_residue(residue in 0..P) {
            check(residue);
        }

        #[test]
        fn division_is_exact(x in 0..1_u64 << 63) {
            prop_assert_eq!(divide(x), x / 5);
            prop_assert_eq!(divide(x - x % 5), x / 5);
        }
    }

    #[test]
    fn weights_are_powers() {
        let weights: Vec<[u64; 3]> = weights().map(Element::coefficients).collect();
        assert_eq!(weights.len() as u32, PAD_ROWS);
        assert_eq!(weights[2], [25, 0, 0]);
        assert_eq!(weights[DIGITS + 1], [0, 5, 0]);
        assert_eq!(weights[3 * DIGITS - 1], [0, 0, 5_u64.pow(26)]);
    }
}
