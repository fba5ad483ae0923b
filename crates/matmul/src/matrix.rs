//! Views: [`Matrix`] for operands, [`MatrixMut`] for results. Shapes are checked here, once.

use crate::error::Error;
use crate::word::{Operand, Word};

/// A matrix to be read: entry (i, j) is element i `row_stride` + j `column_stride` of a slice.
#[derive(Clone, Copy, Debug)]
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
            self.bits = bits;
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

    /// Entry (i, j).
    ///
    /// # Panics
    /// Outside the matrix.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> T {
        self.data[i * self.row_stride + j * self.column_stride]
    }

    /// `len` entries down column `j` from row `i` on, if they are adjacent in memory.
    #[inline]
    pub(crate) fn column_run(&self, i: usize, j: usize, len: usize) -> Option<&'a [T]> {
        let start = i * self.row_stride + j * self.column_stride;
        if self.row_stride == 1 { self.data.get(start..start + len) } else { None }
    }

    /// `len` entries along row `i` from column `j` on, if they are adjacent in memory.
    #[inline]
    pub(crate) fn row_run(&self, i: usize, j: usize, len: usize) -> Option<&'a [T]> {
        self.transposed().column_run(j, i, len)
    }
}

/// A column-major matrix to be written: entry (i, j) is element i + j `column_stride` of a slice.
#[derive(Debug)]
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
        &mut self.data[j * self.column_stride..][..self.rows]
    }

    /// Splits after `columns` columns.
    pub(crate) fn split_at(self, columns: usize) -> (Self, Self) {
        let at = (columns * self.column_stride).min(self.data.len());
        let (left, right) = self.data.split_at_mut(at);
        let part = |data, columns| MatrixMut {
            data,
            columns,
            rows: self.rows,
            column_stride: self.column_stride,
        };
        (part(left, columns), part(right, self.columns - columns))
    }

    /// Sets every entry to zero.
    pub(crate) fn clear(&mut self) {
        for j in 0..self.columns {
            self.column(j).fill(W::default());
        }
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
