//! [`Fact`]: what is claimed about the entries of S, and the one equation that it comes down to.

use alloc::vec::Vec;

use super::layout::Layout;
use super::linear::{Definition, Instance, LinearClaim, Sent, Turn};
use super::request::Columns;
use crate::error::Error;
use crate::field::{ElementOf, Field, HALF_P};
use crate::opening::transcript::Transcript;
use crate::params::Params;

/// A linear fact about message rows of a committed S, modulo p = 2^61 - 1, or 2^127 - 1 in a
/// [layout](Layout::of_large_integers) over that.
///
/// A valid proof shows it of the very vectors s'_j that the commitments are bound to (`A s'_j =
/// t_j`, `||s'_j|| <= 2 B`), and so of every opening that is ever shown. Integers enter modulo p;
/// [`Self::holds_over_the_integers`] says whether that is no restriction.
///
/// The same fact written in another way (multiplied by a constant, split, as a sum and as a block)
/// is another fact, and needs another [slot](super::Slot) of pads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sum { rows: Vec<(u32, i64)>, columns: Vec<(u64, i64)>, value: i64 },
    Block { row: u32, column: u64, height: u32, values: Vec<i64> },
}

fn reduced(name: &'static str, number: i64) -> Result<(), Error> {
    let (got, expected) =
        (number.unsigned_abs(), "at most (p - 1) / 2 = 2^60 - 1 in absolute value");
    Error::unless(got <= HALF_P.unsigned_abs(), name, got, expected)
}

/// That weights have a place each, in order, and that none is 0.
fn check_weights<T: Copy + Ord + Into<u64>>(
    name: &'static str,
    weights: &[(T, i64)],
) -> Result<(), Error> {
    let expected = "at least one, in ascending order, with weights other than 0";
    let wrong = |got: u64| Error::parameter(name, got, expected);
    if weights.is_empty() {
        return Err(wrong(0));
    }
    for pair in weights.windows(2) {
        if pair[0].0 >= pair[1].0 {
            return Err(wrong(pair[1].0.into()));
        }
    }
    for &(place, weight) in weights {
        if weight == 0 {
            return Err(wrong(place.into()));
        }
        reduced(name, weight)?;
    }
    Ok(())
}

impl Fact {
    /// sum over i and j of lambda_i g_j s_ij = `value` modulo p, with weights lambda_i of some
    /// `rows` and g_j of some `columns`: places in ascending order, each with a weight other than
    /// 0.
    ///
    /// ```
    /// use tautochrone_zk::argument::Fact;
    ///
    /// // Numbers of 8 bits in rows 0 to 7 of columns 0 to 99 add up to 2550.
    /// let bits: Vec<(u32, i64)> = (0..8).map(|i| (i, 1 << i)).collect();
    /// let all: Vec<(u64, i64)> = (0..100).map(|j| (j, 1)).collect();
    /// let fact = Fact::sum(bits, all, 2550)?;
    /// # Ok::<(), tautochrone_zk::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no row or no column, if they are not in order, if a weight
    /// is 0, or if a number exceeds (p - 1) / 2 in absolute value.
    pub fn sum(rows: Vec<(u32, i64)>, columns: Vec<(u64, i64)>, value: i64) -> Result<Self, Error> {
        check_weights("rows of a sum", &rows)?;
        check_weights("columns of a sum", &columns)?;
        reduced("value of a sum", value)?;
        Ok(Self { kind: Kind::Sum { rows, columns, value } })
    }

    /// The entries of a block: s_(row + i, column + j) = `values`\[`height` j + i\] for all i below
    /// `height` and as many j as the values fill.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no value, if the last column is not full, or if a number
    /// exceeds (p - 1) / 2 in absolute value.
    pub fn block(row: u32, column: u64, height: u32, values: Vec<i64>) -> Result<Self, Error> {
        let count = values.len() as u64;
        let expected = "a positive multiple of the height of the block";
        let holds = count > 0 && count.is_multiple_of(height.into());
        Error::unless(holds, "values of a block", count, expected)?;
        for &value in &values {
            reduced("value of a block", value)?;
        }
        Ok(Self { kind: Kind::Block { row, column, height, values } })
    }

    /// Whether a valid proof shows the fact over the integers: whether what is extracted, with
    /// entries of absolute value at most 2 B, is so short that both sides are equal if they are
    /// modulo p. It speaks of places that are entries; of elements of F a fact holds in F.
    ///
    /// For a sum: (sum of all |g_j|) `||lambda||` 2 B + |value| < p, as `||s'_j|| <= 2 B`. For a
    /// block: 2 B + |value| < p for each of its values. p is the layout's.
    #[must_use]
    pub fn holds_over_the_integers(&self, params: &Params, layout: &Layout) -> bool {
        self.is_below(layout.p(), params).unwrap_or(false)
    }

