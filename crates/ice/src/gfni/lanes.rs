//! One block in each 128-bit lane, for the least latency: about 60 instructions a round, and 18 cycles from one round to the
//! next where affine instructions take three.
//!
//! A word is eight copies of a byte, or a row bit 64 times. Half a block is six registers: the columns of S-boxes 0 | 3 and
//! 2 | 1 (low | high word), the row bits r0 of the same, and the row bits r1 of 0 | 1 and 2 | 3. All are linear in the half,
//! so a round adds to them and expands nothing. The row bits choose the matrices of the affine instructions.

use alloc::vec::Vec;

use super::Lanes;
use super::keys::{
    DATA_ROWS, Lane, Pick, SALT_ROWS, bytes, column, copies, everywhere, row_bit, salt_column,
};
use super::layout::{self, OWNERS, POWER_32, expanded, matrix, place_apart};
use super::narrow::{broadcast, placed_input};
use crate::schedule::{Schedule, Subkey};

/// The S-boxes of the two registers of columns.
const BOXES: [[usize; 2]; 2] = [[0, 3], [2, 1]];

/// For each register, words of its two S-boxes for each row, as the polynomial in the row bits that takes their values:
/// a0 + r0 a1 + r1 (a2 + r0 a3).
macro_rules! by_row {
    (|$s:ident, $row:ident| $matrix:expr) => {{
        let (mut lanes, mut register) = ([[[0; 2]; 4]; 2], 0);
        while register < 2 {
            let mut $row = 0;
            while $row < 4 {
                let mut word = 0;
                while word < 2 {
                    let $s = BOXES[register][word];
                    // Row 3 adds to a3 alone, row 2 to a2 and a3, and so on.
                    let mut i = $row;
                    while i < 4 {
                        if i & $row == $row {
                            lanes[register][i][word] ^= $matrix;
                        }
                        i += 1;
                    }
                    word += 1;
                }
                $row += 1;
            }
            register += 1;
        }
        lanes
    }};
}

/// T / c.
const INPUT: [[Lane; 4]; 2] = by_row!(|s, row| matrix(placed_input(s, row)));
/// The seventh power to the value of the S-box.
const OUTPUT: [[Lane; 4]; 2] = by_row!(|s, row| matrix(layout::OUTPUT_APART[s][row]));

/// The bits of each S-box's value that are row bits, as S-box and bit of its input: the first for the low word, the second
/// for the high word of a register of row bits.
const ROWS: [[(usize, usize); 2]; 4] =
    [[(0, 9), (1, 9)], [(2, 9), (3, 9)], [(2, 0), (1, 0)], [(0, 0), (3, 0)]];

/// From the two matrices of a register those that give the row bits of S-box s, each in all bits: a matrix of eight times
/// the row of the bit (byte 7 - i for bit i).
const fn spread(s: usize) -> Lane {
    let (mut order, mut word) = ([0; 2], 0);
    while word < 2 {
        let bit = expanded(ROWS[s][word].0, ROWS[s][word].1);
        assert!(OWNERS[bit] as usize == 3 - s);
        // S-boxes 3 and 1 are in high words.
        order[word] = copies(8 * (s as u8 & 1) + 7 - place_apart(bit));
        word += 1;
    }
    order
}

// S-box 3's bits are those of the row register that has 0 | 3, and so on.
const SPREAD: [Lane; 4] = [spread(0), spread(1), spread(2), spread(3)];

/// The bits of the columns in a register that values bring with the words of their registers swapped (`[register][1]`), and
/// those that values in register 0 bring, swapped or not.
const TAKE: [[Lane; 2]; 2] = {
    let (mut take, mut target) = ([[[0; 2]; 2]; 2], 0);
    while target < 2 {
        let mut word = 0;
        while word < 2 {
            let (mut masks, mut e) = ([0; 2], 1);
            while e <= 8 {
                let from = expanded(BOXES[target][word], e);
                let writer = 3 - OWNERS[from] as usize;
                let here = 1 << place_apart(from);
                if BOXES[0][0] == writer || BOXES[0][1] == writer {
                    masks[0] |= here;
                }
                if BOXES[0][word] != writer && BOXES[1][word] != writer {
                    masks[1] |= here;
                }
                e += 1;
            }
            take[target][0][word] = copies(masks[0]);
            take[target][1][word] = copies(masks[1]);
            word += 1;
        }
        target += 1;
    }
    take
};

