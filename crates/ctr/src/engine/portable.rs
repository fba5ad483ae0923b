//! The crate `aes`, which finds the instructions of the CPU by itself.

use aes::Block;
use cipher::array::Array;
use cipher::consts::U16;
use cipher::{BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser};

use crate::sizes::BLOCK;

/// See [`Engine::run`](super::Engine::run); the low half of the counter does not wrap before the
/// last block.
pub(super) fn run(
    aes: &impl BlockCipherEncrypt<BlockSize = U16>,
    first: u128,
    blocks: &mut [[u8; BLOCK]],
) {
    aes.encrypt_with_backend(Counters { first, blocks });
}

/// Blocks that become the keystream from counter `first` on.
struct Counters<'a> {
    first: u128,
    blocks: &'a mut [[u8; BLOCK]],
}

impl BlockSizeUser for Counters<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Counters<'_> {
    /// Counters are written one chunk ahead: they are stored in other pieces than the rounds load,
    /// and a load that follows at once would wait until they are in the cache.
    ///
    /// Inlined, so that it is compiled with the instructions of the backend.
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self { mut first, blocks } = self;
        let blocks = Block::cast_slice_from_core_mut(blocks);
        let (chunks, rest) = Array::<Block, B::ParBlocksSize>::slice_as_chunks_mut(blocks);
        if let Some(chunk) = chunks.first_mut() {
            write_counters(&mut first, chunk);
        }
        for i in 0..chunks.len() {
            if let Some(next) = chunks.get_mut(i + 1) {
                write_counters(&mut first, next);
            }
            backend.encrypt_par_blocks((&mut chunks[i]).into());
        }
        for block in rest {
            *block = first.to_be_bytes().into();
            first = first.wrapping_add(1);
            backend.encrypt_block(block.into());
        }
    }
}

/// Fills `blocks` with counters from `first` on, past which `first` moves; the low half does not
/// wrap.
#[inline(always)]
fn write_counters(first: &mut u128, blocks: &mut [Block]) {
    let (high, low) = ((*first >> 64) as u64, *first as u64);
    for (block, j) in blocks.iter_mut().zip(0_u64..) {
        block[..8].copy_from_slice(&high.to_be_bytes());
        block[8..].copy_from_slice(&low.wrapping_add(j).to_be_bytes());
    }
    *first = first.wrapping_add(blocks.len() as u128);
}
