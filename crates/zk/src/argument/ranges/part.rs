//! [`RowRange`]: rows whose entries lie in a range.

use core::ops::Range;

use crate::polynomial::Product;

/// Consecutive rows of S and the range of their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRange {
    /// The first row.
    pub first_row: u32,
    /// How many rows.
    pub rows: u32,
    /// The least entry, at most 0.
    pub low: i32,
    /// The largest entry, at least 0.
    pub high: i32,
}

impl RowRange {
    /// The row behind the last one.
    pub(super) const fn end(&self) -> u64 {
        self.first_row as u64 + self.rows as u64
    }

    /// All of them.
    pub(crate) const fn all(&self) -> Range<u64> {
        self.first_row as u64..self.end()
    }

    /// prod of x - i over the integers i of the range, which is 0 exactly in it.
    pub(in crate::argument) const fn product(&self) -> Product {
        Product::new(self.low, self.high)
    }
}
