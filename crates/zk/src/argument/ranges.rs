//! [`Ranges`]: which rows of the messages lie in which ranges, exactly, and how that is proved.

pub(super) mod claim;
pub(super) mod columns;
pub(super) mod eq;
pub(super) mod level;
mod polynomial;
mod proof;
pub(super) mod prover;
mod rounds;
pub(super) mod rows;
mod shard;
mod slot;
mod verifier;

use alloc::vec::Vec;

pub use proof::RangeProof;
pub use prover::{ProvedRanges, RangeArgument};
pub use shard::{RangeCoordinator, RangeWorker};
pub use slot::RangeSlot;

use crate::error::Error;
use crate::params::Params;
use polynomial::Product;

use super::digits::DIGITS;
use super::field::P;

/// Most ranges of a claim.
pub const MAX_RANGES: usize = 8;
/// Most integers in a range.
pub const MAX_WIDTH: u32 = 17;
/// Rows of S that the pads of a claim take: kappa_j and gamma_j in K, beta_j in F.
pub const RANGE_PAD_ROWS: u32 = 7 * DIGITS as u32;
/// Columns beyond those whose pads mask messages, so that what is sent at the end is masked, too.
pub(super) const MORE_COLUMNS: u64 = 64;

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
    const fn end(&self) -> u64 {
        self.first_row as u64 + self.rows as u64
    }

    /// prod of x - i over the integers i of the range, which is 0 exactly in it.
    pub(super) const fn product(&self) -> Product {
        Product::new(self.low, self.high)
    }
}

/// The claim that all entries of some message rows lie in ranges: of the very vectors s'_j that
/// the commitments are bound to, and over the integers.
///
/// ```
/// use tautochrone_zk::argument::{Ranges, RowRange};
///
/// // 1024 bits in every column.
/// let bits = RowRange { first_row: 0, rows: 1024, low: 0, high: 1 };
/// let ranges = Ranges::new(vec![bits])?;
/// assert_eq!(ranges.least_columns(1), 118);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    parts: Vec<RowRange>,
}

impl Ranges {
    /// The claim of these ranges: at most [`MAX_RANGES`], in ascending order, of different rows.
    /// Each has 0 in it, and 2 to [`MAX_WIDTH`] integers.
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are not so.
    pub fn new(parts: Vec<RowRange>) -> Result<Self, Error> {
        if parts.is_empty() || parts.len() > MAX_RANGES {
            return Err(Error::parameter("ranges", parts.len() as u64, "1 to 8 of them"));
        }
        let mut end = 0;
        for part in &parts {
            if part.rows == 0 || u64::from(part.first_row) < end {
                let expected = "rows that follow those of the range before, at least one";
                return Err(Error::parameter("rows of a range", part.first_row, expected));
            }
            end = part.end();
            let width = i64::from(part.high) - i64::from(part.low) + 1;
            if part.low > 0 || part.high < 0 || !(2..=i64::from(MAX_WIDTH)).contains(&width) {
                let expected = "0 among them, and 2 to 17 in all";
                return Err(Error::parameter(
                    "integers of a range",
                    width.unsigned_abs(),
                    expected,
                ));
            }
        }
        if end > u64::from(u32::MAX) {
            return Err(Error::parameter("rows of a range", end, "a row of the messages"));
        }
        Ok(Self { parts })
    }

    /// The ranges.
    #[must_use]
    pub fn parts(&self) -> &[RowRange] {
        &self.parts
    }

    /// The least number of columns from `l` on for which such a claim can be proved: what is sent
    /// in the e = [`Self::degree`] + 1 messages of each of the mu rounds is masked by pads of as
    /// many columns, and 64 more mask the rest. Statements with fewer take dummy columns.
    #[must_use]
    pub fn least_columns(&self, l: u64) -> u64 {
        // e mu + 64 is at most 18 (32 + 64) + 64.
        (l..l.max(1 << 11)).find(|&l| Shape::new(self, l).has_columns()).unwrap_or(l.max(1 << 11))
    }

    /// The largest number of integers in a range: the degree of its polynomial.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.parts.iter().map(|part| part.product().degree()).max().unwrap_or(0)
    }

    /// The row behind the last of those that the claim speaks of.
    pub(super) fn end(&self) -> u64 {
        self.parts.last().map_or(0, RowRange::end)
    }

    /// The largest absolute value in a range.
    fn largest(&self) -> u64 {
        let largest = |part: &RowRange| part.low.unsigned_abs().max(part.high.unsigned_abs());
        self.parts.iter().map(largest).max().unwrap_or(0).into()
    }

    /// # Errors
    /// [`Error::Parameter`] if l columns have too few pads, or if an extracted entry, of absolute
    /// value at most 2 B, may be that of a range modulo p without being in it: unless 2 B + |i| <
    /// p for all i of all ranges.
    fn check(&self, params: &Params) -> Result<(), Error> {
        let shape = Shape::new(self, params.l());
        if !shape.has_columns() {
            let expected = "so many that e mu + 64 have pads: see Ranges::least_columns";
            return Err(Error::parameter("l", params.l(), expected));
        }
        let most = u128::from(P - self.largest());
        let squared = params.norm_bound_squared().checked_mul(4);
        if squared.is_none_or(|squared| squared >= most * most) {
            let expected = "so small that 2 B + |i| < 2^61 - 1 for all i of the ranges";
            let bits = params.norm_bound_squared().ilog2() / 2;
            return Err(Error::parameter("log2 B", bits, expected));
        }
        Ok(())
    }
}

/// Numbers of a sum-check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Rows that the claim speaks of. Row `rows` of the table is that of beta.
    pub(super) rows: usize,
    /// Columns.
    pub(super) columns: u64,
    /// e: messages of a round, one less than coefficients of its polynomial.
    pub(super) messages: usize,
    /// mu_1: rounds for the rows, the table having rows + 1.
    pub(super) row_rounds: usize,
    /// mu_2: rounds for the columns.
    pub(super) column_rounds: usize,
}

impl Shape {
    pub(super) fn new(ranges: &Ranges, columns: u64) -> Self {
        let rows = ranges.parts.iter().map(|part| part.rows as usize).sum::<usize>();
        Self {
            rows,
            columns,
            messages: ranges.degree() + 1,
            row_rounds: (rows + 1).next_power_of_two().ilog2() as usize,
            column_rounds: columns.checked_next_power_of_two().map_or(64, u64::ilog2) as usize,
        }
    }

    /// mu.
    pub(super) const fn rounds(&self) -> usize {
        self.row_rounds + self.column_rounds
    }

    /// e mu: messages of all rounds, each masked by gamma of a column.
    pub(super) const fn all_messages(&self) -> usize {
        self.messages * self.rounds()
    }

    const fn has_columns(&self) -> bool {
        self.columns >= self.all_messages() as u64 + MORE_COLUMNS
    }
}

#[cfg(test)]
mod tests;
