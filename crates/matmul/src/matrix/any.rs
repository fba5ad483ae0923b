//! [`AnyMatrix`] and [`AnyMatrixMut`]: views of any element type.

use core::marker::PhantomData;
use core::ops::Range;

use super::{Matrix, MatrixMut};
use crate::width::Width;
use crate::word::{Operand, Word};

/// A matrix whose type of entries is a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnyMatrix<'a> {
    matrix: Matrix<'a, ()>,
    /// All values of the type of its entries, which tell the type.
    of: Width,
}

impl<'a> AnyMatrix<'a> {
    /// The matrix without its type.
    pub(crate) fn new<T: Operand>(matrix: Matrix<'a, T>) -> Self {
        Self { matrix: retyped(&matrix), of: Width::of::<T>() }
    }

    /// The matrix, if this is the type of its entries.
    pub(crate) fn typed<T: Operand>(self) -> Option<Matrix<'a, T>> {
        (self.of == Width::of::<T>()).then(|| retyped(&self.matrix))
    }

    pub(crate) fn rows(self) -> usize {
        self.matrix.rows()
    }

    pub(crate) fn columns(self) -> usize {
        self.matrix.columns()
    }

    /// Whether rows or columns are contiguous.
    pub(crate) fn is_dense(self) -> bool {
        let (row, column) = self.matrix.strides();
        row == 1 || column == 1
    }

    /// Values that entries may take.
    pub(crate) fn width(self) -> Width {
        Width { bits: self.matrix.bits(), ..self.of }
    }

    /// Whether packing has to check the entries: fewer bits are stated than the type has.
    pub(crate) fn is_checked(self) -> bool {
        self.width() != self.of
    }

    pub(crate) fn transposed(self) -> Self {
        Self { matrix: self.matrix.transposed(), ..self }
    }

    /// These rows and columns.
    pub(crate) fn part(self, rows: Range<usize>, columns: Range<usize>) -> Self {
        with_matrix!(self, matrix => Self::new(matrix.rows_in(rows).columns_in(columns)))
    }
}

impl<'a, T: Operand> Matrix<'a, T> {
    /// The same entries, seen as unsigned.
    pub(crate) fn as_unsigned(&self) -> Matrix<'a, T::Unsigned> {
        retyped(self)
    }
}

/// A result whose type of words is a value.
pub(crate) enum AnyMatrixMut<'a> {
    U8(MatrixMut<'a, u8>),
    U16(MatrixMut<'a, u16>),
    U32(MatrixMut<'a, u32>),
    U64(MatrixMut<'a, u64>),
}

impl<'a> AnyMatrixMut<'a> {
    pub(crate) fn new<W: Word>(z: MatrixMut<'a, W>) -> Self {
        match W::BITS {
            8 => Self::U8(z.cast()),
            16 => Self::U16(z.cast()),
            32 => Self::U32(z.cast()),
            _ => Self::U64(z.cast()),
        }
    }
}

/// The same entries, of a type that is given up or regained, or of the same size.
fn retyped<'a, T, U>(matrix: &Matrix<'a, T>) -> Matrix<'a, U> {
    let &Matrix { first, rows, columns, row_stride, column_stride, bits, .. } = matrix;
    let (first, entries) = (first.cast(), PhantomData);
    Matrix { first, rows, columns, row_stride, column_stride, bits, entries }
}

/// Evaluates `$body` with `$v` bound to the typed matrix.
macro_rules! with_matrix {
    ($any:expr, $v:ident => $body:expr) => {
        with_matrix!(@ $any, $v => $body, u8 u16 u32 u64 i8 i16 i32 i64)
    };
    (@ $any:expr, $v:ident => $body:expr, $($t:ty)*) => {{
        let any: $crate::matrix::any::AnyMatrix<'_> = $any;
        $(if let Some($v) = any.typed::<$t>() { $body } else)* { unreachable!("the types of entries") }
    }};
}
pub(crate) use with_matrix;
