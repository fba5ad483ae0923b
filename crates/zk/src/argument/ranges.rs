//! [`Ranges`]: which rows of the messages lie in which ranges and have which norm, exactly, and how
//! that is proved.

pub(super) mod instance;
pub(super) mod level;
mod norms;
mod rounds;
pub(super) mod rows;
mod scales;
pub(super) mod schedule;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::declassify;

pub(in crate::argument) use norms::MAX_NORMS;
pub use norms::RowNorm;

use crate::eq;
use crate::error::{Error, WitnessProblem};
use crate::field::{ElementOf, Field};
use crate::polynomial::Product;

/// Most ranges of a claim.
pub(in crate::argument) const MAX_RANGES: usize = 8;
/// Most integers in a range.
pub(in crate::argument) const MAX_WIDTH: u32 = 25;
/// Rows of S end below this.
const MAX_ROWS: u64 = u32::MAX as u64;
/// The claim that all entries of some message rows lie in ranges, and that every column has a norm
/// in some: of the very vectors s'_j that the commitments are bound to, and over the integers.
///
/// ```
/// use tautochrone_zk::argument::{Ranges, RowRange};
///
/// // 1024 bits in every column.
/// let bits = RowRange { first_row: 0, rows: 1024, low: 0, high: 1 };
/// let ranges = Ranges::new(vec![bits])?;
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
///
/// Gaussian errors of standard deviation 3.2, which a range of 41 integers would hold with ten
/// times the messages, by their norm:
///
/// ```
/// use tautochrone_zk::argument::{Ranges, RowNorm, RowRange};
///
/// let norm = RowNorm::gaussian(0, 1024, 3_200_000, 1024)?;
/// let bits = RowRange { first_row: 1024, rows: norm.bits, low: 0, high: 1 };
/// let ranges = Ranges::with_norms(vec![bits], vec![norm])?;
/// // A column of errors, and the bits of what its norm is smaller than the bound.
/// let mut column = vec![3; 1024];
/// column.resize(1024 + norm.bits as usize, 0);
/// ranges.fill_slack(column.len(), &mut column)?;
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    parts: Vec<RowRange>,
    norms: Vec<RowNorm>,
    /// All rows of ranges and norms, in ascending order: the rows of the table.
    pub(super) rows: Vec<Range<u32>>,
}

impl Ranges {
    /// The claim of these ranges: at most 8, in ascending order, of different rows.
    /// Each has 0 in it, and 2 to 25 integers.
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are not so.
    pub fn new(parts: Vec<RowRange>) -> Result<Self, Error> {
        Self::with_norms(parts, Vec::new())
    }

    /// The same, and that the columns have norms: at most 4. There need not be ranges
    /// then, but the bits of every norm are rows of a range from 0 to 1, and of no other norm. The
    /// rows of a norm may have a range, too.
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are not so, or a number of a norm is out of range.
    pub fn with_norms(parts: Vec<RowRange>, norms: Vec<RowNorm>) -> Result<Self, Error> {
        if parts.is_empty() && norms.is_empty() || parts.len() > MAX_RANGES {
            return Err(Error::parameter("ranges", parts.len() as u64, "1 to 8 of them"));
        }
        let count = norms.len();
        Error::unless(count <= MAX_NORMS, "norms", count as u64, "at most 4 of them")?;
        let mut end = 0;
        for part in &parts {
            let expected = "rows that follow those of the range before, at least one";
            let holds = part.rows > 0 && u64::from(part.first_row) >= end;
            Error::unless(holds, "rows of a range", part.first_row, expected)?;
            end = part.end();
            check_integers(part.low, part.high)?;
        }
        let squared = norms.iter().map(RowNorm::squared);
        for (k, norm) in norms.iter().enumerate() {
            norm.check(&parts)?;
            let slack = norm.slack();
            let mut others = squared.clone().chain(norms[..k].iter().map(RowNorm::slack));
            let holds = !others.any(|rows| rows.start < slack.end && slack.start < rows.end);
            Error::unless(holds, "bits of a norm", norm.first_bit, "rows of their own")?;
        }
        let mut all: Vec<Range<u64>> = parts.iter().map(RowRange::all).chain(squared).collect();
        all.sort_unstable_by_key(|rows| rows.start);
        if let Some(end) = all.iter().map(|rows| rows.end).max().filter(|&end| end > MAX_ROWS) {
            return Err(Error::parameter("rows of a range", end, "a row of the messages"));
        }
        let mut rows: Vec<Range<u32>> = Vec::with_capacity(all.len());
        for Range { start, end } in all.into_iter().map(|rows| rows.start as u32..rows.end as u32) {
            match rows.last_mut().filter(|last| start <= last.end) {
                Some(last) => last.end = last.end.max(end),
                None => rows.push(start..end),
            }
        }
        Ok(Self { parts, norms, rows })
    }

