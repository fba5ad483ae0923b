//! Halves of blocks as the rounds take them, from blocks and back.

use tautochrone_simd::vector::{Gf2p8 as _, Pair, Vector};

use crate::array::array;
use crate::gfni::boxes::{self, Boxes, Lane, exchanged};
use crate::gfni::keys::copies;
use crate::gfni::layout::{expanded, matrix, writer};
use crate::gfni::narrow::broadcast;
use crate::gfni::register::LaneRegister;

/// The bits of columns that are stored exchanged with the partner's bits: then the bits in S-box
/// j's word, and the bits in its partner's, are all written by S-boxes of the same parity, j's in
/// the first register and the other in the second.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(super) const EXCHANGED: [u64; 2] = {
    let (mut masks, mut i) = ([0; 2], 0);
    while i < 16 {
        let (j, e) = (i / 8, i % 8);
        if writer(expanded(j, e + 1)).0 % 2 != j % 2 {
            masks[j] |= copies(1 << e);
        }
        i += 1;
    }
    masks
};

/// Half a block in the rounds.
#[derive(Clone, Copy)]
pub(super) struct State<V> {
    pub(super) columns: Boxes<V>,
    /// r0 and r1 as they were when read last, exchanged.
    pub(super) rows: [Boxes<V>; 2],
    /// The values that were added since, each bit spread over a byte.
    pub(super) values: Boxes<V>,
}

/// In every word of a half, the byte of the column's bits 1 to 7, which is b_(3-s) for S-box s.
const fn own(half: usize) -> Lane {
    let byte = 4 * half as u8;
    [copies(byte), copies(byte + 1), copies(byte + 2), copies(byte + 3)]
}

/// The byte of bit 8: the one of the S-box before.
const fn before(half: usize) -> Lane {
    let [a, b, c, d] = own(half);
    [d, a, b, c]
}

/// Bits moved up by so many places, or down; what leaves the byte is lost.
const fn shift(by: i32) -> u64 {
    matrix(array!([0; 8], |n| {
        let to = n as i32 + by;
        if to >= 0 && to < 8 { 1 << to } else { 0 }
    }))
}

/// At most as many blocks as there are blocks of 128 bits, each in both words; zeros in the others.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "numbers of lanes are public")]
pub(super) fn load<V: Vector>(token: V::Token, blocks: &[[u8; 8]]) -> V {
    let mut words = [0; 8];
    for (i, &block) in blocks.iter().enumerate().take(V::LANES / 2) {
        words[2 * i] = u64::from_le_bytes(block);
        words[2 * i + 1] = u64::from_le_bytes(block);
    }
    V::load(token, &words)
}

/// The inverse of [`load`], from the first words.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "numbers of lanes are public")]
pub(super) fn store<V: Vector>(register: V, blocks: &mut [[u8; 8]]) {
    let mut words = [0; 8];
    register.store(&mut words);
    for (i, block) in blocks.iter_mut().enumerate().take(V::LANES / 2) {
        *block = words[2 * i].to_le_bytes();
    }
}

#[inline(always)]
pub(super) fn unpack<V: LaneRegister, const HALF: usize>(blocks: V) -> State<V> {
    let token = blocks.token();
    let blocks = Pair(blocks, blocks);
    let own = boxes::shuffle(blocks, &const { own(HALF) });
    let before = boxes::shuffle(blocks, &const { before(HALF) });
    let columns = own
        .affine::<0>(Boxes::<V>::splat(token, const { shift(-1) }))
        .xor(before.affine::<0>(Boxes::<V>::splat(token, const { shift(7) })));
    State {
        columns: exchanged(columns, V::splat_128(token, EXCHANGED)),
        rows: [
            own.affine::<0>(Boxes::<V>::splat(token, const { broadcast(0) })),
            before.affine::<0>(Boxes::<V>::splat(token, const { broadcast(1) })),
        ],
        values: Boxes::<V>::splat(token, 0),
    }
}

/// The bytes of a half, each in the word of its S-box.
#[inline(always)]
fn bytes<V: LaneRegister>(state: &State<V>) -> Boxes<V> {
    let token = state.columns.token();
    let columns = exchanged(state.columns, V::splat_128(token, EXCHANGED));
    let Pair(first, second) = columns;
    let after = Pair(first.align_64(second), second.align_64(first));
    columns
        .affine::<0>(Boxes::<V>::splat(token, const { shift(1) }))
        .xor(after.affine::<0>(Boxes::<V>::splat(token, const { shift(-7) })))
}

/// The blocks, each in the first word of its lane.
#[inline(always)]
pub(super) fn pack<V: LaneRegister>(left: &State<V>, right: &State<V>) -> V {
    // Bytes 0, 1 | 2, 3 of the halves in words, to byte 4 half + s.
    let token = left.columns.token();
    let second = V::splat(token, 0xffff_0000_ffff_0000);
    let (left, right) = (bytes(left), bytes(right));
    let left = second.select_ordered(left.1, left.0);
    let right = second.select_ordered(right.1, right.0);
    let block = V::splat(token, 0xffff_ffff_0000_0000).select_ordered(right, left);
    const ORDER: u64 = u64::from_le_bytes([0, 9, 2, 11, 4, 13, 6, 15]);
    block.shuffle_bytes(V::splat(token, ORDER))
}
