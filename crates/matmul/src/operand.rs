//! What a product takes on its left and on its right: views of any element type, and packed operands.

use crate::digits::Width;
use crate::matrix::{AnyMatrix, Matrix, with_matrix};
use crate::packed::{Packed, PackedLeft, PackedRight};
use crate::word::{Operand, Word};

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for super::Matrix<'_, T> {}
    impl<W> Sealed for &super::PackedLeft<W> {}
    impl<W> Sealed for &super::PackedRight<W> {}
}

/// An operand without its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    View(AnyMatrix<'a>),
    Packed(&'a Packed),
}

impl Source<'_> {
    /// The values that entries may take.
    pub(crate) fn width(self) -> Width {
        match self {
            Self::View(view) => with_matrix!(view, view => view.width()),
            Self::Packed(packed) => packed.width,
        }
    }
}

/// What may stand on the left of a product modulo 2^w: a [`Matrix`] of any element type, or a `&`[`PackedLeft`].
pub trait Left<W: Word>: sealed::Sealed + Copy {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    #[doc(hidden)]
    fn source<'a>(self) -> Source<'a>
    where
        Self: 'a;
}

/// What may stand on the right of a product modulo 2^w: a [`Matrix`] of any element type, or a `&`[`PackedRight`].
pub trait Right<W: Word>: sealed::Sealed + Copy {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    #[doc(hidden)]
    fn source<'a>(self) -> Source<'a>
    where
        Self: 'a;
}

macro_rules! side {
    ($side:ident, $packed:ident) => {
        impl<W: Word, T: Operand> $side<W> for Matrix<'_, T> {
            fn shape(&self) -> (usize, usize) {
                (self.rows(), self.columns())
            }
            fn source<'a>(self) -> Source<'a>
            where
                Self: 'a,
            {
                Source::View(self.erase())
            }
        }
        impl<W: Word> $side<W> for &$packed<W> {
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
