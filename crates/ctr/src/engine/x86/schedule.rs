//! The key schedule (FIPS 197, section 5.2), constant time: the S-box is the one inside
//! AESKEYGENASSIST.

use core::arch::x86_64::*;

use tautochrone_simd::AesNi;

use crate::sizes::BLOCK;

/// Round keys: 11 of AES-128, 15 of AES-256; the rest are zero.
pub(in crate::engine) type Schedule = [[u8; BLOCK]; 15];

/// The round keys of 16 or 32 bytes of key.
pub(super) fn expand(_: AesNi, key: &[u8]) -> Schedule {
    // SAFETY: the token proves that AES-NI was detected.
    unsafe { words(key) }
}

/// `SubWord(w)` and `RotWord(SubWord(w))`.
#[target_feature(enable = "aes,sse4.1")]
fn substitute(word: u32) -> (u32, u32) {
    let assist = _mm_aeskeygenassist_si128::<0>(_mm_set_epi32(0, 0, word as i32, 0));
    (_mm_extract_epi32::<0>(assist) as u32, _mm_extract_epi32::<1>(assist) as u32)
}

#[target_feature(enable = "aes,sse4.1")]
#[expect(clippy::integer_division_remainder_used, reason = "lengths and indices are public")]
fn words(key: &[u8]) -> Schedule {
    let n = key.len() / 4;
    let mut w = [0_u32; 60];
    for (word, bytes) in w.iter_mut().zip(key.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut constant = 1;
    for i in n..4 * (n + 7) {
        let (plain, rotated) = substitute(w[i - 1]);
        let change = match i % n {
            0 => rotated ^ constant,
            4 if n > 6 => plain,
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
    zeroize::Zeroize::zeroize(&mut w);
    keys
}