/// Half a block: columns, r0, r1.
#[derive(Clone, Copy)]
struct Half<T> {
    columns: [T; 2],
    r0: [T; 2],
    r1: [T; 2],
}

impl Half<Lane> {
    const ZERO: Self = Self { columns: [[0; 2]; 2], r0: [[0; 2]; 2], r1: [[0; 2]; 2] };
}

impl<V: Lanes> Half<V> {
    /// The same in every lane.
    #[inline(always)]
    fn load(Half { columns, r0, r1 }: &Half<Lane>) -> Self {
        Self {
            columns: [V::splat128(columns[0]), V::splat128(columns[1])],
            r0: [V::splat128(r0[0]), V::splat128(r0[1])],
            r1: [V::splat128(r1[0]), V::splat128(r1[1])],
        }
    }

    /// The first lane.
    #[inline(always)]
    fn words(&self) -> Half<Lane> {
        let Self { columns, r0, r1 } = self;
        Half {
            columns: [columns[0].words(), columns[1].words()],
            r0: [r0[0].words(), r0[1].words()],
            r1: [r1[0].words(), r1[1].words()],
        }
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        let Self { columns, r0, r1 } = self;
        Self {
            columns: [columns[0].xor(other.columns[0]), columns[1].xor(other.columns[1])],
            r0: [r0[0].xor(other.r0[0]), r0[1].xor(other.r0[1])],
            r1: [r1[0].xor(other.r1[0]), r1[1].xor(other.r1[1])],
        }
    }
}

/// A round's key.
#[derive(Clone, Copy)]
struct Round {
    /// Where columns, r0 and r1 are exchanged.
    salt: [Lane; 3],
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

/// Data key of the two registers with r0 (`which` 0) or r1, in the order of [`BOXES`], and their salt.
const fn row_picks(which: usize) -> [Pick; 3] {
    const fn pick(byte: usize, boxes: [usize; 2], which: usize) -> Pick {
        let maps = [everywhere(row_bit(boxes[0], which)), everywhere(row_bit(boxes[1], which))];
        Pick::new([byte; 2], maps)
    }
    [
        pick(DATA_ROWS, BOXES[0], which),
        pick(DATA_ROWS, BOXES[1], which),
        pick(SALT_ROWS, [0, 1], which),
    ]
}

/// Salt of a round, and its data key as it must be before the exchange.
#[inline(always)]
fn expand<V: Lanes>(key: &Subkey) -> ([V; 3], Half<V>) {
    const COLUMNS: [Pick; 3] = [
        Pick::new(BOXES[0], [column(BOXES[0][0]), column(BOXES[0][1])]),
        Pick::new(BOXES[1], [column(BOXES[1][0]), column(BOXES[1][1])]),
        Pick::new([salt_column(0), salt_column(1)], [column(0), column(1)]),
    ];
    const R0: [Pick; 3] = row_picks(0);
    const R1: [Pick; 3] = row_picks(1);
    /// Of S-boxes 1 and 3, r1 is in the other register than their columns.
    const WITHOUT: Lane = [0, u64::MAX];

    let key = V::splat64(bytes(key));
    let salts = [COLUMNS[2].of(key), R0[2].of(key), R1[2].of(key).xor(V::splat128(WITHOUT))];
    let half = Half {
        columns: exchanged(salts[0], [COLUMNS[0].of(key), COLUMNS[1].of(key)]),
        r0: exchanged(salts[1], [R0[0].of(key), R0[1].of(key)]),
        r1: exchanged(salts[2], [R1[0].of(key), R1[1].of(key)]),
    };
    (salts, half)
}

impl Keys {
    #[inline(always)]
    pub(crate) fn new<V: Lanes>(schedule: &Schedule) -> Self {
        let [first, rest @ ..] = &schedule.0[..] else { unreachable!("every level has rounds") };
        let mut rounds = Vec::with_capacity(schedule.0.len());
        let mut before = Half::load(&Half::ZERO);
        let (mut salts, mut current) = expand::<V>(first);
        let first = current.words();
        for key in rest {
            let (next_salts, next) = expand::<V>(key);
            rounds.push(Round::new(salts, &before.add(&next)));
            (before, salts, current) = (current, next_salts, next);
        }
        rounds.push(Round::new(salts, &before));
        Self { rounds, first, last: current.words() }
    }
}

impl Round {
    const ZERO: Self = Self { salt: [[0; 2]; 3], neighbours: Half::ZERO };

