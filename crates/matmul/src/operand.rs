//! The operands that a product takes on its left and on its right.

use crate::matrix::Matrix;
use crate::matrix::any::AnyMatrix;
use crate::product::packed::{Packed, PackedLeft, PackedRight};
use crate::ternary::Ternary;
use crate::ternary::packed_lookup::PackedNarrow;
use crate::width::Width;
use crate::word::{Operand, Residue};

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for super::Matrix<'_, T> {}
    impl<W> Sealed for &super::PackedLeft<W> {}
    impl<W> Sealed for &super::PackedRight<W> {}
    impl Sealed for &super::PackedNarrow {}
    impl Sealed for super::Ternary<'_> {}
}

/// An operand without its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    View(AnyMatrix<'a>),
    Packed(&'a Packed),
    /// On the left of a public [`Ternary`] matrix only.
    Narrow(&'a PackedNarrow),
}

impl Source<'_> {
    /// The values that entries may take.
    pub(crate) fn width(self) -> Width {
        match self {
            Self::View(view) => view.width(),
            Self::Packed(packed) => packed.width,
            Self::Narrow(_) => Width::of::<i8>(),
        }
    }
}

/// A left operand modulo 2^w: a [`Matrix`] of any element type, a `&`[`PackedLeft`], or for w = 32
/// a `&`[`PackedNarrow`], whose partners are public [`Ternary`] matrices.
pub trait Left<W: Residue>: sealed::Sealed + Copy {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    #[doc(hidden)]
    fn source<'a>(self) -> Source<'a>
    where
        Self: 'a;
}

/// A right operand modulo 2^w: a [`Matrix`] of any element type, a `&`[`PackedRight`], or a
/// [`Ternary`] matrix.
pub trait Right<W: Residue>: sealed::Sealed + Copy {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    #[doc(hidden)]
    fn source<'a>(self) -> Source<'a>
    where
        Self: 'a;
    /// The operand, if it is known to be ternary.
    #[doc(hidden)]
    fn ternary<'a>(self) -> Option<Ternary<'a>>
    where
        Self: 'a,
    {
        None
    }
}

macro_rules! side {
    ($side:ident, $packed:ident) => {
        impl<W: Residue, T: Operand> $side<W> for Matrix<'_, T> {
            fn shape(&self) -> (usize, usize) {
                (self.rows(), self.columns())
            }
            fn source<'a>(self) -> Source<'a>
            where
                Self: 'a,
            {
                Source::View(AnyMatrix::new(self))
            }
        }
        impl<W: Residue> $side<W> for &$packed<W> {
            fn shape(&self) -> (usize, usize) {
                (self.rows(), self.columns())
            }
            fn source<'a>(self) -> Source<'a>
            where
                Self: 'a,
            {
                Source::Packed(&self.inner)
            }
        }
    };
}

side!(Left, PackedLeft);
side!(Right, PackedRight);

impl Left<u32> for &PackedNarrow {
    fn shape(&self) -> (usize, usize) {
        PackedNarrow::shape(self)
    }
    fn source<'a>(self) -> Source<'a>
    where
        Self: 'a,
    {
        Source::Narrow(self)
    }
}

impl<W: Residue> Right<W> for Ternary<'_> {
    fn shape(&self) -> (usize, usize) {
        Ternary::shape(self)
    }
    fn source<'a>(self) -> Source<'a>
    where
        Self: 'a,
    {
        Source::View(AnyMatrix::new(self.entries()))
    }
    fn ternary<'a>(self) -> Option<Ternary<'a>>
    where
        Self: 'a,
    {
        Some(self)
    }
}
