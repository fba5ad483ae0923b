//! The key schedule (FIPS 197, section 5.2), constant time if the S-box that it is given is.

use crate::sizes::BLOCK;

/// Round keys: 11 of AES-128, 15 of AES-256; the rest are zero.
pub(super) type Schedule = [[u8; BLOCK]; 15];

/// The round keys of 16 or 32 bytes of key, by `SubWord`.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "lengths and indices are public")]
pub(super) fn expand(key: &[u8], substitute: impl Fn(u32) -> u32) -> Schedule {
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
    zeroize::Zeroize::zeroize(&mut w);
    keys
}
