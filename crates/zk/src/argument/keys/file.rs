//! T of keys and dummy columns: the hashes of its blocks, and where it is read from.

use alloc::vec;
use alloc::vec::Vec;

use super::ExactKeys;
use crate::error::Error;
use crate::hash::Digest;
use crate::io;
use crate::params::BLOCK;
use crate::source::ReadAt;
use crate::statement::{Statement, block_bytes, hash_bytes, read_checked};
use crate::words::{Word, packing, with_t_word};

impl ExactKeys<'_> {
    /// The statement about keys and dummy columns, of which these are the bytes, column after
    /// column, in words of w bits. Blocks that are full of keys have the hashes that they have
    /// already.
    ///
    /// # Errors
    /// [`Error::NotLoaded`] if the last block of keys is not full and T is neither in memory nor in
    /// a file; those of reading it.
    pub(super) fn extend(&self, dummies: &[u8]) -> Result<Statement, Error> {
        let (params, extended) = (self.statement.params(), &self.extended.params);
        let hashes = self.statement.block_hashes();
        let full = params.l() / u64::from(BLOCK);
        let mut bytes = Vec::new();
        if full < params.blocks() {
            bytes = self.last_block(full, &hashes[full as usize])?;
        }
        bytes.extend_from_slice(dummies);
        let mut all: Vec<Digest> = hashes[..full as usize].to_vec();
        all.extend(hash_bytes(extended, full, &bytes));
        let statement = Statement::new(extended.clone(), self.matrix.id, all);
        let words = with_t_word!(extended, W => {
            let mut words = vec![W::default(); dummies.len() / params.column_bytes() * params.r() as usize];
            // Its own bytes, or checked where those of a proof are widened.
            let _ = packing::unpack(dummies, params.r() as usize, params.t_width(), &mut words);
            W::wrap(words)
        });
        Ok(statement.behind(self.statement, words))
    }

    /// The bytes of the block of keys that is not full.
    fn last_block(&self, block: u64, hash: &Digest) -> Result<Vec<u8>, Error> {
        let params = self.statement.params();
        let (r, start) = (params.r() as usize, block as usize * BLOCK as usize);
        let loaded = with_t_word!(params, W => {
            let words = self.statement.columns::<W>();
            words.map(|words| packing::pack(&words[start * r..], r, params.t_width()))
        });
        if let Some(bytes) = loaded {
            return Ok(bytes);
        }
        let file = self.statement_file.ok_or(Error::NotLoaded)?;
        let mut bytes = vec![0; block_bytes(params, block)];
        read_checked(file, params, block, &mut bytes, core::slice::from_ref(hash))?;
        Ok(bytes)
    }
}

/// A statement file with dummy columns behind those that it has. Its header is not theirs.
pub(super) struct Appended<'a> {
    pub(super) file: &'a dyn ReadAt,
    pub(super) dummies: &'a [u8],
}

impl ReadAt for Appended<'_> {
    fn len(&self) -> u64 {
        self.file.len() + self.dummies.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let keys = self.file.len();
        let first = keys.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let (of_keys, rest) = buffer.split_at_mut(first);
        if !of_keys.is_empty() {
            self.file.read_at(offset, of_keys)?;
        }
        if rest.is_empty() { Ok(()) } else { self.dummies.read_at(offset.max(keys) - keys, rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dummies_follow_the_file() {
        let (file, dummies) = (vec![1, 2, 3, 4, 5], [6, 7, 8]);
        let all = Appended { file: &file, dummies: &dummies };
        assert_eq!(all.len(), 8);
        for start in 0..=8 {
            for end in start..=8 {
                let mut bytes = vec![0; end - start];
                all.read_at(start as u64, &mut bytes).unwrap();
                assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8][start..end]);
            }
            assert!(all.read_at(start as u64, &mut vec![0; 9 - start]).is_err());
        }
    }
}
