//! The definition: counters written to memory, the `aes` crate over them.

use aes::{Aes128, Aes256, Block};
use cipher::{BlockCipherEncrypt, KeyInit};

use crate::sizes::{BLOCK, KeySize};

/// Blocks whose counters are laid out at once: 4 KiB, which stays in the first-level cache.
const BATCH: usize = 256;

/// The ciphers erase their round keys themselves.
pub(crate) enum Portable {
    Aes128(Aes128),
    Aes256(Aes256),
}

impl Portable {
    pub(super) fn new(key_size: KeySize, key: &[u8]) -> Self {
        match key_size {
            KeySize::Aes128 => {
                Self::Aes128(Aes128::new_from_slice(key).expect("a key of 16 bytes"))
            }
            KeySize::Aes256 => {
                Self::Aes256(Aes256::new_from_slice(key).expect("a key of 32 bytes"))
            }
        }
    }

    pub(super) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        for (batch, j) in blocks.chunks_mut(BATCH).zip((0_u128..).step_by(BATCH)) {
            lay_counters(first.wrapping_add(j), batch);
            let batch = Block::cast_slice_from_core_mut(batch);
            match self {
                Self::Aes128(aes) => aes.encrypt_blocks(batch),
                Self::Aes256(aes) => aes.encrypt_blocks(batch),
            }
        }
    }
}

/// Fills `blocks` with counters in memory and nothing else: what a block function by itself would
/// be given.
pub(crate) fn lay_counters(first: u128, blocks: &mut [[u8; BLOCK]]) {
    for (block, j) in blocks.iter_mut().zip(0_u128..) {
        *block = first.wrapping_add(j).to_be_bytes();
    }
}
