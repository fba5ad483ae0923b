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
use zeroize::Zeroizing;

use super::{WINDOW, digits_of, limbs_of};
use crate::montgomery::common::{STEP, powers_of_two, reduce_twice};
use crate::power::{self, Ring as _, Table, power_vartime, windows};
use crate::vector::{self, Digits, LANES, RADIX, Vector};

mod rows;

use rows::{Factor, Modulus, product, square};

/// A prepared modulus of N vectors.
struct Ring<V: Vector, const N: usize> {
    token: V::Token,
    modulus: Modulus<V, N>,
    /// Scratch space for products.
    factor: Box<Zeroizing<Factor<V, N>>>,
}

impl<V: Vector, const N: usize> Ring<V, N> {
    /// The odd modulus `m`.
    #[inline(always)]
    fn new(token: V::Token, m: &[u64]) -> Self {
        Self { token, modulus: Modulus::new(m), factor: Box::new(Factor::zero()) }
    }

    /// R modulo m, and R^2: 2^[`STEP`] R to the power of 52 D / [`STEP`].
    #[inline(always)]
    fn radix(&mut self, m: &[u64]) -> [Digits<V>; 2] {
        let bits = RADIX * LANES * N;
        let [one, mut square] = powers_of_two(m, [bits, bits + STEP]).map(|x| digits_of(&x, N));
        power_vartime(self, &mut square, bits / STEP);
        [one, square]
    }

    /// r := base^exponent mod m.
    #[inline(always)]
    fn pow(mut self, r: &mut [u64], base: &[u64], exponent: &[u64], m: &[u64]) {
        let [mut x, square] = self.radix(m);
        let mut base = digits_of(base, N);
        self.multiply(&mut base, &square);
        windows(&mut self, &mut x, &base, exponent, WINDOW);
        self.multiply(&mut x, &digits_of(&[1], N));
        let mut limbs = Zeroizing::new(vec![0; m.len() + 1]);
        limbs_of(&mut limbs, &x);
        reduce_twice(r, &mut limbs, m);
    }
}

impl<V: Vector, const N: usize> power::Ring for Ring<V, N> {
    type Digit = V;
    type Index = u64;

    #[inline(always)]
    fn multiply(&mut self, r: &mut [V], y: &[V]) {
        V::enter(
            self.token,
            #[inline(always)]
            || product(r, y, &self.modulus, &mut self.factor),
        );
    }

    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        V::enter(
            self.token,
            #[inline(always)]
            || square(r, &self.modulus, &mut self.factor),
        );
    }

    #[inline(always)]
    fn select(&self, entry: &mut [V], table: &Table<V>, index: u64) {
        V::enter(
            self.token,
            #[inline(always)]
            || vector::select(entry, table, V::splat(index)),
        );
    }
}

/// Widest modulus, in limbs. Of 20 vectors, 8192 bits, the columns of a row no longer stay in
/// registers, and Barrett's arithmetic is faster.
pub(crate) const MAX_LIMBS: usize = (LANES * RADIX * 10 - 4) / 64;

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_LIMBS`], m odd.
pub(crate) fn modexp<V: Vector>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: &[u64],
    m: &[u64],
) {
    assert!(r.len() == m.len() && base.len() == m.len() && m.len() <= MAX_LIMBS, "one width");
    // Vectors of 64 n + 4 bits, rounded up to what there is code for.
    macro_rules! of_vectors {
        ($($up_to:pat => $n:literal,)*) => {
            match (64 * m.len() + 4).div_ceil(RADIX * LANES) {
                $($up_to => Ring::<V, $n>::new(token, m).pow(r, base, exponent, m),)*
                _ => unreachable!("the modulus is not wider"),
            }
        };
    }
    of_vectors!(0..=1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6, 7..=8 => 8, 9..=10 => 10,);
}
