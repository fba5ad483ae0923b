//! [`MatrixMut`]: a view of a result.

use core::fmt;
use core::ops::Range;

use super::needed;
use crate::error::Error;
use crate::word::Word;

/// A matrix to be written. Column-major: entry (i, j) is element i + j `column_stride` of a slice;
/// or row-major, the transpose of such a matrix.
///
/// ```
/// use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
///
/// let x = [1_u32, 2, 3, 4]; // 2 x 2, row-major, as is Z
/// let mut z = [0_u32; 4];
/// let x = Matrix::row_major(&x, 2, 2)?;
/// Multiplier::new().product(x, x).write_to(MatrixMut::row_major(&mut z, 2, 2)?)?;
/// assert_eq!(z, [7, 10, 15, 22]);
/// # Ok::<(), tautochrone_matmul::Error>(())
/// ```
pub struct MatrixMut<'a, W> {
    data: &'a mut [W],
    /// Rows of the column-major matrix.
    rows: usize,
    /// Columns of the column-major matrix.
    columns: usize,
    column_stride: usize,
    /// Whether this is the transpose of the column-major matrix.
    row_major: bool,
}

impl<'a, W: Word> MatrixMut<'a, W> {
    /// A matrix stored column after column.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds `rows * columns` elements.
    pub fn column_major(data: &'a mut [W], rows: usize, columns: usize) -> Result<Self, Error> {
        Self::strided(data, rows, columns, rows)
    }

    /// A matrix stored row after row.
    ///
    /// # Errors
    /// [`Error::Length`] unless the slice holds `rows * columns` elements.
    pub fn row_major(data: &'a mut [W], rows: usize, columns: usize) -> Result<Self, Error> {
        let stored = Self::column_major(data, columns, rows).map_err(|e| match e {
            Error::Length { needed, got, .. } => Error::Length { rows, columns, needed, got },
            e => e,
        })?;
        Ok(stored.transposed())
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
        Ok(Self { data, rows, columns, column_stride, row_major: false })
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { row_major: !self.row_major, ..self }
    }

    /// Whether entries of a row are next to each other.
    pub(crate) fn is_row_major(&self) -> bool {
        self.row_major
    }

    /// Rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        if self.row_major { self.columns } else { self.rows }
    }

    /// Columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        if self.row_major { self.rows } else { self.columns }
    }

    /// Column `j` of the column-major matrix.
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
        let Self { data, rows, columns, column_stride, row_major } = self;
        let data = bytemuck::cast_slice_mut(data);
        MatrixMut { data, rows, columns, column_stride, row_major }
    }

    /// The same matrix, for a shorter time.
    pub fn reborrow(&mut self) -> MatrixMut<'_, W> {
        MatrixMut { data: self.data, ..*self }
    }

    /// The rows in `range`, of a column-major matrix.
    pub(crate) fn rows_in(&mut self, range: Range<usize>) -> MatrixMut<'_, W> {
        debug_assert!(!self.row_major && range.end <= self.rows, "rows of a column-major matrix");
        let skipped = if self.columns == 0 { 0 } else { range.start };
        MatrixMut { data: &mut self.data[skipped..], rows: range.len(), ..*self }
    }

    /// Reduces every entry modulo `2^bits`, for bits below w.
    pub(crate) fn reduce(&mut self, bits: u32) {
        let mask = W::truncate(u64::MAX >> (64 - bits));
        for j in 0..self.columns {
            self.column(j).iter_mut().for_each(|z| *z = z.and(mask));
        }
    }

    /// Sets every entry to zero.
    pub(crate) fn clear(&mut self) {
        for j in 0..self.columns {
            self.column(j).fill(W::default());
        }
    }
}

impl<W> fmt::Debug for MatrixMut<'_, W> {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) =
            if self.row_major { (self.columns, self.rows) } else { (self.rows, self.columns) };
        write!(f, "MatrixMut({rows} x {columns})")
    }
}
