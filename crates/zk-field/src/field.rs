//! [`Element`]: the field K = `F_p[X] / (X^3 - 5)`, p = 2^61 - 1, in which arguments are made.
//!
//! 5 is no cube modulo p, so X^3 - 5 has no root and, being of degree 3, is irreducible (2 and 3
//! are cubes). |K| = p^3 is just below 2^183: a challenge hits one of d values with probability d
//! 2^-183.

mod lanes;

use core::ops::{Add, AddAssign, Mul, Sub};

use tautochrone_simd::value_barrier;
use zeroize::Zeroize;

pub use lanes::{Eight, Integers, Lanes, Products, Ring, Wide, with_lanes};

/// p = 2^61 - 1, a prime.
pub const P: u64 = (1 << 61) - 1;

/// The largest absolute value of an integer that stands for a residue modulo p: (p - 1) / 2.
#[expect(clippy::integer_division_remainder_used, reason = "a constant")]
pub const HALF_P: i64 = (P / 2).cast_signed();

/// Bytes of an encoded element.
pub const ELEMENT_LEN: usize = 24;

/// Bytes of uniform randomness that an element is made of.
pub const UNIFORM_LEN: usize = 72;

/// An element a_0 + a_1 X + a_2 X^2 of K.
///
/// ```
/// # mod tautochrone_zk { pub mod argument { pub use tautochrone_zk_field::field::Element; } }
/// use tautochrone_zk::argument::Element;
///
/// let five = Element::from(5);
/// let x = Element::from_bytes(&core::array::from_fn(|i| u8::from(i == 8))).expect("X is reduced");
/// assert_eq!(x * x * x, five);
/// assert_eq!(five * five.inverse(), Element::from(1));
/// ```
///
/// # Constant time
/// All operations but `==` in their operands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Element([u64; 3]);

/// An element may be a secret: it is not printed.
impl core::fmt::Debug for Element {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Element(..)")
    }
}

impl Zeroize for Element {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Element {
    /// 0.
    pub const ZERO: Self = Self([0; 3]);

    /// Whether this is 0, without a branch.
    #[doc(hidden)]
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// value X^place, for a value below p.
    #[doc(hidden)]
    #[inline]
    pub const fn monomial(value: u64, place: usize) -> Self {
        debug_assert!(value < P, "a coefficient is reduced");
        let mut coefficients = [0; 3];
        coefficients[place] = value;
        Self(coefficients)
    }

    /// The element of three integers of absolute value at most 2^125.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn from_integers(integers: [i128; 3]) -> Self {
        Self(integers.map(residue))
    }

    /// The element of three coefficients, each below p.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn from_residues(coefficients: [u64; 3]) -> Self {
        Self(coefficients)
    }

    /// The element with these coefficients: lower + 2^31 upper each, for any integers.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn from_halves(halves: [[i64; 2]; 3]) -> Self {
        Self(halves.map(|[lower, upper]| residue_of_halves(lower, upper)))
    }

    /// The coefficients, each below p, as integers.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn coefficients(self) -> [u64; 3] {
        self.0
    }

    /// An element from uniform bytes: 192 bits a coefficient, so that it is uniform but for a
    /// statistical distance of 3 2^-131.
    #[doc(hidden)]
    pub fn from_uniform(bytes: &[u8; UNIFORM_LEN]) -> Self {
        let (words, _) = bytes.as_chunks::<24>();
        Self(core::array::from_fn(|i| uniform_residue(&words[i])))
    }

    /// The encoding: the three coefficients, each below p, in eight bytes, little-endian.
    #[inline]
    #[must_use]
    pub fn to_bytes(self) -> [u8; ELEMENT_LEN] {
        let mut bytes = [0; ELEMENT_LEN];
        for (bytes, coefficient) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *bytes = coefficient.to_le_bytes();
        }
        bytes
    }

    /// The element that these bytes encode; `None` if a coefficient is p or more.
    #[inline]
    #[must_use]
    pub fn from_bytes(bytes: &[u8; ELEMENT_LEN]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<8>();
        let coefficients: [u64; 3] = core::array::from_fn(|i| u64::from_le_bytes(words[i]));
        coefficients.iter().all(|&word| word < P).then_some(Self(coefficients))
    }

    /// Each coefficient times a residue below p.
    #[doc(hidden)]
    #[inline(always)]
    pub fn scale(self, residue: u64) -> Self {
        Self(self.0.map(|coefficient| multiply(coefficient, residue)))
    }

    /// 1 / self; 0 for 0.
    ///
    /// With (u_0, u_1, u_2) = (a_0^2 - 5 a_1 a_2, 5 a_2^2 - a_0 a_1, a_1^2 - a_0 a_2) the product
    /// (a_0 + a_1 X + a_2 X^2) (u_0 + u_1 X + u_2 X^2) is the norm a_0 u_0 + 5 (a_1 u_2 + a_2 u_1),
    /// an element of F_p, whose inverse is its power p - 2 (Fermat).
    #[must_use]
    pub fn inverse(self) -> Self {
        let [a, b, c] = self.0;
        let u = [
            subtract(multiply(a, a), times_5(multiply(b, c))),
            subtract(times_5(multiply(c, c)), multiply(a, b)),
            subtract(multiply(b, b), multiply(a, c)),
        ];
        let norm = add(multiply(a, u[0]), times_5(add(multiply(b, u[2]), multiply(c, u[1]))));
        let scale = invert(norm);
        Self(u.map(|u| multiply(u, scale)))
    }
}

