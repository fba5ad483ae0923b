//! Views: [`Matrix`] for operands, [`MatrixMut`] for results. Shapes are checked here, once.

use core::fmt;
use core::ops::Range;

use crate::digits::Width;
use crate::error::Error;
use crate::kernel::Target;
use crate::word::{Kind, Operand, Word};

/// A matrix to be read: entry (i, j) is element i `row_stride` + j `column_stride` of a slice.
#[derive(Clone, Copy)]
pub struct Matrix<'a, T> {
    data: &'a [T],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
    bits: u32,
}

impl<'a, T: Operand> Matrix<'a, T> {
    /// A matrix stored row after row.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds `rows * columns` elements.
    pub fn row_major(data: &'a [T], rows: usize, columns: usize) -> Result<Self, Error> {
        Self::strided(data, rows, columns, columns, 1)
    }

    /// A matrix stored column after column.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds `rows * columns` elements.
    pub fn column_major(data: &'a [T], rows: usize, columns: usize) -> Result<Self, Error> {
        Self::strided(data, rows, columns, 1, rows)
    }

    /// A matrix with any strides.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds the last entry.
    pub fn strided(
        data: &'a [T],
        rows: usize,
        columns: usize,
        row_stride: usize,
        column_stride: usize,
    ) -> Result<Self, Error> {
        let needed = needed(rows, columns, row_stride, column_stride);
        if needed > data.len() {
            return Err(Error::Length { rows, columns, needed, got: data.len() });
        }
        Ok(Self { data, rows, columns, row_stride, column_stride, bits: T::BITS })
    }

    /// Promises that every entry fits `bits` bits (two's complement if `T` is signed). Kernels may use only these bits:
    /// a broken promise gives a wrong product, nothing worse.
    #[must_use]
    pub const fn with_bits(mut self, bits: u32) -> Self {
        if bits < self.bits {
            self.bits = if bits == 0 { 1 } else { bits };
        }
        self
    }

    /// Rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Bits that every entry fits.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The transposed view.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }

    /// Entry (i, j), for i below the rows and j below the columns.
    ///
    /// # Panics
    /// Outside the slice; what lies in the slice but outside the matrix is some other entry of the slice.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> T {
        self.data[i * self.row_stride + j * self.column_stride]
    }

    /// The rows in `range`.
    ///
    /// # Panics
    /// Unless `range` lies within `0..rows`.
    #[must_use]
    pub fn rows_in(self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.rows, "rows outside the matrix");
        let rows = range.len();
        let skipped =
            if rows == 0 || self.columns == 0 { 0 } else { range.start * self.row_stride };
        Self { data: &self.data[skipped..], rows, ..self }
    }

    /// The columns in `range`.
    ///
    /// # Panics
    /// Unless `range` lies within `0..columns`.
    #[must_use]
    pub fn columns_in(self, range: Range<usize>) -> Self {
        self.transposed().rows_in(range).transposed()
    }

    /// Values that entries may take, as far as the type and [`Matrix::with_bits`] tell.
    #[must_use]
    pub const fn width(&self) -> Width {
        Width { bits: self.bits, signed: T::SIGNED }
    }

    /// Row stride and column stride.
    #[must_use]
    pub const fn strides(&self) -> (usize, usize) {
        (self.row_stride, self.column_stride)
    }

    /// The slice, entry (0, 0) first.
    pub(crate) const fn data(&self) -> &'a [T] {
        self.data
    }

    /// `len` entries along row `i` from column `j` on; the column stride must be 1.
    #[inline]
    pub(crate) fn row_run(&self, i: usize, j: usize, len: usize) -> &'a [T] {
        &self.data[i * self.row_stride + j..][..len]
    }

    /// The same entries as another type of their size; promised bits that it has.
    ///
    /// # Panics
    /// If the sizes differ.
    pub(crate) fn cast<U: Operand>(self) -> Matrix<'a, U> {
        let Self { data, rows, columns, row_stride, column_stride, bits } = self;
        let data = bytemuck::cast_slice(data);
        Matrix { data, rows, columns, row_stride, column_stride, bits }
    }

    /// The matrix without its type.
    pub(crate) fn erase(self) -> AnyMatrix<'a> {
        match T::KIND {
            Kind::U8 => AnyMatrix::U8(self.cast()),
            Kind::U16 => AnyMatrix::U16(self.cast()),
            Kind::U32 => AnyMatrix::U32(self.cast()),
            Kind::U64 => AnyMatrix::U64(self.cast()),
            Kind::I8 => AnyMatrix::I8(self.cast()),
            Kind::I16 => AnyMatrix::I16(self.cast()),
            Kind::I32 => AnyMatrix::I32(self.cast()),
            Kind::I64 => AnyMatrix::I64(self.cast()),
        }
    }
}

