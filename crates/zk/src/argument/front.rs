//! [`Front`]: the first columns of T, which mask what proofs send and are never opened.

use crate::error::Error;

/// Columns 0 to f - 1, or none where nothing is to be opened that may mask.
///
/// Message k of a sum-check is masked by gamma of column k, so whoever sees that column knows what
/// the message hid (docs/protocol.md, section 16). Verifiers have no part in this: it is the
/// prover's secrets alone that a front protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Front(pub(super) u64);

impl Front {
    /// # Errors
    /// [`Error::ClosedColumn`].
    pub(super) fn check_open(self, column: u64) -> Result<(), Error> {
        if column < self.0 {
            return Err(Error::ClosedColumn { column, closed: 0..self.0 });
        }
        Ok(())
    }
}
