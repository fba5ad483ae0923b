//! [`AnyMatrix`]: a view of any element type.

use super::Matrix;
use crate::word::{Kind, Operand};

/// Evaluates `$body` with `$v` bound to the typed matrix.
macro_rules! with_matrix {
    ($any:expr, $v:ident => $body:expr) => {
        match $any {
            $crate::matrix::any::AnyMatrix::U8($v) => $body,
            $crate::matrix::any::AnyMatrix::U16($v) => $body,
            $crate::matrix::any::AnyMatrix::U32($v) => $body,
            $crate::matrix::any::AnyMatrix::U64($v) => $body,
            $crate::matrix::any::AnyMatrix::I8($v) => $body,
            $crate::matrix::any::AnyMatrix::I16($v) => $body,
            $crate::matrix::any::AnyMatrix::I32($v) => $body,
            $crate::matrix::any::AnyMatrix::I64($v) => $body,
        }
    };
}
pub(crate) use with_matrix;

/// A matrix of any element type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum AnyMatrix<'a> {
    U8(Matrix<'a, u8>),
    U16(Matrix<'a, u16>),
    U32(Matrix<'a, u32>),
    U64(Matrix<'a, u64>),
    I8(Matrix<'a, i8>),
    I16(Matrix<'a, i16>),
    I32(Matrix<'a, i32>),
    I64(Matrix<'a, i64>),
}

impl<'a> AnyMatrix<'a> {
    /// The matrix without its type.
    pub(crate) fn new<T: Operand>(matrix: Matrix<'a, T>) -> Self {
        match T::KIND {
            Kind::U8 => Self::U8(matrix.cast()),
            Kind::U16 => Self::U16(matrix.cast()),
            Kind::U32 => Self::U32(matrix.cast()),
            Kind::U64 => Self::U64(matrix.cast()),
            Kind::I8 => Self::I8(matrix.cast()),
            Kind::I16 => Self::I16(matrix.cast()),
            Kind::I32 => Self::I32(matrix.cast()),
            Kind::I64 => Self::I64(matrix.cast()),
        }
    }

    /// The transposed view.
    pub(crate) fn transposed(self) -> Self {
        with_matrix!(self, matrix => Self::new(matrix.transposed()))
    }
}
