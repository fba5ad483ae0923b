//! [`Element`]: the field K = `F_p[X] / (X^3 - 5)`, p = 2^61 - 1, in which arguments are made.
//!
//! 5 is no cube modulo p, so X^3 - 5 has no root and, being of degree 3, is irreducible (2 and 3
//! are cubes). |K| = p^3 is just below 2^183: a challenge hits one of d values with probability d
//! 2^-183.
//!
//! [`ElementOf`] is the same over any [`Field`]: circuits may be over [`Goldilocks`], too.

mod goldilocks;
mod lanes;

use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, Sub};

use tautochrone_simd::{Isa, value_barrier};
use zeroize::Zeroize;

pub use goldilocks::Goldilocks;
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

mod sealed {
    /// No other crate has fields.
    pub trait Sealed {}
    impl Sealed for super::P61 {}
    impl Sealed for super::Goldilocks {}
}

/// A field F of p elements, and K = `F[X] / (X^3 - c)`: arithmetic of residues, which are below p.
///
/// # Constant time
/// All functions in their operands.
pub trait Field:
    sealed::Sealed + Copy + core::fmt::Debug + Default + Eq + Send + Sync + 'static
{
    /// p.
    const P: u64;

    /// A sum of up to 32 numbers: products of residues, or residues.
    type Sum: Copy + Default;

    /// Elements of K in the widest registers that there is code for.
    type Wide: Lanes<Self>;

    /// What these registers need, if the instructions have it.
    fn wide(isa: Isa) -> Option<<Self::Wide as Lanes<Self>>::Token>;

    /// a + b.
    fn add(a: u64, b: u64) -> u64;
    /// a - b.
    fn subtract(a: u64, b: u64) -> u64;
    /// c a.
    fn times_c(a: u64) -> u64;
    /// x modulo p, for any number.
    fn fold(x: u128) -> u64;
    /// x modulo p, of absolute value at most 2^125.
    fn residue(x: i128) -> u64;
    /// A residue from 24 uniform bytes, within 2^-128 of uniform.
    fn uniform_residue(bytes: &[u8; 24]) -> u64;
    /// Adds a b.
    fn add_product(sum: &mut Self::Sum, a: u64, b: u64);
    /// Adds a number up to p.
    fn add_word(sum: &mut Self::Sum, a: u64);
    /// The sum modulo p.
    fn reduce(sum: Self::Sum) -> u64;
    /// The product of two elements of K.
    fn product(a: [u64; 3], b: [u64; 3]) -> [u64; 3];
    /// The square of an element of K.
    fn square(a: [u64; 3]) -> [u64; 3];

    /// a b.
    #[inline(always)]
    fn multiply(a: u64, b: u64) -> u64 {
        Self::fold(u128::from(a) * u128::from(b))
    }

    /// a^(p - 2): 1 / a, or 0 of 0.
    fn invert(a: u64) -> u64 {
        let (mut power, mut bit) = (1, u64::BITS - Self::P.leading_zeros());
        while bit > 0 {
            bit -= 1;
            power = Self::multiply(power, power);
            // A bit of a constant.
            if (Self::P - 2) >> bit & 1 == 1 {
                power = Self::multiply(power, a);
            }
        }
        power
    }
}

/// The field of p = 2^61 - 1 elements: c = 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct P61;

impl Field for P61 {
    const P: u64 = P;

    /// Products are below 2^122.
    type Sum = u128;

    #[cfg(target_arch = "x86_64")]
    type Wide = Wide<tautochrone_simd::vector::U64x8<tautochrone_simd::Ifma>>;
    #[cfg(not(target_arch = "x86_64"))]
    type Wide = Element;

    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn wide(isa: Isa) -> Option<tautochrone_simd::Ifma> {
        isa.ifma()
    }
    #[inline(always)]
    #[cfg(not(target_arch = "x86_64"))]
    fn wide(_: Isa) -> Option<()> {
        None
    }

    #[inline(always)]
    fn add(a: u64, b: u64) -> u64 {
        add(a, b)
    }
    #[inline(always)]
    fn subtract(a: u64, b: u64) -> u64 {
        subtract(a, b)
    }
    #[inline(always)]
    fn times_c(a: u64) -> u64 {
        fold(5 * u128::from(a))
    }
    #[inline(always)]
    fn fold(x: u128) -> u64 {
        fold(x)
    }
    #[inline(always)]
    fn residue(x: i128) -> u64 {
        residue(x)
    }
    #[inline]
    fn uniform_residue(bytes: &[u8; 24]) -> u64 {
        uniform_residue(bytes)
    }
    #[inline(always)]
    fn add_product(sum: &mut u128, a: u64, b: u64) {
        *sum += u128::from(a) * u128::from(b);
    }
    #[inline(always)]
    fn add_word(sum: &mut u128, a: u64) {
        *sum += u128::from(a);
    }
    #[inline(always)]
    fn reduce(sum: u128) -> u64 {
        fold(sum)
    }

