//! [`Matrix`]: a view of an operand. Shapes are checked when views are made, once.
#![allow(unsafe_code)]

pub(crate) mod any;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
mod output;

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use core::slice;

use crate::error::Error;
use crate::width::Width;
use crate::word::Operand;

pub use output::MatrixMut;

/// A matrix to be read: entry (i, j) is element i `row_stride` + j `column_stride` of a slice.
///
/// ```
/// use tautochrone_matmul::Matrix;
///
/// let entries = [1_i8, 2, 3, 4, 5, 6];
/// let x = Matrix::row_major(&entries, 2, 3)?.with_bits(4);
/// assert_eq!(x.at(1, 0), 4);
/// assert_eq!(x.transposed().columns_in(1..2).at(2, 0), 6);
/// # Ok::<(), tautochrone_matmul::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Matrix<'a, T> {
    /// Entry (0, 0). No slice: what lies between the entries may be borrowed by others, as by the
    /// other part of an array that was split.
    first: *const T,
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
    bits: u32,
    entries: PhantomData<&'a [T]>,
}

// SAFETY: it is a shared reference to its entries.
unsafe impl<T: Sync> Send for Matrix<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Matrix<'_, T> {}

impl<T> Matrix<'_, T> {
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

    /// Row stride and column stride.
    #[must_use]
    pub const fn strides(&self) -> (usize, usize) {
        (self.row_stride, self.column_stride)
    }
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
        // SAFETY: the slice holds the last entry, and with it all others.
        Ok(unsafe { Self::from_raw(data.as_ptr(), [rows, columns], [row_stride, column_stride]) })
    }

    /// A matrix of any strides whose entry (0, 0) is at `first`.
    ///
    /// # Safety
    /// Every entry lies in one allocation with `first` and is borrowed for `'a`.
    pub(crate) const unsafe fn from_raw(
        first: *const T,
        [rows, columns]: [usize; 2],
        [row_stride, column_stride]: [usize; 2],
    ) -> Self {
        let (bits, entries) = (T::BITS, PhantomData);
        Self { first, rows, columns, row_stride, column_stride, bits, entries }
    }

    /// States that every entry fits `bits` bits (two's complement if `T` is signed), so that
    /// kernels may use only these. Packing checks it, in constant time: [`Error::BeyondBits`].
    #[must_use]
    pub const fn with_bits(mut self, bits: u32) -> Self {
        if bits < self.bits {
            self.bits = if bits == 0 { 1 } else { bits };
        }
        self
    }

    /// Entry (i, j), for i below the rows and j below the columns.
    ///
    /// # Panics
    /// Outside the matrix.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> T {
        assert!(i < self.rows && j < self.columns, "an entry outside the matrix");
        // SAFETY: an entry of the matrix.
        unsafe { *self.first.add(i * self.row_stride + j * self.column_stride) }
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
        // SAFETY: an entry of the matrix, if there are any in these rows.
        Self { first: unsafe { self.first.add(skipped) }, rows, ..self }
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

    /// `len` entries along row `i` from column `j` on; the column stride must be 1.
    ///
    /// # Panics
    /// Outside the matrix, and for other strides.
    #[inline]
    pub(crate) fn row_run(&self, i: usize, j: usize, len: usize) -> &'a [T] {
        assert!(self.column_stride == 1 || len == 1, "entries that are not adjacent");
        let fits = j <= self.columns && len <= self.columns - j;
        assert!(i < self.rows && fits, "entries outside the matrix");
        if len == 0 {
            return &[];
        }
        // SAFETY: entries of the matrix, one after the other.
        unsafe {
            let first = self.first.add(i * self.row_stride + j * self.column_stride);
            slice::from_raw_parts(first, len)
        }
    }

    /// `len` entries along column `j` from row `i` on; the row stride must be 1.
    ///
    /// # Panics
    /// As [`Self::row_run`].
    #[inline]
    pub(crate) fn column_run(&self, i: usize, j: usize, len: usize) -> &'a [T] {
        self.transposed().row_run(j, i, len)
    }

    /// Calls `f` with all entries, in runs that are contiguous in memory.
    pub(crate) fn for_each_run(&self, mut f: impl FnMut(&'a [T])) {
        let view = if self.row_stride == 1 { self.transposed() } else { *self };
        if view.columns == 0 {
            return;
        }
        for i in 0..view.rows {
            if view.column_stride == 1 {
                f(view.row_run(i, 0, view.columns));
            } else {
                for j in 0..view.columns {
                    f(view.row_run(i, j, 1));
                }
            }
        }
    }
}

impl<T> fmt::Debug for Matrix<'_, T> {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matrix({} x {}, {} bits)", self.rows, self.columns, self.bits)
    }
}

/// One more than the index of the last entry; `usize::MAX` if that overflows.
pub(crate) fn needed(
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
) -> usize {
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
