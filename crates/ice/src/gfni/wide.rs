//! 64 blocks in four registers a half (s0 to s3 of `layout`), 65 instructions a round; two such
//! groups side by side hide latencies.

mod io;

use tautochrone_simd::{Token, wipe};

use super::columns;
use super::keys::{
    ByteMap, DATA_ROWS, Exchange, Lane, RoundKey, Rounds, Words, bytes, copies, moves, row_bit,
};
use super::layout::{self, OWNERS, expanded, matrix, place};
use super::register::{Table, WideRegister};
use crate::field::{Columns, apply};
use crate::schedule::Subkey;
use io::State;

/// A linear map of a byte in a row is the sum of two look-ups, each by four bits of the byte and
/// the two of the row. Where these are in the index: S-boxes 0 and 2 have data in bits 0 to 3 and
/// the row in 4 and 5; S-boxes 1 and 3 the row in bits 0 and 1 and data in 2 to 5.
const fn row(s: usize, index: usize) -> usize {
    if s & 1 == 0 { index >> 4 } else { index & 3 }
}

/// What bits of a (`pair` 0) or c (1) give: T of the column's bits among them.
const INPUT: [[Table; 2]; 4] = {
    let (mut tables, mut s) = ([[Table([0; 64]); 2]; 4], 0);
    while s < 4 {
        let mut index = 0;
        while index < 64 {
            let (map, mut e) = (layout::INPUT[s][row(s, index)], 1);
            while e <= 8 {
                let from = expanded(s, e);
                // High nibbles are shifted to bits 2 to 5.
                let place = place(from) - if s & 1 == 0 { 0 } else { 2 };
                if index >> place & 1 == 1 {
                    tables[s][OWNERS[from] as usize / 2].0[index] ^= map[e - 1];
                }
                e += 1;
            }
            index += 1;
        }
        s += 1;
    }
    tables
};

/// What the seventh power gives: its low four bits and its high ones, for S-boxes 0 and 2; bits 2
/// to 5 and then, the byte rotated by four, bits 6, 7, 0, 1, for S-boxes 1 and 3.
const OUTPUT: [[Table; 2]; 4] = {
    let (mut tables, mut s) = ([[Table([0; 64]); 2]; 4], 0);
    while s < 4 {
        let mut index = 0;
        while index < 64 {
            let map = layout::OUTPUT[s][row(s, index)];
            let bits = index as u8;
            let parts = if s & 1 == 0 {
                [bits & 15, bits << 4]
            } else {
                [bits & 0x3c, (bits & 0x3c).rotate_left(4)]
            };
            tables[s][0].0[index] = apply(map, parts[0]);
            tables[s][1].0[index] = apply(map, parts[1]);
            index += 1;
        }
        s += 1;
    }
    tables
};

/// For the bits in a and b, with the offset.
const INPUT_A: [Table; 4] = {
    let mut tables = [INPUT[0][0], INPUT[1][0], INPUT[2][0], INPUT[3][0]];
    let mut i = 0;
    while i < 256 {
        tables[i / 64].0[i % 64] ^= layout::OFFSET;
        i += 1;
    }
    tables
};

static INPUT_C: [Table; 4] = [INPUT[0][1], INPUT[1][1], INPUT[2][1], INPUT[3][1]];
static OUTPUTS: [[Table; 2]; 4] = OUTPUT;

/// A round's key.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Round {
    /// Tables for the bits in a and b, with data key and offset in them.
    input: [Table; 4],
    /// [`Exchange`] of the columns, and, twice, the row bits that the salt exchanges.
    exchange: Lane,
    /// Data key of the row bits: of S-boxes 0 and 3, of 2 and 1; both twice.
    rows: Lane,
}

/// Places of the row bits r0 and r1 of S-boxes 0 and 2, and of 3 and 1.
const ROWS: [[u8; 2]; 2] = [[4, 5], [0, 1]];

