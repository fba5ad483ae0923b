//! Blocks to planes of one kind of register and back.

use crate::circuit::{Keys, Plane, State, rounds};
use crate::erase::erase;

/// Words in the widest register.
pub(super) const MOST_LANES: usize = 8;

/// A register with what a transposition needs.
pub(crate) trait Register: Plane {
    /// Words of 64 bits.
    const LANES: usize;
    /// The first `LANES` of `words`.
    fn load(words: &[u64; MOST_LANES]) -> Self;
    fn store(self, words: &mut [u64; MOST_LANES]);
    fn shift_left(self, bits: u32) -> Self;
    fn shift_right(self, bits: u32) -> Self;
}

impl Register for u64 {
    const LANES: usize = 1;
    #[inline(always)]
    fn load(words: &[u64; MOST_LANES]) -> Self {
        words[0]
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MOST_LANES]) {
        words[0] = self;
    }
    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        self << bits
    }
    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        self >> bits
    }
}

/// Whole runs of 64 `LANES` blocks, the last one perhaps in part.
#[inline(always)]
pub(super) fn run<R: Register>(keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
    let mut words = [[0; MOST_LANES]; 64];
    let mut planes = [R::splat(0); 64];
    let mut state: State<R> = [[R::splat(0); 32]; 2];
    for blocks in blocks.chunks_mut(64 * R::LANES) {
        for (lane, blocks) in blocks.chunks(64).enumerate() {
            for (words, &block) in words.iter_mut().zip(blocks) {
                words[lane] = u64::from_be_bytes(block);
            }
        }
        for (plane, words) in planes.iter_mut().zip(&words) {
            *plane = R::load(words);
        }
        transpose(&mut planes);
        state.as_flattened_mut().copy_from_slice(&planes);
        rounds(keys, decrypt, &mut state);
        planes.copy_from_slice(state.as_flattened());
        transpose(&mut planes);
        for (plane, words) in planes.iter().zip(&mut words) {
            plane.store(words);
        }
        for (lane, blocks) in blocks.chunks_mut(64).enumerate() {
            for (words, block) in words.iter().zip(blocks) {
                *block = words[lane].to_be_bytes();
            }
        }
    }
    erase(&mut words, [0; MOST_LANES]);
    for plane in planes.iter_mut().chain(state.as_flattened_mut()) {
        *plane = R::splat(0);
    }
    zeroize::optimization_barrier(&planes);
    zeroize::optimization_barrier(&state);
}

/// Transposes the 64 x 64 bit matrix in every lane: six rounds of exchanging off-diagonal squares (Hacker's Delight,
/// section 7-3).
#[inline(always)]
fn transpose<R: Register>(rows: &mut [R; 64]) {
    let mut size = 32;
    let mut mask = u64::from(u32::MAX);
    while size > 0 {
        let keep = R::splat(mask);
        for pair in 0..32 {
            // The rows whose number has a 0 in the place of `size`.
            let k = (pair & !(size - 1)) << 1 | pair & (size - 1);
            let swap = rows[k].shift_right(size as u32).xor(rows[k + size]).and(keep);
            rows[k + size] = rows[k + size].xor(swap);
            rows[k] = rows[k].xor(swap.shift_left(size as u32));
        }
        size >>= 1;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposition_moves_every_bit() {
        let rows: [u64; 64] =
            core::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut columns = rows;
        transpose(&mut columns);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }
}
