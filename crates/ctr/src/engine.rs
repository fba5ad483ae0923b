//! [`Engine`]: AES with expanded keys, and runs of the keystream on each instruction set.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use tautochrone_simd::{Isa, declassify};

use crate::stream::{BLOCK, KeySize};

/// AES under one key. Round keys are erased when it is dropped.
#[allow(
    clippy::large_enum_variant,
    reason = "a stream has one, and the larger serves only machines without the instructions"
)]
pub(crate) enum Engine {
    /// The `aes` crate, block after block; it serves every machine.
    Portable(portable::Portable),
    /// Counters and rounds in registers.
    #[cfg(target_arch = "x86_64")]
    X86(x86::X86),
}

impl Engine {
    /// # Panics
    /// If `key` is not of the given size.
    pub(crate) fn new(isa: Isa, key_size: KeySize, key: &[u8]) -> Self {
        assert_eq!(key.len(), key_size.bytes(), "the key has the size that was announced");
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = isa.aes_ni() {
            return Self::X86(x86::X86::new(isa, token, key));
        }
        let _ = isa;
        Self::Portable(portable::Portable::new(key_size, key))
    }

    /// `blocks[j]` = AES(first + j mod 2^128), counters big-endian.
    pub(crate) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        // The vector paths count in the low half alone; a request is cut where that half wraps.
        // Counter mode is secure whatever is known of the counters.
        let until_wrap = declassify((1 << 64) - u128::from(first as u64));
        let cut = usize::try_from(until_wrap).unwrap_or(usize::MAX).min(blocks.len());
        let (before, after) = blocks.split_at_mut(cut);
        self.run_within(first, before);
        if !after.is_empty() {
            // A slice is shorter than 2^64 blocks: this half does not wrap again.
            self.run_within(first.wrapping_add(cut as u128), after);
        }
    }

    /// As [`Self::run`] if the low half does not wrap before the last block.
    fn run_within(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        match self {
            Self::Portable(engine) => engine.run(first, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::X86(engine) => engine.run(first, blocks),
        }
    }
}

/// Fills `blocks` with counters in memory and nothing else: what a block function by itself would be given.
pub(crate) fn lay_counters(first: u128, blocks: &mut [[u8; BLOCK]]) {
    for (block, j) in blocks.iter_mut().zip(0_u128..) {
        *block = first.wrapping_add(j).to_be_bytes();
    }
}

#[cfg(test)]
mod tests;
