//! Elements of F and K in balanced digits, so that columns of S can hold them.
//!
//! A residue x of F_p is the integer in [-(p - 1) / 2, (p - 1) / 2], written with D digits d_i in
//! [-b', b'] as sum B^i d_i, B = 2 b' + 1: every integer of absolute value at most (B^D - 1) / 2 >
//! p / 2 has exactly one such form. Uniform digits would not be a uniform residue.

use tautochrone_simd::value_barrier;

use crate::field::{ElementOf, Field, Goldilocks, P, P127, Word};
use crate::rows::{DIGIT_BOUND, GOLDILOCKS_DIGIT_BOUND, PAD_BOUND, PAD_ROWS};

/// How elements of F are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Radix {
    /// b'.
    pub(super) bound: u32,
    /// D: the least number with B^D > p.
    pub(super) digits: u32,
    /// The degree of K.
    degree: u32,
}

impl Radix {
    /// 27 digits to the base 5.
    pub(super) const SMALL: Self = Self { bound: PAD_BOUND, digits: 27, degree: 3 };
    /// 55 digits to the base 5, of elements of [`P127`].
    pub(super) const P127: Self = Self { bound: PAD_BOUND, digits: 55, degree: 2 };
    /// Eight digits to the base 199, which fill a byte each: 199 is the least odd base for which
    /// eight suffice, and with seven they would not fit.
    pub(super) const WIDE: Self = Self { bound: DIGIT_BOUND, digits: 8, degree: 3 };
    /// Nine digits to the base 139, of elements of [`Goldilocks`]: eight would not fill it with any
    /// base that fits a byte.
    pub(super) const GOLDILOCKS: Self =
        Self { bound: GOLDILOCKS_DIGIT_BOUND, digits: 9, degree: 3 };

    /// Of [`P61`](crate::field::P61), in any digits.
    pub(super) const fn of(bound: u32, digits: u32) -> Self {
        Self { bound, digits, degree: 3 }
    }

    const fn base(self) -> u64 {
        2 * self.bound as u64 + 1
    }

    /// p of its field.
    pub(super) const fn p(self) -> u128 {
        match self.digits {
            9 => Goldilocks::P as u128,
            55 => P127::P,
            _ => P as u128,
        }
    }

    /// Rows of an element of K.
    pub(super) const fn rows(self) -> u32 {
        self.degree * self.digits
    }

    /// Writes the digits of a residue below p, the lowest first.
    ///
    /// # Constant time
    /// In the residue.
    pub(super) fn write<F: Field<Word: Digits>>(self, residue: F::Word, digits: &mut [i8]) {
        residue.write_digits(F::P, self.bound, digits);
    }

    /// B^i, which the digits of an element of F are multiplied with: below p.
    pub(super) fn powers<F: Field>(self) -> impl Iterator<Item = F::Word> {
        let base = F::Word::from(self.base());
        let powers =
            core::iter::successors(Some(F::Word::ONE), move |&x| Some(F::multiply(x, base)));
        powers.take(self.digits as usize)
    }

    /// The element of F that digits, or any other integers in their rows, stand for.
    ///
    /// # Constant time
    /// In the digits.
    pub(super) fn value<F: Field, T: Copy + Into<i64>>(self, digits: &[T]) -> F::Word {
        let terms = digits.iter().zip(self.powers::<F>());
        if F::Word::BITS > u64::BITS {
            return terms.fold(F::Word::ZERO, |sum, (&digit, power)| {
                F::multiply_add(F::residue(i128::from(digit.into())), power, [sum, F::Word::ZERO])
            });
        }
        // At most 27 terms below 2^31 times 2^61.
        let terms = terms.map(|(&digit, power)| {
            let power: u128 = power.into();
            i128::from(digit.into()) * power.cast_signed()
        });
        F::residue(terms.sum())
    }

