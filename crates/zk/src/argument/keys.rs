//! [`KeyRanges`]: that all secrets and errors of a batch of LWE keys are small, exactly, and how
//! that is proved of keys that carry no pads.

mod claim;
mod dummies;
mod extended;
pub(crate) mod proof;
mod prover;
mod shard;

use alloc::vec::Vec;

pub use extended::ExactKeys;
pub use shard::{KeyArgument, KeyWorker};

use super::ranges::{Ranges, RowRange};
use crate::error::Error;
use crate::keys::KeyRanges;

/// The ranges of the v rows of S, the last r of which are errors; one where both are
/// the same.
fn ranges(claim: &KeyRanges, v: u32, r: u32) -> Result<Ranges, Error> {
    let part = |first_row, rows, bound: u32| RowRange {
        first_row,
        rows,
        low: -bound.cast_signed(),
        high: bound.cast_signed(),
    };
    let parts: Vec<RowRange> = if claim.secret_bound() == claim.error_bound() {
        vec![part(0, v, claim.secret_bound())]
    } else {
        vec![part(0, v - r, claim.secret_bound()), part(v - r, r, claim.error_bound())]
    };
    Ranges::new(parts)
}

#[cfg(test)]
mod tests;
