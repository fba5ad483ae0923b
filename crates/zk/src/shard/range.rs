//! [`Shard`]: a range of the columns of S and T.
#![expect(clippy::integer_division_remainder_used, reason = "counts of columns are public")]

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Error, ShardProblem};
use crate::hash::Digest;
use crate::params::{BLOCK, GROUP, Params};

/// A range of blocks of columns; may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    first_block: u64,
    blocks: u64,
}

impl Shard {
    /// All columns.
    #[must_use]
    pub const fn whole(params: &Params) -> Self {
        Self { first_block: 0, blocks: params.blocks() }
    }

    /// Part `index` of `parts` parts that differ by at most one block.
    ///
    /// # Panics
    /// If `index >= parts`.
    #[must_use]
    pub fn even(params: &Params, index: u64, parts: u64) -> Self {
        assert!(index < parts, "part {index} of {parts}");
        let bound =
            |i: u64| (u128::from(params.blocks()) * u128::from(i) / u128::from(parts)) as u64;
        Self { first_block: bound(index), blocks: bound(index + 1) - bound(index) }
    }

    /// The shard of columns [`first`, `first + count`).
    ///
    /// # Errors
    /// [`Error::Shard`] if they are no whole blocks (the last one of all may be shorter), or lie
    /// beyond l.
    pub fn of_columns(params: &Params, first: u64, count: u64) -> Result<Self, Error> {
        let block = u64::from(BLOCK);
        let problem = || Error::Shard(ShardProblem::Range { first, count, l: params.l() });
        let end = first.checked_add(count).filter(|&end| end <= params.l());
        let end = end.ok_or_else(problem)?;
        let whole = first.is_multiple_of(block) && (end.is_multiple_of(block) || end == params.l());
        if !whole && count > 0 {
            return Err(problem());
        }
        Ok(Self { first_block: first / block, blocks: count.div_ceil(block) })
    }

    /// The indices of its blocks.
    #[must_use]
    pub const fn blocks(&self) -> Range<u64> {
        self.first_block..self.first_block + self.blocks
    }

    /// Its columns.
    #[must_use]
    pub fn columns(&self, params: &Params) -> Range<u64> {
        let at = |block: u64| (block * u64::from(BLOCK)).min(params.l());
        at(self.first_block)..at(self.first_block + self.blocks)
    }

    /// # Errors
    /// [`Error::Shard`] if there is not one hash for each of its blocks.
    pub(crate) fn check_hashes(&self, hashes: &[Digest]) -> Result<(), Error> {
        let (got, expected) = (hashes.len() as u64, self.blocks);
        if got == expected {
            Ok(())
        } else {
            Err(Error::Shard(ShardProblem::Hashes { got, expected }))
        }
    }

    /// The blocks of the shard from `first` on.
    pub(crate) fn starting_at(self, first: u64) -> Self {
        let Range { start, end } = self.blocks();
        let first = first.clamp(start, end);
        Self { first_block: first, blocks: end - first }
    }

    /// The blocks of the shard before `end`.
    pub(crate) fn ending_at(self, end: u64) -> Self {
        let Range { start, end: last } = self.blocks();
        Self { first_block: start, blocks: end.clamp(start, last) - start }
    }

    /// Groups of blocks that are read and multiplied together: (first block, columns).
    pub(crate) fn groups(self, params: &Params) -> impl Iterator<Item = (u64, usize)> + use<> {
        let end = self.columns(params).end;
        // A shard of longer parameters ends with the columns of these.
        let blocks = self.blocks().start..end.div_ceil(u64::from(BLOCK));
        blocks.step_by(GROUP as usize).map(move |first| {
            let start = first * u64::from(BLOCK);
            (first, (end - start).min(GROUP * u64::from(BLOCK)) as usize)
        })
    }
}

/// Checks that every column has exactly one owner. Shards may come in any order.
///
/// # Errors
/// [`Error::Shard`] with the first gap or overlap.
pub fn check_cover(params: &Params, shards: &[Shard]) -> Result<(), Error> {
    let shards_with_blocks = shards.iter().enumerate().filter(|(_, shard)| shard.blocks > 0);
    let mut order: Vec<_> = shards_with_blocks.map(|(i, shard)| (shard.first_block, i)).collect();
    order.sort_unstable();
    let (mut end, mut owner) = (0, None);
    for (_, i) in order {
        let columns = shards[i].columns(params);
        if columns.start > end {
            return Err(Error::Shard(ShardProblem::Gap { first: end, end: columns.start }));
        }
        if columns.start < end {
            let (one, other) = (owner.unwrap_or(i), i);
            let column = columns.start;
            return Err(Error::Shard(ShardProblem::Overlap { one, other, column }));
        }
        (end, owner) = (columns.end, Some(i));
    }
    if end < params.l() {
        return Err(Error::Shard(ShardProblem::Gap { first: end, end: params.l() }));
    }
    Ok(())
}