    /// The factors of the rows of an element of K: val(x) = sum over t < degree of X^t sum over i <
    /// D of B^i x_(D t + i). Any integers in these rows have a value.
    pub(super) fn weights<F: Field>(self) -> impl Iterator<Item = ElementOf<F>> {
        let places = 0..self.degree as usize;
        places.flat_map(move |t| self.powers::<F>().map(move |x| ElementOf::monomial(x, t)))
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
    assert!(5_u128.pow(55) > P127::P && 5_u128.pow(54) < P127::P, "55 digits are needed");
};

/// Words that residues are written with digits of.
pub(super) trait Digits: Word {
    /// Writes x with digits d_i in [-b', b'] as sum B^i d_i, B = 2 b' + 1, the lowest first, x
    /// being the integer in [-(p - 1) / 2, (p - 1) / 2] of this residue below p. As many digits as
    /// are needed for B^D > p.
    ///
    /// # Constant time
    /// In the residue: it is divided by multiplication.
    fn write_digits(self, p: Self, bound: u32, digits: &mut [i8]);
}

macro_rules! digits {
    ($word:ty, $divide:path) => {
        impl Digits for $word {
            #[expect(
                clippy::integer_division_remainder_used,
                reason = "p and the bound are public"
            )]
            fn write_digits(self, p: Self, bound: u32, digits: &mut [i8]) {
                let (base, bound) = (u64::from(2 * bound + 1), u64::from(bound));
                // Made a multiple of B so that it shifts quotients only; at least (p - 1) / 2.
                let shift = (p >> 1).div_ceil(base.into());
                let offset = shift * Self::from(base) + Self::from(bound);
                // All ones if this is above (p - 1) / 2, whose difference is above -2^(bits - 1).
                let sign = ((p >> 1).wrapping_sub(self) >> (Self::BITS - 1)) as u64;
                let above = Self::from(value_barrier(sign)).wrapping_neg();
                let mut rest = self.wrapping_sub(p & above);
                // floor(2^64 / B), as B is odd.
                let reciprocal = u64::MAX / base;
                for digit in digits {
                    // In [0, p + 2^9): |rest| <= (p - 1) / 2.
                    let (quotient, remainder) =
                        $divide(rest.wrapping_add(offset), base, reciprocal);
                    *digit = (remainder as i64 - bound.cast_signed()) as i8;
                    rest = quotient.wrapping_sub(shift);
                }
            }
        }
    };
}
digits!(u64, divide);
digits!(u128, divide_wide);

/// x = B q + y, with floor(2^64 / B): x times that over 2^64 is below x / B by less than x / 2^64
/// < 1, so that rounded down it is q or q - 1.
const fn divide(x: u64, base: u64, reciprocal: u64) -> (u64, u64) {
    let quotient = ((x as u128 * reciprocal as u128) >> 64) as u64;
    let remainder = x - quotient * base;
    // 1 unless it is below the base.
    let more = value_barrier(1 - (remainder.wrapping_sub(base) >> 63));
    (quotient + more, remainder - base * more)
}

/// The same of x = 2^64 x_1 + x_0: with x_i = B q_i + y_i and 2^64 = B m + c, x is B (2^64 q_1 + m
/// y_1 + q_0) + c y_1 + y_0.
const fn divide_wide(x: u128, base: u64, m: u64) -> (u128, u64) {
    let (high, high_rest) = divide((x >> 64) as u64, base, m);
    let (low, low_rest) = divide(x as u64, base, m);
    // c = -B m modulo 2^64.
    let c = (base * m).wrapping_neg();
    let (rest, remainder) = divide(c * high_rest + low_rest, base, m);
    let quotient = (high as u128) << 64;
    (quotient + (m * high_rest) as u128 + low as u128 + rest as u128, remainder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::P61;
    use proptest::prelude::*;

    /// Sums agree modulo p and 2^128, and so over the integers.
    fn check<F: Field<Word: Digits>>(residue: F::Word, bound: u32) {
        let (base, p) = (2 * bound + 1, F::P.into());
        let count = (1..=81).find(|&count| {
            let powers =
                core::iter::successors(p.into(), |rest: &u128| Some(rest / u128::from(base)));
            powers.take(count + 1).last() == Some(0)
        });
        let mut digits = vec![0_i8; count.unwrap()];
        residue.write_digits(F::P, bound, &mut digits);
        assert!(digits.iter().all(|&digit| u32::from(digit.unsigned_abs()) <= bound));
        let (mut sum, mut modulo_p) = (0_u128, F::Word::ZERO);
        for &digit in digits.iter().rev() {
            sum = sum.wrapping_mul(base.into()).wrapping_add_signed(digit.into());
            let number = |x: i64| F::residue(x.into());
            modulo_p = F::multiply_add(
                modulo_p,
                number(base.into()),
                [number(digit.into()), F::Word::ZERO],
            );
        }
        let number = residue.into();
        let centred = if number > p / 2 { number.wrapping_sub(p) } else { number };
        let value = Radix::of(bound, digits.len() as u32).value::<F, _>(&digits);
        assert_eq!(sum, centred, "base {base}");
        assert!(modulo_p == residue && value == residue, "base {base}");
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
            let p = P127::P;
            for residue in [0, 1, 2, 3, p / 2 - 1, p / 2, p / 2 + 1, p - 2, p - 1] {
                check::<P127>(residue, bound);
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
        fn wide_digits_are_the_residue(residue in 0..P127::P, bound in 1_u32..=127) {
            check::<P127>(residue, bound);
        }
    }
}
