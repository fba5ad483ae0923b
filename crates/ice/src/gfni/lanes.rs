//! One block in each 128 bits, for the least latency: 52 instructions on vectors a round, 56 in
//! decryption.
//!
//! A word of 64 bits belongs to each S-box: 0 and 1 in one register, 2 and 3 in another
//! ([`Boxes`]), so that partners under the salt are at the same place of the two. A word is eight
//! copies of a byte, or a row bit 64 times. The row bits choose the matrices of the affine
//! instructions. Half a block is columns and row bits; both are linear in it, so a round adds to
//! them and expands nothing.
//!
//! The longest chain of a round, in cycles of Zen 4 (3 for an instruction of GFNI, 2 for a shuffle
//! of bytes, 1 for others): from the powers all bits of the values, each spread over a byte (3),
//! the ones that are row bits now, selected by the salt (2), sum (1), matrices by r0 (1) and by r1
//! (1), affine map (3), inversion (3), product (3): 17. The columns go another way meanwhile:
//! exchange of words (1), their bits of the values (3), sum (1), exchange by the salt (1). A round
//! takes 22: what has two halves competes for the two units that GFNI has, and shuffles of bytes
//! for theirs.

mod io;

use alloc::vec::Vec;

use tautochrone_simd::vector::{Gf2p8, OrderedLogic, Pair, Vector};
use tautochrone_simd::{Token, vectorize, wipe_on_drop};

use super::boxes::{self, Boxes, Lane, exchanged as exchanged_boxes};
use super::keys::{
    ByteMap, DATA_ROWS, Packed, SALT_ROWS, Words, copies, data_column, everywhere, row_bit,
    salt_column,
};
use super::layout::{self, POWER_32, expanded, matrix, writer};
use super::register::LaneRegister;
use crate::array::array;
use crate::field::Columns;
use io::{EXCHANGED, State};

/// For each S-box, words for each row, as the polynomial in the row bits that takes their values:
/// a0 + r0 a1 + r1 (a2 + r0 a3).
const fn by_row(maps: [[Columns; 4]; 4]) -> [Lane; 4] {
    array!([[0; 4]; 4], |i| array!([0; 4], |s| matrix(layout::polynomial(maps[s])[i])))
}

/// T / c.
const INPUT: [Lane; 4] = by_row(layout::INPUT);
/// The seventh power to the value of the S-box.
const OUTPUT: [Lane; 4] = by_row(layout::VALUE);

const EXCHANGED_TWICE: Lane = [EXCHANGED[0], EXCHANGED[1], EXCHANGED[0], EXCHANGED[1]];

/// Where a shuffle finds a value's bit in a register: as a row of the matrix, or in an image of it.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn place((s, n): (usize, usize)) -> u8 {
    (8 * (s % 2) + 7 - n) as u8
}

/// The index for which a shuffle gives zero.
const NO_BYTE: u8 = 0x80;

/// From the matrices for values in register `from` (0 or 1), the matrices for their bits in columns
/// as they are stored in register `to`, in whose second one the words are exchanged afterwards.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const GATHER: [[[u64; 2]; 2]; 2] = {
    let (mut orders, mut i) = ([[[0; 2]; 2]; 2], 0);
    while i < 64 {
        let (from, to, word, e) = (i / 32, i / 16 % 2, i / 8 % 2, i % 8);
        let exchanged = (EXCHANGED[word] >> e & 1) as usize;
        let source = writer(expanded(2 * (to ^ exchanged) + word, e + 1));
        // The first register takes from the same word, the second from the other one.
        assert!(source.0 % 2 == word ^ to);
        let row = if source.0 / 2 == from { place(source) } else { NO_BYTE };
        orders[from][to][word ^ to] |= (row as u64) << (8 * (7 - e));
        i += 1;
    }
    orders
};

/// Where the row bits r0 (`which` 0) or r1 of S-boxes come from: all r0 from the second register,
/// all r1 from the first.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn sources(which: usize) -> Lane {
    array!([0; 4], |s| {
        let source = writer(expanded(s, 9 * which));
        assert!(source.0 / 2 == 1 - which);
        copies(place(source))
    })
}
const SOURCES: [Lane; 2] = [sources(0), sources(1)];
/// The salt's contribution to them.
const DETOURS: [Lane; 2] = [differences(SOURCES[0]), differences(SOURCES[1])];

