//! [`Engine`]: AES with expanded keys, and runs of the keystream on each instruction set.

#[cfg(target_arch = "x86_64")]
mod interleave;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vaes;

use aes::{Aes128Enc, Aes256Enc};
use cipher::KeyInit as _;
use tautochrone_simd::{Isa, declassify};

use crate::sizes::{BLOCK, KeySize};
#[cfg(target_arch = "x86_64")]
pub use interleave::Interleave;

/// AES under one key. Round keys are erased when it is dropped, by the crate `aes` itself.
pub(crate) enum Engine {
    /// By the crate `aes`, on every machine.
    Aes128(Aes128Enc),
    /// The same.
    Aes256(Aes256Enc),
    /// Counters and rounds in registers, for bulk and for kernels that encrypt between their steps.
    #[cfg(target_arch = "x86_64")]
    Wide(vaes::Wide),
}

impl Engine {
    /// # Panics
    /// If `key` is not of the given size.
    pub(crate) fn new(isa: Isa, key_size: KeySize, key: &[u8]) -> Self {
        assert_eq!(key.len(), key_size.bytes(), "the key has the size that was announced");
        #[cfg(target_arch = "x86_64")]
        if let (Some(avx512), Some(vaes)) = (isa.avx512(), isa.vaes()) {
            return Self::Wide(vaes::Wide::new(avx512, vaes, key));
        }
        let _ = isa;
        let of_its_size = "a key of the size above";
        match key_size {
            KeySize::Aes128 => Self::Aes128(Aes128Enc::new_from_slice(key).expect(of_its_size)),
            KeySize::Aes256 => Self::Aes256(Aes256Enc::new_from_slice(key).expect(of_its_size)),
        }
    }

    /// `blocks[j]` = AES(first + j mod 2^128), counters big-endian.
    pub(crate) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        let cut = usize::try_from(until_wrap(first)).unwrap_or(usize::MAX).min(blocks.len());
        let (before, after) = blocks.split_at_mut(cut);
        self.run_within(first, before);
        if !after.is_empty() {
            // A slice is shorter than 2^64 blocks: this half does not wrap again.
            self.run_within(first.wrapping_add(cut as u128), after);
        }
    }

    /// The next `count` registers of four blocks, on AVX-512 with VAES, unless the low half of the
    /// counter wraps before the last block.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn registers(&self, first: u128, count: usize) -> Option<Interleave<'_>> {
        match self {
            Self::Wide(engine) if 4 * count as u128 <= until_wrap(first) => {
                Some(engine.registers(first, count))
            }
            _ => None,
        }
    }

    /// As [`Self::run`] if the low half does not wrap before the last block.
    fn run_within(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        match self {
            Self::Aes128(aes) => portable::run(aes, first, blocks),
            Self::Aes256(aes) => portable::run(aes, first, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::Wide(engine) => engine.run(first, blocks),
        }
    }
}

/// Blocks from counter `first` on before its low half wraps: both engines count in that half
/// alone, so a request is cut there. Counter mode is secure even if the counters are known.
fn until_wrap(first: u128) -> u128 {
    declassify((1 << 64) - u128::from(first as u64))
}

#[cfg(test)]
mod tests;
