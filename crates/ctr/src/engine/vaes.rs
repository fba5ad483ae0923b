//! AES on AVX-512 with VAES: counters and rounds in registers of four blocks.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Vaes};
use zeroize::Zeroize;

use super::interleave::Interleave;
use crate::sizes::BLOCK;

/// Round keys: 11 of AES-128, 15 of AES-256; the rest are zero.
pub(super) type Schedule = [[u8; BLOCK]; 15];

/// AES under one key.
pub(crate) struct Wide {
    keys: Schedule,
    /// 10 or 14.
    rounds: usize,
}

impl Wide {
    /// The key has 16 or 32 bytes. A value of this type proves that the instructions were detected.
    pub(super) fn new(_: Avx512, _: Vaes, key: &[u8]) -> Self {
        let rounds = if key.len() == 16 { 10 } else { 14 };
        // SAFETY: the token for VAES includes AES-NI.
        Self { keys: unsafe { expand(key) }, rounds }
    }

    /// See [`Engine::run`](super::Engine::run); the low half of the counter does not wrap before
    /// the last block.
    pub(super) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        // SAFETY: this value proves that the instructions were detected.
        unsafe { fill(&self.keys, self.rounds, first, blocks) }
    }

    /// The next `count` registers of four blocks from counter `first` on; the low half of the
    /// counter does not wrap before the last block that is used.
    pub(super) fn registers(&self, first: u128, count: usize) -> Interleave<'_> {
        // SAFETY: this value proves that the instructions were detected.
        unsafe { Interleave::new(&self.keys, self.rounds, first, count) }
    }
}

impl Drop for Wide {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

/// Stores a register for every four blocks, eight at a time: they hide the latency of a round.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
fn fill(keys: &Schedule, rounds: usize, first: u128, blocks: &mut [[u8; BLOCK]]) {
    let mut keystream = Interleave::new(keys, rounds, first, blocks.len().div_ceil(4));
    let (eights, rest) = blocks.as_chunks_mut::<32>();
    for blocks in eights {
        store::<8>(&mut keystream, blocks);
    }
    let (fours, rest) = rest.as_chunks_mut::<16>();
    for blocks in fours {
        store::<4>(&mut keystream, blocks);
    }
    for blocks in rest.chunks_mut(4) {
        store::<1>(&mut keystream, blocks);
    }
}

/// The next `N` registers; blocks beyond the end are not stored.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
#[inline]
fn store<const N: usize>(keystream: &mut Interleave<'_>, blocks: &mut [[u8; BLOCK]]) {
    let Some(registers) = keystream.draw::<N>() else { return };
    for (blocks, mut register) in blocks.chunks_mut(4).zip(registers) {
        if blocks.len() == 4 {
            // SAFETY: 64 bytes.
            unsafe { _mm512_storeu_si512(blocks.as_mut_ptr().cast(), register) }
        } else {
            for block in blocks {
                // SAFETY: sixteen bytes.
                unsafe {
                    _mm_storeu_si128(block.as_mut_ptr().cast(), _mm512_castsi512_si128(register));
                }
                register = _mm512_alignr_epi64::<2>(register, register);
            }
        }
    }
}

/// The key schedule (FIPS 197, section 5.2) of 16 or 32 bytes of key; the S-box is the one inside
/// AESKEYGENASSIST.
#[target_feature(enable = "aes,sse4.1")]
#[expect(clippy::integer_division_remainder_used, reason = "lengths and indices are public")]
fn expand(key: &[u8]) -> Schedule {
    let substitute = |word: u32| {
        let assist = _mm_aeskeygenassist_si128::<0>(_mm_set_epi32(0, 0, word as i32, 0));
        _mm_extract_epi32::<0>(assist) as u32
    };
    let n = key.len() / 4;
    let mut w = [0_u32; 60];
    for (word, bytes) in w.iter_mut().zip(key.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut constant = 1;
    for i in n..4 * (n + 7) {
        let change = match i % n {
            0 => substitute(w[i - 1]).rotate_right(8) ^ constant,
            4 if n > 6 => substitute(w[i - 1]),
            _ => w[i - 1],
        };
        if i % n == 0 {
            // x times the constant in GF(2^8).
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        }
        w[i] = w[i - n] ^ change;
    }
    let mut keys = Schedule::default();
    for (bytes, word) in keys.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(&w) {
        *bytes = word.to_le_bytes();
    }
    w.zeroize();
    keys
}
