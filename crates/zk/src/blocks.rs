//! The blocks of T in a statement file: where they lie, what they hash to, and reading them, once.

use alloc::vec::Vec;

use crate::codec::is_padded;
use crate::error::{Error, Malformation};
use crate::hash::{Digest, Hasher};
use crate::parallel::{self, Pool};
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::source::ReadAt;
use crate::words::Word;

/// Bytes of block `index` of T.
#[must_use]
pub fn block_bytes(params: &Params, index: u64) -> usize {
    params.block_columns(index) as usize * params.column_bytes()
}

/// Where block `index` of T begins in a statement file.
#[must_use]
pub fn block_offset(params: &Params, index: u64) -> u64 {
    let block = u64::from(BLOCK) * params.column_bytes() as u64;
    params.statement_header_len() as u64 + index * block
}

/// # Errors
/// [`Error::Malformed`] if a column of block `index` is not padded with zero bits.
pub(crate) fn check_padding(params: &Params, index: u64, bytes: &[u8]) -> Result<(), Error> {
    let bits = params.r() as usize * params.t_width() as usize;
    if bytes.chunks_exact(params.column_bytes()).all(|column| is_padded(column, bits)) {
        return Ok(());
    }
    Err(Error::Malformed { what: "statement", problem: Malformation::Padding(index) })
}

/// H("T-block", index, bytes).
pub(crate) fn block_hash(params: &Params, index: u64, bytes: &[u8]) -> Digest {
    Hasher::new(params.hash(), "T-block").number(index).field(bytes).finish()
}

/// The hashes of consecutive blocks of T from block `first` on, whose bytes these are.
pub(crate) fn hash_bytes(params: &Params, first: u64, bytes: &[u8]) -> Vec<Digest> {
    let block = block_bytes(params, first);
    let mut hashes = vec![Digest::from_slice(&[]); bytes.len().div_ceil(block)];
    parallel::for_chunks(&mut hashes, 1, |i, hash| {
        let part = &bytes[i * block..bytes.len().min((i + 1) * block)];
        hash[0] = block_hash(params, first + i as u64, part);
    });
    hashes
}

/// Hashes a shard's blocks of T, read from a statement file.
///
/// # Errors
/// [`Error::Io`]; [`Error::Malformed`] if padding bits are not zero.
pub fn hash_blocks(file: &dyn ReadAt, params: &Params, shard: Shard) -> Result<Vec<Digest>, Error> {
    let range = shard.blocks();
    let blocks = Blocks::new(file, params);
    parallel::try_map((range.end - range.start) as usize, &|i| {
        let index = range.start + i as u64;
        blocks.read(index, |bytes| {
            check_padding(params, index, bytes)?;
            Ok(block_hash(params, index, bytes))
        })?
    })
}

/// Reads blocks of T from a statement file, for any number of threads. What lies in memory is not
/// copied; all else goes through one buffer a thread, of the size of a block.
pub(crate) struct Blocks<'a> {
    file: &'a dyn ReadAt,
    params: &'a Params,
    buffers: Pool<Vec<u8>>,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(file: &'a dyn ReadAt, params: &'a Params) -> Self {
        Self { file, params, buffers: Pool::default() }
    }

    /// Applies `f` to the bytes of block `index`.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn read<R>(&self, index: u64, f: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
        let (start, len) = (block_offset(self.params, index), block_bytes(self.params, index));
        if let Some(bytes) =
            self.file.in_memory(start, len).filter(|bytes| size_of_val(*bytes) == len)
        {
            return Ok(f(bytes));
        }
        self.buffers.with(Vec::new, |buffer| {
            // Of any values, cleared only where it is new.
            buffer.resize(len.max(buffer.len()), 0);
            let bytes = &mut buffer[..len];
            self.file.read_at(start, bytes).map_err(Error::io("statement"))?;
            Ok(f(bytes))
        })
    }

    /// Applies `f` to the bytes of block `index`, if this is its hash: what is computed from
    /// them belongs to the statement's digest, even if the file is another by now.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Malformed`], which names the block, if it has another hash.
    pub(crate) fn read_checked<R>(
        &self,
        index: u64,
        hash: &Digest,
        f: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, Error> {
        let checked = self.read(index, |bytes| {
            (block_hash(self.params, index, bytes) == *hash).then(|| f(bytes))
        })?;
        let problem = Malformation::Block(index);
        checked.ok_or(Error::Malformed { what: "statement", problem })
    }

    /// The words of consecutive blocks from block `first` on, with these hashes. Each
    /// is compared and unpacked by one thread, while it lies in the cache.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Malformed`], which names the first block that has another hash.
    pub(crate) fn read_words<W: Word>(
        &self,
        first: u64,
        hashes: &[Digest],
        words: &mut [W],
    ) -> Result<(), Error> {
        let (r, width) = (self.params.r() as usize, self.params.t_width());
        parallel::try_map_chunks(words, r * BLOCK as usize, |i, words| {
            self.read_checked(first + i as u64, &hashes[i], |bytes| {
                // Padding was checked when the block was hashed.
                let _ = Word::unpack(bytes, r, width, words);
            })
        })
        .map(drop)
    }
}

#[cfg(test)]
mod tests;
