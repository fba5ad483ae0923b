//! A block a byte in four registers a half (s0 to s3 of `layout`, the nibbles of s2 and s3
//! exchanged), with instructions of AVX2: about 130 a round.

use tautochrone_simd::vector::{Bytes, Gf2p8, Vector};

use super::boxes::Lane;
use super::groups::{Kernel, RoundKey, State};
use super::keys::{
    ByteMap, DATA_ROWS, Exchange, Words, column, copies, data_column, everywhere, moves, row_bit,
};
use super::layout::{self, OFFSET, OWNERS, POWER_32, expanded, matrix, place_apart, polynomial};
use crate::array::array;
use crate::field;

/// T with the bits of the column in the order of `layout`, as the polynomial in the row bits.
const INPUT: [[u64; 4]; 4] = array!([[0; 4]; 4], |s| {
    to_matrices(polynomial(array!([[0; 8]; 4], |row| placed_input(s, row))))
});

/// T of S-box s in a row with its bits in the order of `layout`.
const fn placed_input(s: usize, row: usize) -> field::Columns {
    let (t, mut map, mut e) = (layout::INPUT[s][row], [0; 8], 1);
    while e <= 8 {
        map[place_apart(expanded(s, e)) as usize] = t[e - 1];
        e += 1;
    }
    map
}

/// The seventh power to the value, as the same polynomial.
const OUTPUT: [[u64; 4]; 4] =
    array!([[0; 4]; 4], |s| to_matrices(polynomial(layout::OUTPUT_APART[s])));

const fn to_matrices(maps: [field::Columns; 4]) -> [u64; 4] {
    array!([0; 4], |i| matrix(maps[i]))
}

/// Spreads a bit over its byte.
pub(super) const fn broadcast(place: u8) -> u64 {
    matrix(everywhere(place as usize))
}

/// Places of the row bits r0, in s0 and s1, and r1, in s2 and s3, of each S-box.
const ROWS: [[u8; 2]; 4] =
    array!([[0; 2]; 4], |s| [place_apart(expanded(s, 0)), place_apart(expanded(s, 9))]);

// Row bits are where `round` looks for them: r0 of S-boxes 0 and 3 in s0, of 2 and 1 in s1; r1 of 0
// and 1 in s3, of 2 and 3 in s2.
const _: () = {
    let owners = [[0, 3], [1, 3], [1, 2], [0, 2]];
    let mut s = 0;
    while s < 4 {
        assert!(OWNERS[expanded(s, 0)] == owners[s][0] && OWNERS[expanded(s, 9)] == owners[s][1]);
        s += 1;
    }
};

/// A round's key, each byte eight times.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    /// [`Exchange`] of the columns; row bits that the salt exchanges between s0 and s1, and between
    /// s2 and s3.
    exchange: Lane,
    /// Data key of the columns, of S-boxes 0, 2, 1, 3.
    columns: Lane,
    /// Data key of the row bits in s0, s1, s3, s2.
    rows: Lane,
}

/// Row bits of two S-boxes to their places.
const fn rows(boxes: [usize; 2], which: usize) -> field::Columns {
    let [s, t] = boxes;
    moves([row_bit(s, which), row_bit(t, which)], [ROWS[s][which], ROWS[t][which]])
}

impl RoundKey for Round {
    const ZERO: Self = Self { exchange: [0; 4], columns: [0; 4], rows: [0; 4] };
}

/// The fields of a [`Round`].
const EXCHANGE: Exchange = Exchange::new(true, [rows([0, 1], 0), rows([0, 1], 1)], 0);
const DATA_COLUMNS: ByteMap = ByteMap::new(
    [data_column(0), data_column(2), data_column(1), data_column(3)],
    [column(0), column(2), column(1), column(3)],
);
const DATA: ByteMap = ByteMap::new(
    [DATA_ROWS; 4],
    [rows([0, 3], 0), rows([2, 1], 0), rows([0, 1], 1), rows([2, 3], 1)],
);