    /// Whether both sides are, or nothing where a number does not fit.
    fn is_below(&self, p: u128, params: &Params) -> Option<bool> {
        let (squared_weight, sum, value) = match &self.kind {
            Kind::Sum { rows, columns, value } => {
                let squares = rows.iter().map(|&(_, weight)| square(weight.unsigned_abs().into()));
                let sum = columns.iter().map(|&(_, g)| Some(u128::from(g.unsigned_abs())));
                (total(squares)?, total(sum)?, value.unsigned_abs())
            }
            Kind::Block { values, .. } => {
                let largest = values.iter().map(|value| value.unsigned_abs()).max();
                (1, 1, largest.unwrap_or(0))
            }
        };
        let squared_norm = params.message_norm_bound_squared().checked_mul(4)?;
        let most = p - u128::from(value);
        let squared = square(sum).and_then(|sum| squared_weight.checked_mul(sum));
        if let Some(squared) = squared.and_then(|x| x.checked_mul(squared_norm)) {
            return Some(square(most).is_none_or(|most| squared < most));
        }
        // Not squared, with roots rounded up.
        let [weight, norm] = [squared_weight, squared_norm].map(|x| x.isqrt() + 1);
        Some(weight.checked_mul(sum)?.checked_mul(norm)? < most)
    }

    /// The row and the column behind the last.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn end(&self) -> (u64, u64) {
        match &self.kind {
            Kind::Sum { rows, columns, .. } => {
                let row = rows.last().map_or(0, |&(row, _)| u64::from(row) + 1);
                (row, columns.last().map_or(0, |&(column, _)| column.saturating_add(1)))
            }
            Kind::Block { row, column, height, values } => {
                let width = values.len() as u64 / u64::from(*height);
                (u64::from(*row) + u64::from(*height), column.saturating_add(width))
            }
        }
    }
}

/// The equation, without the weights of a sum and the entries of a block.
impl core::fmt::Display for Fact {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match &self.kind {
            Kind::Sum { rows, columns, value } => {
                let (rows, columns) = (rows.len(), columns.len());
                write!(f, "a weighted sum over {rows} rows and {columns} columns is {value}")
            }
            Kind::Block { row, column, height, .. } => {
                let width = self.end().1.saturating_sub(*column);
                write!(
                    f,
                    "the {height} x {width} entries from row {row} and column {column} on are as \
                     stated"
                )
            }
        }
    }
}

impl Definition for Fact {
    fn end(&self, _: &Layout) -> (u64, u64) {
        self.end()
    }

    /// A fact is one modulo p: [`Fact::holds_over_the_integers`].
    fn check(&self, _: &Params, _: &Layout) -> Result<(), Error> {
        Ok(())
    }

    fn sent(&self, _: &Layout) -> usize {
        0
    }
}

impl<F: Field> Instance<F> for Fact {
    /// Nothing: a fact is linear.
    fn argue(&self, _: Turn<'_, F>) -> Result<Vec<ElementOf<F>>, Error> {
        Ok(Vec::new())
    }

    /// The equation: a sum's, or one that holds for a block of other entries with probability
    /// below (rows + columns) / |K| over two challenges x and y, with lambda_i = x^i and g_j = y^j.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn replay(&self, transcript: &mut Transcript, _: Sent<'_, F>) -> Vec<LinearClaim<'_, F>> {
        let (rows, columns, value) = match &self.kind {
            Kind::Sum { rows, columns, value } => (
                rows.iter().map(|&(row, weight)| (row, weight.into())).collect(),
                columns.iter().map(|&(column, weight)| (column, weight.into())).collect(),
                (*value).into(),
            ),
            Kind::Block { row, column, height, values } => {
                let [x, y] = ["rows", "columns"].map(|label| transcript.challenge(label));
                let width = values.len() as u64 / u64::from(*height);
                let rows: Vec<_> = (*row..).zip(powers(x).take(*height as usize)).collect();
                let columns: Vec<_> = (*column..).zip(powers(y).take(width as usize)).collect();
                let mut value = ElementOf::ZERO;
                for (&(_, g), values) in columns.iter().zip(values.chunks_exact(rows.len())) {
                    let mut sum = ElementOf::ZERO;
                    for (&(_, lambda), &entry) in rows.iter().zip(values) {
                        sum += lambda * entry.into();
                    }
                    value += g * sum;
                }
                (rows, columns, value)
            }
        };
        let products = alloc::vec![(rows, Columns::Some(columns))];
        [LinearClaim { value, products, others: None, masks: Vec::new() }].into()
    }
}

fn square(x: u128) -> Option<u128> {
    x.checked_mul(x)
}

fn total(mut numbers: impl Iterator<Item = Option<u128>>) -> Option<u128> {
    numbers.try_fold(0_u128, |sum, number| sum.checked_add(number?))
}

/// 1, x, x^2, ..
fn powers<F: Field>(x: ElementOf<F>) -> impl Iterator<Item = ElementOf<F>> {
    core::iter::successors(Some(ElementOf::from(1)), move |&power| Some(power * x))
}

#[cfg(test)]
mod tests;
