//! One block in each 256-bit lane, for the least latency: about 40 instructions a round, and 20 cycles from one round to the
//! next where affine instructions take three and those across halves of a lane three or four.
//!
//! A lane has a word for each S-box, in the order 0, 3 | 1, 2 ([`BOXES`]): in reverse order, each is in the place of its
//! partner under the salt. A word is eight copies of a byte, or a row bit 64 times. Half a block is three registers: columns,
//! row bits r0, and row bits r1 in the order 0, 1 | 3, 2, in which they come from the low words of the two halves as r0 comes
//! from the high ones. All are linear in the half, so a round adds to them and expands nothing. The row bits choose the
//! matrices of the affine instructions.

use alloc::vec::Vec;

use super::Lanes;
use super::keys::{
    DATA_ROWS, Lane, Pick, SALT_ROWS, bytes, column, copies, everywhere, row_bit, salt_column,
};
use super::layout::{self, OWNERS, POWER_32, expanded, matrix, place_apart};
use super::narrow::{broadcast, placed_input};
use crate::schedule::{Schedule, Subkey};

/// The S-boxes of the words.
const BOXES: [usize; 4] = [0, 3, 1, 2];
/// The word of each S-box.
const WORDS: [usize; 4] = [0, 2, 3, 1];

/// For each S-box, words for each row, as the polynomial in the row bits that takes their values: a0 + r0 a1 + r1 (a2 + r0 a3).
macro_rules! by_row {
    (|$s:ident, $row:ident| $matrix:expr) => {{
        let (mut lanes, mut word) = ([[0; 4]; 4], 0);
        while word < 4 {
            let $s = BOXES[word];
            let mut $row = 0;
            while $row < 4 {
                // Row 3 adds to a3 alone, row 2 to a2 and a3, and so on.
                let mut i = $row;
                while i < 4 {
                    if i & $row == $row {
                        lanes[i][word] ^= $matrix;
                    }
                    i += 1;
                }
                $row += 1;
            }
            word += 1;
        }
        lanes
    }};
}

/// T / c.
const INPUT: [Lane; 4] = by_row!(|s, row| matrix(placed_input(s, row)));
/// The seventh power to the value of the S-box.
const OUTPUT: [Lane; 4] = by_row!(|s, row| matrix(layout::OUTPUT_APART[s][row]));

/// S-boxes of the words of row bits r0 and of r1.
const ROWS: [[usize; 4]; 2] = [BOXES, [0, 1, 3, 2]];

/// From the matrices for values those that give row bits, each in all bits: eight times the row of the bit (byte 7 - i for
/// bit i).
const SPREAD: [Lane; 2] = {
    let (mut order, mut i) = ([[0; 4]; 2], 0);
    while i < 8 {
        let (which, word) = (i / 4, i % 4);
        let bit = expanded(ROWS[which][word], 9 * which);
        // In the same half: the high word for r0, the low one for r1.
        let high = 1 - which;
        assert!(WORDS[3 - OWNERS[bit] as usize] == (word & 2) + high);
        order[which][word] = copies(8 * high as u8 + 7 - place_apart(bit));
        i += 1;
    }
    order
};

/// The word whose S-box writes bit e of the column in a word.
const fn source(word: usize, e: usize) -> usize {
    WORDS[3 - OWNERS[expanded(BOXES[word], e)] as usize]
}

/// The bits of columns that come from a value in the same word of this half or of the other; the rest comes from the other
/// words, of which that of the partner is in the other half.
const SAME: Lane = {
    let (mut masks, mut i) = ([0; 4], 0);
    while i < 32 {
        let (word, e) = (i / 8, i % 8 + 1);
        if source(word, e) % 2 == word % 2 {
            masks[word] |= copies(1 << place_apart(expanded(BOXES[word], e)));
        }
        i += 1;
    }
    masks
};
/// The same for the other word of the half.
const SAME_SWAPPED: Lane = [SAME[1], SAME[0], SAME[3], SAME[2]];

/// The bits of columns that are kept exchanged with those of the partner: then the low half receives nothing but values from
/// the same word and from that of the partner, the high half nothing but those from the other two.
const EXCHANGED: Lane = {
    let (mut masks, mut i) = ([0; 4], 0);
    while i < 16 {
        let (word, e) = (i / 8, i % 8 + 1);
        if source(word, e) != word && source(word, e) != 3 - word {
            let mask = copies(1 << place_apart(expanded(BOXES[word], e)));
            masks[word] |= mask;
            masks[3 - word] |= mask;
        }
        i += 1;
    }
    masks
};
/// The high half.
const HIGH: Lane = [0, 0, u64::MAX, u64::MAX];

