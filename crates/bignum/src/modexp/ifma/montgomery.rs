//! Montgomery's arithmetic, for odd moduli.
//!
//! D = 8 N digits, R = beta^D >= 2^(64 n + 4). With K = -1 / m modulo beta^2 and M = (m K + 1) /
//! beta^2 <= m, the two lowest columns, of value c, are cleared by q = c mod beta^2: (c + q m K) /
//! beta^2 = floor(c / beta^2) + q M. So two digits of the quotient are two digits of the sum, and
//! no product stands between them; only the last two digits take m itself, and q = c K, so that no
//! multiple of m K remains.
//!
//! # The bound
//! The result for x and y is below x y / R + M + m, as each two digits of the quotient are below
//! beta^2. With all numbers below 3 2^(64 n) it is below (9 / 16) 2^(64 n) + 2 m < 3 2^(64 n); a
//! final product with 1 is at most 2 m, from which m is subtracted twice at most. A column adds at
//! most 4 D + 4 products below 2^52, which is below 2^64.
use tautochrone_simd::Token;
use zeroize::Zeroizing;

use super::{Ring, WINDOW, digits_of, limbs_of};
use crate::exponent::Exponent;
use crate::montgomery::common::{STEP, powers_of_two, reduce_twice};
use crate::power::{Ring as _, power_vartime, windows};
use crate::radix52::{Digits, LANES, RADIX, Radix52};

mod rows;

use rows::{Factor, Modulus, product, square};

/// A prepared modulus of N registers, with scratch space for products.
struct Prepared<V: Radix52, const N: usize> {
    token: V::Token,
    modulus: Modulus<V, N>,
    factor: Box<Factor<V, N>>,
}

impl<V: Radix52, const N: usize> super::Arithmetic for Prepared<V, N> {
    type Register = V;

    #[inline(always)]
    fn token(&self) -> V::Token {
        self.token
    }

    #[inline(always)]
    fn product(&mut self, r: &mut [V], y: &[V]) {
        product(r, y, &self.modulus, &mut self.factor);
    }

    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        square(r, &self.modulus, &mut self.factor);
    }
}

impl<V: Radix52, const N: usize> Ring<Prepared<V, N>> {
    /// The odd modulus `m`.
    #[inline(always)]
    fn new(token: V::Token, m: &[u64]) -> Self {
        let modulus = Modulus::new(token, m);
        Self(Prepared { token, modulus, factor: Box::new(Factor::zero(token)) })
    }

    /// R modulo m, and R^2: 2^[`STEP`] R to the power of 52 D / [`STEP`].
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    fn radix(&mut self, m: &[u64]) -> [Digits<V>; 2] {
        let bits = RADIX * LANES * N;
        let [one, square] = powers_of_two(m, [bits, bits + STEP]);
        let (one, mut square) =
            (digits_of(self.0.token, &one, N), digits_of(self.0.token, &square, N));
        power_vartime(self, &mut square, bits / STEP);
        [one, square]
    }

    /// r := base^exponent mod m.
    #[inline(always)]
    fn pow(mut self, r: &mut [u64], base: &[u64], exponent: Exponent<'_>, m: &[u64]) {
        let token = self.0.token;
        let [mut x, square] = self.radix(m);
        let mut base = digits_of(token, base, N);
        self.multiply(&mut base, &square);
        windows(&mut self, &mut x, &base, [exponent], WINDOW);
        self.multiply(&mut x, &digits_of(token, &[1], N));
        let mut limbs = Zeroizing::new(vec![0; m.len() + 1]);
        limbs_of(&mut limbs, &x);
        reduce_twice(r, &mut limbs, m);
    }
}

/// Widest modulus, in limbs. Of 20 registers, 8192 bits, the columns of a row no longer stay in
/// registers, and Barrett's arithmetic is faster.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(crate) const MAX_LIMBS: usize = (LANES * RADIX * 10 - 4) / 64;

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_LIMBS`], m odd.
pub(crate) fn modexp<V: Radix52>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
) {
    assert!(r.len() == m.len() && base.len() == m.len() && m.len() <= MAX_LIMBS, "one width");
    // Registers of 64 n + 4 bits, rounded up to the next number for which there is code.
    let registers = (64 * m.len() + 4).div_ceil(RADIX * LANES);
    macro_rules! of_registers {
        ($($up_to:pat => $n:literal,)*) => {
            match registers {
                $($up_to => token.vectorize(
                    #[inline(always)]
                    || Ring::<Prepared<V, $n>>::new(token, m).pow(r, base, exponent, m),
                ),)*
                _ => unreachable!("the modulus is not wider"),
            }
        };
    }
    if V::ALL_SIZES {
        of_registers!(
            0..=1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6, 7..=8 => 8, 9..=10 => 10,
        );
    } else {
        of_registers!(0..=2 => 2,);
    }
}
