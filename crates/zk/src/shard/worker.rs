//! [`ShardWitness`]: a shard of S between the attempts of a proof.

use alloc::vec::Vec;
use core::convert::Infallible;

use tautochrone_matmul::Workspace;
use zeroize::Zeroizing;

use super::range::Shard;
use crate::challenge::ChallengeMatrix;
use crate::entry::{WitnessEntry, with_entry};
use crate::erase::debug_fields;
use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::PublicMatrix;
use crate::parallel;
use crate::params::BLOCK;
use crate::products::PackedBlock;
use crate::witness::WitnessSource;
use crate::witness::columns::{for_column_groups, for_unchecked_groups};
use crate::witness::digest::WitnessDigest;

/// A worker's shard of S, ready for any number of attempts: packed once as far as memory allows,
/// the rest read again for every attempt.
pub struct ShardWitness<'a> {
    matrix: &'a PublicMatrix,
    source: &'a dyn WitnessSource,
    shard: Shard,
    packed: PackedColumns<'a>,
    /// Memory of the products, from attempt to attempt.
    workspace: Workspace,
}

debug_fields!("ShardWitness", ShardWitness<'_>; shard);

impl<'a> ShardWitness<'a> {
    /// Stores less than `capacity` bytes of packed S in memory from the first attempt on.
    pub fn new(
        matrix: &'a PublicMatrix,
        source: &'a dyn WitnessSource,
        shard: Shard,
        capacity: u64,
    ) -> Self {
        let (packed, workspace) = (PackedColumns::new(matrix, capacity), Workspace::new());
        Self { matrix, source, shard, packed, workspace }
    }

    /// The same, packed before the first attempt, while the blocks of S are hashed: a witness that
    /// fits is read only once.
    ///
    /// # Errors
    /// [`Error::Witness`]; [`Error::Device`]; errors of reading the witness.
    pub(crate) fn hashed(
        matrix: &'a PublicMatrix,
        source: &'a dyn WitnessSource,
        shard: Shard,
        capacity: u64,
    ) -> Result<(Self, WitnessDigest), Error> {
        let first = (PackedColumns::new(matrix, capacity), WitnessDigest::default());
        Self::hashed_behind(first, source, shard)
    }

    /// The same where the first columns of the shard have been read.
    ///
    /// # Errors
    /// As [`Self::hashed`].
    pub(crate) fn hashed_behind(
        (packed, first): (PackedColumns<'a>, WitnessDigest),
        source: &'a dyn WitnessSource,
        shard: Shard,
    ) -> Result<(Self, WitnessDigest), Error> {
        let (matrix, workspace) = (packed.matrix, Workspace::new());
        let mut witness = Self { matrix, source, shard, packed, workspace };
        let mut digest = WitnessDigest::with_capacity(shard.blocks().count());
        digest.join(&first);
        with_entry!(matrix.params, T => witness.hash::<T>(&mut digest))?;
        Ok((witness, digest))
    }

    /// Hashes what follows the blocks of the digest, and packs it as far as it may be stored.
    fn hash<T: WitnessEntry>(&mut self, digest: &mut WitnessDigest) -> Result<(), Error> {
        let (matrix, stored) = (self.matrix, &mut self.packed);
        let read = digest.hashes().len() as u64;
        let unread = self.shard.starting_at(self.shard.blocks().start + read);
        let params = (&matrix.params, matrix.params.bounds_squares());
        for_unchecked_groups(&matrix.params, self.source, unread, &mut |first, columns: &[T]| {
            let (wanted, by_block) = (stored.capacity > 0, packs_blocks(matrix));
            let block = |block: &[T]| (wanted && by_block).then(|| pack(matrix, block));
            let packed = digest.read_checked(params, first, columns, block)?;
            stored.store(packed.into_iter().flatten());
            if wanted && !by_block {
                stored.store([pack(matrix, columns)]);
            }
            Ok(())
        })
    }

    /// The shard's part of M = S C, v x n, column after column, as 32-bit integers in two's
    /// complement; parts add up to M modulo 2^32, and M is exact.
    ///
    /// # Errors
    /// [`Error::Witness`]; [`Error::Device`]; errors of reading the witness.
    ///
    /// # Constant time
    /// In S.
    pub fn multiply(&mut self, challenge_hash: &Digest) -> Result<Zeroizing<Vec<u32>>, Error> {
        let mut m = Zeroizing::new(vec![0_u32; self.matrix.params.response_entries()]);
        self.add_product(challenge_hash, &mut m)?;
        Ok(m)
    }

    /// `m` += the shard's part of M, as [`Self::multiply`].
    pub(crate) fn add_product(
        &mut self,
        challenge_hash: &Digest,
        m: &mut [u32],
    ) -> Result<(), Error> {
        let matrix = self.matrix;
        let params = &matrix.params;
        let challenge = ChallengeMatrix::new(params, challenge_hash);
        let next = matrix.inside(|| self.add_stored(&challenge, m))?;
        let rest = self.shard.starting_at(next);
        with_entry!(params, T => self.multiply_rest::<T>(rest, &challenge, m))
    }

    /// Adds the product of the columns that are stored; the block that follows them.
    fn add_stored(&mut self, challenge: &ChallengeMatrix, m: &mut [u32]) -> Result<u64, Error> {
        let mut next = self.shard.blocks().start;
        for blocks in self.packed.blocks.chunks(TOGETHER) {
            let first = blocks.iter().map(|block| {
                let first = next;
                next += block.columns().div_ceil(BLOCK as usize) as u64;
                (first, block.columns())
            });
            let first: Vec<_> = first.collect();
            let rows = |i: usize| {
                let (first, columns) = first[i];
                Ok::<_, Infallible>(challenge.rows(first, columns))
            };
            let Ok(rows) = parallel::try_map(blocks.len(), &rows);
            PackedBlock::accumulate(&mut self.workspace, blocks, &rows, m)?;
        }
        Ok(next)
    }

    /// Adds the product of the columns that are not stored, and stores them if they fit.
    fn multiply_rest<T: WitnessEntry>(
        &mut self,
        rest: Shard,
        challenge: &ChallengeMatrix,
        m: &mut [u32],
    ) -> Result<(), Error> {
        let matrix = self.matrix;
        for_column_groups(&matrix.params, self.source, rest, &mut |first, columns: &[T]| {
            let blocks = pack_all(matrix, columns);
            let rows: Vec<_> = (first..)
                .zip(&blocks)
                .map(|(index, block)| challenge.rows(index, block.columns()))
                .collect();
            PackedBlock::accumulate(&mut self.workspace, &blocks, &rows, m)?;
            self.packed.store(blocks);
            Ok(())
        })
    }
}

/// The first columns of a shard, packed.
pub(crate) struct PackedColumns<'a> {
    matrix: &'a PublicMatrix,
    /// Bytes that may still be stored.
    capacity: u64,
    blocks: Vec<PackedBlock<'a>>,
}

impl<'a> PackedColumns<'a> {
    /// None yet, and less than `capacity` bytes of them.
    pub(crate) const fn new(matrix: &'a PublicMatrix, capacity: u64) -> Self {
        Self { matrix, capacity, blocks: Vec::new() }
    }

    /// Whether columns that follow are stored.
    pub(crate) const fn have_room(&self) -> bool {
        self.capacity > 0
    }

    /// Packs the columns of a group that follows, if there is room.
    pub(crate) fn pack<T: WitnessEntry>(&mut self, columns: &[T]) {
        self.store(pack_all(self.matrix, columns));
    }

    /// Stores blocks if they fit. Once a block did not fit, none after it is stored: the stored
    /// ones are the first.
    fn store(&mut self, blocks: impl IntoIterator<Item = PackedBlock<'a>>) {
        for block in blocks {
            self.capacity = self.capacity.saturating_sub(block.bytes() as u64);
            if self.capacity > 0 {
                self.blocks.push(block);
            }
        }
    }
}

/// Blocks that are multiplied together.
const TOGETHER: usize = 16;

/// Whether blocks are packed each by itself, while they lie in the cache, and not by groups.
fn packs_blocks(matrix: &PublicMatrix) -> bool {
    PackedBlock::are_joined(matrix.isa, matrix.device.as_ref())
}

/// The columns of a group, together or block by block.
fn pack_all<'a, T: WitnessEntry>(matrix: &'a PublicMatrix, columns: &[T]) -> Vec<PackedBlock<'a>> {
    let size = if packs_blocks(matrix) { BLOCK as usize } else { columns.len() };
    let size = size * matrix.params.v() as usize;
    columns.chunks(size).map(|part| pack(matrix, part)).collect()
}

fn pack<'a, T: WitnessEntry>(matrix: &'a PublicMatrix, columns: &[T]) -> PackedBlock<'a> {
    PackedBlock::new(matrix.isa, matrix.device.as_ref(), &matrix.params, columns)
}
