//! T of keys and dummy columns: the hashes of its blocks, and where it is read from.

use alloc::vec;
use alloc::vec::Vec;

use super::ExactKeys;
use crate::blocks::{Blocks, hash_bytes};
use crate::error::Error;
use crate::hash::Digest;
use crate::params::BLOCK;
use crate::statement::Statement;
use crate::words::{Word, packing, with_t_word};

impl ExactKeys<'_> {
    /// The statement about keys and dummy columns, of which these are the bytes, column after
    /// column, in words of w bits. Blocks that are full of keys have the hashes that they have
    /// already.
    ///
    /// # Errors
    /// [`Error::NotLoaded`] if the last block of keys is not full and T is neither in memory nor in
    /// a file; those of reading it.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
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
        Blocks::new(file, params).read_checked(block, hash, <[u8]>::to_vec)
    }
}