    #[inline(always)]
    fn new<V: Lanes>(salt: [V; 3], neighbours: &Half<V>) -> Self {
        let salt = [salt[0].words(), salt[1].words(), salt[2].words()];
        Self { salt, neighbours: neighbours.words() }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        crate::erase(&mut self.rounds, Round::ZERO);
        crate::erase(core::slice::from_mut(&mut self.first), Half::ZERO);
        crate::erase(core::slice::from_mut(&mut self.last), Half::ZERO);
    }
}

/// The map of the row, a bit at a time.
#[inline(always)]
fn choose<V: Lanes>(maps: &[Lane; 4], r0: V, r1: V) -> V {
    let low = V::splat128(maps[0]).add_masked(r0, V::splat128(maps[1]));
    let high = V::splat128(maps[2]).add_masked(r0, V::splat128(maps[3]));
    low.add_masked(high, r1)
}

/// Two registers after the exchange that the salt wants.
#[inline(always)]
fn exchanged<V: Lanes>(salt: V, [x, y]: [V; 2]) -> [V; 2] {
    [salt.select(y, x), salt.select(x, y)]
}

/// The seventh power, to the power 32, of the columns in register I.
#[inline(always)]
fn seventh<V: Lanes, const I: usize>(column: V, r0: V, r1: V) -> V {
    let x = column.affine::<{ layout::OFFSET as i32 }>(choose(&INPUT[I], r0, r1));
    x.multiply(x.inverse_affine(V::splat64(POWER_32)))
}

/// to ^= F(from).
#[inline(always)]
fn round<V: Lanes>(key: &Round, from: &Half<V>, to: &mut Half<V>) {
    let columns = exchanged(V::splat128(key.salt[0]), from.columns);
    let [r0x, r0y] = exchanged(V::splat128(key.salt[1]), from.r0);
    let [r1x, r1y] = exchanged(V::splat128(key.salt[2]), from.r1);

    let zx = seventh::<V, 0>(columns[0], r0x, r1x);
    let zy = seventh::<V, 1>(columns[1], r0y, r1y);
    let (to_x, to_y) = (choose(&OUTPUT[0], r0x, r1x), choose(&OUTPUT[1], r0y, r1y));
    let r0 = [
        zx.high(zx).affine::<0>(to_x.shuffle(SPREAD[3])),
        zy.low(zy).affine::<0>(to_y.shuffle(SPREAD[2])),
    ];
    let r1 = [
        zx.low(zx).affine::<0>(to_x.shuffle(SPREAD[0])),
        zy.high(zy).affine::<0>(to_y.shuffle(SPREAD[1])),
    ];
    let (x, y) = (zx.affine::<0>(to_x), zy.affine::<0>(to_y));

    let keys = &key.neighbours;
    to.r0 = [
        to.r0[0].add2(r0[0], V::splat128(keys.r0[0])),
        to.r0[1].add2(r0[1], V::splat128(keys.r0[1])),
    ];
    to.r1 = [
        to.r1[0].add2(r1[0], V::splat128(keys.r1[0])),
        to.r1[1].add2(r1[1], V::splat128(keys.r1[1])),
    ];
    to.columns = [
        take::<V, 0>(to.columns[0].xor(V::splat128(keys.columns[0])), x, y),
        take::<V, 1>(to.columns[1].xor(V::splat128(keys.columns[1])), x, y),
    ];
}

/// Adds to the columns in register I what values bring.
#[inline(always)]
fn take<V: Lanes, const I: usize>(to: V, x: V, y: V) -> V {
    let (first, swapped) = (V::splat128(TAKE[I][0]), V::splat128(TAKE[I][1]));
    let straight = first.select(x, y);
    let rest = first.select(x.swap(), y.swap());
    to.add_unmasked(straight, swapped).add_masked(rest, swapped)
}

/// Blocks to halves and back.
mod io {
    use super::*;

    /// Bytes of a lane that hold b_j of the left (0) or right (1) half, eight times.
    const fn byte(half: usize, j: usize) -> u64 {
        copies((4 * half + 3 - j) as u8)
    }

    /// Bits 1 to 7 of the column, which are bits of b_(3-s); or bit 8, which is bit 0 of the next byte.
    const COLUMN: [[Lane; 2]; 2] = maps(false);
    const BACK: [[Lane; 2]; 2] = maps(true);

