//! The key schedule: 60 bits a round.

use alloc::vec::Vec;

use tautochrone_simd::wipe;
use zeroize::Zeroize;

/// Rounds of a level.
pub(crate) const fn rounds(level: u8) -> usize {
    if level == 0 { 8 } else { 16 * level as usize }
}

/// Rotations of the key words, rounds 0..8 of a half and 8..16.
const ROTATIONS: [usize; 16] = [0, 1, 2, 3, 2, 1, 3, 0, 1, 3, 2, 0, 3, 1, 0, 2];

/// A round's key: two data keys of 20 bits and the salt, which says where the halves are swapped.
#[derive(Clone, Copy, Default)]
pub(crate) struct Subkey {
    /// XORed to the left and to the right half of the expanded input.
    pub(crate) data: [u32; 2],
    pub(crate) salt: u32,
}

/// The rounds of a key.
pub(crate) struct Schedule(pub(crate) Vec<Subkey>);

impl Drop for Schedule {
    fn drop(&mut self) {
        wipe(&mut self.0, Subkey::default());
    }
}

impl Schedule {
    /// For a key of 8 max(1, level) bytes.
    ///
    /// # Constant time
    /// In the key: bits are moved, never looked at.
    pub(crate) fn new(level: u8, key: &[u8]) -> Self {
        let mut rounds = alloc::vec![Subkey::default(); rounds(level)];
        let last = rounds.len();
        for (i, part) in key.as_chunks::<8>().0.iter().enumerate() {
            let mut words: [u16; 4] = core::array::from_fn(|j| {
                u16::from_be_bytes([part[6 - 2 * j], part[7 - 2 * j]]).reverse_bits()
            });
            fill(&mut rounds[8 * i..8 * (i + 1)], &mut words, &ROTATIONS[..8]);
            if level > 0 {
                let start = last - 8 * (i + 1);
                fill(&mut rounds[start..start + 8], &mut words, &ROTATIONS[8..]);
            }
            words.zeroize();
        }
        Self(rounds)
    }
}

/// Eight rounds: 15 times a bit of each of the four words, in an order that rotates, goes to one of
/// the three parts; a word is shifted and receives the complement of the bit.
///
/// Words come with the bit that is used first at the top. Part p takes every third bit from bit p
/// on, and the next word's bits go right below them.
fn fill(rounds: &mut [Subkey], words: &mut [u16; 4], rotations: &[usize]) {
    for (round, &rotation) in rounds.iter_mut().zip(rotations) {
        let mut parts = 0;
        for t in 0..4 {
            parts |= spread(words[(rotation + t) % 4]) << (3 - t);
        }
        for word in words.iter_mut() {
            *word = word.rotate_right(1) ^ 0x7fff;
        }
        let part = |p: u32| (parts >> (FIELD * p)) as u32 & ((1 << 20) - 1);
        *round = Subkey { data: [part(0), part(1)], salt: part(2) };
    }
}

/// Distance of the three parts in a word of 64 bits.
const FIELD: u32 = 21;

/// Bits 15 - p - 3 i of the word, 0 <= i < 5, as bits 16 - 4 i of field p.
fn spread(word: u16) -> u64 {
    const FIELDS: u64 = 1 | 1 << FIELD | 1 << (2 * FIELD);
    let word = u64::from(word);
    let all = word >> 3 | word >> 2 << FIELD | word >> 1 << (2 * FIELD);
    // Bit 3 m moves by m places: even and odd m by themselves, products have no carries then.
    let even = (all & (FIELDS * 0o10101)) * (1 | 1 << 2 | 1 << 4);
    let odd = (all & (FIELDS * 0o01010)) * (1 << 1 | 1 << 3);
    even & (FIELDS * 0x10101) | odd & (FIELDS * 0x01010)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit, as the cipher is defined.
    #[test]
    fn rounds_are_those_of_the_definition() {
        for seed in 0..50_u64 {
            let key = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
            let mut words: [u16; 4] =
                core::array::from_fn(|j| u16::from_be_bytes([key[6 - 2 * j], key[7 - 2 * j]]));
            for (round, rotation) in Schedule::new(1, &key).0.iter().zip(ROTATIONS) {
                let mut parts = [0; 3];
                for j in 0..15 {
                    for t in 0..4 {
                        let word = &mut words[(rotation + t) % 4];
                        let bit = *word & 1;
                        parts[j % 3] = parts[j % 3] << 1 | u32::from(bit);
                        *word = *word >> 1 | (bit ^ 1) << 15;
                    }
                }
                assert_eq!([round.data[0], round.data[1], round.salt], parts);
            }
        }
    }
}