/// Row bits of two S-boxes to their places.
const fn rows(high: usize, low: usize) -> Columns {
    moves(
        [row_bit(high, 0), row_bit(high, 1), row_bit(low, 0), row_bit(low, 1)],
        [ROWS[0][0], ROWS[0][1], ROWS[1][0], ROWS[1][1]],
    )
}

impl RoundKey for Round {
    const ZERO: Self = Self { input: [Table([0; 64]); 4], exchange: [0; 4], rows: [0; 4] };

    #[inline(always)]
    fn new<W: Words>(token: W::Token, key: &Subkey) -> Self {
        // S-box 1 has its r1 where S-box 0 has it: without salt, the low nibble's is exchanged.
        const WITHOUT: u64 = copies(1 << ROWS[1][1]);
        const EXCHANGE: Exchange = Exchange::new(false, [rows(0, 1); 2], WITHOUT);
        const DATA: ByteMap =
            ByteMap::new([DATA_ROWS; 4], [rows(0, 3), rows(2, 1), rows(0, 3), rows(2, 1)]);

        let key = W::splat(token, bytes(key));
        let mut input = INPUT_A;
        add_column::<W, 0>(&mut input[0], key);
        add_column::<W, 1>(&mut input[1], key);
        add_column::<W, 2>(&mut input[2], key);
        add_column::<W, 3>(&mut input[3], key);
        Self { input, exchange: EXCHANGE.of(key).words(), rows: DATA.of(key).words() }
    }
}

/// Adds T (column) of S-box S to its table: a byte for each row, to the entries of that row.
#[inline(always)]
fn add_column<W: Words, const S: usize>(table: &mut Table, key: W) {
    let rows = const { ByteMap::new([S; 4], layout::INPUT[S]) }.of(key).words();
    // For S-boxes 1 and 3, index bits 0 and 1 are the row.
    let mixed = rows[0] & 0x0000_00ff_0000_00ff
        | rows[1] & 0x0000_ff00_0000_ff00
        | rows[2] & 0x00ff_0000_00ff_0000
        | rows[3] & 0xff00_0000_ff00_0000;
    for (i, entries) in table.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let add = if S & 1 == 0 { rows[row(S, 8 * i)] } else { mixed };
        *entries = (u64::from_le_bytes(*entries) ^ add).to_le_bytes();
    }
}

pub(crate) type Keys = Rounds<Round>;

/// to ^= F(from).
#[inline(always)]
fn round<V: WideRegister>(key: &Round, from: &State<V>, to: &mut State<V>) {
    let [s0, s1, s2, s3] = *from;
    let token = s0.token();
    let (swap01, swap23) = (V::splat(token, key.exchange[0]), V::splat(token, key.exchange[1]));
    let (a, b) = (swap01.select(s1, s0), swap01.select(s0, s1));
    let (c, d) = (swap23.select(s3, s2), swap23.select(s2, s3));
    // Row bits: r0 in s0 and s1, r1 in s2 and s3.
    let first = V::splat(token, copies(0x11));
    let (p, q) = (first.select(s0, s3), first.select(s1, s2));
    let swap = p.xor(q).and(V::splat(token, key.exchange[2]));
    let rows03 = p.xor3(swap, V::splat(token, key.rows[0]));
    let rows21 = q.xor3(swap, V::splat(token, key.rows[1]));

    sbox::<V, 0>(key, [a, c], rows03, &mut to[3]);
    sbox::<V, 2>(key, [b, d], rows21, &mut to[1]);
    sbox::<V, 1>(key, [a.shr::<2>(), c.shr::<2>()], rows21, &mut to[2]);
    sbox::<V, 3>(key, [b.shr::<2>(), d.shr::<2>()], rows03, &mut to[0]);
}