/// An integer modulo p.
impl From<i64> for Element {
    #[inline]
    fn from(integer: i64) -> Self {
        Self([residue(integer.into()), 0, 0])
    }
}

impl Add for Element {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| add(self.0[i], other.0[i])))
    }
}

impl AddAssign for Element {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Element {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| subtract(self.0[i], other.0[i])))
    }
}

impl Mul for Element {
    type Output = Self;
    /// Nine products below 2^122; no sum has more than eleven times as much.
    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = |i: usize, j: usize| u128::from(self.0[i]) * u128::from(other.0[j]);
        Self([
            fold(product(0, 0) + 5 * (product(1, 2) + product(2, 1))),
            fold(product(0, 1) + product(1, 0) + 5 * product(2, 2)),
            fold(product(0, 2) + product(1, 1) + product(2, 0)),
        ])
    }
}

/// x modulo p of an x below 2 p.
#[inline(always)]
const fn reduce_once(x: u64) -> u64 {
    // Negative exactly if x < p, as both are below 2^62.
    let less = x.wrapping_sub(P);
    less.wrapping_add(P & value_barrier((less >> 63).wrapping_neg()))
}

/// x modulo p: 2^61 is 1, so the parts of 61 bits add up.
#[inline(always)]
pub const fn fold(x: u128) -> u64 {
    const LOW: u128 = P as u128;
    // Below 2^61 + 2^67, then below 2^61 + 2^7.
    let x = (x & LOW) + (x >> 61);
    reduce_once(((x & LOW) + (x >> 61)) as u64)
}

/// The residue of an integer of absolute value at most 2^125.
#[inline(always)]
pub const fn residue(x: i128) -> u64 {
    // 2^65 p = 2^126 - 2^65 is 0 modulo p.
    fold((x + ((P as i128) << 65)).cast_unsigned())
}

/// The residue of lower + 2^31 upper. As 2^61 is 1, upper = u_1 2^30 + u_0 counts u_1 + 2^31 u_0.
#[inline(always)]
const fn residue_of_halves(lower: i64, upper: i64) -> u64 {
    const LOW: i64 = P as i64;
    let low_of_upper = upper & ((1 << 30) - 1);
    // From -2^33 - 4 to 2^62 + 2^33, and p more is not negative.
    let x = (lower & LOW) + (lower >> 61) + (low_of_upper << 31) + (upper >> 30) + LOW;
    reduce_once(((x & LOW) + (x >> 61)) as u64)
}

/// A residue from 24 uniform bytes, within 2^-131 of uniform: lo + 2^128 hi, and 2^128 = 2^6.
#[inline]
pub fn uniform_residue(bytes: &[u8; 24]) -> u64 {
    let (low, high) = bytes.split_at(16);
    let low = u128::from_le_bytes(low.try_into().expect("sixteen bytes"));
    let high = u64::from_le_bytes(high.try_into().expect("eight bytes"));
    fold(u128::from(fold(low)) + (u128::from(high) << 6))
}

/// a + b of residues below p.
#[inline(always)]
pub const fn add(a: u64, b: u64) -> u64 {
    reduce_once(a + b)
}

/// a - b of residues below p.
#[inline(always)]
pub const fn subtract(a: u64, b: u64) -> u64 {
    reduce_once(a + P - b)
}

/// a b of residues below p.
#[inline(always)]
pub const fn multiply(a: u64, b: u64) -> u64 {
    fold(a as u128 * b as u128)
}

#[inline(always)]
const fn times_5(a: u64) -> u64 {
    fold(5 * a as u128)
}

/// a^(p - 2).
pub const fn invert(a: u64) -> u64 {
    let (mut power, mut bit) = (1, 61);
    while bit > 0 {
        bit -= 1;
        power = multiply(power, power);
        // A bit of a constant.
        if (P - 2) >> bit & 1 == 1 {
            power = multiply(power, a);
        }
    }
    power
}

#[cfg(test)]
mod tests;
