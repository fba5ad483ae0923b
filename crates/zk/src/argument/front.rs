//! [`Front`]: the first columns of T, which mask what proofs send and are never opened.

use crate::error::Error;
use crate::uses::sums::Sums;

/// Columns 0 to f - 1, or none where nothing is to be opened that may mask.
///
/// Message k of a sum-check is masked by gamma of column k, so whoever sees that column knows what
/// the message hid (docs/protocol.md, section 18). Verifiers have no part in this: it is the
/// prover's secrets alone that a front protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Front(pub(super) u64);

impl Front {
    pub(super) const NONE: Self = Self(0);

    /// Whether what a claim needs is closed. Without a front, [`PaddedSpace::open`] opens nothing.
    ///
    /// # Errors
    /// [`Error::Front`].
    ///
    /// [`PaddedSpace::open`]: super::PaddedSpace::open
    pub(super) const fn check(self, needed: u64) -> Result<(), Error> {
        if self.0 > 0 && self.0 < needed {
            return Err(Error::Front { needed, has: self.0 });
        }
        Ok(())
    }

    /// # Errors
    /// [`Error::ClosedColumn`].
    pub(super) fn check_open(self, column: u64) -> Result<(), Error> {
        if column < self.0 {
            return Err(Error::ClosedColumn { column, closed: 0..self.0 });
        }
        Ok(())
    }

    /// A sum shows all of its columns: s_1 + s_2 = 2 is two entries of 1.
    ///
    /// # Errors
    /// [`Error::ClosedColumn`] for the first column in front that the sum has.
    pub(super) fn check_sum(self, sums: &Sums, index: u64) -> Result<(), Error> {
        sums.terms_of(index).try_for_each(|column| self.check_open(column))
    }
}

/// The f with which `data` columns behind a front of f are closed enough: the least, as f grows with
/// all of the columns.
pub(super) fn least_front(data: u64, closed: impl Fn(u64) -> u64) -> u64 {
    let mut front = 0;
    loop {
        let needed = closed(data.saturating_add(front));
        if needed <= front {
            return front;
        }
        front = needed;
    }
}
