//! [`Scalar`]: the field F of p = 2^61 - 1 elements, in which circuits compute, and [`ScalarOf`]
//! any field.

use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, Neg, Sub};

use zeroize::DefaultIsZeroes;

use crate::field::{ElementOf, Field, P61, SmallField, Word as _};

/// An element of F = Z / p, p = 2^61 - 1.
pub type Scalar = ScalarOf<P61>;

/// An element of a field F = Z / p.
///
/// ```
/// # mod tautochrone_zk { pub mod argument { pub use tautochrone_zk_field::scalar::Scalar; } }
/// use tautochrone_zk::argument::Scalar;
///
/// let third = Scalar::from(3).inverse();
/// assert_eq!(third * Scalar::from(6) - Scalar::from(2), Scalar::ZERO);
/// assert_eq!(Scalar::new((1 << 61) - 1), None);
/// ```
///
/// # Constant time
/// All operations but `==` in their operands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct ScalarOf<F: Field>(pub(crate) F::Word, PhantomData<F>);

/// A scalar may be a secret: it is not printed.
impl<F: Field> core::fmt::Debug for ScalarOf<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Scalar(..)")
    }
}

/// Erased by one write.
impl<F: Field> DefaultIsZeroes for ScalarOf<F> {}

impl<F: Field> ScalarOf<F> {
    /// 0.
    pub const ZERO: Self = Self(F::Word::ZERO, PhantomData);
    /// 1.
    pub const ONE: Self = Self(F::Word::ONE, PhantomData);

    /// The element of a residue, which is known to be below p.
    #[doc(hidden)]
    #[inline(always)]
    pub fn of_residue(value: F::Word) -> Self {
        debug_assert!(value < F::P, "a residue is reduced");
        Self(value, PhantomData)
    }

    /// 1 / self; 0 for 0.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(F::invert(self.0), PhantomData)
    }
}

impl<F: SmallField> ScalarOf<F> {
    /// The element that is congruent to a number below p; `None` for any other number.
    #[inline]
    #[must_use]
    pub const fn new(value: u64) -> Option<Self> {
        if value < F::P { Some(Self(value, PhantomData)) } else { None }
    }

    /// The number below p that it is congruent to.
    #[inline]
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// A number of 32 bits, which is below p.
impl<F: SmallField> From<u32> for ScalarOf<F> {
    #[inline]
    fn from(value: u32) -> Self {
        Self(value.into(), PhantomData)
    }
}

impl<F: SmallField> From<bool> for ScalarOf<F> {
    #[inline]
    fn from(value: bool) -> Self {
        Self(value.into(), PhantomData)
    }
}

impl<F: SmallField> From<ScalarOf<F>> for ElementOf<F> {
    #[inline]
    fn from(scalar: ScalarOf<F>) -> Self {
        Self::monomial(scalar.0, 0)
    }
}

impl<F: Field> Add for ScalarOf<F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(F::add(self.0, other.0), PhantomData)
    }
}

impl<F: Field> AddAssign for ScalarOf<F> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<F: Field> Sub for ScalarOf<F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(F::subtract(self.0, other.0), PhantomData)
    }
}

impl<F: Field> Neg for ScalarOf<F> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl<F: Field> Mul for ScalarOf<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(F::multiply(self.0, other.0), PhantomData)
    }
}

impl<F: SmallField> ElementOf<F> {
    /// Each coefficient times a scalar: three products instead of nine.
    #[doc(hidden)]
    #[inline]
    pub fn times(self, scalar: ScalarOf<F>) -> Self {
        self.scale(scalar.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::P;

    #[test]
    fn numbers_beyond_p_are_no_scalars() {
        assert_eq!(Scalar::new(P - 1).map(Scalar::value), Some(P - 1));
        assert_eq!(Scalar::new(P), None);
        assert_eq!(Scalar::new(u64::MAX), None);
        assert_eq!(Scalar::from(u32::MAX).value(), u64::from(u32::MAX));
        assert_eq!((Scalar::from(true), Scalar::from(false)), (Scalar::ONE, Scalar::ZERO));
    }
}