const fn differences([a, b, c, d]: Lane) -> Lane {
    [a ^ c, b ^ d, a ^ c, b ^ d]
}

/// A round's key for what depends on the values of the round before.
#[derive(Clone, Copy)]
struct Round {
    /// Where columns, as they are stored, are exchanged.
    salt: [u64; 2],
    /// XOR of the next and the previous round's data key, both exchanged: the next key is added one
    /// round early, to the half that is being written, and the previous one is cancelled there.
    neighbours: Lane,
    /// Where the row bits r0 and r1, exchanged, come from.
    sources: [Lane; 2],
}

impl Round {
    /// From the salt, the columns' data key of the round before, sources, and the columns' data key
    /// of the round after.
    #[inline(always)]
    fn new<V: Words>((salt, before, [r0, r1]): (V, V, [V; 2]), after: V) -> Self {
        let [a, b, ..] = salt.words();
        Self {
            salt: [a, b],
            neighbours: before.xor(after).words(),
            sources: [r0.words(), r1.words()],
        }
    }
}

/// From the row bits of a round to the row bits of the round after next, without the contribution
/// of the round between them.
#[derive(Clone, Copy)]
struct Step {
    /// Where r0 and r1 are exchanged by one of the two salts.
    exchange: [[u64; 2]; 2],
    /// The contribution of the data keys.
    keys: [Lane; 2],
}

/// A round's key, and the step to the round after it.
#[derive(Clone, Copy)]
struct Entry {
    round: Round,
    step: Step,
}

const NO_ENTRY: Entry = Entry {
    round: Round { salt: [0; 2], neighbours: [0; 4], sources: [[0; 4]; 2] },
    step: Step { exchange: [[0; 2]; 2], keys: [[0; 4]; 2] },
};

/// The rounds of a key, n of them, in n + 2 entries. Entry i has round i - 1, and the step to round
/// i from the round before the last or from the block, or two to the block at the end. Of the first
/// entry's and the last one's round, which are none, the neighbours alone are used: the data key of
/// the columns in the first round and in the last, exchanged.
pub(crate) struct Keys(Vec<Entry>);

wipe_on_drop!(Keys, 0: NO_ENTRY);

const DATA_COLUMNS: ByteMap = ByteMap::new(
    [data_column(0), data_column(1), data_column(2), data_column(3)],
    [layout::IDENTITY; 4],
);
const SALT_COLUMNS: ByteMap = ByteMap::new(
    [salt_column(0), salt_column(1), salt_column(2), salt_column(3)],
    [layout::IDENTITY; 4],
);

/// The row bits r0 (`which` 0) or r1 of four S-boxes, spread over words.
const fn rows(byte: usize, which: usize, boxes: [usize; 4]) -> ByteMap {
    ByteMap::new(
        [byte; 4],
        [
            everywhere(row_bit(boxes[0], which)),
            everywhere(row_bit(boxes[1], which)),
            everywhere(row_bit(boxes[2], which)),
            everywhere(row_bit(boxes[3], which)),
        ],
    )
}
const DATA: [ByteMap; 2] = [rows(DATA_ROWS, 0, [0, 1, 2, 3]), rows(DATA_ROWS, 1, [0, 1, 2, 3])];
/// Partners have the same salt.
const SALT: [ByteMap; 2] = [rows(SALT_ROWS, 0, [0, 1, 0, 1]), rows(SALT_ROWS, 1, [0, 1, 0, 1])];

/// Salt and data key of row bits.
#[derive(Clone, Copy)]
struct RowKeys<V>([V; 2], [V; 2]);

impl<V: Words> RowKeys<V> {
    #[inline(always)]
    fn none(token: V::Token) -> Self {
        let zero = V::zero(token);
        Self([zero; 2], [zero; 2])
    }

    #[inline(always)]
    fn new(key: V) -> Self {
        Self([SALT[0].of(key), SALT[1].of(key)], [DATA[0].of(key), DATA[1].of(key)])
    }