/// Adds the value of S-box `S`; bits of neighbouring bytes that shifts bring are never looked at.
#[inline(always)]
fn sbox<V: WideRegister, const S: usize>(key: &Round, column: [V; 2], rows: V, to: &mut V) {
    let token = rows.token();
    let row_bits = V::splat(token, copies(if S & 1 == 0 { 0x30 } else { 0x03 }));
    let (low, high) = (row_bits.select(rows, column[0]), row_bits.select(rows, column[1]));
    let x = low.look_up_in(&key.input[S]).xor(high.look_up_in(&INPUT_C[S]));
    let z = x.multiply(x.inverse_affine(V::splat(token, layout::POWER_32)));
    let rest = if S & 1 == 0 {
        z.shr::<4>()
    } else {
        const ROTATE: u64 = matrix([0x10, 0x20, 0x40, 0x80, 1, 2, 4, 8]);
        z.affine::<0>(V::splat(token, ROTATE))
    };
    let (low, high) = (row_bits.select(rows, z), row_bits.select(rows, rest));
    *to = to.xor3(low.look_up_in(&OUTPUTS[S][0]), high.look_up_in(&OUTPUTS[S][1]));
}

/// All rounds on `G` groups of blocks.
#[inline(always)]
fn groups<'k, V: WideRegister, const G: usize>(
    token: V::Token,
    mut rounds: impl Iterator<Item = &'k Round>,
    blocks: &mut [[u8; 8]],
) {
    let mut left = [[V::zero(token); 4]; G];
    let mut right = left;
    let size = columns::group::<V>();
    for g in 0..G {
        let halves = columns::load::<V>(token, &blocks[g * size..(g + 1) * size]);
        (left[g], right[g]) = (io::pack(halves[0]), io::pack(halves[1]));
    }
    // The number of rounds is even.
    while let (Some(one), Some(two)) = (rounds.next(), rounds.next()) {
        for g in 0..G {
            round(one, &right[g], &mut left[g]);
        }
        for g in 0..G {
            round(two, &left[g], &mut right[g]);
        }
    }
    for g in 0..G {
        let halves = [io::unpack(right[g]), io::unpack(left[g])];
        columns::store(halves, &mut blocks[g * size..(g + 1) * size]);
    }
}

/// Encrypts or decrypts whole groups; returns the rest, less than two groups.
#[inline(always)]
fn process<'b, V: WideRegister>(
    token: V::Token,
    keys: &Keys,
    decrypt: bool,
    blocks: &'b mut [[u8; 8]],
) -> &'b mut [[u8; 8]] {
    let mut pairs = blocks.chunks_exact_mut(2 * columns::group::<V>());
    if decrypt {
        for pair in &mut pairs {
            groups::<V, 2>(token, keys.0.iter().rev(), pair);
        }
    } else {
        for pair in &mut pairs {
            groups::<V, 2>(token, keys.0.iter(), pair);
        }
    }
    pairs.into_remainder()
}

/// Encrypts or decrypts at most `G` groups, as if there were as many.
#[inline(always)]
fn process_tail<V: WideRegister, const G: usize>(
    token: V::Token,
    keys: &Keys,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    let mut padded = [[[0; 8]; 64]; G];
    let all = padded.as_flattened_mut();
    all[..blocks.len()].copy_from_slice(blocks);
    if decrypt {
        groups::<V, G>(token, keys.0.iter().rev(), all);
    } else {
        groups::<V, G>(token, keys.0.iter(), all);
    }
    blocks.copy_from_slice(&all[..blocks.len()]);
    wipe(all, [0; 8]);
}

/// Encrypts or decrypts whole groups of 512-bit registers, and a last one in part.
pub(crate) fn run<V: WideRegister>(
    token: V::Token,
    keys: &Keys,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    token.vectorize(
        #[inline(always)]
        || {
            let rest = process::<V>(token, keys, decrypt, blocks);
            if rest.len() > columns::group::<V>() {
                process_tail::<V, 2>(token, keys, decrypt, rest);
            } else if !rest.is_empty() {
                process_tail::<V, 1>(token, keys, decrypt, rest);
            }
        },
    );
}
