//! Montgomery's arithmetic for odd moduli, on numbers that are cut into parts: one number in a
//! register, or two in its halves.
//!
//! A number of D digits is cut into parts of N digits each, one for each lane ([`arrangement`]):
//! register j holds digit j of every part. A digit of one factor, in all lanes, times the N
//! registers of the other gives columns of 2 N registers without any move between lanes: what
//! exceeds a part, in the upper N, belongs one lane up. So the columns move down by a part, after
//! the N digits of one, with N moves and N additions.
//!
//! R = beta^D >= 2^(64 n + 4). With K = -1 / m modulo beta^N and M = (m K + 1) / beta^N <= m, the N
//! lowest columns, of value c, are cleared by q = c mod beta^N: (c + q m K) / beta^N =
//! floor(c / beta^N) + q M. So the N digits of the quotient are the digits of the sum in the lowest
//! lane, and no product stands between them; only the last N digits take m itself, and q = c K, so
//! that no multiple of m K remains.
//!
//! For one number these are 32 N^2 multiply-adds, 2 N moves and additions for each of 8 parts, and
//! little else. Neighbouring digits in a register would save 8 N (N - 1) of them for a square, and
//! move all columns for every two digits: 22 other instructions for every 40 multiply-adds of 5
//! registers. Where two multiply-adds start in a cycle, that takes 1.09 to 1.3 times as long; where
//! one does, 1.2 times as long at 12 limbs, as long at 24 and .84 of the time at 64.
//!
//! # The bound
//! The result for x and y is below x y / R + M + m, as the digits of the quotient that take M are
//! below R together, and the last N below beta^N. With all numbers below 3 2^(64 n) it is below
//! (9 / 16) 2^(64 n) + 2 m < 3 2^(64 n); a final product with 1 is at most 2 m, from which m is
//! subtracted twice at most. A column adds at most 4 D products below 2^52 and the carries of
//! others, which is below 2^64.
use tautochrone_simd::{Token, vectorize};
use zeroize::Zeroizing;

use super::WINDOW;
use crate::digits::join;
use crate::exponent::Exponent;
use crate::montgomery::common::{STEP, powers_of_two, reduce_twice};
use crate::power::{self, Ring as _, Table, power_vartime, windows};
use crate::radix52::{self, LANES, RADIX, Radix52};

pub(super) mod arrangement;
mod carry;
mod modulus;
mod product;

use arrangement::{Arrangement, DigitsInMemory, MAX_REGISTERS, Whole};
use modulus::{Modulus, digits_of, registers};

/// The computation for one number.
#[derive(Clone, Copy)]
pub(super) struct Power<'a> {
    pub(super) base: &'a [u64],
    pub(super) exponent: Exponent<'a>,
    /// Odd, and as wide as the base.
    pub(super) modulus: &'a [u64],
}

/// P prepared moduli, with scratch space for a product.
struct Ring<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize> {
    token: V::Token,
    modulus: Modulus<V, A, P, N>,
    space: Box<DigitsInMemory>,
}

impl<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize> power::Ring
    for Ring<V, A, P, N>
{
    type Digit = V;
    type Index = [u64; P];

    #[inline(always)]
    fn zero(&self) -> V {
        V::zero(self.token)
    }

    #[inline(always)]
    fn multiply(&mut self, r: &mut [V], y: &[V]) {
        let Self { token, modulus, space } = self;
        vectorize!(token, {
            let product = product::product(registers(r), registers(y), modulus, space);
            r.copy_from_slice(&product);
        });
    }

    /// A product: a digit meets all lanes, and some products are computed twice.
    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        let Self { token, modulus, space } = self;
        vectorize!(token, {
            let square = product::product(registers(r), registers(r), modulus, space);
            r.copy_from_slice(&square);
        });
    }

    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    fn select(&self, entry: &mut [V], table: &Table<V>, indices: [u64; P]) {
        let token = self.token;
        vectorize!(token, {
            let lanes = core::array::from_fn(|l| indices[l / A::PARTS]);
            radix52::select(entry, table, V::from_array(token, lanes));
        });
    }
}

/// The powers.
#[inline(always)]
pub(super) fn run<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize>(
    token: V::Token,
    powers: [Power<'_>; P],
    results: [&mut [u64]; P],
) {
    let moduli = powers.map(|power| power.modulus);
    let modulus = Modulus::<V, A, P, N>::new(token, moduli);
    let mut ring = Ring { token, modulus, space: Box::new(DigitsInMemory::zero()) };
    // R modulo each m, and R^2: 2^STEP R to the power of 52 D / STEP.
    let bits = RADIX * A::PARTS * N;
    let radix = moduli.map(|m| powers_of_two(m, [bits, bits + STEP]));
    let digits = |of: [&[u64]; P]| digits_of::<V, A, P, N>(token, of);
    let mut x = digits(core::array::from_fn(|p| &radix[p][0][..]));
    let mut square = digits(core::array::from_fn(|p| &radix[p][1][..]));
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    let steps = bits / STEP;
    power_vartime(&mut ring, &mut square, steps);
    let mut base = digits(powers.map(|power| power.base));
    ring.multiply(&mut base, &square);
    windows(&mut ring, &mut x, &base, powers.map(|power| power.exponent), WINDOW);
    ring.multiply(&mut x, &digits([&[1]; P]));
    for (p, r) in results.into_iter().enumerate() {
        let m = moduli[p];
        let mut limbs = Zeroizing::new(vec![0; m.len() + 1]);
        let parts = A::PARTS * p..A::PARTS * (p + 1);
        join::<RADIX>(&mut limbs, parts.flat_map(|l| x.iter().map(move |v| v.to_array()[l])));
        reduce_twice(r, &mut limbs, m);
    }
}

/// Widest modulus of one number, in limbs.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(crate) const MAX_LIMBS: usize = (LANES * RADIX * MAX_REGISTERS - 4) / 64;

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_LIMBS`], m odd; on
/// emulated registers of at most 51 limbs.
pub(crate) fn modexp<V: Radix52>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
) {
    assert!(r.len() == m.len() && base.len() == m.len() && m.len() <= MAX_LIMBS, "one width");
    let power = Power { base, exponent, modulus: m };
    // Registers of 64 n + 4 bits, rounded up to the next number for which there is code.
    let needed = (64 * m.len() + 4).div_ceil(RADIX * LANES);
    macro_rules! of_registers {
        ($($up_to:pat => $n:literal,)*) => {
            match needed {
                $($up_to => vectorize!(token, run::<V, Whole, 1, $n>(token, [power], [r])),)*
                _ => unreachable!("the modulus is not wider"),
            }
        };
    }
    if V::ALL_SIZES {
        of_registers!(
            0..=1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6, 7..=8 => 8, 9..=10 => 10,
        );
    } else {
        of_registers!(0..=2 => 2, 3..=8 => 8,);
    }
}