/// Half a block: columns, r0, r1.
#[derive(Clone, Copy)]
struct Half<T> {
    columns: T,
    r0: T,
    r1: T,
}

impl Half<Lane> {
    const ZERO: Self = Self { columns: [0; 4], r0: [0; 4], r1: [0; 4] };
}

impl<V: Lanes> Half<V> {
    /// The same in every lane.
    #[inline(always)]
    fn load(Half { columns, r0, r1 }: &Half<Lane>) -> Self {
        Self { columns: V::splat256(*columns), r0: V::splat256(*r0), r1: V::splat256(*r1) }
    }

    /// The first lane.
    #[inline(always)]
    fn words(&self) -> Half<Lane> {
        Half { columns: self.columns.words(), r0: self.r0.words(), r1: self.r1.words() }
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        Self {
            columns: self.columns.xor(other.columns),
            r0: self.r0.xor(other.r0),
            r1: self.r1.xor(other.r1),
        }
    }
}

/// A round's key.
#[derive(Clone, Copy)]
struct Round {
    /// Where columns (as they are kept), r0 and r1 are exchanged.
    salt: Half<Lane>,
    /// The data key belongs to what is read, after the exchange. It is added before, and a round earlier, to the half that
    /// is written then, together with what cancels the key of the round before: those of the neighbouring rounds, exchanged.
    neighbours: Half<Lane>,
}

/// The rounds of a key, and the data keys of the first and the last, exchanged.
pub(crate) struct Keys {
    rounds: Vec<Round>,
    first: Half<Lane>,
    last: Half<Lane>,
}

/// Data key and salt of the columns.
const COLUMNS: [Pick; 2] = {
    let maps = [column(BOXES[0]), column(BOXES[1]), column(BOXES[2]), column(BOXES[3])];
    let salt = [
        salt_column(BOXES[0]),
        salt_column(BOXES[1]),
        salt_column(BOXES[2]),
        salt_column(BOXES[3]),
    ];
    [Pick::new(BOXES, maps), Pick::new(salt, maps)]
};

/// Data key and salt of r0 (`which` 0) or r1, in the order of [`BOXES`]; partners have the same salt.
const fn row_picks(which: usize) -> [Pick; 2] {
    const fn spread(boxes: [usize; 4], which: usize) -> [crate::field::Columns; 4] {
        [
            everywhere(row_bit(boxes[0], which)),
            everywhere(row_bit(boxes[1], which)),
            everywhere(row_bit(boxes[2], which)),
            everywhere(row_bit(boxes[3], which)),
        ]
    }
    [
        Pick::new([DATA_ROWS; 4], spread(BOXES, which)),
        Pick::new([SALT_ROWS; 4], spread([0, 1, 1, 0], which)),
    ]
}
const R0: [Pick; 2] = row_picks(0);
const R1: [Pick; 2] = row_picks(1);
/// Of S-boxes 1 and 3, r1 is in the other's place.
const CROSSED: Lane = [0, u64::MAX, u64::MAX, 0];

/// Salt of a round, and its data key as it must be before the exchange.
#[inline(always)]
fn expand<V: Lanes>(key: &Subkey) -> [Half<V>; 2] {
    let key = V::splat(bytes(key));
    let salt = Half {
        columns: COLUMNS[1].of(key).xor(V::splat256(EXCHANGED)),
        r0: R0[1].of(key),
        r1: R1[1].of(key).xor(V::splat256(CROSSED)),
    };
    let data = Half { columns: COLUMNS[0].of(key), r0: R0[0].of(key), r1: R1[0].of(key) };
    let data = Half {
        columns: exchanged(salt.columns, data.columns),
        r0: exchanged(salt.r0, data.r0),
        r1: exchanged(salt.r1, data.r1),
    };
    [salt, data]
}