impl<V: Gf2p8 + Bytes> Kernel<V> for Round {
    const APART: bool = true;

    #[inline(always)]
    fn new<V4: Words + Vector<Token = V::Token>>(token: V::Token, key: u64) -> Self {
        let key = V4::splat(token, key);
        Self {
            exchange: EXCHANGE.of(key).words(),
            columns: DATA_COLUMNS.of(key).words(),
            rows: DATA.of(key).words(),
        }
    }

    #[inline(always)]
    fn round(&self, from: &State<V>, to: &mut State<V>) {
        let [s0, s1, s2, s3] = *from;
        let token = s0.token();
        let (difference01, difference23) = (s0.xor(s1), s2.xor(s3));
        let swap01 = difference01.and(V::splat(token, self.exchange[0]));
        let swap23 = difference23.and(V::splat(token, self.exchange[1]));
        // Low nibbles of a and high ones of c are S-box 0's column, the others S-box 1's; b and d
        // likewise.
        let high = V::splat(token, copies(0xf0));
        let (a, c) = (s0.xor(swap01), s2.xor(swap23));
        let swap = a.xor(c).and(high);
        let column0 = a.xor3(swap, V::splat(token, self.columns[0]));
        let column1 = c.xor3(swap, V::splat(token, self.columns[2]));
        let (b, d) = (s1.xor(swap01), s3.xor(swap23));
        let swap = b.xor(d).and(high);
        let column2 = b.xor3(swap, V::splat(token, self.columns[1]));
        let column3 = d.xor3(swap, V::splat(token, self.columns[3]));

        let swap = difference01.and(V::splat(token, self.exchange[2]));
        let r0_03 = s0.xor3(swap, V::splat(token, self.rows[0]));
        let r0_21 = s1.xor3(swap, V::splat(token, self.rows[1]));
        let swap = difference23.and(V::splat(token, self.exchange[3]));
        let r1_23 = s2.xor3(swap, V::splat(token, self.rows[3]));
        let r1_01 = s3.xor3(swap, V::splat(token, self.rows[2]));

        to[3] = sbox::<V, 0>(column0, r0_03, r1_01, to[3]);
        to[2] = sbox::<V, 1>(column1, r0_21, r1_01, to[2]);
        to[1] = sbox::<V, 2>(column2, r0_21, r1_23, to[1]);
        to[0] = sbox::<V, 3>(column3, r0_03, r1_23, to[0]);
    }
}

/// For each S-box, the maps that spread r0 and r1 over their bytes.
const BROADCAST: [[u64; 2]; 4] =
    array!([[0; 2]; 4], |s| [broadcast(ROWS[s][0]), broadcast(ROWS[s][1])]);

/// S-box `S`, added to `to`.
#[inline(always)]
fn sbox<V: Gf2p8 + Bytes, const S: usize>(column: V, r0: V, r1: V, to: V) -> V {
    let token = column.token();
    let r0 = r0.affine::<0>(V::splat(token, BROADCAST[S][0]));
    let r1 = r1.affine::<0>(V::splat(token, BROADCAST[S][1]));
    macro_rules! input {
        ($i:literal, $constant:expr) => {
            column.affine::<{ $constant }>(V::splat(token, INPUT[S][$i]))
        };
    }
    let low = input!(0, OFFSET as i32).xor_masked(input!(1, 0), r0);
    let high = input!(2, 0).xor_masked(input!(3, 0), r0);
    let x = low.xor_masked(high, r1);
    let z = x.multiply(x.inverse_affine(V::splat(token, POWER_32)));
    macro_rules! output {
        ($i:literal) => {
            z.affine::<0>(V::splat(token, OUTPUT[S][$i]))
        };
    }
    let low = output!(0).xor_masked(output!(1), r0);
    let high = output!(2).xor_masked(output!(3), r0);
    to.xor3(low, high.and(r1))
}
