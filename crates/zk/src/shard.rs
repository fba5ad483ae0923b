//! The protocol in column shards, for provers and verifiers that are spread over machines with a
//! range of the columns each.
//!
//! A *coordinator* and any number of *workers*, connected by any means; every file that comes out
//! is, byte for byte, the file of [`PublicMatrix::commit`](crate::PublicMatrix::commit) and, where
//! proofs are [reproducible](crate::Prover::reproducible), of
//! [`Prover::prove`](crate::Prover::prove) with the same seed.
//!
//! | step | each worker, for its [`Shard`] | the coordinator |
//! |---|---|---|
//! | commit | [`commit`]: blocks of T = A S into a [`BlockSink`], hashes of the blocks of T and S | [`statement`] from all hashes |
//! | attempt | [`ShardWitness::multiply`]: its part of M = S C | [`Coordinator::begin`]: Y, W, challenge hash; [`Attempt::finish`] with the sum of the parts |
//! | accepted | [`multiply_tc`]: its part of T C, where T is rounded | [`Response::into_proof`] with the sum |
//! | verify | [`hash_blocks`], [`multiply_tc`]: its part of T C | [`Check::begin`], [`Check::finish`] with the sum |
//!
//! Claims are proved in shards by an [`ArgumentWorker`](crate::argument::ArgumentWorker) for each
//! shard, whose answers one [`Argument`](crate::argument::Argument) is made from before the
//! attempts; keys by a [`KeyWorker`](crate::argument::KeyWorker) and a
//! [`KeyArgument`](crate::argument::KeyArgument).
//!
//! **What is secret.** The shard of S; its [`WitnessDigest`]; the parts of M and their sum; the
//! seed. They must travel over private links only. T, its hashes, the digest, challenge hashes and
//! T C are public.
//!
//! **Where columns mask what arguments send**, those in front of the messages of a
//! [`Layout`](crate::argument::Layout), they are the coordinator's: a worker knows its columns as
//! if they had been opened, and the coordinator sees what is sent without masks anyway. It is a
//! worker of block 0, too, and of further blocks as long as such columns reach into them.
//!
//! Shards are ranges of whole blocks of 256 columns, because each block is hashed; only
//! the last block of all may be shorter. Binary challenges need a norm of the whole S and are not
//! offered in shards.

pub(crate) mod range;
pub(crate) mod worker;

use alloc::vec::Vec;

pub use crate::blocks::{block_bytes, block_offset, hash_blocks};
pub use crate::check::Check;
pub use crate::commit::{BlockSink, Hashes, commit};
pub use crate::error::ShardProblem;
pub use crate::product::multiply_tc;
pub use crate::prover::{Attempt, Coordinator, Response};
pub use crate::statement::read_header;
pub use crate::suite::HashSuite;
pub use crate::witness::digest::WitnessDigest;
pub use crate::witness::file::{SHARD_HEADER_LEN, shard_header};
pub use crate::words::ModQ;
pub use range::{Shard, check_cover};
pub use worker::ShardWitness;

use crate::error::Error;
use crate::hash::Digest;
use crate::matrix_id::MatrixId;
use crate::params::Params;
use crate::statement::Statement;

/// The header of the statement file; the blocks of T follow, block i at [`block_offset`].
#[must_use]
pub fn statement_header(params: &Params, matrix_id: &MatrixId) -> Vec<u8> {
    params.header(matrix_id)
}

/// The statement whose blocks the workers hashed. Arguments about it need to know whose it is:
/// [`Statement::owned_by`] with the workers' hashes of S.
///
/// # Errors
/// [`Error::Shard`] if there is not one hash a block.
pub fn statement(
    params: &Params,
    matrix_id: MatrixId,
    hashes: Vec<Digest>,
) -> Result<Statement, Error> {
    Shard::whole(params).check_hashes(&hashes)?;
    Ok(Statement::new(params.clone(), matrix_id, hashes))
}

/// A digest that travelled as bytes; `None` if they are not as many as the suite's digests have.
#[must_use]
pub fn digest_from_bytes(suite: HashSuite, bytes: &[u8]) -> Option<Digest> {
    (bytes.len() == suite.digest_len()).then(|| Digest::from_slice(bytes))
}

#[cfg(test)]
mod tests;