    /// For the two registers, of the byte and of the next one: where bits go, or come from.
    const fn maps(back: bool) -> [[Lane; 2]; 2] {
        let (mut lanes, mut i) = ([[[0; 2]; 2]; 2], 0);
        while i < 4 {
            let (register, word) = (i >> 1, i & 1);
            let s = BOXES[register][word];
            let (mut map, mut e) = ([[0; 8]; 2], 1);
            while e <= 8 {
                let (from, to) = (e % 8, place_apart(expanded(s, e)) as usize);
                if back {
                    map[e / 8][to] = 1 << from;
                } else {
                    map[e / 8][from] = 1 << to;
                }
                e += 1;
            }
            lanes[register][0][word] = matrix(map[0]);
            lanes[register][1][word] = matrix(map[1]);
            i += 1;
        }
        lanes
    }

    /// Spreads bit 0, or bit 1.
    const BROADCAST: [u64; 2] = [broadcast(0), broadcast(1)];

    #[inline(always)]
    pub(super) fn unpack<V: Lanes, const HALF: usize>(blocks: V) -> Half<V> {
        // The bytes of columns 0 | 3 and 2 | 1, and those after them.
        let x = blocks.shuffle([byte(HALF, 3), byte(HALF, 0)]);
        let y = blocks.shuffle([byte(HALF, 1), byte(HALF, 2)]);
        let x_next = blocks.shuffle([byte(HALF, 0), byte(HALF, 1)]);
        let y_next = blocks.shuffle([byte(HALF, 2), byte(HALF, 3)]);
        let first = V::splat64(BROADCAST[0]);
        let second = V::splat64(BROADCAST[1]);
        Half {
            columns: [column::<V, 0>(x, x_next), column::<V, 1>(y, y_next)],
            r0: [x.affine::<0>(first), y.affine::<0>(first)],
            r1: [x.swap().affine::<0>(second), y.swap().affine::<0>(second)],
        }
    }

    #[inline(always)]
    fn column<V: Lanes, const I: usize>(own: V, next: V) -> V {
        let own = own.affine::<0>(V::splat128(COLUMN[I][0]));
        own.xor(next.affine::<0>(V::splat128(COLUMN[I][1])))
    }

    /// The half in its four bytes of each lane's low word.
    #[inline(always)]
    pub(super) fn pack<V: Lanes, const HALF: usize>([x, y]: [V; 2]) -> V {
        // Of the columns before 0 | 3 and 2 | 1: bit 0 of their bytes is bit 8 of columns 1 | 0 and 3 | 2.
        let b30 = bytes::<V, 0>(x, y.swap().low(x));
        let b12 = bytes::<V, 1>(y, x.swap().low(y));
        V::splat64(0)
            .add_masked(b30, V::splat128(at(HALF, 3)))
            .add_masked(b30.swap(), V::splat128(at(HALF, 0)))
            .add_masked(b12, V::splat128(at(HALF, 1)))
            .add_masked(b12.swap(), V::splat128(at(HALF, 2)))
    }

    #[inline(always)]
    fn bytes<V: Lanes, const I: usize>(columns: V, before: V) -> V {
        let own = columns.affine::<0>(V::splat128(BACK[I][0]));
        own.xor(before.affine::<0>(V::splat128(BIT0[I])))
    }

    /// The place of b_j in the block.
    const fn at(half: usize, j: usize) -> Lane {
        [0xff << (8 * (4 * half + 3 - j)), 0]
    }

    /// From columns 1 | 0 and 3 | 2, their bit 8.
    const BIT0: [Lane; 2] = {
        // Words of BOXES that hold them: 1 is the high word of register 1, and so on.
        [[BACK[1][1][1], BACK[0][1][0]], [BACK[0][1][1], BACK[1][1][0]]]
    };
}

/// All rounds on `BLOCKS` blocks.
#[inline(always)]
fn group<'k, V: Lanes>(
    mut rounds: impl Iterator<Item = &'k Round>,
    [first, last]: [&Half<Lane>; 2],
    blocks: &mut [[u8; 8]],
) {
    let words = V::load(blocks);
    let (mut left, right) = (io::unpack::<V, 0>(words), io::unpack::<V, 1>(words));
    let mut right = right.add(&Half::load(first));
    // The number of rounds is even.
    while let (Some(one), Some(two)) = (rounds.next(), rounds.next()) {
        round(one, &right, &mut left);
        round(two, &left, &mut right);
    }
    let left = left.add(&Half::load(last));
    io::pack::<V, 0>(right.columns).xor(io::pack::<V, 1>(left.columns)).store(blocks);
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
