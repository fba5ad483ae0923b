//! Halves of blocks as the rounds take them, from blocks and back.

use tautochrone_simd::vector::{Bytes, Gf2p8 as _, Pair, Vector as _};

use crate::gfni::boxes::{self, Boxes, Lane};
use crate::gfni::columns::{load_one, sort, store_one};
use crate::gfni::narrow::io::{PACK, UNPACK};
use crate::gfni::register::OctetRegister;

/// Blocks in four registers.
pub(in crate::gfni) const fn capacity<V: Bytes>() -> usize {
    4 * V::LANES
}

/// At most [`capacity`] blocks; registers that reach beyond the last overlap.
#[inline(always)]
pub(super) fn load<V: OctetRegister>(token: V::Token, blocks: &[[u8; 8]]) -> [V; 4] {
    assert!(blocks.len() <= capacity::<V>());
    match *blocks {
        [block] => [V::splat(token, u64::from_le_bytes(block)); 4],
        _ => [
            load_one::<V, false>(token, blocks, 0),
            load_one::<V, false>(token, blocks, 1),
            load_one::<V, false>(token, blocks, 2),
            load_one::<V, false>(token, blocks, 3),
        ],
    }
}

/// The inverse of [`load`].
#[inline(always)]
pub(super) fn store<V: OctetRegister>(registers: [V; 4], blocks: &mut [[u8; 8]]) {
    match blocks {
        [block] => {
            let mut words = [0; 8];
            registers[0].store(&mut words);
            *block = words[0].to_le_bytes();
        }
        _ => {
            for (i, register) in registers.iter().enumerate() {
                store_one::<V, false>(*register, blocks, i);
            }
        }
    }
}

/// Bytes in memory, 0 to 3 of the left halves and of the right ones, a word for each.
#[inline(always)]
pub(super) fn halves<V: OctetRegister>([w, x, y, z]: [V; 4]) -> [Boxes<V>; 2] {
    [words(w.even_32(x), y.even_32(z)), words(w.odd_32(x), y.odd_32(z))]
}

/// Halves of four blocks in each 128 bits of two registers, to their bytes.
#[inline(always)]
fn words<V: OctetRegister>(first: V, second: V) -> Boxes<V> {
    let (first, second) = (sort(first), sort(second));
    Pair(first.interleave_low_32(second), first.interleave_high_32(second))
}

/// The inverse of [`halves`].
#[inline(always)]
pub(super) fn blocks<V: OctetRegister>([left, right]: [Boxes<V>; 2]) -> [V; 4] {
    let (l0, l1) = (sort(left.0.even_32(left.1)), sort(left.0.odd_32(left.1)));
    let (r0, r1) = (sort(right.0.even_32(right.1)), sort(right.0.odd_32(right.1)));
    [
        l0.interleave_low_32(r0),
        l0.interleave_high_32(r0),
        l1.interleave_low_32(r1),
        l1.interleave_high_32(r1),
    ]
}

/// What a byte adds to s3, s1, s2 and s0; the byte at address i of a half is b_(3-i).
const fn from_byte(i: usize) -> Lane {
    [PACK[3][3 - i], PACK[1][3 - i], PACK[2][3 - i], PACK[0][3 - i]]
}
const FROM_BYTES: [Lane; 4] = [from_byte(0), from_byte(1), from_byte(2), from_byte(3)];

/// What s_k adds to the bytes at addresses 0 to 3.
const fn from_state(k: usize) -> Lane {
    [UNPACK[3][k], UNPACK[2][k], UNPACK[1][k], UNPACK[0][k]]
}
const FROM_STATE: [Lane; 4] = [from_state(3), from_state(1), from_state(2), from_state(0)];

/// The image of a word that all words are under four maps.
#[inline(always)]
fn image<V: OctetRegister>(word: V, maps: &Lane) -> Boxes<V> {
    Pair(word, word).affine::<0>(boxes::load(word.token(), maps))
}

/// Of the four words of each 128 bits, the images under these maps, summed.
#[inline(always)]
fn sum<V: OctetRegister>(Pair(first, second): Boxes<V>, maps: &[Lane; 4]) -> Boxes<V> {
    let a = image(first.interleave_low_64(first), &maps[0]);
    let b = image(first.interleave_high_64(first), &maps[1]);
    let c = image(second.interleave_low_64(second), &maps[2]);
    let d = image(second.interleave_high_64(second), &maps[3]);
    a.xor3(b, c.xor(d))
}

/// Bytes to the state: s3 and s1, s2 and s0.
#[inline(always)]
pub(super) fn pack<V: OctetRegister>(bytes: Boxes<V>) -> Boxes<V> {
    sum(bytes, &FROM_BYTES)
}

/// The inverse of [`pack`].
#[inline(always)]
pub(super) fn unpack<V: OctetRegister>(state: Boxes<V>) -> Boxes<V> {
    sum(state, &FROM_STATE)
}
