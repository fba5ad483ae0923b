//! [`Facts`]: several facts about one T in one proof.

mod claim;
mod proof;
mod prover;
mod slot;
#[cfg(test)]
mod tests;
mod verifier;

use alloc::vec::Vec;

pub use proof::FactsProof;
pub use prover::ProvedFacts;
pub use slot::BatchSlot;

use super::fact::Fact;
use super::front::least_front;
use crate::error::Error;

/// Most facts of one proof.
pub const MAX_FACTS: usize = 256;

/// The claim that several [`Fact`]s hold, about any rows and columns of the messages, proved as
/// one: the proof is as long for many as for two, and takes three slots of pads.
///
/// A valid proof shows each of them, as one of it alone would. The same facts in another order are
/// another claim, and need other pads.
///
/// ```
/// use tautochrone_zk::argument::{Fact, Facts};
///
/// // The first two entries of column 3, and what the numbers in all columns add up to.
/// let all = (0..100).map(|j| (j, 1)).collect();
/// let facts = vec![Fact::block(0, 3, 2, vec![1, 0])?, Fact::sum(vec![(0, 1), (1, 2)], all, 77)?];
/// let facts = Facts::new(facts)?;
/// assert_eq!(facts.least_columns(1), 13);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    facts: Vec<Fact>,
}

impl Facts {
    /// These, in this order: at least one, and at most [`MAX_FACTS`].
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are more or fewer.
    pub fn new(facts: Vec<Fact>) -> Result<Self, Error> {
        if facts.is_empty() || facts.len() > MAX_FACTS {
            return Err(Error::parameter("facts", facts.len() as u64, "1 to 256 of them"));
        }
        Ok(Self { facts })
    }

    /// The facts.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The least number of columns from `l` on for which they can be proved: what is sent in the
    /// two messages of each of the mu rounds is masked by pads of as many columns, and those of one
    /// more mask the rest.
    #[must_use]
    pub fn least_columns(&self, l: u64) -> u64 {
        // 2 mu is at most 2 (32 + 64).
        (l..l.max(1 << 8)).find(|&l| Shape::new(self, l).has_columns()).unwrap_or(l.max(1 << 8))
    }

    /// 2 mu + 1: so many columns, the first ones, are never opened where several facts are proved of
    /// `l` columns in all ([`PaddedSpace::with_front`](super::PaddedSpace::with_front)). A fact
    /// alone needs none.
    #[must_use]
    pub fn closed(&self, l: u64) -> u64 {
        Shape::new(self, l).messages() as u64 + 1
    }

    /// The least front behind which there are `data` columns: [`Self::closed`] of all.
    #[must_use]
    pub fn front_for(&self, data: u64) -> u64 {
        least_front(data, |l| self.closed(l))
    }

    /// The row and the column behind the last of those that the facts speak of.
    fn end(&self) -> (u64, u64) {
        let ends = self.facts.iter().map(Fact::end);
        ends.fold((0, 0), |(rows, columns), (row, column)| (rows.max(row), columns.max(column)))
    }
}

/// Numbers of a sum-check.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Rows of the table: those up to the last one that a fact speaks of. Behind them is that of
    /// beta.
    rows: usize,
    /// Columns.
    columns: u64,
    /// mu_1: rounds for the rows, the table having rows + 1.
    row_rounds: usize,
    /// mu_2: rounds for the columns.
    column_rounds: usize,
}

impl Shape {
    /// Messages of a round: the coefficients of 1 and X^2.
    const MESSAGES: usize = 2;

    fn new(facts: &Facts, columns: u64) -> Self {
        let (rows, _) = facts.end();
        Self {
            // A row is below 2^32, and a block has as many.
            rows: rows as usize,
            columns,
            row_rounds: (rows + 1).next_power_of_two().ilog2() as usize,
            column_rounds: columns.checked_next_power_of_two().map_or(64, u64::ilog2) as usize,
        }
    }

    /// 2 mu: messages of all rounds, each masked by gamma of a column.
    const fn messages(&self) -> usize {
        Self::MESSAGES * (self.row_rounds + self.column_rounds)
    }

    const fn has_columns(&self) -> bool {
        self.columns > self.messages() as u64
    }
}