    /// Nine products below 2^122; no sum has more than eleven times as much.
    #[inline(always)]
    fn product(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
        let product = |i: usize, j: usize| u128::from(a[i]) * u128::from(b[j]);
        [
            fold(product(0, 0) + 5 * (product(1, 2) + product(2, 1))),
            fold(product(0, 1) + product(1, 0) + 5 * product(2, 2)),
            fold(product(0, 2) + product(1, 1) + product(2, 0)),
        ]
    }

    /// Six products.
    #[inline(always)]
    fn square([a, b, c]: [u64; 3]) -> [u64; 3] {
        let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
        [
            fold(product(a, a) + 10 * product(b, c)),
            fold(2 * product(a, b) + 5 * product(c, c)),
            fold(2 * product(a, c) + product(b, b)),
        ]
    }
}

/// An element of K over the field of 2^61 - 1 elements, in which nearly all arguments are made.
pub type Element = ElementOf<P61>;

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
pub struct ElementOf<F: Field>([u64; 3], PhantomData<F>);

/// An element may be a secret: it is not printed.
impl<F: Field> core::fmt::Debug for ElementOf<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Element(..)")
    }
}

impl<F: Field> Zeroize for ElementOf<F> {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<F: Field> ElementOf<F> {
    /// 0.
    pub const ZERO: Self = Self([0; 3], PhantomData);

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
        debug_assert!(value < F::P, "a coefficient is reduced");
        let mut coefficients = [0; 3];
        coefficients[place] = value;
        Self(coefficients, PhantomData)
    }

    /// The element of three integers of absolute value at most 2^125.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn from_integers(integers: [i128; 3]) -> Self {
        Self::from_residues(integers.map(F::residue))
    }

    /// The element of three coefficients, each below p.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn from_residues(coefficients: [u64; 3]) -> Self {
        Self(coefficients, PhantomData)
    }

    /// The coefficients, each below p, as integers.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn coefficients(self) -> [u64; 3] {
        self.0
    }

    /// An element from uniform bytes: 192 bits a coefficient, so that it is uniform but for a
    /// statistical distance of 3 2^-128 (3 2^-131 where p has 61 bits).
    #[doc(hidden)]
    pub fn from_uniform(bytes: &[u8; UNIFORM_LEN]) -> Self {
        let (words, _) = bytes.as_chunks::<24>();
        Self::from_residues(core::array::from_fn(|i| F::uniform_residue(&words[i])))
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
        let reduced = coefficients.iter().all(|&word| word < F::P);
        reduced.then_some(Self::from_residues(coefficients))
    }

    /// Each coefficient times a residue below p.
    #[doc(hidden)]
    #[inline(always)]
    pub fn scale(self, residue: u64) -> Self {
        Self::from_residues(self.0.map(|coefficient| F::multiply(coefficient, residue)))
    }

    /// 1 / self; 0 for 0.
    ///
    /// With (u_0, u_1, u_2) = (a_0^2 - c a_1 a_2, c a_2^2 - a_0 a_1, a_1^2 - a_0 a_2) the product
    /// (a_0 + a_1 X + a_2 X^2) (u_0 + u_1 X + u_2 X^2) is the norm a_0 u_0 + c (a_1 u_2 + a_2 u_1),
    /// an element of F, whose inverse is its power p - 2 (Fermat).
    #[must_use]
    pub fn inverse(self) -> Self {
        let [a, b, c] = self.0;
        let u = [
            F::subtract(F::multiply(a, a), F::times_c(F::multiply(b, c))),
            F::subtract(F::times_c(F::multiply(c, c)), F::multiply(a, b)),
            F::subtract(F::multiply(b, b), F::multiply(a, c)),
        ];
        let rest = F::add(F::multiply(b, u[2]), F::multiply(c, u[1]));
        let norm = F::add(F::multiply(a, u[0]), F::times_c(rest));
        Self::from_residues(u).scale(F::invert(norm))
    }
}

impl Element {
    /// The element with these coefficients: lower + 2^31 upper each, for any integers.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn from_halves(halves: [[i64; 2]; 3]) -> Self {
        Self::from_residues(halves.map(|[lower, upper]| residue_of_halves(lower, upper)))
    }
}

/// An integer modulo p.
impl<F: Field> From<i64> for ElementOf<F> {
    #[inline]
    fn from(integer: i64) -> Self {
        Self::from_residues([F::residue(integer.into()), 0, 0])
    }
}

impl<F: Field> Add for ElementOf<F> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::from_residues(core::array::from_fn(|i| F::add(self.0[i], other.0[i])))
    }
}

impl<F: Field> AddAssign for ElementOf<F> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<F: Field> Sub for ElementOf<F> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::from_residues(core::array::from_fn(|i| F::subtract(self.0[i], other.0[i])))
    }
}

impl<F: Field> Mul for ElementOf<F> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::from_residues(F::product(self.0, other.0))
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

#[cfg(test)]
mod tests;
