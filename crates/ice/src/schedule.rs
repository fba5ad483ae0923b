//! The key schedule: 60 bits a round.

use alloc::vec::Vec;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Rotations of the key words, rounds 0..8 of a half and 8..16.
const ROTATIONS: [usize; 16] = [0, 1, 2, 3, 2, 1, 3, 0, 1, 3, 2, 0, 3, 1, 0, 2];

/// A round's key: two data keys of 20 bits and the salt, which says where the halves are swapped.
#[derive(Clone, Copy, Default, Zeroize)]
pub(crate) struct Subkey {
    /// XORed to the left and to the right half of the expanded input.
    pub(crate) data: [u32; 2],
    pub(crate) salt: u32,
}

/// The rounds of a key.
#[derive(ZeroizeOnDrop)]
pub(crate) struct Schedule(pub(crate) Vec<Subkey>);

impl Schedule {
    /// For a key of 8 max(1, level) bytes.
    ///
    /// # Constant time
    /// In the key: bits are moved, never looked at.
    pub(crate) fn new(level: u8, key: &[u8]) -> Self {
        let mut rounds = alloc::vec![Subkey::default(); crate::rounds(level)];
        let last = rounds.len();
        for (i, part) in key.as_chunks::<8>().0.iter().enumerate() {
            let mut words: [u16; 4] =
                core::array::from_fn(|j| u16::from_be_bytes([part[6 - 2 * j], part[7 - 2 * j]]));
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

/// Eight rounds: 15 times a bit of each of the four words, in an order that rotates, goes to one of the three parts; a word
/// is shifted and receives the complement of the bit.
fn fill(rounds: &mut [Subkey], words: &mut [u16; 4], rotations: &[usize]) {
    for (round, &rotation) in rounds.iter_mut().zip(rotations) {
        let mut parts = [0; 3];
        for j in 0..15 {
            for t in 0..4 {
                let word = &mut words[(rotation + t) % 4];
                let bit = *word & 1;
                parts[j % 3] = parts[j % 3] << 1 | u32::from(bit);
                *word = *word >> 1 | (bit ^ 1) << 15;
            }
        }
        *round = Subkey { data: [parts[0], parts[1]], salt: parts[2] };
        parts.zeroize();
    }
}
