//! [`RowNorm`]: the norm of some rows of every column.

use core::ops::Range;

use super::RowRange;
use crate::error::Error;
use crate::field::P;
use crate::params::sigma::gaussian_square_sum;

/// Most norms of a claim.
pub(in crate::argument) const MAX_NORMS: usize = 4;
/// Most bits of what a norm is smaller than its bound: 2^L must leave room below p for 4 B^2.
const MAX_SLACK_BITS: u32 = 60;

/// Consecutive rows of S and the norm of every column in them: the sum over these rows of s_i^2,
/// and over d < L of 2^d b_d, is beta^2, where b_d are bits in L rows of their own. So the squared
/// norm is at most beta^2, and at least beta^2 - 2^L + 1; with L = 0 it is beta^2.
///
/// [`Ranges::fill_slack`](crate::argument::Ranges::fill_slack) computes the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowNorm {
    /// The first row.
    #[doc(hidden)]
    pub first_row: u32,
    /// How many rows.
    #[doc(hidden)]
    pub rows: u32,
    /// beta^2, below p = 2^61 - 1.
    #[doc(hidden)]
    pub bound_squared: u64,
    /// The row of the lowest bit; the bit of 2^d is d rows further.
    #[doc(hidden)]
    pub first_bit: u32,
    /// L, at most 60.
    pub bits: u32,
}

impl RowNorm {
    /// Any norm up to a bound: L bits suffice for beta^2 itself.
    ///
    /// ```
    /// use tautochrone_zk::argument::RowNorm;
    ///
    /// let norm = RowNorm::at_most(0, 1024, 15_000, 1024);
    /// assert_eq!(norm.bits, 14);
    /// ```
    #[must_use]
    pub const fn at_most(first_row: u32, rows: u32, bound_squared: u64, first_bit: u32) -> Self {
        Self {
            first_row,
            rows,
            bound_squared,
            first_bit,
            bits: u64::BITS - bound_squared.leading_zeros(),
        }
    }

    /// The norm of discrete Gaussians of standard deviation `micros` / 10^6: a bound
    /// that a column of them exceeds with probability at most 2^-64, and that does not depend on
    /// them.
    ///
    /// Chernoff's bound for a sum of squares of normal variables holds for discrete Gaussians:
    /// E e^(t s^2) is the quotient of sum e^(-s^2 / (2 sigma'^2)), for 1 / sigma'^2 = 1 / sigma^2 -
    /// 2 t, and the same sum for sigma < sigma'. By Poisson summation it is sigma' / sigma, which
    /// is E e^(t x^2) of the normal variable, times (1 + 2 sum e^(-2 pi^2 sigma'^2 k^2)) / (1 + 2
    /// sum e^(-2 pi^2 sigma^2 k^2)) < 1.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the rows or the standard deviation are 0 or the bound is p or more.
    ///
    /// ```
    /// use tautochrone_zk::argument::RowNorm;
    ///
    /// // beta = 1.2 sigma sqrt(rows) or so.
    /// let norm = RowNorm::gaussian(0, 1024, 3_200_000, 1024)?;
    /// assert_eq!((norm.bound_squared, norm.bits), (15_476, 14));
    /// # Ok::<(), tautochrone_zk::Error>(())
    /// ```
    pub fn gaussian(first_row: u32, rows: u32, micros: u64, first_bit: u32) -> Result<Self, Error> {
        Error::unless(rows > 0, "rows of a norm", rows, "at least 1")?;
        let bound = gaussian_square_sum(rows, micros);
        let expected = "more than 0, and so small that beta^2 < 2^61 - 1";
        let holds = micros > 0 && bound < P as f64;
        Error::unless(holds, "standard deviation in millionths", micros, expected)?;
        Ok(Self::at_most(first_row, rows, bound as u64, first_bit))
    }

    /// The rows whose entries are squared.
    pub(super) const fn squared(&self) -> Range<u64> {
        self.first_row as u64..self.first_row as u64 + self.rows as u64
    }

    /// The rows of bits: of none, wherever the first one would be, none that a column might not
    /// have.
    pub(super) const fn slack(&self) -> Range<u64> {
        let first = if self.bits > 0 { self.first_bit as u64 } else { 0 };
        first..first + self.bits as u64
    }

    /// # Errors
    /// [`Error::Parameter`] if a number is out of range, or the bits are not all in one of `parts`
    /// that is of bits.
    pub(super) fn check(&self, parts: &[RowRange]) -> Result<(), Error> {
        Error::unless(self.rows > 0, "rows of a norm", self.rows, "at least 1")?;
        let expected = "below 2^61 - 1";
        let holds = self.bound_squared < P;
        Error::unless(holds, "bound on a squared norm", self.bound_squared, expected)?;
        Error::unless(self.bits <= MAX_SLACK_BITS, "bits of a norm", self.bits, "at most 60")?;
        let slack = self.slack();
        let holds = |part: &RowRange| {
            let rows = u64::from(part.first_row)..part.end();
            (part.low, part.high) == (0, 1) && rows.start <= slack.start && slack.end <= rows.end
        };
        if self.bits > 0 && !parts.iter().any(holds) {
            let expected = "rows of one of the ranges, and that of 0 and 1";
            return Err(Error::parameter("bits of a norm", self.first_bit, expected));
        }
        Ok(())
    }

    /// beta^2 less the sum of the squares of a column.
    ///
    /// # Constant time
    /// In the column.
    fn missing<T: Copy + Into<i64>>(&self, column: &[T]) -> i64 {
        let Range { start, end } = self.squared();
        let squares = column[start as usize..end as usize].iter().map(|&entry| {
            let entry: i64 = entry.into();
            entry * entry
        });
        // At most 2^20 entries of at most 2^20.
        self.bound_squared.cast_signed() - squares.sum::<i64>()
    }

    /// Whether the equation does not hold of a column.
    ///
    /// # Constant time
    /// In the column.
    pub(super) fn fails<T: Copy + Into<i64>>(&self, column: &[T]) -> bool {
        let Range { start, end } = self.slack();
        let mut slack = 0_i128;
        for (d, &bit) in column[start as usize..end as usize].iter().enumerate() {
            slack += i128::from(Into::<i64>::into(bit)) << d;
        }
        slack != i128::from(self.missing(column))
    }

    /// Writes the bits of a column. Whether there are none, as its norm is too large or too small.
    ///
    /// # Constant time
    /// In the column.
    pub(super) fn write(&self, column: &mut [i8]) -> bool {
        let missing = self.missing(column);
        let Range { start, end } = self.slack();
        for (d, bit) in column[start as usize..end as usize].iter_mut().enumerate() {
            *bit = (missing >> d & 1) as i8;
        }
        // Negative numbers stay negative.
        missing >> self.bits != 0
    }
}
