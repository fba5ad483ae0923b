//! One block at a time, by the definition: the reference, and the path for a handful of blocks.
//!
//! S-boxes are evaluated, not looked up: no address depends on key or data.

use crate::field::{MODULI, OFFSETS, PBOX, multiply};
use crate::schedule::Schedule;

/// Encrypts a block.
///
/// # Constant time
/// In key and block.
pub(crate) fn encrypt(schedule: &Schedule, block: u64) -> u64 {
    rounds(schedule.0.iter(), block)
}

/// Decrypts a block: the same rounds in reverse order.
///
/// # Constant time
/// In key and block.
pub(crate) fn decrypt(schedule: &Schedule, block: u64) -> u64 {
    rounds(schedule.0.iter().rev(), block)
}

fn rounds<'a>(keys: impl Iterator<Item = &'a crate::schedule::Subkey>, block: u64) -> u64 {
    let (mut left, mut right) = ((block >> 32) as u32, block as u32);
    for key in keys {
        (left, right) = (right, left ^ f(right, key.data, key.salt));
    }
    u64::from(right) << 32 | u64::from(left)
}

/// The round function: expansion to two halves of 20 bits, keyed swap, data key, S-boxes, P-box.
fn f(p: u32, data: [u32; 2], salt: u32) -> u32 {
    let left = p >> 16 & 0x3ff | p.rotate_right(14) & 0xffc00;
    let right = p & 0x3ff | p << 2 & 0xffc00;
    let swap = salt & (left ^ right);
    let (left, right) = (left ^ swap ^ data[0], right ^ swap ^ data[1]);
    permute(
        u32::from(sbox(0, left >> 10)) << 24
            | u32::from(sbox(1, left & 0x3ff)) << 16
            | u32::from(sbox(2, right >> 10)) << 8
            | u32::from(sbox(3, right & 0x3ff)),
    )
}

fn permute(x: u32) -> u32 {
    PBOX.iter().enumerate().fold(0, |y, (n, &to)| y | (x >> n & 1) << to)
}

/// S-box s of ten bits.
pub(crate) fn sbox(s: usize, input: u32) -> u8 {
    let row = input & 1 | input >> 8 & 2;
    let column = (input >> 1) as u8;
    // The row's constants, every one of which is read.
    let (mut m, mut x) = (0, column);
    for r in 0..4 {
        let chosen = u32::from(r as u32 == row).wrapping_neg();
        m |= MODULI[s][r] & chosen as u16;
        x ^= OFFSETS[s][r] & chosen as u8;
    }
    let x2 = multiply(x, x, m);
    let x3 = multiply(x2, x, m);
    multiply(multiply(x2, x2, m), x3, m)
}
