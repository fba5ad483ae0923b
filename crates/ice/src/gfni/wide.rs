//! 64 blocks in four registers a half (s0 to s3 of `layout`), 65 instructions a round.

use tautochrone_simd::vector::Vector;

use super::boxes::Lane;
use super::groups::{Kernel, RoundKey, State};
use super::keys::{ByteMap, DATA_ROWS, Exchange, Words, copies, data_column, moves, row_bit};
use super::layout::{self, OWNERS, expanded, matrix, place};
use super::register::{Table, WideRegister};
use crate::array::array;
use crate::field::{Columns, apply};

/// A linear map of a byte in a row is the sum of two look-ups, each by four bits of the byte and
/// the two of the row. Where these are in the index: S-boxes 0 and 2 have data in bits 0 to 3 and
/// the row in 4 and 5; S-boxes 1 and 3 the row in bits 0 and 1 and data in 2 to 5.
const fn row(s: usize, index: usize) -> usize {
    if s & 1 == 0 { index >> 4 } else { index & 3 }
}

/// The contribution of bits of a (`pair` 0) or c (1): T of the column's bits among them.
const fn input_table(s: usize, pair: u8) -> Table {
    Table(array!([0; 64], |index| {
        let (map, mut sum, mut e) = (layout::INPUT[s][row(s, index)], 0, 1);
        while e <= 8 {
            let from = expanded(s, e);
            // High nibbles are shifted to bits 2 to 5.
            let place = place(from) - if s & 1 == 0 { 0 } else { 2 };
            if OWNERS[from] >> 1 == pair && index >> place & 1 == 1 {
                sum ^= map[e - 1];
            }
            e += 1;
        }
        sum
    }))
}

/// The result of the seventh power: its low four bits and its high ones, for S-boxes 0 and 2; bits
/// 2 to 5 and then, the byte rotated by four, bits 6, 7, 0, 1, for S-boxes 1 and 3.
const fn output_table(s: usize, half: usize) -> Table {
    Table(array!([0; 64], |index| {
        let bits = index as u8;
        let parts = if s & 1 == 0 {
            [bits & 15, bits << 4]
        } else {
            [bits & 0x3c, (bits & 0x3c).rotate_left(4)]
        };
        apply(layout::OUTPUT[s][row(s, index)], parts[half])
    }))
}

/// For the bits in a and b, with the offset.
static INPUT_A: [Table; 4] = array!([Table([0; 64]); 4], |s| {
    let Table(table) = input_table(s, 0);
    Table(array!(table, |index| table[index] ^ layout::OFFSET))
});
static INPUT_C: [Table; 4] = array!([Table([0; 64]); 4], |s| input_table(s, 1));
static OUTPUTS: [[Table; 2]; 4] =
    array!([[Table([0; 64]); 2]; 4], |s| [output_table(s, 0), output_table(s, 1)]);

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
}

// S-box 1 has its r1 where S-box 0 has it: without salt, the low nibble's is exchanged.
const EXCHANGE: Exchange = Exchange::new(false, [rows(0, 1); 2], copies(1 << ROWS[1][1]));
const DATA: ByteMap =
    ByteMap::new([DATA_ROWS; 4], [rows(0, 3), rows(2, 1), rows(0, 3), rows(2, 1)]);

/// T (column) of S-box s in each row, then T (column) of S-box s + 1.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn data_columns(s: usize) -> ByteMap<8> {
    ByteMap::new(
        array!([0; 8], |i| data_column(s + i / 4)),
        array!([[0; 8]; 8], |i| layout::INPUT[s + i / 4][i % 4]),
    )
}
const COLUMNS: [ByteMap<8>; 2] = [data_columns(0), data_columns(2)];

/// For every entry of the tables of an even S-box and of the odd one behind it, where
/// [`data_columns`] have its row.
static ENTRIES: [Table; 2] = array!([Table([0; 64]); 2], |odd| {
    Table(array!([0; 64], |index| 8 * (4 * odd + row(odd, index)) as u8))
});

/// The tables for the bits in a and b of S-boxes `s`, which is even, and `s` + 1.
#[inline(always)]
fn input<V: WideRegister>(key: V, s: usize) -> [Table; 2] {
    let token = key.token();
    let columns = COLUMNS[s >> 1].of(key);
    let mut tables = [Table([0; 64]); 2];
    for odd in 0..2 {
        V::load_bytes(token, &ENTRIES[odd].0)
            .look_up(columns)
            .xor(V::load_bytes(token, &INPUT_A[s + odd].0))
            .store_bytes(&mut tables[odd].0);
    }
    tables
}

impl<V: WideRegister> Kernel<V> for Round {
    const APART: bool = false;

    #[inline(always)]
    fn new<V4: Words + Vector<Token = V::Token>>(token: V::Token, key: u64) -> Self {
        let (key, wide) = (V4::splat(token, key), V::splat(token, key));
        let ([a, b], [c, d]) = (input(wide, 0), input(wide, 2));
        Self { input: [a, b, c, d], exchange: EXCHANGE.of(key).words(), rows: DATA.of(key).words() }
    }

    #[inline(always)]
    fn round(&self, from: &State<V>, to: &mut State<V>) {
        let [s0, s1, s2, s3] = *from;
        let token = s0.token();
        let swap01 = V::splat(token, self.exchange[0]);
        let swap23 = V::splat(token, self.exchange[1]);
        let (a, b) = (swap01.select(s1, s0), swap01.select(s0, s1));
        let (c, d) = (swap23.select(s3, s2), swap23.select(s2, s3));
        // Row bits: r0 in s0 and s1, r1 in s2 and s3.
        let first = V::splat(token, copies(0x11));
        let (p, q) = (first.select(s0, s3), first.select(s1, s2));
        let swap = p.xor(q).and(V::splat(token, self.exchange[2]));
        let rows03 = p.xor3(swap, V::splat(token, self.rows[0]));
        let rows21 = q.xor3(swap, V::splat(token, self.rows[1]));

        sbox::<V, 0>(self, [a, c], rows03, &mut to[3]);
        sbox::<V, 2>(self, [b, d], rows21, &mut to[1]);
        sbox::<V, 1>(self, [a.shr::<2>(), c.shr::<2>()], rows21, &mut to[2]);
        sbox::<V, 3>(self, [b.shr::<2>(), d.shr::<2>()], rows03, &mut to[0]);
    }
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
