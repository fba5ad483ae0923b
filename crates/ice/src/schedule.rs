//! The key schedule: 60 bits a round.

use alloc::vec::Vec;

use tautochrone_simd::wipe_on_drop;
use zeroize::Zeroize;

/// Rounds of a level.
pub(crate) const fn rounds(level: u8) -> usize {
    if level == 0 { 8 } else { 16 * level as usize }
}

/// Rotations of the key words, rounds 0..8 of a half and 8..16.
const ROTATIONS: [usize; 16] = [0, 1, 2, 3, 2, 1, 3, 0, 1, 3, 2, 0, 3, 1, 0, 2];

/// A round's key, three parts of 20 bits: data keys for the left and the right half of the expanded
/// input, and the salt, which says where the halves are swapped.
#[derive(Clone, Copy)]
pub(crate) struct Subkey(pub(crate) u64);

impl Subkey {
    /// The key bits that are XORed to the left and to the right half of the expanded input.
    pub(crate) fn data(self) -> [u32; 2] {
        [self.part(0), self.part(1)]
    }

    pub(crate) fn salt(self) -> u32 {
        self.part(2)
    }

    fn part(self, p: u32) -> u32 {
        (self.0 >> (20 * p)) as u32 & 0xf_ffff
    }
}

/// The rounds of a key, the word of a [`Subkey`] each.
pub(crate) struct Schedule(pub(crate) Vec<u64>);

wipe_on_drop!(Schedule, 0: 0);

impl Schedule {
    /// For a key of 8 max(1, level) bytes.
    ///
    /// # Constant time
    /// In the key: bits are moved, never looked at.
    pub(crate) fn new(level: u8, key: &[u8]) -> Self {
        let mut rounds = alloc::vec![0; rounds(level)];
        let last = rounds.len();
        for (i, part) in key.as_chunks::<8>().0.iter().enumerate() {
            let mut state = spread(u64::from_be_bytes(*part));
            fill(&mut rounds[8 * i..8 * (i + 1)], &mut state, &ROTATIONS[..8]);
            if level > 0 {
                let start = last - 8 * (i + 1);
                fill(&mut rounds[start..start + 8], &mut state, &ROTATIONS[8..]);
            }
            state.zeroize();
        }
        Self(rounds)
    }
}

/// One in every nibble.
const NIBBLES: u64 = 0x1111_1111_1111_1111;

/// Eight rounds: 15 times a bit of each of the four words, in an order that rotates, goes to one of
/// the three parts; a word is shifted and receives the complement of the bit.
///
/// Bit j of word w, in the order of use, is bit 3 - w of nibble 5 j + 4 modulo 16 of the state. So
/// part p has bits j = p + 3 i, 0 <= i < 5, at nibble 4 - i of its five, and bit 15, which is not
/// used, is in the highest nibble. For the next round bit 15 becomes bit 0, and bit j the
/// complement of bit j + 1: a rotation by five nibbles.
fn fill(rounds: &mut [u64], state: &mut u64, rotations: &[usize]) {
    for (round, &rotation) in rounds.iter_mut().zip(rotations) {
        // Word (rotation + t) mod 4 to bit 3 - t of nibbles.
        let high = NIBBLES * (0xf << rotation & 0xf);
        let ordered = *state << rotation & high | *state >> (4 - rotation) & !high;
        *round = ordered & ((1 << 60) - 1);
        *state = state.rotate_left(20) ^ (u64::MAX - (0xf << 16));
    }
}

/// The state from four words of 16 bits, the first one lowest.
fn spread(words: u64) -> u64 {
    let state = (0..4).fold(0, |state, w| {
        // Bit j to nibble j.
        let x = words >> (16 * w) & 0xffff;
        let x = (x | x << 24) & 0x0000_00ff_0000_00ff;
        let x = (x | x << 12) & 0x000f_000f_000f_000f;
        let x = (x | x << 6) & 0x0303_0303_0303_0303;
        let x = (x | x << 3) & NIBBLES;
        state | x << (3 - w)
    });
    // Nibble j to nibble 5 j + 4: by 4 (j + 1), and j modulo 4 is enough.
    (0..4).fold(0, |sum, j| {
        let nibbles = state & 0x000f_000f_000f_000f << (4 * j);
        sum | nibbles.rotate_left(16 * (j + 1))
    })
}
