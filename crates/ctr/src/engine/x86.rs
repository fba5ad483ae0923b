//! AES-NI and VAES: round keys once, then counters that never touch memory.
#![allow(unsafe_code)]

mod aes_ni;
mod beside;
mod first_round;
mod kernel;
mod vaes256;
mod vaes512;

use core::arch::x86_64::{__m512i, _mm_aeskeygenassist_si128, _mm_extract_epi32, _mm_set_epi32};

use tautochrone_simd::{AesNi, Avx512, Isa, Vaes};
use zeroize::Zeroize;

use super::schedule::{self, Schedule};
use crate::sizes::BLOCK;
pub use beside::Beside;
pub use first_round::FirstRound;

/// Which kernel runs, with the proof that it can.
#[derive(Clone, Copy)]
enum Width {
    One(AesNi),
    Two(Vaes),
    Four(Vaes, Avx512),
}

/// AES under one key, on the instructions chosen.
pub(crate) struct X86 {
    keys: Schedule,
    /// 10 or 14.
    rounds: usize,
    width: Width,
}

impl X86 {
    /// The key has 16 or 32 bytes.
    pub(super) fn new(isa: Isa, token: AesNi, key: &[u8]) -> Self {
        let width = match (isa.vaes(), isa.avx512()) {
            (Some(vaes), Some(avx512)) => Width::Four(vaes, avx512),
            (Some(vaes), None) => Width::Two(vaes),
            (None, _) => Width::One(token),
        };
        let rounds = if key.len() == 16 { 10 } else { 14 };
        Self { keys: expand(token, key), rounds, width }
    }

    /// See [`Engine::run`](super::Engine::run); the low half of the counter does not wrap before
    /// the last block.
    pub(super) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        match self.rounds {
            10 => self.run_rounds::<10>(first, blocks),
            _ => self.run_rounds::<14>(first, blocks),
        }
    }

    fn run_rounds<const ROUNDS: usize>(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        let len = blocks.len();
        // SAFETY: the tokens prove that the instructions were detected.
        let rest = unsafe {
            match self.width {
                Width::One(_) => blocks,
                Width::Two(_) => {
                    let (whole, rest) = blocks.as_chunks_mut();
                    vaes256::run::<ROUNDS>(&self.keys, first, whole);
                    rest
                }
                Width::Four(..) => {
                    let (whole, rest) = blocks.as_chunks_mut();
                    vaes512::run::<ROUNDS>(&self.keys, first, whole);
                    rest
                }
            }
        };
        if !rest.is_empty() {
            let first = first.wrapping_add((len - rest.len()) as u128);
            let (single, _) = rest.as_chunks_mut();
            // SAFETY: every token includes AES-NI.
            unsafe { aes_ni::run::<ROUNDS>(&self.keys, first, single) }
        }
    }

    /// The next `count` registers of four blocks from counter `first` on, on AVX-512 with VAES; the
    /// low half of the counter does not wrap before the last block.
    pub(crate) fn registers(&self, first: u128, count: usize) -> Option<Registers<'_>> {
        match self.width {
            Width::Four(..) => {
                Some(Registers { keys: &self.keys, rounds: self.rounds, first, count })
            }
            _ => None,
        }
    }
}

/// The round keys of 16 or 32 bytes of key.
fn expand(_: AesNi, key: &[u8]) -> Schedule {
    /// The S-box is the one inside AESKEYGENASSIST.
    #[target_feature(enable = "aes,sse4.1")]
    fn inside(key: &[u8]) -> Schedule {
        schedule::expand(key, |word| {
            let assist = _mm_aeskeygenassist_si128::<0>(_mm_set_epi32(0, 0, word as i32, 0));
            _mm_extract_epi32::<0>(assist) as u32
        })
    }
    // SAFETY: the token proves that AES-NI was detected.
    unsafe { inside(key) }
}

/// Keystream in 512-bit registers: four blocks each, as they would follow each other in memory.
///
/// For samplers that make their numbers from the registers and never write the keystream itself,
/// while the next blocks are being encrypted. A value of this type proves that AVX-512 (F, BW, DQ,
/// VL) and VAES were detected.
///
/// # Constant time
/// In key, counter and keystream.
#[must_use = "the stream has moved past these bytes"]
pub struct Registers<'a> {
    keys: &'a Schedule,
    rounds: usize,
    first: u128,
    count: usize,
}

impl<'a> Registers<'a> {
    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Hands each to `sink`, in order.
    ///
    /// # Safety
    /// None in functions that have these features themselves; elsewhere, that this value exists.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub fn for_each(self, sink: impl FnMut(__m512i)) {
        match self.rounds {
            10 => vaes512::for_each::<10, true>(self.keys, self.first, self.count, sink),
            _ => vaes512::for_each::<14, true>(self.keys, self.first, self.count, sink),
        }
    }

    /// The registers for a kernel that asks for them.
    ///
    /// # Safety
    /// None in functions that have these features themselves; elsewhere, that this value exists.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    #[must_use]
    pub fn beside(self) -> Beside<'a> {
        Beside::new(self.keys, self.rounds, self.first, self.count, None)
    }

    /// As [`Self::beside`], with a round less for each block if there are many: `space` is for a
    /// table.
    ///
    /// # Safety
    /// As [`Self::beside`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    #[must_use]
    pub fn beside_with(self, space: &'a mut FirstRound) -> Beside<'a> {
        Beside::new(self.keys, self.rounds, self.first, self.count, Some(space))
    }
}

impl core::fmt::Debug for Registers<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Registers").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Drop for X86 {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}
