//! Which bit is where: the order in which the kernels store the halves of a block, and the
//! constants in that order.
//!
//! Half a block has bytes b3 b2 b1 b0. A kernel stores it as four bytes s0..s3, where s_k holds the
//! bits that S-box 3 - k writes, so that a round adds outputs of S-boxes and permutes nothing. The
//! place of a bit within its byte ([`PLACES`]) is chosen so that
//! * s0 and s1 hold, at every place, bits of which one is the partner of the other under the salt
//!   (the cipher exchanges bits of the inputs of S-boxes 0 and 2, and of 1 and 3), as do s2 and s3;
//! * bits 1 to 8 of the inputs of S-boxes 0 and 2 are in low nibbles, bits of S-boxes 1 and 3 in
//!   high ones.
//!
//! A selection with the salt in its mask therefore both exchanges and sorts: a from s0 and s1, c
//! from s2 and s3 hold the input of S-box 0 in their low nibbles and the input of S-box 1 in their
//! high ones, the rejects b and d the inputs of S-boxes 2 and 3.
#![expect(clippy::integer_division_remainder_used, reason = "all in here are constants")]

use crate::array::array;
use crate::field::{
    Columns, Field, OFFSETS, PBOX, apply, compose, frobenius, inverse, isomorphisms,
};

/// Place of each bit of b0 and b2, and of b1 and b3. Bit 0 of a byte is part of a neighbour's
/// column: it belongs to the other nibble.
const PLACES: [[u8; 8]; 2] = [[0, 5, 4, 5, 6, 6, 7, 7], [4, 1, 1, 0, 2, 2, 3, 3]];

/// The S-box that writes a bit of the half, and which of its eight bits that is.
pub(super) const fn writer(bit: usize) -> (usize, usize) {
    let mut n = 0;
    while PBOX[n] as usize != bit {
        n += 1;
    }
    (3 - n / 8, n % 8)
}

/// The k for which s_k holds a bit of the half.
pub(super) const OWNERS: [u8; 32] = {
    let (mut owners, mut n) = ([0; 32], 0);
    while n < 32 {
        owners[PBOX[n] as usize] = n as u8 / 8;
        n += 1;
    }
    owners
};

/// The place of a bit of the half in s_k.
pub(super) const fn place(bit: usize) -> u8 {
    PLACES[bit / 8 % 2][bit % 8]
}

/// The place where nibbles of s2 and s3 are exchanged: inputs of S-boxes have all their bits at
/// different places there.
pub(super) const fn place_apart(bit: usize) -> u8 {
    place(bit) ^ (OWNERS[bit] & 2) << 1
}

/// The bit of the half that is bit e, 0 <= e < 10, of the input of S-box s.
pub(super) const fn expanded(s: usize, e: usize) -> usize {
    if e < 8 { 8 * (3 - s) + e } else { 8 * ((4 - s) % 4) + e - 8 }
}

/// x^7 is x (x^-1)^32 to the power 8, up to x^255 = 1: an inversion and a product compute the
/// seventh power but for a linear map. This is the map y -> y^32, as the operand of the instruction
/// that inverts.
pub(super) const POWER_32: u64 = matrix(frobenius(Field::Rijndael, 5));

/// An entry for each S-box and row.
type ByRow<T> = [[T; 4]; 4];

/// These entries, in the place of `$zero`.
macro_rules! by_row {
    ($zero:expr, |$s:ident, $row:ident| $entry:expr) => {
        array!([[$zero; 4]; 4], |$s| array!([$zero; 4], |$row| $entry))
    };
}

/// The isomorphisms from the fields.
const T: ByRow<Columns> = isomorphisms(Field::Rijndael);

/// T(offset) = c, which is never 0. The kernels compute the seventh power of x / c, so that the
/// offset becomes 1 in every row: x / c = T(column) / c + 1.
const SCALE: ByRow<u8> = by_row!(0, |s, row| apply(T[s][row], OFFSETS[s][row]));

/// The constant that is added to a column's image.
pub(super) const OFFSET: u8 = 1;

/// T / c: column to F.
pub(super) const INPUT: ByRow<Columns> =
    by_row!([0; 8], |s, row| compose(times(power(SCALE[s][row], 254)), T[s][row]));

/// x -> x.
pub(super) const IDENTITY: Columns = frobenius(Field::Rijndael, 0);

/// x -> a x in F.
const fn times(a: u8) -> Columns {
    array!([0; 8], |n| Field::Rijndael.multiply(a, 1 << n))
}

/// a^e in F; e = 254 inverts.
const fn power(a: u8, e: u32) -> u8 {
    let (mut product, mut square, mut e) = (1, a, e);
    while e > 0 {
        if e & 1 == 1 {
            product = Field::Rijndael.multiply(product, square);
        }
        square = Field::Rijndael.multiply(square, square);
        e >>= 1;
    }
    product
}

/// ((x / c)^7)^32 in F to the value of the S-box.
pub(super) const VALUE: ByRow<Columns> = by_row!([0; 8], |s, row| {
    let scale = times(power(SCALE[s][row], 7 * 32));
    compose(inverse(T[s][row]), compose(frobenius(Field::Rijndael, 3), scale))
});

/// The same with the value's bits at their places.
pub(super) const OUTPUT: ByRow<Columns> = outputs(false);
/// And at [`place_apart`].
pub(super) const OUTPUT_APART: ByRow<Columns> = outputs(true);

const fn outputs(apart: bool) -> ByRow<Columns> {
    by_row!([0; 8], |s, row| {
        let places = array!([0; 8], |n| {
            let bit = PBOX[8 * (3 - s) + n] as usize;
            1 << if apart { place_apart(bit) } else { place(bit) }
        });
        compose(places, VALUE[s][row])
    })
}

/// Four maps, one a row, as the polynomial in the row bits r0, r1 that takes their values: A0 + r0
/// A1 + r1 (A2 + r0 A3).
pub(super) const fn polynomial(maps: [Columns; 4]) -> [Columns; 4] {
    let (mut a, mut n) = (maps, 0);
    while n < 8 {
        a[1][n] ^= maps[0][n];
        a[2][n] ^= maps[0][n];
        a[3][n] ^= maps[0][n] ^ maps[1][n] ^ maps[2][n];
        n += 1;
    }
    a
}

/// A linear map as `gf2p8affineqb` takes it: byte 7 - i is the mask of the input bits that output
/// bit i sums.
pub(super) const fn matrix(map: Columns) -> u64 {
    let (mut bytes, mut n) = ([0; 8], 0);
    while n < 8 {
        let mut i = 0;
        while i < 8 {
            bytes[7 - i] |= (map[n] >> i & 1) << n;
            i += 1;
        }
        n += 1;
    }
    u64::from_le_bytes(bytes)
}
