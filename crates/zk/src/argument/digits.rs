//! Elements of F and K in balanced digits, so that columns of S can hold them.
//!
//! A residue x of F_p is the integer in [-(p - 1) / 2, (p - 1) / 2], written with D digits d_i in
//! [-b', b'] as sum B^i d_i, B = 2 b' + 1: every integer of absolute value at most (B^D - 1) / 2 > p / 2
//! has exactly one such form. Uniform digits would not be a uniform residue.

use tautochrone_simd::value_barrier;

use crate::field::{ElementOf, Field, Goldilocks, P};
use crate::rows::{DIGIT_BOUND, GOLDILOCKS_DIGIT_BOUND, PAD_BOUND, PAD_ROWS};
use crate::scalar::ScalarOf;

/// How elements of F are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Radix {
    /// b'.
    pub(super) bound: u32,
    /// D: the least number with B^D > p.
    pub(super) digits: u32,
}

impl Radix {
    /// 27 digits to the base 5.
    pub(super) const SMALL: Self = Self { bound: PAD_BOUND, digits: 27 };
    /// Eight digits to the base 199, which fill a byte each: 199 is the least odd base for which
    /// eight suffice, and with seven they would not fit.
    pub(super) const WIDE: Self = Self { bound: DIGIT_BOUND, digits: 8 };
    /// Nine digits to the base 139, of elements of [`Goldilocks`]: eight would not fill it with any
    /// base that fits a byte.
    pub(super) const GOLDILOCKS: Self = Self { bound: GOLDILOCKS_DIGIT_BOUND, digits: 9 };

    const fn base(self) -> u64 {
        2 * self.bound as u64 + 1
    }

    /// Rows of an element of K.
    pub(super) const fn rows(self) -> u32 {
        3 * self.digits
    }

    /// Writes the digits of a residue below p, the lowest first.
    ///
    /// # Constant time
    /// In the residue.
    pub(super) fn write<F: Field>(self, residue: u64, digits: &mut [i8]) {
        write::<F>(residue, self.bound, digits);
    }

    /// B^i, which the digits of an element of F are multiplied with: below p.
    pub(super) fn powers(self) -> impl Iterator<Item = u64> {
        (0..self.digits).map(move |i| self.base().pow(i))
    }

    /// The element of F that digits, or any other integers in their rows, stand for.
    ///
    /// # Constant time
    /// In the digits.
    pub(super) fn value<F: Field, T: Copy + Into<i64>>(self, digits: &[T]) -> ScalarOf<F> {
        // At most 27 terms below 2^31 times 2^61.
        let terms = digits.iter().zip(self.powers());
        let terms = terms.map(|(&digit, power)| i128::from(digit.into()) * i128::from(power));
        ScalarOf::of_residue(F::residue(terms.sum()))
    }

    /// The factors of the rows of an element of K.
    pub(super) fn weights<F: Field>(self) -> impl Iterator<Item = ElementOf<F>> {
        weights(self.bound, self.digits)
    }
}

const _: () = {
    let [small, wide] = [Radix::SMALL, Radix::WIDE];
    assert!(small.base().pow(27) > P && small.base().pow(26) < P, "27 digits are needed");
    assert!(wide.base().pow(8) > P && (wide.base() - 2).pow(8) < P, "no smaller base suffices");
    assert!((wide.base() as u128).pow(7) < P as u128, "eight digits are needed");
    assert!(small.rows() == PAD_ROWS, "parameters count them");
    let (goldilocks, p) = (Radix::GOLDILOCKS.base() as u128, Goldilocks::P as u128);
    assert!(goldilocks.pow(9) > p && (goldilocks - 2).pow(9) < p, "no smaller base suffices");
    assert!(255_u128.pow(8) < p, "nine digits are needed");
};

/// Writes x with digits d_i in [-b', b'] as sum B^i d_i, B = 2 b' + 1, the lowest first, x being the
/// integer in [-(p - 1) / 2, (p - 1) / 2] of a residue below p. As many digits as are needed for
/// B^D > p.
///
/// # Constant time
/// In the residue: it is divided by multiplication.
#[expect(clippy::integer_division_remainder_used, reason = "p and the bound are public")]
pub(super) fn write<F: Field>(residue: u64, bound: u32, digits: &mut [i8]) {
    let (base, bound) = (u64::from(2 * bound + 1), u64::from(bound));
    // Made a multiple of B so that it shifts quotients only; at least (p - 1) / 2.
    let shift = (F::P >> 1).div_ceil(base);
    let offset = shift * base;
    // All ones if residue > (p - 1) / 2: the difference is above -2^63.
    let above = value_barrier(((F::P >> 1).wrapping_sub(residue) >> 63).wrapping_neg());
    let mut rest = residue.wrapping_sub(F::P & above).cast_signed();
    // floor(2^64 / B), as B is odd.
    let reciprocal = u64::MAX / base;
    for digit in digits {
        // In [0, p + 2^9): |rest| <= (p - 1) / 2.
        let x = rest.wrapping_add_unsigned(offset + bound).cast_unsigned();
        let (quotient, remainder) = divide(x, base, reciprocal);
        *digit = (remainder as i64 - bound.cast_signed()) as i8;
        rest = quotient.wrapping_sub(shift).cast_signed();
    }
}

