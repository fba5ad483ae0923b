//! What a product takes on its left and on its right.

use crate::matrix::Matrix;
use crate::matrix::any::AnyMatrix;
use crate::product::Source;
use crate::product::packed::{PackedLeft, PackedRight};
use crate::ternary::Ternary;
use crate::ternary::packed_lookup::PackedNarrow;
use crate::word::{Operand, Word};

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for super::Matrix<'_, T> {}
    impl<W> Sealed for &super::PackedLeft<W> {}
    impl<W> Sealed for &super::PackedRight<W> {}
    impl Sealed for &super::PackedNarrow {}
    impl Sealed for super::Ternary<'_> {}
}

/// A left operand without its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum LeftSource<'a> {
    Any(Source<'a>),
    Narrow(&'a PackedNarrow),
}

/// A right operand without its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum RightSource<'a> {
    Any(Source<'a>),
    Ternary(Ternary<'a>),
}

/// A left operand modulo 2^w: a [`Matrix`] of any element type, a `&`[`PackedLeft`], or for w = 32
/// a `&`[`PackedNarrow`], whose partners are public [`Ternary`] matrices.
pub trait Left<W: Word>: sealed::Sealed + Copy {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    #[doc(hidden)]
    fn source<'a>(self) -> LeftSource<'a>
    where
        Self: 'a;
}

/// A right operand modulo 2^w: a [`Matrix`] of any element type, a `&`[`PackedRight`], or a
/// [`Ternary`] matrix.
pub trait Right<W: Word>: sealed::Sealed + Copy {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    #[doc(hidden)]
    fn source<'a>(self) -> RightSource<'a>
    where
        Self: 'a;
}

macro_rules! side {
    ($side:ident, $source:ident, $packed:ident) => {
        impl<W: Word, T: Operand> $side<W> for Matrix<'_, T> {
            fn shape(&self) -> (usize, usize) {
                (self.rows(), self.columns())
            }
            fn source<'a>(self) -> $source<'a>
            where
                Self: 'a,
            {
                $source::Any(Source::View(AnyMatrix::new(self)))
            }
        }
        impl<W: Word> $side<W> for &$packed<W> {
            fn shape(&self) -> (usize, usize) {
                (self.rows(), self.columns())
            }
            fn source<'a>(self) -> $source<'a>
            where
                Self: 'a,
            {
                $source::Any(Source::Packed(&self.inner))
            }
        }
    };
}

side!(Left, LeftSource, PackedLeft);
side!(Right, RightSource, PackedRight);

impl Left<u32> for &PackedNarrow {
    fn shape(&self) -> (usize, usize) {
        PackedNarrow::shape(self)
    }
    fn source<'a>(self) -> LeftSource<'a>
    where
        Self: 'a,
    {
        LeftSource::Narrow(self)
    }
}

impl<W: Word> Right<W> for Ternary<'_> {
    fn shape(&self) -> (usize, usize) {
        Ternary::shape(self)
    }
    fn source<'a>(self) -> RightSource<'a>
    where
        Self: 'a,
    {
        RightSource::Ternary(self)
    }
}
