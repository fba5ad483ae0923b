//! Two powers at once, modulo two odd numbers of about the same width: each register holds four
//! digits of one number in its lower half, and four of the other in its upper half.
//!
//! The arithmetic is [`montgomery`](super::montgomery)'s, with four digits of the quotient at a
//! time: D = 4 N digits, R = beta^D >= 2^(64 n + 4). With K = -1 / m modulo beta^4 and
//! M = (m K + 1) / beta^4 <= m, the four lowest columns, of value c, are cleared by
//! q = c mod beta^4: (c + q m K) / beta^4 = floor(c / beta^4) + q M. So four digits of the quotient
//! are four digits of the sum; only the last four take m itself, and q = c K.
//!
//! # The bound
//! The result for x and y is below x y / R + M + m, as each four digits of the quotient are below
//! beta^4. With all numbers below 3 2^(64 n) it is below (9 / 16) 2^(64 n) + 2 m < 3 2^(64 n); a
//! final product with 1 is at most 2 m, from which m is subtracted twice at most. A column adds at
//! most 4 D + 4 products below 2^52, which is below 2^64.
use core::array::from_fn;

use tautochrone_simd::Token;
use zeroize::Zeroizing;

use super::WINDOW;
use crate::digits::join;
use crate::exponent::Exponent;
use crate::modexp::job::Job;
use crate::montgomery::common::{STEP, powers_of_two, reduce_twice};
use crate::power::{self, Ring as _, Table, power_vartime, windows};
use crate::radix52::{self, RADIX};

mod carry;
mod factor;
mod modulus;
mod register;
mod rows;

use factor::Factor;
use modulus::{Modulus, digits_of, registers};
use register::HALF;
pub(crate) use register::Register;

/// Registers for two numbers of 1024 bits.
const REGISTERS: usize = 5;

/// Widest moduli, in limbs. In more registers than [`REGISTERS`] a pair takes as long as one number
/// after the other.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(crate) const MAX_LIMBS: usize = (HALF * RADIX * REGISTERS - 4) / 64;

/// A pair of prepared moduli, with scratch space for a product.
struct Ring<V: Register, const N: usize> {
    token: V::Token,
    modulus: Modulus<V, N>,
    factor: Box<Factor<V, N>>,
}

impl<V: Register, const N: usize> power::Ring for Ring<V, N> {
    type Digit = V;
    type Index = [u64; 2];

    #[inline(always)]
    fn zero(&self) -> V {
        V::zero(self.token)
    }

    #[inline(always)]
    fn multiply(&mut self, r: &mut [V], y: &[V]) {
        let Self { token, modulus, factor } = self;
        token.vectorize(
            #[inline(always)]
            || {
                let r = r.first_chunk_mut().expect("numbers of N registers");
                rows::product(r, registers(y), modulus, factor);
            },
        );
    }

    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        let Self { token, modulus, factor } = self;
        token.vectorize(
            #[inline(always)]
            || {
                let r = r.first_chunk_mut().expect("numbers of N registers");
                rows::square(r, modulus, factor);
            },
        );
    }

    #[inline(always)]
    fn select(&self, entry: &mut [V], table: &Table<V>, [a, b]: [u64; 2]) {
        let token = self.token;
        token.vectorize(
            #[inline(always)]
            || {
                let index = V::from_array(token, [a, a, a, a, b, b, b, b]);
                radix52::select(entry, table, index);
            },
        );
    }
}

impl<V: Register, const N: usize> Ring<V, N> {
    /// Computes the powers.
    #[inline(always)]
    fn run(token: V::Token, jobs: [Job<'_>; 2]) -> [Vec<u64>; 2] {
        let moduli = jobs.map(|job| job.modulus);
        let factor = Box::new(Factor::zero(token));
        let mut ring = Self { token, modulus: Modulus::new(token, moduli), factor };
        // R modulo each m, and R^2: 2^STEP R to the power of 52 D / STEP.
        let bits = RADIX * HALF * N;
        let [a, b] = moduli.map(|m| powers_of_two(m, [bits, bits + STEP]));
        let mut x = digits_of::<V>(token, [&a[0], &b[0]], N);
        let mut square = digits_of::<V>(token, [&a[1], &b[1]], N);
        #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
        let steps = bits / STEP;
        power_vartime(&mut ring, &mut square, steps);
        let mut base = digits_of::<V>(token, jobs.map(|job| job.base), N);
        ring.multiply(&mut base, &square);
        let exponents = jobs.map(|job| Exponent::secret(job.exponent));
        windows(&mut ring, &mut x, &base, exponents, WINDOW);
        ring.multiply(&mut x, &digits_of::<V>(token, [&[1]; 2], N));
        from_fn(|half| {
            let m = moduli[half];
            let (mut r, mut limbs) = (vec![0; m.len()], Zeroizing::new(vec![0; m.len() + 1]));
            let digits = |v: &V| v.to_array().into_iter().skip(HALF * half).take(HALF);
            join::<RADIX>(&mut limbs, x.iter().flat_map(digits));
            reduce_twice(&mut r, &mut limbs, m);
            r
        })
    }
}

/// The powers of two jobs, each with a base and an odd modulus of one width of at most
/// [`MAX_LIMBS`].
pub(crate) fn modexp<V: Register>(token: V::Token, jobs: [Job<'_>; 2]) -> [Vec<u64>; 2] {
    for Job { base, modulus, .. } in &jobs {
        assert!(base.len() == modulus.len() && base.len() <= MAX_LIMBS, "widths of a pair");
    }
    token.vectorize(
        #[inline(always)]
        || Ring::<V, REGISTERS>::run(token, jobs),
    )
}