/// x = B q + y, with floor(2^64 / B): x times that over 2^64 is below x / B by less than x / 2^64
/// < 1, so that rounded down it is q or q - 1.
const fn divide(x: u64, base: u64, reciprocal: u64) -> (u64, u64) {
    let quotient = ((x as u128 * reciprocal as u128) >> 64) as u64;
    let remainder = x - quotient * base;
    // 1 unless it is below the base.
    let more = value_barrier(1 - (remainder.wrapping_sub(base) >> 63));
    (quotient + more, remainder - base * more)
}

/// The factors of the 3 D rows of an element of K: val(x) = sum over t < 3 of X^t sum over
/// i < D of B^i x_(D t + i). Any integers in these rows have a value.
pub(super) fn weights<F: Field>(bound: u32, digits: u32) -> impl Iterator<Item = ElementOf<F>> {
    let base = u64::from(2 * bound + 1);
    // B^(D - 1) < p.
    (0..3).flat_map(move |place| (0..digits).map(move |i| ElementOf::monomial(base.pow(i), place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::P61;
    use proptest::prelude::*;

    fn check<F: Field>(residue: u64, bound: u32) {
        let base = i128::from(2 * bound + 1);
        let count = (1..42).find(|&count| base.pow(count) > F::P.into()).unwrap();
        let mut digits = vec![0_i8; count as usize];
        write::<F>(residue, bound, &mut digits);
        assert!(digits.iter().all(|&digit| u32::from(digit.unsigned_abs()) <= bound));
        let sum: i128 = (0..).zip(&digits).map(|(i, &digit)| i128::from(digit) * base.pow(i)).sum();
        let centred = if residue > F::P / 2 {
            i128::from(residue) - i128::from(F::P)
        } else {
            residue.into()
        };
        assert_eq!(sum, centred, "{residue} in base {base}");
    }

    #[test]
    fn extreme_residues_have_digits() {
        for bound in 1..=127 {
            let ends = |p: u64| [0, 1, 2, 3, p / 2 - 1, p / 2, p / 2 + 1, p - 2, p - 1];
            for residue in ends(P) {
                check::<P61>(residue, bound);
            }
            for residue in ends(Goldilocks::P) {
                check::<Goldilocks>(residue, bound);
            }
        }
    }

    proptest! {
        #[test]
        fn digits_are_the_residue(residue in 0..Goldilocks::P, bound in 1_u32..=127) {
            check::<Goldilocks>(residue, bound);
            check::<P61>(residue % P, bound);
        }

        #[test]
        fn division_is_exact(x: u64, bound in 1_u64..=127) {
            let base = 2 * bound + 1;
            for x in [x, x - x % base, (x - x % base).saturating_add(base - 1)] {
                prop_assert_eq!(divide(x, base, u64::MAX / base), (x / base, x % base));
            }
        }
    }

    #[test]
    fn the_largest_dividends() {
        for base in (3..=255).step_by(2) {
            for x in u64::MAX - 300..=u64::MAX {
                assert_eq!(divide(x, base, u64::MAX / base), (x / base, x % base));
            }
        }
    }

    #[test]
    fn weights_are_powers() {
        let weights: Vec<[u64; 3]> = weights::<P61>(23, 11).map(ElementOf::coefficients).collect();
        assert_eq!((weights.len(), weights[2], weights[12]), (33, [47 * 47, 0, 0], [0, 47, 0]));
        assert_eq!(weights[32], [0, 0, 47_u64.pow(10)]);
    }

    /// The digits of both forms, and what they stand for.
    #[test]
    fn residues_have_digits() {
        digits_of::<P61>(Radix::SMALL);
        digits_of::<P61>(Radix::WIDE);
        digits_of::<Goldilocks>(Radix::GOLDILOCKS);
    }

    fn digits_of<F: Field>(radix: Radix) {
        let powers: Vec<u64> = radix.powers().collect();
        assert_eq!(powers.len(), radix.digits as usize);
        let weights: Vec<ElementOf<F>> = radix.weights().collect();
        assert_eq!(weights.len(), radix.rows() as usize);
        for (place, &weight) in weights.iter().enumerate() {
            let (t, i) = (place / powers.len(), place % powers.len());
            assert_eq!(weight, ElementOf::monomial(powers[i], t));
        }
        let p = F::P;
        for residue in [0, 1, 69, 99, 100, 198, p / 2 - 1, p / 2, p / 2 + 1, p - 2, p - 1] {
            let mut digits = vec![0_i8; powers.len()];
            radix.write::<F>(residue, &mut digits);
            assert!(digits.iter().all(|d| u32::from(d.unsigned_abs()) <= radix.bound));
            assert_eq!(radix.value::<F, _>(&digits).value(), residue);
        }
    }
}