impl Keys {
    #[inline(always)]
    pub(crate) fn new<V: Lanes>(schedule: &Schedule) -> Self {
        let [first, rest @ ..] = &schedule.0[..] else { unreachable!("every level has rounds") };
        let mut rounds = Vec::with_capacity(schedule.0.len());
        let mut before = Half::<V>::load(&Half::ZERO);
        let [mut salt, mut current] = expand::<V>(first);
        let first = current.words();
        for key in rest {
            let [next_salt, next] = expand::<V>(key);
            rounds.push(Round { salt: salt.words(), neighbours: before.add(&next).words() });
            (before, salt, current) = (current, next_salt, next);
        }
        rounds.push(Round { salt: salt.words(), neighbours: before.words() });
        Self { rounds, first, last: current.words() }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let zero = Round { salt: Half::ZERO, neighbours: Half::ZERO };
        crate::erase(&mut self.rounds, zero);
        crate::erase(core::slice::from_mut(&mut self.first), Half::ZERO);
        crate::erase(core::slice::from_mut(&mut self.last), Half::ZERO);
    }
}

/// The map of the row, a bit at a time.
#[inline(always)]
fn choose<V: Lanes>(maps: &[Lane; 4], r0: V, r1: V) -> V {
    let low = V::splat256(maps[0]).add_masked(r0, V::splat256(maps[1]));
    let high = V::splat256(maps[2]).add_masked(r0, V::splat256(maps[3]));
    low.add_masked(high, r1)
}

/// A register after the exchange that the salt wants.
#[inline(always)]
fn exchanged<V: Lanes>(salt: V, x: V) -> V {
    salt.select(x.reverse(), x)
}

/// Half a block in the rounds: the last values wait to be added to the columns, since where they go depends on the next salt.
#[derive(Clone, Copy)]
struct State<V> {
    half: Half<V>,
    values: V,
}

impl<V: Lanes> State<V> {
    /// What the values are to columns: in the low half where these are exchanged as they are kept, in the high half where
    /// they are exchanged otherwise; and the reverse.
    #[inline(always)]
    fn taken(&self) -> [V; 2] {
        let (own, partner) = (self.values, self.values.reverse());
        let straight = V::splat256(SAME).select(own, partner);
        [straight, V::splat256(SAME_SWAPPED).select(partner, own).swap()]
    }

    /// The half with the values in its columns.
    #[inline(always)]
    fn settled(&self, [straight, swapped]: [V; 2]) -> Half<V> {
        let high = V::splat256(HIGH);
        let columns = self.half.columns.add_unmasked(straight, high).add_masked(swapped, high);
        Half { columns, ..self.half }
    }
}

/// to ^= F(from).
#[inline(always)]
fn round<V: Lanes>(key: &Round, from: &mut State<V>, to: &mut State<V>) {
    let salt = V::splat256(key.salt.columns);
    let taken = from.taken();
    let where_swapped = salt.xor(V::splat256(HIGH));
    let columns = exchanged(salt, from.half.columns)
        .add_unmasked(taken[0], where_swapped)
        .add_masked(taken[1], where_swapped);
    from.half = from.settled(taken);
    let r0 = exchanged(V::splat256(key.salt.r0), from.half.r0);
    let r1 = exchanged(V::splat256(key.salt.r1), from.half.r1);

    let x = columns.affine::<{ layout::OFFSET as i32 }>(choose(&INPUT, r0, r1));
    let z = x.multiply(x.inverse_affine(V::splat(POWER_32)));
    let maps = choose(&OUTPUT, r0, r1);
    let r0 = z.high().affine::<0>(maps.shuffle(SPREAD[0]));
    let r1 = z.low().affine::<0>(maps.shuffle(SPREAD[1]));
    to.values = z.affine::<0>(maps);
    let keys = Half::load(&key.neighbours);
    to.half = Half {
        columns: to.half.columns.xor(keys.columns),
        r0: to.half.r0.add2(r0, keys.r0),
        r1: to.half.r1.add2(r1, keys.r1),
    };
}

/// Blocks to halves and back.
mod io {
    use super::*;

    /// Bytes of a lane that hold b_j of the left (0) or right (1) half, eight times.
    const fn byte(half: usize, j: usize) -> u64 {
        copies((4 * half + 3 - j) as u8)
    }

    /// The bytes of each S-box's column: bits 1 to 7 of b_(3-s), bit 0 of the next one.
    const fn own(half: usize) -> Lane {
        [byte(half, 3), byte(half, 0), byte(half, 2), byte(half, 1)]
    }
    const fn next(half: usize) -> Lane {
        [byte(half, 0), byte(half, 1), byte(half, 3), byte(half, 2)]
    }
    /// The latter in the order of r1.
    const fn next_of_rows(half: usize) -> Lane {
        [byte(half, 0), byte(half, 3), byte(half, 1), byte(half, 2)]
    }

