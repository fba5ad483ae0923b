//! Blocks to bit planes and back, on the widest registers that there are.

use tautochrone_simd::Isa;
use tautochrone_simd::vector::U64x1;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::vector::U64x2;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};

use crate::circuit::Keys;
use crate::scalar;
use crate::schedule::Schedule;

mod planes;

/// Up to so many blocks are faster one by one than as a run of the circuit, which costs the same
/// for one as for all.
const MAX_SINGLE: usize = 5;

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
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if isa.neon().is_some() {
        return 128;
    }
    let _ = isa;
    64
}

/// Encrypts or decrypts blocks in place.
///
/// # Constant time
/// In keys and blocks.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
pub(crate) fn process(
    isa: Isa,
    schedule: &Schedule,
    keys: &Keys,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    let (runs, singles) = if blocks.len() % run_length(isa) <= MAX_SINGLE {
        blocks.split_at_mut(blocks.len() - blocks.len() % run_length(isa))
    } else {
        blocks.split_at_mut(blocks.len())
    };
    for block in singles {
        let word = u64::from_be_bytes(*block);
        let word =
            if decrypt { scalar::decrypt(schedule, word) } else { scalar::encrypt(schedule, word) };
        *block = word.to_be_bytes();
    }
    if runs.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = isa.avx512() {
        return planes::run::<U64x8<_>>(token, keys, decrypt, runs);
    } else if let Some(token) = isa.avx2() {
        return planes::run::<U64x4<_>>(token, keys, decrypt, runs);
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if let Some(token) = isa.neon() {
        return planes::run::<U64x2<_>>(token, keys, decrypt, runs);
    }
    planes::run::<U64x1>((), keys, decrypt, runs);
}
