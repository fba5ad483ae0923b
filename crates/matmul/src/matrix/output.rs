//! [`MatrixMut`]: a view of a result.

use core::fmt;

use super::needed;
use crate::error::Error;
use crate::word::Word;

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
}

impl<W> fmt::Debug for MatrixMut<'_, W> {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MatrixMut({} x {})", self.rows, self.columns)
    }
}