    /// Where bits of a byte and of the next one go in a column, or come from.
    const COLUMN: [Lane; 2] = maps(false);
    const BACK: [Lane; 2] = maps(true);

    const fn maps(back: bool) -> [Lane; 2] {
        let (mut lanes, mut word) = ([[0; 4]; 2], 0);
        while word < 4 {
            let (mut map, mut e) = ([[0; 8]; 2], 1);
            while e <= 8 {
                let (from, to) = (e % 8, place_apart(expanded(BOXES[word], e)) as usize);
                if back {
                    map[e / 8][to] = 1 << from;
                } else {
                    map[e / 8][from] = 1 << to;
                }
                e += 1;
            }
            lanes[0][word] = matrix(map[0]);
            lanes[1][word] = matrix(map[1]);
            word += 1;
        }
        lanes
    }

    /// Spreads bit 0, or bit 1.
    const BROADCAST: [u64; 2] = [broadcast(0), broadcast(1)];

    #[inline(always)]
    pub(super) fn unpack<V: Lanes, const HALF: usize>(blocks: V) -> State<V> {
        let own = blocks.shuffle(const { own(HALF) });
        let columns = own.affine::<0>(V::splat256(COLUMN[0]));
        let next = blocks.shuffle(const { next(HALF) }).affine::<0>(V::splat256(COLUMN[1]));
        let half = Half {
            columns: exchanged(V::splat256(EXCHANGED), columns.xor(next)),
            r0: own.affine::<0>(V::splat(BROADCAST[0])),
            r1: blocks.shuffle(const { next_of_rows(HALF) }).affine::<0>(V::splat(BROADCAST[1])),
        };
        State { half, values: V::splat(0) }
    }

    /// The bytes of a half at their places in the block, each in the word of its S-box.
    #[inline(always)]
    fn bytes<V: Lanes, const HALF: usize>(state: &State<V>) -> V {
        let columns = exchanged(V::splat256(EXCHANGED), state.half.columns);
        let own = columns.affine::<0>(V::splat256(BACK[0]));
        // Bit 0 of the byte of S-box s is bit 8 of the column of S-box s + 1.
        let before = columns.affine::<0>(V::splat256(BACK[1])).of_next_box();
        own.xor(before).and(V::splat256(const { at(HALF) }))
    }

    /// The bytes b_(3-s) in a block.
    const fn at(half: usize) -> Lane {
        let (mut masks, mut word) = ([0; 4], 0);
        while word < 4 {
            masks[word] = 0xff << (8 * (4 * half + BOXES[word]));
            word += 1;
        }
        masks
    }

    /// The blocks, each in all words of its lane.
    #[inline(always)]
    pub(super) fn pack<V: Lanes>(left: &State<V>, right: &State<V>) -> V {
        let bytes = bytes::<V, 0>(left).xor(bytes::<V, 1>(right));
        let pairs = bytes.xor(bytes.reverse());
        pairs.xor(pairs.swap())
    }
}

/// All rounds on `BLOCKS` blocks.
#[inline(always)]
fn group<'k, V: Lanes>(
    mut rounds: impl Iterator<Item = &'k Round>,
    [first, last]: [&Half<Lane>; 2],
    blocks: &mut [[u8; 8]],
) {
    let words = V::load(blocks);
    let (mut left, mut right) = (io::unpack::<V, 0>(words), io::unpack::<V, 1>(words));
    right.half = right.half.add(&Half::load(first));
    // The number of rounds is even.
    while let (Some(one), Some(two)) = (rounds.next(), rounds.next()) {
        round(one, &mut right, &mut left);
        round(two, &mut left, &mut right);
    }
    left.half = left.half.add(&Half::load(last));
    right.half = right.settled(right.taken());
    io::pack(&right, &left).store(blocks);
}

/// Encrypts or decrypts `BLOCKS` blocks.
#[inline(always)]
pub(super) fn process<V: Lanes>(keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
    if decrypt {
        group::<V>(keys.rounds.iter().rev(), [&keys.last, &keys.first], blocks);
    } else {
        group::<V>(keys.rounds.iter(), [&keys.first, &keys.last], blocks);
    }
}
