//! The protocol in column shards, for provers and verifiers of which every machine holds a range of the columns.
//!
//! A *coordinator* and any number of *workers*, connected by whatever the caller likes; every file that comes out is, byte
//! for byte, that of [`PublicMatrix::commit`](crate::PublicMatrix::commit) and, where proofs are
//! [reproducible](Coordinator::reproducible), of [`Prover::prove`](crate::Prover::prove) with the same seed.
//!
//! | step | each worker, for its [`Shard`] | the coordinator |
//! |---|---|---|
//! | commit | [`commit`]: blocks of T = A S into a [`BlockSink`], hashes of the blocks of T and S | [`statement`] from all hashes |
//! | attempt | [`ShardWitness::multiply`]: its part of M = S C | [`Coordinator::begin`]: Y, W, challenge hash; [`Attempt::finish`] with the sum of the parts |
//! | verify | [`hash_blocks`], [`multiply_tc`]: its part of T C | [`Check::begin`], [`Check::finish`] with the sum |
//!
//! **What is secret.** The shard of S; the hashes of its blocks; the parts of M and their sum; the seed. They must travel
//! over private links only. T, its hashes, the digest, challenge hashes and T C are public.
//!
//! Shards are ranges of whole blocks of [`BLOCK`] columns, because a block is what is hashed; only the last block of all
//! may be shorter. Binary challenges need a norm of the whole S and are not offered in shards.

mod prove;
mod verify;
mod witness;

pub use crate::error::ShardProblem;
pub use crate::words::ModQ;
pub use prove::{Attempt, BlockSink, Coordinator, Hashes, ShardWitness, commit};
pub use verify::{Check, hash_blocks, multiply_tc};
pub use witness::{SHARD_HEADER_LEN, WitnessShard, shard_header};

use crate::error::Error;
use crate::format::STATEMENT_HEADER_LEN;
use crate::hash::Digest;
use crate::params::{BLOCK, GROUP, Params, Security};
use crate::source::ReadAt;
use crate::statement::{self as file, Statement};
use crate::suite::HashSuite;

/// A range of blocks of columns; may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    first_block: u64,
    blocks: u64,
}

impl Shard {
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
    /// [`Error::Shard`] if they are no whole blocks (the last one of all may be shorter), or lie beyond l.
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
    pub const fn blocks(&self) -> core::ops::Range<u64> {
        self.first_block..self.first_block + self.blocks
    }

    /// Its columns.
    #[must_use]
    pub fn columns(&self, params: &Params) -> core::ops::Range<u64> {
        let at = |block: u64| (block * u64::from(BLOCK)).min(params.l());
        at(self.first_block)..at(self.first_block + self.blocks)
    }

    /// Groups of blocks that are read and multiplied together: (first block, columns).
    fn groups(self, params: &Params) -> impl Iterator<Item = (u64, usize)> + use<> {
        let end = self.columns(params).end;
        self.blocks().step_by(GROUP as usize).map(move |first| {
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
    let mut order: Vec<usize> = (0..shards.len()).filter(|&i| shards[i].blocks > 0).collect();
    order.sort_by_key(|&i| shards[i].first_block);
    let (mut end, mut owner) = (0, None);
    for i in order {
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

/// The header of the statement file; the blocks of T follow, block i at [`block_offset`].
#[must_use]
pub fn statement_header(params: &Params, seed_a: &[u8; 32]) -> [u8; STATEMENT_HEADER_LEN] {
    params.header(*seed_a).to_bytes()
}

/// Where block `index` of T begins in a statement file.
#[must_use]
pub fn block_offset(params: &Params, index: u64) -> u64 {
    let column = u64::from(params.r()) * u64::from(params.w() / 8);
    STATEMENT_HEADER_LEN as u64 + index * u64::from(BLOCK) * column
}

/// Bytes of block `index` of T.
#[must_use]
pub fn block_bytes(params: &Params, index: u64) -> usize {
    file::block_bytes(params, index)
}

/// The parameters and the seed of A of a statement file, whose size is checked but whose T is not read.
///
/// # Errors
/// As [`Statement::read`].
pub fn read_header(
    statement: &dyn ReadAt,
    security: Security,
) -> Result<(Params, [u8; 32]), Error> {
    file::read_header(statement, security)
}

/// The statement of which the workers hashed the blocks.
///
/// # Errors
/// [`Error::Shard`] if there is not one hash a block.
pub fn statement(
    params: &Params,
    seed_a: [u8; 32],
    hashes: Vec<Digest>,
) -> Result<Statement, Error> {
    check_hashes(params, &hashes)?;
    Ok(Statement::new(params.clone(), seed_a, hashes))
}

fn check_hashes(params: &Params, hashes: &[Digest]) -> Result<(), Error> {
    let (got, expected) = (hashes.len() as u64, params.blocks());
    if got == expected { Ok(()) } else { Err(Error::Shard(ShardProblem::Hashes { got, expected })) }
}

/// A digest that travelled as bytes; `None` if they are not as many as the suite's digests have.
#[must_use]
pub fn digest_from_bytes(suite: HashSuite, bytes: &[u8]) -> Option<Digest> {
    (bytes.len() == suite.digest_len()).then(|| Digest::from_slice(bytes))
}

#[cfg(test)]
mod tests;