    /// The ranges.
    #[doc(hidden)]
    #[must_use]
    pub fn parts(&self) -> &[RowRange] {
        &self.parts
    }

    /// The norms.
    #[doc(hidden)]
    #[must_use]
    pub fn norms(&self) -> &[RowNorm] {
        &self.norms
    }

    /// Writes the bits of all norms into messages of `rows` rows, column after column.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if a column has a norm that no bits are for; [`Error::Witness`] if
    /// the messages are not whole columns, or end before a row of the claim.
    ///
    /// # Constant time
    /// In the messages, but for whether there are such bits.
    pub fn fill_slack(&self, rows: usize, messages: &mut [i8]) -> Result<(), Error> {
        let end = self.rows.last().map_or(0, |rows| rows.end.into());
        let least = (rows as u64).max(end);
        let got = messages.len() as u64;
        if rows as u64 != least || !got.is_multiple_of(least) {
            return Err(Error::Witness(WitnessProblem::Messages {
                got,
                expected: got.next_multiple_of(least),
            }));
        }
        let mut without = false;
        for column in messages.chunks_exact_mut(rows) {
            for norm in &self.norms {
                without |= norm.write(column);
            }
        }
        if declassify(without) { Err(Error::FalseFact) } else { Ok(()) }
    }

    /// The largest number of integers in a range: the degree of its polynomial.
    pub(crate) fn degree(&self) -> usize {
        let of_norm = if self.norms.is_empty() { 0 } else { Product::SQUARE.degree() };
        self.parts.iter().map(|part| part.product().degree()).fold(of_norm, usize::max)
    }

    /// Whether an entry of a column is not in its range, or a norm is another one.
    ///
    /// # Constant time
    /// In the entries.
    #[inline(always)]
    pub(super) fn is_violated<T: Copy + Into<i32> + Into<i64>>(&self, column: &[T]) -> bool {
        let mut any = false;
        for part in &self.parts {
            for &entry in &column[part.first_row as usize..part.end() as usize] {
                let entry: i32 = entry.into();
                any |= (entry < part.low) | (entry > part.high);
            }
        }
        for norm in &self.norms {
            any |= norm.fails(column);
        }
        any
    }

    /// How many rows it speaks of.
    fn height(&self) -> usize {
        self.rows.iter().map(ExactSizeIterator::len).sum()
    }

    /// Which row of the table a row of the claim is.
    fn place(&self, row: u32) -> usize {
        let before = |rows: &Range<u32>| rows.end.min(row).saturating_sub(rows.start) as usize;
        self.rows.iter().map(before).sum()
    }

    /// The largest absolute value in a range.
    fn largest_in_range(&self) -> u64 {
        let largest = |part: &RowRange| part.low.unsigned_abs().max(part.high.unsigned_abs());
        self.parts.iter().map(largest).max().unwrap_or(0).into()
    }

    /// The largest absolute value of an entry if the claim holds.
    fn largest(&self) -> u64 {
        let of_norms = self.norms.iter().map(|norm| norm.bound_squared.isqrt());
        of_norms.fold(self.largest_in_range(), u64::max)
    }