    #[inline(always)]
    fn sources(&self) -> [V; 2] {
        let Self([salt0, salt1], _) = *self;
        let load = V::load;
        let token = salt0.token();
        let r0 = load(token, &SOURCES[0]).xor_masked(load(token, &DETOURS[0]), salt0);
        let r1 = load(token, &SOURCES[1]).xor_masked(load(token, &DETOURS[1]), salt1);
        [r0, r1]
    }

    /// The step to row bits with these keys from row bits with the keys `before`.
    #[inline(always)]
    fn step(&self, before: &Self) -> Step {
        let (salt0, salt1) = (self.0[0].xor(before.0[0]), self.0[1].xor(before.0[1]));
        let key0 = self.1[0].xor(exchanged(salt0, before.1[0]));
        let key1 = self.1[1].xor(exchanged(salt1, before.1[1]));
        let ([a, b, ..], [c, d, ..]) = (salt0.words(), salt1.words());
        Step { exchange: [[a, b], [c, d]], keys: [key0.words(), key1.words()] }
    }
}

/// Words after the exchange with their partners that the salt wants.
#[inline(always)]
fn exchanged<V: Words>(salt: V, x: V) -> V {
    salt.select(x.swap_halves(), x)
}

impl Keys {
    pub(crate) fn new<V: Words>(token: V::Token, schedule: &Packed) -> Self {
        vectorize!(token, Self::new_inside::<V>(token, schedule))
    }

    #[inline(always)]
    fn new_inside<V: Words>(token: V::Token, schedule: &Packed) -> Self {
        let mut entries = Vec::with_capacity(schedule.0.len() + 2);
        let (zero, none) = (V::zero(token), RowKeys::none(token));
        let mut past = Past { round: (zero, zero, [zero; 2]), columns: zero, rows: [none; 2] };
        // Not `push`, before whose growth all registers would be spilled.
        entries.extend(schedule.0.iter().map(
            #[inline(always)]
            |key| {
                let key = V::splat(token, *key);
                let salt = SALT_COLUMNS.of(key).xor(V::load(token, &EXCHANGED_TWICE));
                let columns = exchanged(salt, DATA_COLUMNS.of(key));
                past.entry(salt, columns, RowKeys::new(key))
            },
        ));
        entries.push(past.entry(zero, zero, none));
        entries.push(past.entry(zero, zero, none));
        Self(entries)
    }
}

/// The contribution of earlier rounds to an entry.
struct Past<V> {
    /// All of the last round but the columns' data key of the round after it: see [`Round::new`].
    round: (V, V, [V; 2]),
    /// The columns' data key of the last round.
    columns: V,
    /// Row keys of the last two rounds.
    rows: [RowKeys<V>; 2],
}

impl<V: Words> Past<V> {
    /// The entry of a round with this salt, data key of the columns and row keys.
    #[inline(always)]
    fn entry(&mut self, salt: V, columns: V, rows: RowKeys<V>) -> Entry {
        let entry =
            Entry { round: Round::new(self.round, columns), step: rows.step(&self.rows[0]) };
        self.round = (salt, self.columns, rows.sources());
        self.columns = columns;
        self.rows = [self.rows[1], rows];
        entry
    }
}

/// The map of the row. The operand that is available last is the mask each time, also where it is
/// no row bit: see [`OrderedLogic`].
#[inline(always)]
fn choose<V: LaneRegister>(maps: &[Lane; 4], r0: Boxes<V>, r1: Boxes<V>) -> Boxes<V> {
    let token = r0.token();
    let load = boxes::load::<V>;
    let low = load(token, &maps[0]).xor_masked_ordered(load(token, &maps[1]), r0);
    let high = load(token, &maps[2]).xor_masked_ordered(load(token, &maps[3]), r0);
    low.xor_masked_ordered(r1, high)
}

impl<V: LaneRegister> State<V> {
    /// Row bits with the last values, exchanged for the next reading.
    #[inline(always)]
    fn step(&self, decrypt: bool, step: &Step, new: [Boxes<V>; 2]) -> [Boxes<V>; 2] {
        let [r0, r1] = self.rows;
        let token = r0.token();
        let [e0, e1] =
            [V::splat_128(token, step.exchange[0]), V::splat_128(token, step.exchange[1])];
        let [k0, k1] = [boxes::load(token, &step.keys[0]), boxes::load(token, &step.keys[1])];
        if decrypt {
            [
                exchanged_boxes(r0.xor(k0), e0).xor(new[0]),
                exchanged_boxes(r1.xor(k1), e1).xor(new[1]),
            ]
        } else {
            [
                exchanged_boxes(r0, e0).xor3_ordered(k0, new[0]),
                exchanged_boxes(r1, e1).xor3_ordered(k1, new[1]),
            ]
        }
    }

