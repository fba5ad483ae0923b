//! Eight blocks in each 128 bits, a block a byte, where they are too few for a group of
//! [`wide`](super::wide) or [`narrow`](super::narrow): 55 instructions on vectors a round.
//!
//! Half a block is four bytes s0 to s3 (`layout`, the nibbles of s2 and s3 exchanged as in
//! `narrow`). The words of 64 bits of two registers hold one of them each, of eight blocks: s3 and
//! s1, s2 and s0 ([`Boxes`]). A word of the output of S-boxes 0 and 2, or 1 and 3, is at the place of
//! the byte that they write. Matrices are the same for all bytes of a word: so the maps of all four
//! rows are computed, as polynomials in the row bits.
//!
//! The longest chain of a round, in cycles of Intel's Golden Cove (GFNI takes 3, and one more
//! whenever a result passes to or from another unit; the rest takes 1): words to one register (1),
//! exchange by the salt (2), nibbles (1), data key (1), affine map (5), the row's (2), inversion (4),
//! product (3), affine map (4), the row's and the sum (3): 26. Two ports for the 24 instructions of
//! GFNI, most of them in two bursts, make it 41 to 42, on 128 and 256 bits alike. Registers of 512
//! bits have one port for GFNI: 49, more than the 46 that a group of [`wide`](super::wide) takes.

mod io;

use tautochrone_simd::Token;
use tautochrone_simd::vector::{Gf2p8 as _, Pair, Vector as _};

use super::boxes::{self, Boxes, Lane};
use super::keys::copies;
use super::layout::{OFFSET, POWER_32};
use super::narrow::{self, BROADCAST, INPUT, OUTPUT};
use super::register::OctetRegister;

/// Matrices of S-boxes 0 to 3 in the order of the words: 0, 2, 1, 3.
const fn ordered(matrices: [u64; 4]) -> Lane {
    let [a, b, c, d] = matrices;
    [a, c, b, d]
}

/// For each coefficient of the polynomial in the row bits, the matrices of the S-boxes.
const fn coefficients(matrices: &[[u64; 4]; 4]) -> [Lane; 4] {
    let (mut lanes, mut i) = ([[0; 4]; 4], 0);
    while i < 4 {
        lanes[i] = ordered([matrices[0][i], matrices[1][i], matrices[2][i], matrices[3][i]]);
        i += 1;
    }
    lanes
}

const INPUTS: [Lane; 4] = coefficients(&INPUT);
const OUTPUTS: [Lane; 4] = coefficients(&OUTPUT);

/// A row bit, r0 (`which` 0) or r1, from its place to the whole byte.
const fn spread(which: usize) -> Lane {
    ordered([BROADCAST[0][which], BROADCAST[1][which], BROADCAST[2][which], BROADCAST[3][which]])
}
const ROW_BITS: [Lane; 2] = [spread(0), spread(1)];

#[inline(always)]
fn maps<V: OctetRegister>(token: V::Token, lanes: &[Lane; 4]) -> [Boxes<V>; 4] {
    [
        boxes::load(token, &lanes[0]),
        boxes::load(token, &lanes[1]),
        boxes::load(token, &lanes[2]),
        boxes::load(token, &lanes[3]),
    ]
}

/// A round's key.
pub(crate) struct Key<V> {
    exchange: [V; 4],
    columns: Boxes<V>,
    rows: Boxes<V>,
}

/// What a round's key is read from.
pub(crate) trait Source {
    fn key<V: OctetRegister>(&self, token: V::Token) -> Key<V>;
}

/// The key that [`narrow`] takes.
impl Source for narrow::Round {
    #[inline(always)]
    fn key<V: OctetRegister>(&self, token: V::Token) -> Key<V> {
        let [a, b, c, d] = self.exchange;
        Key {
            exchange: [
                V::splat(token, a),
                V::splat(token, b),
                V::splat(token, c),
                V::splat(token, d),
            ],
            columns: boxes::load(token, &self.columns),
            rows: boxes::load(token, &self.rows),
        }
    }
}

