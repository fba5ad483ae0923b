//! Blocks to bit planes and back, on the widest registers that there are.

use tautochrone_simd::Isa;

use crate::circuit::Keys;
use crate::scalar;
use crate::schedule::Schedule;

mod planes;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Up to this many blocks are faster one by one than as a run of the circuit, which costs the same for one as for all.
const FEW: usize = 5;

/// Blocks of a run on this instruction set.
pub(crate) fn run_length(isa: Isa) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if isa.avx512().is_some() {
            return 512;
        }
        if isa.avx2().is_some() {
            return 256;
        }
    }
    let _ = isa;
    64
}

/// Encrypts or decrypts blocks in place.
///
/// # Constant time
/// In keys and blocks.
pub(crate) fn process(
    isa: Isa,
    schedule: &Schedule,
    keys: &Keys,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    let (runs, few) = if blocks.len() % run_length(isa) <= FEW {
        blocks.split_at_mut(blocks.len() - blocks.len() % run_length(isa))
    } else {
        blocks.split_at_mut(blocks.len())
    };
    for block in few {
        let word = u64::from_be_bytes(*block);
        let word =
            if decrypt { scalar::decrypt(schedule, word) } else { scalar::encrypt(schedule, word) };
        *block = word.to_be_bytes();
    }
    if runs.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if x86::run(isa, keys, decrypt, runs) {
        return;
    }
    planes::run::<u64>(keys, decrypt, runs);
}