    /// # Errors
    /// [`Error::Parameter`] if an extracted entry, of absolute value at most 2 B, may be congruent
    /// to an integer of a range without being in it: unless 2 B + |i| < p for all i of all ranges;
    /// or if the equation of a norm may hold modulo p alone: unless 4 B^2 + 2^L < p for its L bits.
    /// B^2 is given.
    #[expect(clippy::integer_division_remainder_used, reason = "parameters are public")]
    fn check_norm_bound(&self, norm_bound_squared: u128, p: u128) -> Result<(), Error> {
        let most = p - u128::from(self.largest_in_range());
        let squared = norm_bound_squared.checked_mul(4);
        let bits = norm_bound_squared.ilog2() / 2;
        // No number of 128 bits is larger than a square that has more.
        let reaches = |squared| most.checked_mul(most).is_some_and(|most| squared >= most);
        if squared.is_none_or(reaches) {
            let expected = "so small that 2 B + |i| < p for all i of the ranges";
            return Err(Error::parameter("log2 B", bits, expected));
        }
        for norm in &self.norms {
            let most = p - (1 << norm.bits);
            if squared.is_none_or(|squared| squared >= most) {
                let expected = "so small that 4 B^2 + 2^L < p for the bits of all norms";
                return Err(Error::parameter("log2 B", bits, expected));
            }
        }
        Ok(())
    }
}

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

    /// All of them.
    pub(crate) const fn all(&self) -> Range<u64> {
        self.first_row as u64..self.end()
    }

    /// prod of x - i over the integers i of the range, which is 0 exactly in it.
    pub(in crate::argument) const fn product(&self) -> Product {
        Product::new(self.low, self.high)
    }
}

/// # Errors
/// [`Error::Parameter`] unless 0 is among these integers, and they are 2 to 25.
pub(super) fn check_integers(low: i32, high: i32) -> Result<(), Error> {
    let width = i64::from(high) - i64::from(low) + 1;
    let holds = low <= 0 && high >= 0 && (2..=i64::from(MAX_WIDTH)).contains(&width);
    let expected = "0 among them, and 2 to 25 in all";
    Error::unless(holds, "integers of a range", width.unsigned_abs(), expected)
}

/// tau of the rows, and of the columns; eta.
type Challenges<'a, F> = (&'a [ElementOf<F>], &'a [ElementOf<F>], Option<ElementOf<F>>);

/// Numbers of a sum-check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Rows that the claim speaks of. Row `rows` of the table belongs to beta.
    pub(super) rows: usize,
    /// Columns.
    pub(super) columns: u64,
    /// Whether the claim speaks of norms, and eta is drawn.
    pub(super) has_norms: bool,
    /// e: messages of a round, one less than coefficients of its polynomial.
    pub(super) messages: usize,
    /// mu_1: rounds for the rows, the table having rows + 1.
    pub(super) row_rounds: usize,
    /// mu_2: rounds for the columns.
    pub(super) column_rounds: usize,
}

impl Shape {
    pub(super) fn new(ranges: &Ranges, columns: u64) -> Self {
        let rows = ranges.height();
        Self {
            rows,
            columns,
            has_norms: !ranges.norms.is_empty(),
            messages: ranges.degree() + 1,
            row_rounds: (rows + 1).next_power_of_two().ilog2() as usize,
            column_rounds: columns.checked_next_power_of_two().map_or(64, u64::ilog2) as usize,
        }
    }

    /// mu.
    pub(super) const fn rounds(&self) -> usize {
        self.row_rounds + self.column_rounds
    }

    /// e mu: messages of all rounds, each with a mask.
    pub(super) const fn all_messages(&self) -> usize {
        self.messages * self.rounds()
    }

    /// How many challenges come first: tau, and eta behind it, if there are norms.
    pub(super) const fn challenges(&self) -> usize {
        self.rounds() + self.has_norms as usize
    }

    /// tau of the rows, and of the columns; eta.
    fn split<'a, F: Field>(&self, challenges: &'a [ElementOf<F>]) -> Challenges<'a, F> {
        let (tau, eta) = challenges.split_at(self.rounds());
        let (rows, columns) = tau.split_at(self.row_rounds);
        (rows, columns, eta.first().copied())
    }
}