    /// The contribution of the last values to row bits.
    #[inline(always)]
    fn added(&self, sources: &[Lane; 2]) -> [Boxes<V>; 2] {
        let Pair(first, second) = self.values;
        [
            boxes::shuffle(Pair(second, second), &sources[0]),
            boxes::shuffle(Pair(first, first), &sources[1]),
        ]
    }
}

/// to ^= F(from).
#[inline(always)]
fn round<V: LaneRegister>(
    decrypt: bool,
    (Entry { round: key, .. }, Entry { step, .. }): (&Entry, &Entry),
    from: &mut State<V>,
    to: &mut State<V>,
) {
    let [r0, r1] = from.step(decrypt, step, from.added(&key.sources));
    from.rows = [r0, r1];
    let token = r0.token();
    let columns = exchanged_boxes(from.columns, V::splat_128(token, key.salt));

    let x = columns.affine::<{ layout::OFFSET as i32 }>(choose(&INPUT, r0, r1));
    let z = x.multiply(x.inverse_affine(Boxes::<V>::splat(token, POWER_32)));
    let map = choose(&OUTPUT, r0, r1);
    // All bits of a byte are the parity of a row of the map and the power.
    let values = map.affine::<0>(z);
    // The next round waits for them the longest.
    let (values, z) = values.before(z);
    to.values = values;
    to.columns = to
        .columns
        .xor(boxes::load(token, &key.neighbours))
        .xor3_ordered(gathered(z.0, map.0, &GATHER[0]), gathered(z.1, map.1, &GATHER[1]));
}

/// The bits of columns that two S-boxes write, by the map for their values. Words are exchanged in
/// the image, not in the power, whose way to a shuffle would take a cycle more.
#[inline(always)]
fn gathered<V: LaneRegister>(z: V, map: V, orders: &[[u64; 2]; 2]) -> Boxes<V> {
    let token = map.token();
    let maps = [
        map.shuffle_bytes(V::splat_128(token, orders[0])),
        map.shuffle_bytes(V::splat_128(token, orders[1])),
    ];
    Pair(z.affine::<0>(maps[0]), z.affine::<0>(maps[1]).swap_64())
}

/// All rounds on at most as many blocks as a register has lanes.
#[inline(always)]
fn group<'k, V: LaneRegister>(
    token: V::Token,
    decrypt: bool,
    mut rounds: impl Iterator<Item = (&'k Entry, &'k Entry)>,
    [first, last]: [&Lane; 2],
    blocks: &mut [[u8; 8]],
) {
    let words = io::load::<V>(token, blocks);
    let (mut left, mut right) = (io::unpack::<V, 0>(words), io::unpack::<V, 1>(words));
    right.columns = right.columns.xor(boxes::load(token, first));
    // The number of rounds is even.
    while let (Some(one), Some(two)) = (rounds.next(), rounds.next()) {
        round(decrypt, one, &mut right, &mut left);
        round(decrypt, two, &mut left, &mut right);
    }
    left.columns = left.columns.xor(boxes::load(token, last));
    io::store(io::pack(&right, &left), blocks);
}

/// Encrypts or decrypts at most as many blocks as a register has lanes of 128 bits.
pub(crate) fn process<V: LaneRegister>(
    token: V::Token,
    keys: &Keys,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    vectorize!(token, {
        // Round i is in entry i + 1, its step in entry i or, in reverse, i + 2.
        let last = keys.0.len() - 1;
        let rounds = &keys.0[1..last];
        let [first, last] = [&keys.0[0].round.neighbours, &keys.0[last].round.neighbours];
        if decrypt {
            let rounds = rounds.iter().rev().zip(keys.0.iter().rev());
            group::<V>(token, true, rounds, [last, first], blocks);
        } else {
            let rounds = rounds.iter().zip(&keys.0);
            group::<V>(token, false, rounds, [first, last], blocks);
        }
    });
}
