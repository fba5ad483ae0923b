//! Armv8's AES: round keys once, then counters that never touch memory.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use tautochrone_simd::ArmAes;
use zeroize::Zeroize;

use super::schedule::{self, Schedule};
use crate::sizes::BLOCK;

/// Blocks in flight: they hide the latency of a round.
const WAYS: usize = 8;

/// AES under one key.
pub(crate) struct Aarch64 {
    keys: Schedule,
    /// 10 or 14.
    rounds: usize,
    token: ArmAes,
}

impl Aarch64 {
    /// The key has 16 or 32 bytes.
    pub(super) fn new(token: ArmAes, key: &[u8]) -> Self {
        let rounds = if key.len() == 16 { 10 } else { 14 };
        // SAFETY: the token proves that the instructions were detected.
        Self { keys: unsafe { expand(key) }, rounds, token }
    }

    /// See [`Engine::run`](super::Engine::run); the low half of the counter does not wrap before
    /// the last block.
    pub(super) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        // SAFETY: the token proves that the instructions were detected.
        unsafe {
            match self.rounds {
                10 => run::<10>(self.token, &self.keys, first, blocks),
                _ => run::<14>(self.token, &self.keys, first, blocks),
            }
        }
    }
}

impl Drop for Aarch64 {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

/// The round keys. A block of four equal words passes `ShiftRows` unchanged, so that an instruction
/// with a key of zeros is `SubWord`.
#[target_feature(enable = "aes")]
fn expand(key: &[u8]) -> Schedule {
    schedule::expand(key, |word| {
        let block = vaeseq_u8(vreinterpretq_u8_u32(vdupq_n_u32(word)), vdupq_n_u8(0));
        vgetq_lane_u32::<0>(vreinterpretq_u32_u8(block))
    })
}

#[target_feature(enable = "aes")]
fn run<const ROUNDS: usize>(_: ArmAes, keys: &Schedule, first: u128, blocks: &mut [[u8; BLOCK]]) {
    // SAFETY: sixteen bytes.
    let keys: [uint8x16_t; 15] = core::array::from_fn(|i| unsafe { vld1q_u8(keys[i].as_ptr()) });
    // The halves of the counter, the high one first, each of them big-endian in a block.
    let mut counter = vcombine_u64(vcreate_u64((first >> 64) as u64), vcreate_u64(first as u64));
    let one = vcombine_u64(vcreate_u64(0), vcreate_u64(1));
    let mut next = || {
        let block = vrev64q_u8(vreinterpretq_u8_u64(counter));
        counter = vaddq_u64(counter, one);
        block
    };
    let (whole, rest) = blocks.as_chunks_mut::<WAYS>();
    for blocks in whole {
        let state = encrypt::<ROUNDS, WAYS>(&keys, core::array::from_fn(|_| next()));
        for (block, state) in blocks.iter_mut().zip(state) {
            // SAFETY: sixteen bytes.
            unsafe { vst1q_u8(block.as_mut_ptr(), state) }
        }
    }
    for block in rest {
        let [state] = encrypt::<ROUNDS, 1>(&keys, [next()]);
        // SAFETY: sixteen bytes.
        unsafe { vst1q_u8(block.as_mut_ptr(), state) }
    }
}

/// AES of `N` blocks. A round key is added before `SubBytes`, so that the last one is left for the
/// end.
#[target_feature(enable = "aes")]
#[inline]
fn encrypt<const ROUNDS: usize, const N: usize>(
    keys: &[uint8x16_t; 15],
    mut state: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    for key in &keys[..ROUNDS - 1] {
        for state in &mut state {
            *state = vaesmcq_u8(vaeseq_u8(*state, *key));
        }
    }
    for state in &mut state {
        *state = veorq_u8(vaeseq_u8(*state, keys[ROUNDS - 1]), keys[ROUNDS]);
    }
    state
}
