//! One exponentiation at a time on AVX2, which multiplies the lower halves of lanes: registers hold
//! four digits of 27 bits of one odd modulus, and a digit times a digit is one of the four products
//! of an instruction.
//!
//! beta = 2^27; D = 4 N digits, N >= 2 registers; R = beta^D >= 2^(64 n + 4) for a modulus of n
//! limbs. A cycle's two instructions make eight products of 27 bits, 5832 bits squared in all;
//! general registers make one of 64 bits, 4096 bits squared.
//!
//! Montgomery's reduction by blocks of B = 8 digits: K = -1 / m modulo beta^B and M = (m K + 1) /
//! beta^B <= m. The lowest B columns, of value c, are cleared by q = c mod beta^B: (c + q m K) /
//! beta^B = floor(c / beta^B) + q M. So the quotient's digits are digits of the sum, and no product
//! stands between a block and the next; only the last block takes m itself, and q = c K, so that no
//! multiple of m K remains. Where N is odd, the first block has four digits and takes m itself too.
//!
//! # The bound
//! The blocks that take M add at most M (R - 1) to x y, the blocks that take m at most m (R - 1):
//! the result for x and y is below x y / R + M + m. With all numbers below 3 2^(64 n) it is below
//! (9 / 16) 2^(64 n) + 2 m < 3 2^(64 n); a final product with 1 is at most 2 m, from which m is
//! subtracted twice at most.
//!
//! Digits of a result are swept twice, not until they are below beta: a column below 2^64 leaves
//! less than 2^37 to the next, and then less than 2^11. The top digit leaves nothing, as the number
//! is below R. A column of a product adds at most D products below (2^27 + 2^11)^2 (a square as
//! many, by twos), the quotient at most D below 2^54, and the carries of blocks less than 2^38:
//! below 2^64 for D <= 508, [`MAX_LIMBS`].
//!
//! # Constant time
//! In base, exponent and modulus: straight loops over public widths; table reads by masks.
//! # Source
//! Gueron and Krasnov 2012 ("Software implementation of modular exponentiation, using advanced
//! vector instructions architectures") for digits short enough that columns need no carries; the
//! quotients as in `ifma::montgomery`.
use tautochrone_simd::{Avx2, Isa, Token as _, vectorize};
use zeroize::Zeroizing;

use crate::digits::join;
use crate::exponent::Exponent;
use crate::montgomery::common::{powers_of_two, reduce_twice};
use crate::power::{self, Ring as _, Table, power_vartime, windows};
use crate::select::select;

mod copies;
mod digits;
mod product;
mod reduce;

use digits::{LANES, RADIX, digits_of, normalise};
use product::Products;
use reduce::Modulus;

/// Bits of a window.
const WINDOW: usize = 5;

/// Doublings from R to a power that squarings take to R^2; it divides the bits of R, 108 N.
const STEP: usize = 4;

/// Widest modulus, in limbs: D <= 508.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(super) const MAX_LIMBS: usize = (RADIX * 508 - 4) / 64;

/// A prepared modulus, with scratch space for products. Numbers are slices of D digits.
struct Ring {
    isa: Isa,
    token: Avx2,
    modulus: Modulus,
    scratch: Products,
}

impl power::Ring for Ring {
    type Digit = u64;
    type Index = [u64; 1];

    fn zero(&self) -> u64 {
        0
    }

    fn multiply(&mut self, r: &mut [u64], y: &[u64]) {
        let Self { token, modulus, scratch, .. } = self;
        vectorize!(token, {
            scratch.multiply(r, y);
            modulus.reduce(r, scratch);
        });
    }

    fn square(&mut self, r: &mut [u64]) {
        let Self { token, modulus, scratch, .. } = self;
        vectorize!(token, {
            scratch.square(r);
            modulus.reduce(r, scratch);
        });
    }

    fn select(&self, entry: &mut [u64], table: &Table<u64>, [index]: [u64; 1]) {
        select(self.isa, entry, table, index);
    }
}

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_LIMBS`], m odd.
pub(crate) fn modexp(
    isa: Isa,
    token: Avx2,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
) {
    let n = m.len();
    assert!(r.len() == n && base.len() == n && n <= MAX_LIMBS, "one width");
    let registers = (64 * n + 4).div_ceil(LANES * RADIX).max(2);
    let count = LANES * registers;
    let mut ring = Ring {
        isa,
        token,
        modulus: Modulus::new(token, m, registers),
        scratch: Products::new(token, registers),
    };
    // R modulo m, and R^2: 2^STEP R to the power of 27 D / STEP.
    let bits = RADIX * count;
    let [mut x, mut square] = powers_of_two(m, [bits, bits + STEP]).map(|x| digits_of(&x, count));
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    let steps = bits / STEP;
    power_vartime(&mut ring, &mut square, steps);
    let mut base = digits_of(base, count);
    ring.multiply(&mut base, &square);
    windows(&mut ring, &mut x, &base, [exponent], WINDOW);
    ring.multiply(&mut x, &digits_of(&[1], count));
    normalise(&mut x);
    let mut limbs = Zeroizing::new(vec![0; n + 1]);
    join::<RADIX>(&mut limbs, x.iter().copied());
    reduce_twice(r, &mut limbs, m);
}

#[cfg(test)]
mod tests {
    use super::digits::DIGIT;
    use super::*;
    use crate::check::{big, check, with_secret};

    /// Both ends of the widths of even and odd numbers of registers, and the widest, whose columns
    /// are the fullest.
    #[test]
    fn powers_are_right_at_both_ends_of_even_and_odd_widths() {
        let Some(avx2) = Isa::detect().avx2() else { return };
        let engine = with_secret(|token, r, base, exponent, m| {
            modexp(Isa::detect(), token, r, base, exponent, m);
        });
        let ends = [1, 3, 4, 5, 6, 8, 10, 11, 13, 15, 31, 32, 33, 64, 65, MAX_LIMBS];
        check(avx2, engine, &ends, false);
    }

    /// Columns as full as operands can make them: all digits have the largest value that a result
    /// may have.
    #[test]
    fn the_fullest_columns_do_not_overflow() {
        use num_bigint::BigUint;

        let Some(token) = Isa::detect().avx2() else { return };
        let (registers, count) = (127, 508);
        let m: Vec<u64> = vec![u64::MAX; MAX_LIMBS];
        let modulus = Modulus::new(token, &m, registers);
        let mut scratch = Products::new(token, registers);
        let value = |digits: &[u64]| {
            digits.iter().rev().fold(BigUint::ZERO, |x, &d| (x << RADIX) + BigUint::from(d))
        };
        // The numbers stay below 3 2^(64 n): the topmost digits are small.
        let mut x = vec![DIGIT + (1 << 11); count];
        x[count - 1] = 0;
        let m = big(&m);
        let radix = BigUint::from(1u8) << (RADIX * count);
        for square in [false, true] {
            let mut r = x.clone();
            vectorize!(token, {
                if square {
                    scratch.square(&r);
                } else {
                    scratch.multiply(&r, &x);
                }
                modulus.reduce(&mut r, &mut scratch);
            });
            let (r, x) = (value(&r), value(&x));
            assert!(r < BigUint::from(3u8) << (64 * MAX_LIMBS), "the bound");
            assert_eq!(r * &radix % &m, &x * &x % &m, "square: {square}");
        }
    }
}
