//! [`ElementOf`]: elements of K.

use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, Sub};

use zeroize::Zeroize;

use super::{Coefficients, Field, P61, SmallField, Word};

/// An element of K over the field of 2^61 - 1 elements, in which nearly all arguments are made.
pub type Element = ElementOf<P61>;

/// An element a_0 + a_1 X + .. of K.
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
pub struct ElementOf<F: Field>(pub(super) F::Coefficients, PhantomData<F>);

/// An element may be a secret: it is not printed.
impl<F: Field> core::fmt::Debug for ElementOf<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Element(..)")
    }
}

/// Erased by one assignment: volatile writes are calls across codegen units.
impl<F: Field> Zeroize for ElementOf<F> {
    #[inline(always)]
    fn zeroize(&mut self) {
        *self = Self::ZERO;
        zeroize::optimization_barrier(self);
    }
}

impl<F: Field> ElementOf<F> {
    /// 0.
    pub const ZERO: Self = Self(F::Coefficients::ZERO, PhantomData);

    /// The encoding: the coefficients, each below p, in eight or sixteen bytes, little-endian.
    #[inline]
    #[must_use]
    pub fn to_bytes(self) -> F::Bytes {
        let mut bytes = F::Bytes::default();
        let words = bytes.as_mut().chunks_exact_mut(F::Word::LEN);
        words.zip(self.0.as_ref()).for_each(|(bytes, word)| word.write(bytes));
        bytes
    }

    /// The element that these bytes encode; `None` if a coefficient is p or more.
    #[inline]
    #[must_use]
    pub fn from_bytes(bytes: &F::Bytes) -> Option<Self> {
        let (element, reduced) = Self::from_slice(bytes.as_ref());
        reduced.then_some(element)
    }

    /// 1 / self; 0 for 0: the product of the other conjugates times the inverse of the norm, an
    /// element of F, whose inverse is its power p - 2 (Fermat).
    #[must_use]
    pub fn inverse(self) -> Self {
        let (rest, norm) = F::conjugate(self.0);
        Self::from_residues(rest).scale(F::invert(norm))
    }
}

/// What `tautochrone-zk` needs besides.
#[doc(hidden)]
impl<F: Field> ElementOf<F> {
    /// Whether this is 0, without a branch.
    #[inline]
    pub fn is_zero(self) -> bool {
        let words = self.0.as_ref().iter();
        words.fold(0_u128, |any, &word| any | Into::<u128>::into(word)) == 0
    }

    /// value X^place, for a value below p.
    #[inline]
    pub fn monomial(value: F::Word, place: usize) -> Self {
        debug_assert!(value < F::P, "a coefficient is reduced");
        let mut coefficients = F::Coefficients::ZERO;
        coefficients.as_mut()[place] = value;
        Self(coefficients, PhantomData)
    }

    /// 1.
    #[inline]
    pub fn one() -> Self {
        Self::monomial(F::Word::ONE, 0)
    }

    /// The element of its coefficients, each below p.
    #[inline(always)]
    pub const fn from_residues(coefficients: F::Coefficients) -> Self {
        Self(coefficients, PhantomData)
    }

    /// The coefficients, each below p, as integers.
    #[inline(always)]
    pub const fn coefficients(self) -> F::Coefficients {
        self.0
    }

    /// An element from uniform bytes, [`Field::UNIFORM_LEN`] a coefficient, so that it is uniform
    /// but for a statistical distance of D 2^-128 (3 2^-131 where p has 61 bits).
    pub fn from_uniform(bytes: &[u8]) -> Self {
        let mut element = Self::ZERO;
        let words = bytes.chunks_exact(F::UNIFORM_LEN);
        debug_assert_eq!(words.len(), F::Coefficients::COUNT, "bytes of each coefficient");
        for (word, bytes) in element.0.as_mut().iter_mut().zip(words) {
            *word = F::uniform_residue(bytes);
        }
        element
    }

    /// The element of [`Field::ELEMENT_LEN`] bytes, and whether all coefficients are below p.
    ///
    /// # Constant time
    /// In the bytes.
    #[inline]
    pub fn from_slice(bytes: &[u8]) -> (Self, bool) {
        let (mut element, mut reduced) = (Self::ZERO, true);
        let words = bytes.chunks_exact(F::Word::LEN);
        for (coefficient, bytes) in element.0.as_mut().iter_mut().zip(words) {
            *coefficient = F::Word::read(bytes);
            reduced &= coefficient.is_below(F::P);
        }
        (element, reduced)
    }

    /// Each coefficient times a residue below p.
    #[inline(always)]
    pub fn scale(self, residue: F::Word) -> Self {
        Self::from_residues(self.0.map(|coefficient| F::multiply(coefficient, residue)))
    }
}

impl<F: SmallField> ElementOf<F> {
    /// The element of three integers of absolute value at most 2^125.
    #[doc(hidden)]
    #[inline]
    pub fn from_integers([a, b, c]: [i128; 3]) -> Self {
        Self::from_residues([F::residue(a), F::residue(b), F::residue(c)])
    }
}

/// An integer modulo p.
impl<F: Field> From<i64> for ElementOf<F> {
    #[inline]
    fn from(integer: i64) -> Self {
        Self::monomial(F::residue(integer.into()), 0)
    }
}

impl<F: Field> Add for ElementOf<F> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::from_residues(self.0.zip(other.0, F::add))
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
        Self::from_residues(self.0.zip(other.0, F::subtract))
    }
}

impl<F: Field> Mul for ElementOf<F> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::from_residues(F::product(self.0, other.0))
    }
}
