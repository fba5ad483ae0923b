//! The key of a round to the words that kernels take, in registers: a shuffle selects bytes, an
//! affine map moves their bits.

use alloc::vec::Vec;

use tautochrone_simd::vector::{Bytes, Gf2p8};
use tautochrone_simd::wipe_on_drop;

use super::boxes::Lane;
use super::layout::{OWNERS, expanded, matrix, place, place_apart};
use crate::array::array;
use crate::field::Columns;
use crate::schedule::{Schedule, Subkey};

/// Registers of four words, in which keys are made.
pub(crate) trait Words: Gf2p8 + Bytes {
    #[inline(always)]
    fn words(self) -> Lane {
        let mut words = [0; 4];
        self.store(&mut words);
        words
    }
    /// Words 2, 3, 0, 1.
    #[inline(always)]
    fn swap_halves(self) -> Self {
        let [a, b, c, d] = self.words();
        Self::load(self.token(), &[c, d, a, b])
    }
}
impl<V: Gf2p8 + Bytes> Words for V {}

/// A word of eight equal bytes.
pub(super) const fn copies(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The rounds of a key, each as [`bytes`]; erased when dropped.
pub(crate) struct Packed(pub(crate) Vec<u64>);

impl Packed {
    pub(crate) fn new(mut schedule: Schedule) -> Self {
        // They take the place of the schedule.
        for key in &mut schedule.0 {
            *key = bytes(Subkey(*key));
        }
        Self(core::mem::take(&mut schedule.0))
    }
}

wipe_on_drop!(Packed, 0: 0);

/// A round's key as eight bytes: bits 1 to 8 of the ten of each S-box, in the order of the key
/// ([`data_column`], [`salt_column`]); then [`DATA_ROWS`] and [`SALT_ROWS`] with bits 0 and 9, r0
/// and r1, in the same order.
///
/// # Constant time
/// In the key, as everything made from it below.
fn bytes(Subkey(key): Subkey) -> u64 {
    // Bytes at multiples of 10 bits; then pairs at multiples of 20; then closed up.
    let columns = key >> 1 & at_tens(0xff);
    let pairs = columns & PAIRS | columns >> 2 & PAIRS << 8;
    let low = pairs & 0xffff | pairs >> 4 & 0xffff << 16;
    let columns = low | pairs >> 8 & 0xffff << 32;
    // Bits 10 i + 9 and 10 i + 10 go to 2 i + 1 and 2 i + 2.
    let inner = key >> 9 & at_tens(3);
    let inner = (inner | inner >> 8) & FOURS;
    let inner = (inner | inner >> 16 | inner >> 32) << 1 & 0x7fe;
    let rows = inner | key & 1 | key >> 48 & 1 << 11;
    columns | rows << (8 * DATA_ROWS)
}

/// The bits of `mask` at the multiples of ten below 60, as far as they are below 60.
const fn at_tens(mask: u64) -> u64 {
    (mask | mask << 10 | mask << 20 | mask << 30 | mask << 40 | mask << 50) & ((1 << 60) - 1)
}

/// Bytes at multiples of 20 bits.
const PAIRS: u64 = 0xff | 0xff << 20 | 0xff << 40;
/// Four bits at multiples of 20.
const FOURS: u64 = 0xf | 0xf << 20 | 0xf << 40;

/// The S-boxes of a half have ten bits each in its key, the second one's lowest.
const fn position(s: usize) -> usize {
    s ^ 1
}
/// The byte with the columns that the data key has for S-box s.
pub(super) const fn data_column(s: usize) -> usize {
    position(s)
}
/// The byte with the columns that the salt has for S-box s; partners have the same salt.
pub(super) const fn salt_column(s: usize) -> usize {
    4 + position(s & 1)
}
pub(super) const DATA_ROWS: usize = 6;
pub(super) const SALT_ROWS: usize = 7;

/// The bit of r0 (`which` 0) or r1 of S-box s in [`DATA_ROWS`] or [`SALT_ROWS`].
pub(super) const fn row_bit(s: usize, which: usize) -> usize {
    2 * position(s) + which
}

/// Words of eight equal bytes each, linear in a byte of the key each.
pub(super) struct ByteMap<const WORDS: usize = 4> {
    indices: [u64; WORDS],
    maps: [u64; WORDS],
}

impl<const WORDS: usize> ByteMap<WORDS> {
    /// Which bytes, and the images of their bits.
    pub(super) const fn new(bytes: [usize; WORDS], maps: [Columns; WORDS]) -> Self {
        Self {
            indices: array!([0; WORDS], |i| copies(bytes[i] as u8)),
            maps: array!([0; WORDS], |i| matrix(maps[i])),
        }
    }

    /// These words for the key in each word of `key`.
    #[inline(always)]
    pub(super) fn of<V: Gf2p8 + Bytes>(&self, key: V) -> V {
        const { assert!(V::LANES == WORDS) };
        let token = key.token();
        key.shuffle_bytes(V::load(token, &self.indices)).affine::<0>(V::load(token, &self.maps))
    }
}

/// Bits of a column to their places.
pub(super) const fn column(s: usize) -> Columns {
    array!([0; 8], |n| 1 << place_apart(expanded(s, n + 1)))
}

/// Bit `bits[i]` to place `places[i]`.
pub(super) const fn moves<const N: usize>(bits: [usize; N], places: [u8; N]) -> Columns {
    let (mut map, mut i) = ([0; 8], 0);
    while i < N {
        map[bits[i]] = 1 << places[i];
        i += 1;
    }
    map
}

/// A bit to all places.
pub(super) const fn everywhere(bit: usize) -> Columns {
    array!([0; 8], |n| if n == bit { 0xff } else { 0 })
}

/// Two words for s0 and s1, and for s2 and s3: the mask of the places where the odd one has the bit
/// that a (or c) takes. It is linear in the salt's columns, but for what it is without salt. Two
/// more for the row bits of the salt.
pub(super) struct Exchange {
    even_and_rows: ByteMap,
    odd: ByteMap,
    without: Lane,
}

impl Exchange {
    /// For [`place`] or [`place_apart`]; maps of the row bits, and what they are without salt.
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    pub(super) const fn new(apart: bool, rows: [Columns; 2], without: u64) -> Self {
        let (mut maps, mut without) = ([[[0; 8]; 2]; 2], [0, 0, without, without]);
        let mut i = 0;
        while i < 16 {
            let (s, e) = (i / 8, i % 8 + 1);
            let from = expanded(s, e);
            let here = 1 << if apart { place_apart(from) } else { place(from) };
            let pair = OWNERS[from] as usize / 2;
            maps[s][pair][e - 1] = here;
            without[pair] ^= copies(here * (OWNERS[from] & 1));
            i += 1;
        }
        let (even, odd) = (salt_column(0), salt_column(1));
        let [[a, b], [c, d]] = maps;
        Self {
            even_and_rows: ByteMap::new(
                [even, even, SALT_ROWS, SALT_ROWS],
                [a, b, rows[0], rows[1]],
            ),
            odd: ByteMap::new([odd; 4], [c, d, [0; 8], [0; 8]]),
            without,
        }
    }

    #[inline(always)]
    pub(super) fn of<V: Words>(&self, key: V) -> V {
        let without = V::load(key.token(), &self.without);
        without.xor3(self.even_and_rows.of(key), self.odd.of(key))
    }
}