/// A word of [`Packed`](super::keys::Packed). The registers are made from it beside the rounds
/// before, which wait for one result after the other: that takes no time.
impl Source for u64 {
    #[inline(always)]
    fn key<V: OctetRegister>(&self, token: V::Token) -> Key<V> {
        let key = V::splat(token, *self);
        let Pair(columns, rows) = narrow::EXCHANGE.boxes_of(key);
        Key {
            exchange: [
                columns.interleave_low_64(columns),
                columns.interleave_high_64(columns),
                rows.interleave_low_64(rows),
                rows.interleave_high_64(rows),
            ],
            columns: narrow::DATA_COLUMNS.boxes_of(key),
            rows: narrow::DATA.boxes_of(key),
        }
    }
}

/// to ^= F(from).
#[inline(always)]
fn round<V: OctetRegister>(key: &Key<V>, from: &Boxes<V>, to: &mut Boxes<V>) {
    let Pair(s31, s20) = *from;
    let token = s31.token();
    let (s01, s10) = (s20.interleave_high_64(s31), s31.interleave_high_64(s20));
    let (s32, s23) = (s31.interleave_low_64(s20), s20.interleave_low_64(s31));
    let [e0, e1, e2, e3] = key.exchange;
    // Low nibbles of a and high ones of c are S-box 0's column, the others S-box 1's; b and d
    // likewise.
    let ab = e0.select(s10, s01);
    let cd = e1.select(s32, s23);
    let high = V::splat(token, copies(0xf0));
    let columns = Pair(high.select(cd, ab), high.select(ab, cd)).xor(key.columns);

    // r0 is in s0 for S-boxes 0 and 3, in s1 for 2 and 1; r1 in s3 for 0 and 1, in s2 for 2 and 3.
    let Pair(rows01, rows32) = key.rows;
    let r0 = Pair(e2.select(s10, s01).xor(rows01), e2.select(s01, s10).xor(rows01.swap_64()))
        .affine::<0>(boxes::load(token, &ROW_BITS[0]));
    let r1 = e3.select(s23, s32).xor(rows32);
    let r1 = Pair(r1, r1).affine::<0>(boxes::load(token, &ROW_BITS[1]));

    let [i0, i1, i2, i3] = maps::<V>(token, &INPUTS);
    let low = columns.affine::<{ OFFSET as i32 }>(i0).xor_masked(columns.affine::<0>(i1), r0);
    let upper = columns.affine::<0>(i2).xor_masked(columns.affine::<0>(i3), r0);
    let x = low.xor_masked(upper, r1);
    let z = x.multiply(x.inverse_affine(Boxes::<V>::splat(token, POWER_32)));
    let [o0, o1, o2, o3] = maps::<V>(token, &OUTPUTS);
    let low = z.affine::<0>(o0).xor_masked(z.affine::<0>(o1), r0);
    let upper = z.affine::<0>(o2).xor_masked(z.affine::<0>(o3), r0);
    *to = to.xor(low.xor_masked(upper, r1));
}

/// All rounds on blocks as they are in memory.
#[inline(always)]
fn group<'k, V: OctetRegister, K: Source + 'k>(
    mut rounds: impl Iterator<Item = &'k K>,
    blocks: [V; 4],
) -> [V; 4] {
    let [left, right] = io::halves(blocks);
    let (mut left, mut right) = (io::pack(left), io::pack(right));
    // The number of rounds is even.
    while let (Some(one), Some(two)) = (rounds.next(), rounds.next()) {
        round(&one.key(right.0.token()), &right, &mut left);
        round(&two.key(right.0.token()), &left, &mut right);
    }
    io::blocks([io::unpack(right), io::unpack(left)])
}

/// Encrypts or decrypts at most [`capacity`](io::capacity) blocks: one, or at least as many as a
/// register holds.
pub(crate) fn process<V: OctetRegister, K: Source>(
    token: V::Token,
    keys: &[K],
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    token.vectorize(
        #[inline(always)]
        || {
            let loaded = io::load::<V>(token, blocks);
            let done =
                if decrypt { group(keys.iter().rev(), loaded) } else { group(keys.iter(), loaded) };
            io::store(done, blocks);
        },
    );
}
