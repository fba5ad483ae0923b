//! One block at a time in general registers, the four S-boxes side by side in a word of four lanes,
//! 16 bits each.
//!
//! S-boxes are evaluated as they are defined, not looked up: no address depends on key or data.

use crate::array::array;
use crate::field::{MODULI, OFFSETS, PBOX, multiply};
use crate::schedule::{Schedule, Subkey};

/// Encrypts a block, or decrypts it by the same rounds in reverse order.
///
/// # Constant time
/// In key and block.
pub(crate) fn process(schedule: &Schedule, decrypt: bool, block: u64) -> u64 {
    let keys = schedule.0.iter();
    if decrypt { rounds(keys.rev(), block) } else { rounds(keys, block) }
}

fn rounds<'a>(keys: impl Iterator<Item = &'a u64>, block: u64) -> u64 {
    let (mut left, mut right) = ((block >> 32) as u32, block as u32);
    for &key in keys {
        let key = Subkey(key);
        (left, right) = (right, left ^ f(right, key.data(), key.salt()));
    }
    u64::from(right) << 32 | u64::from(left)
}

/// The round function: expansion to two halves of 20 bits, keyed swap, data key, S-boxes, P-box.
fn f(p: u32, data: [u32; 2], salt: u32) -> u32 {
    let left = p >> 16 & 0x3ff | p.rotate_right(14) & 0xffc00;
    let right = p & 0x3ff | p << 2 & 0xffc00;
    let swap = salt & (left ^ right);
    let (left, right) = (u64::from(left ^ swap ^ data[0]), u64::from(right ^ swap ^ data[1]));
    // 20 bits to two lanes.
    let lanes = |half: u64| half >> 10 | half << 16 & 0x3ff_0000;
    let values = sboxes(lanes(left) | lanes(right) << 32);
    let byte = |s: u32| (values >> (16 * s)) as u8;
    permute(u32::from_be_bytes([byte(0), byte(1), byte(2), byte(3)]))
}

fn permute(x: u32) -> u32 {
    /// The bits that move up by so many places.
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    const MOVES: [u32; 32] = {
        let (mut moves, mut n) = ([0; 32], 0);
        while n < 32 {
            moves[(PBOX[n] as usize + 32 - n) % 32] |= 1 << n;
            n += 1;
        }
        moves
    };
    MOVES.iter().zip(0..).fold(0, |y, (&bits, places)| y | (x & bits).rotate_left(places))
}

/// Bit 0 of each lane.
const ONES: u64 = 0x0001_0001_0001_0001;

/// Constants of the S-boxes as the polynomial in the row bits that takes their values: a0 + r0 a1 +
/// r1 (a2 + r0 a3).
type ByRow = [u64; 4];

#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn by_row(values: [[u8; 4]; 4]) -> ByRow {
    let (mut a, mut i) = ([0; 4], 0);
    while i < 16 {
        a[i % 4] |= (values[i / 4][i % 4] as u64) << (16 * (i / 4));
        i += 1;
    }
    [a[0], a[0] ^ a[1], a[0] ^ a[2], a[0] ^ a[1] ^ a[2] ^ a[3]]
}

const OFFSET: ByRow = by_row(OFFSETS);
/// t^8, t^9, .. t^14 modulo m.
const POWERS: [ByRow; 7] = array!([[0; 4]; 7], |k| {
    by_row(array!([[0; 4]; 4], |s| array!([0; 4], |row| multiply(1 << 7, 2 << k, MODULI[s][row]))))
});

/// S-box s of ten bits in lane s, for every lane: the seventh power.
fn sboxes(inputs: u64) -> u64 {
    let (r0, r1) = (masks(inputs), masks(inputs >> 9));
    let choose = |[a0, a1, a2, a3]: ByRow| a0 ^ r0 & a1 ^ r1 & (a2 ^ r0 & a3);
    let powers = POWERS.map(choose);
    // A product of degree at most 14 modulo m.
    let reduce = |product: u64| {
        powers
            .iter()
            .zip(8..)
            .fold(product & 0xff * ONES, |sum, (power, k)| sum ^ power & masks(product >> k))
    };
    let multiply = |a: u64, b: u64| reduce((0..8).fold(0, |sum, k| sum ^ a << k & masks(b >> k)));
    let square = |a: u64| {
        let a = (a | a << 4) & 0x0f0f * ONES;
        let a = (a | a << 2) & 0x3333 * ONES;
        reduce((a | a << 1) & 0x5555 * ONES)
    };
    let x = inputs >> 1 & 0xff * ONES ^ choose(OFFSET);
    let x2 = square(x);
    multiply(multiply(x, x2), square(x2))
}

/// Bit 0 of each lane, in all its bits.
fn masks(lanes: u64) -> u64 {
    let bits = lanes & ONES;
    (bits << 16).wrapping_sub(bits)
}