impl<'a> Matrix<'a, i8> {
    /// The same bytes, modulo 2^8.
    pub(crate) fn unsigned(self) -> Matrix<'a, u8> {
        Matrix { bits: u8::BITS, ..self.cast() }
    }
}

impl<T> fmt::Debug for Matrix<'_, T> {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matrix({} x {}, {} bits)", self.rows, self.columns, self.bits)
    }
}

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

/// Evaluates `$body` with `$v` bound to the typed matrix.
macro_rules! with_matrix {
    ($any:expr, $v:ident => $body:expr) => {
        match $any {
            $crate::matrix::AnyMatrix::U8($v) => $body,
            $crate::matrix::AnyMatrix::U16($v) => $body,
            $crate::matrix::AnyMatrix::U32($v) => $body,
            $crate::matrix::AnyMatrix::U64($v) => $body,
            $crate::matrix::AnyMatrix::I8($v) => $body,
            $crate::matrix::AnyMatrix::I16($v) => $body,
            $crate::matrix::AnyMatrix::I32($v) => $body,
            $crate::matrix::AnyMatrix::I64($v) => $body,
        }
    };
}
pub(crate) use with_matrix;

/// A column-major matrix to be written: entry (i, j) is element i + j `column_stride` of a slice.
pub struct MatrixMut<'a, W> {
    data: &'a mut [W],
    rows: usize,
    columns: usize,
    column_stride: usize,
}

impl<'a, W: Word> MatrixMut<'a, W> {
    /// A matrix stored column after column.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds `rows * columns` elements.
    pub fn column_major(data: &'a mut [W], rows: usize, columns: usize) -> Result<Self, Error> {
        Self::strided(data, rows, columns, rows)
    }

    /// A column-major matrix whose columns lie `column_stride` >= `rows` apart.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds the last entry; [`Error::Overlap`].
    pub fn strided(
        data: &'a mut [W],
        rows: usize,
        columns: usize,
        column_stride: usize,
    ) -> Result<Self, Error> {
        let needed = needed(rows, columns, 1, column_stride);
        if needed > data.len() {
            return Err(Error::Length { rows, columns, needed, got: data.len() });
        }
        if column_stride < rows && columns > 1 {
            return Err(Error::Overlap { rows, stride: column_stride });
        }
        Ok(Self { data, rows, columns, column_stride })
    }

    /// Rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Column `j`.
    pub(crate) fn column(&mut self, j: usize) -> &mut [W] {
        if self.rows == 0 {
            return &mut [];
        }
        &mut self.data[j * self.column_stride..][..self.rows]
    }

    /// The distance of columns, and the slice up to the last entry.
    pub(crate) fn into_data(self) -> (usize, &'a mut [W]) {
        let needed = needed(self.rows, self.columns, 1, self.column_stride);
        (self.column_stride, &mut self.data[..needed])
    }

    /// The same entries as another type of their size.
    ///
    /// # Panics
    /// If the sizes differ.
    pub(crate) fn cast<V: Word>(self) -> MatrixMut<'a, V> {
        let Self { data, rows, columns, column_stride } = self;
        MatrixMut { data: bytemuck::cast_slice_mut(data), rows, columns, column_stride }
    }

    /// The same matrix, for a shorter time.
    pub fn reborrow(&mut self) -> MatrixMut<'_, W> {
        MatrixMut { data: self.data, ..*self }
    }

    /// Sets every entry to zero.
    pub(crate) fn clear(&mut self) {
        for j in 0..self.columns {
            self.column(j).fill(W::default());
        }
    }

    /// Where the entries lie.
    pub(crate) fn target(&mut self) -> Target<W> {
        Target { start: self.data.as_mut_ptr(), stride: self.column_stride }
    }
}

impl<W> fmt::Debug for MatrixMut<'_, W> {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MatrixMut({} x {})", self.rows, self.columns)
    }
}

/// One more than the index of the last entry; `usize::MAX` if that overflows.
fn needed(rows: usize, columns: usize, row_stride: usize, column_stride: usize) -> usize {
    if rows == 0 || columns == 0 {
        return 0;
    }
    let last_row = (rows - 1).checked_mul(row_stride);
    let last_column = (columns - 1).checked_mul(column_stride);
    last_row
        .zip(last_column)
        .and_then(|(i, j)| i.checked_add(j)?.checked_add(1))
        .unwrap_or(usize::MAX)
}
