//! [`P127`]: the field of p = 2^127 - 1 elements, for integers that p = 2^61 - 1 is too small for.
//!
//! p = 3 modulo 4, so -1 is no square and X^2 + 1 is irreducible: K = `F[X] / (X^2 + 1)`, of just
//! below 2^254 elements.

use tautochrone_simd::value_barrier;

use super::{Eight, ElementOf, Field, in_registers};

const P: u128 = (1 << 127) - 1;

/// The field of p = 2^127 - 1 elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct P127;

/// low + 2^128 high.
#[derive(Clone, Copy)]
struct Number {
    low: u128,
    high: u128,
}

/// The highest bit, in all places.
#[inline(always)]
const fn sign(x: u128) -> u128 {
    let mask = value_barrier(((x >> 64) as i64 >> 63).cast_unsigned());
    (mask as u128) << 64 | mask as u128
}

/// x plus p if it is negative: from -p to p - 1.
#[inline(always)]
const fn not_negative(x: u128) -> u128 {
    x.wrapping_add(P & sign(x))
}

/// 2^shift x of a residue: as 2^127 is 1, a rotation of its bits.
#[inline(always)]
const fn rotate(x: u128, shift: u32) -> u128 {
    (x << shift & P) | (x >> (127 - shift))
}

impl Number {
    /// a b, for a and b up to p.
    #[inline(always)]
    const fn product(a: u128, b: u128) -> Self {
        const LOW: u128 = u64::MAX as u128;
        let ([a0, a1], [b0, b1]) = ([a & LOW, a >> 64], [b & LOW, b >> 64]);
        let first = a0 * b0;
        // Below 2 (2^64 - 1) (2^63 - 1) + 2^64 < 2^128.
        let middle = a0 * b1 + a1 * b0 + (first >> 64);
        Self { low: first & LOW | middle << 64, high: a1 * b1 + (middle >> 64) }
    }

    /// self + other, below 2^255.
    #[inline(always)]
    const fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self { low, high: self.high + other.high + carry as u128 }
    }

    /// self modulo p, for numbers below 2^255: 2^127 is 1, so the parts of 127 bits add up.
    #[inline(always)]
    const fn reduce(self) -> u128 {
        let upper = self.high << 1 | self.low >> 127;
        // At most 2 p + 1 = 2^128 - 1.
        let sum = (self.low & P) + (upper & P) + (upper >> 127);
        // At most p + 1.
        not_negative(((sum & P) + (sum >> 127)).wrapping_sub(P))
    }
}

impl Field for P127 {
    type Word = u128;
    type Coefficients = [u128; 2];
    type Bytes = [u8; 32];
    /// Of the lower 64 bits of each coefficient, and of the upper ones.
    type IntegerSum = [[i128; 2]; 2];
    type Eight = Eight<6>;
    type Products = ElementOf<Self>;
    in_registers!(Wide127);

    const P: u128 = P;
    /// A residue is within 2^-131 of uniform.
    const UNIFORM_LEN: usize = 32;
    const PARTS: usize = 5;
    const PART_BITS: u32 = 26;
    /// Sums stay below 2^125.
    const MAX_INTEGERS: usize = 1 << 19;

    #[inline(always)]
    fn add(a: u128, b: u128) -> u128 {
        not_negative((a + b).wrapping_sub(P))
    }
    #[inline(always)]
    fn subtract(a: u128, b: u128) -> u128 {
        not_negative(a.wrapping_sub(b))
    }
    #[inline(always)]
    fn multiply(a: u128, b: u128) -> u128 {
        Number::product(a, b).reduce()
    }
    #[inline(always)]
    fn multiply_add(a: u128, b: u128, [c, d]: [u128; 2]) -> u128 {
        Number::product(a, b).plus(Number { low: c + d, high: 0 }).reduce()
    }
    #[inline(always)]
    fn times_plus(a: i64, x: u128, [c, d]: [u128; 2]) -> u128 {
        let (x, a) = (if a < 0 { P - x } else { x }, u128::from(a.unsigned_abs()));
        let (low, high) = ((x & u128::from(u64::MAX)) * a, (x >> 64) * a);
        // 2^127 is 1; below 2^127 + 2^85, then at most p.
        let sum = low + ((high & (P >> 64)) << 64) + (high >> 63);
        Self::add(Self::add((sum & P) + (sum >> 127), c), d)
    }
    #[inline(always)]
    fn residue(x: i128) -> u128 {
        not_negative(x.cast_unsigned())
    }

    #[inline]
    fn uniform_residue(bytes: &[u8]) -> u128 {
        let (low, high) = bytes.split_at(16);
        let [low, high] =
            [low, high].map(|half| u128::from_le_bytes(half.try_into().expect("16 bytes")));
        // 2^255 is 2.
        Self::add(Number { low, high: high & P }.reduce(), (high >> 127) << 1)
    }

    #[inline(always)]
    fn of_parts(parts: &[i64]) -> u128 {
        let part = |index: usize| i128::from(parts[index]);
        let low = part(0) + (part(1) << 26) + (part(2) << 52);
        let high = part(3) + (part(4) << 26);
        Self::add(Self::residue(low), rotate(Self::residue(high), 78))
    }

    #[inline(always)]
    fn add_integer(sum: &mut [[i128; 2]; 2], integer: i64, x: [u128; 2]) {
        for (i, [low, high]) in sum.iter_mut().enumerate() {
            let x = x[i];
            *low += i128::from(integer) * i128::from(x as u64);
            *high += i128::from(integer) * i128::from((x >> 64) as i64);
        }
    }
    #[inline(always)]
    fn reduce_integers([a, b]: [[i128; 2]; 2]) -> [u128; 2] {
        let reduce =
            |[low, high]: [i128; 2]| Self::add(Self::residue(low), rotate(Self::residue(high), 64));
        [reduce(a), reduce(b)]
    }

    #[inline(always)]
    fn product([a, b]: [u128; 2], [x, y]: [u128; 2]) -> [u128; 2] {
        let of = Number::product;
        [of(a, x).plus(of(b, P - y)).reduce(), of(a, y).plus(of(b, x)).reduce()]
    }

    /// Two products: (a + b) (a - b), and 2 a b.
    #[inline(always)]
    fn square([a, b]: [u128; 2]) -> [u128; 2] {
        let (sum, difference) = (Self::add(a, b), Self::subtract(a, b));
        [Self::multiply(sum, difference), Self::multiply(a, Self::add(b, b))]
    }

    /// (a + b X) (a - b X) = a^2 + b^2.
    #[inline]
    fn conjugate([a, b]: [u128; 2]) -> ([u128; 2], u128) {
        let norm = Number::product(a, a).plus(Number::product(b, b)).reduce();
        ([a, Self::subtract(0, b)], norm)
    }
}

#[cfg(test)]
mod tests;
