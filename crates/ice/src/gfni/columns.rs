//! Registers that hold one byte of each of many blocks.

use tautochrone_simd::vector::Bytes;

/// Blocks with one byte each in a register.
pub(super) const fn group<V: Bytes>() -> usize {
    8 * V::LANES
}

/// Bytes of four blocks' halves, double word by double word, to double words of equal bytes, and
/// back.
const TRANSPOSE: [u64; 2] = [0x0d09_0501_0c08_0400, 0x0f0b_0703_0e0a_0602];

#[inline(always)]
fn sort<V: Bytes>(x: V) -> V {
    x.shuffle_bytes(V::splat_128(x.token(), TRANSPOSE))
}

/// Four double words a block of 128 bits in each of four registers, transposed.
#[inline(always)]
fn transpose<V: Bytes>([w, x, y, z]: [V; 4]) -> [V; 4] {
    let (a, b) = (w.interleave_low_32(x), w.interleave_high_32(x));
    let (c, d) = (y.interleave_low_32(z), y.interleave_high_32(z));
    [
        a.interleave_low_64(c),
        a.interleave_high_64(c),
        b.interleave_low_64(d),
        b.interleave_high_64(d),
    ]
}

/// Where register i starts among `WHOLE` groups; and otherwise, where one that would reach beyond
/// the last block starts earlier. Not one formula: the compiler does not see through it in time to
/// keep states in registers.
///
/// # Panics
/// If a register holds more blocks than there are.
#[inline(always)]
fn start<V: Bytes, const WHOLE: bool>(i: usize, blocks: usize) -> usize {
    if WHOLE { i * V::LANES } else { (i * V::LANES).min(blocks - V::LANES) }
}

/// Register i of blocks in order; they may overlap at the end.
///
/// # Panics
/// If a register holds more blocks than there are.
#[inline(always)]
fn load_one<V: Bytes, const WHOLE: bool>(token: V::Token, blocks: &[[u8; 8]], i: usize) -> V {
    V::load_bytes(token, blocks[start::<V, WHOLE>(i, blocks.len())..].as_flattened())
}

/// The inverse of [`load_one`], with its panics: a block in several registers is the same in all of
/// them.
#[inline(always)]
fn store_one<V: Bytes, const WHOLE: bool>(register: V, blocks: &mut [[u8; 8]], i: usize) {
    let start = start::<V, WHOLE>(i, blocks.len());
    register.store_bytes(blocks[start..].as_flattened_mut());
}

/// For a [`group`] of blocks, or fewer but at least a register's if not `WHOLE`, bytes b0 to b3 of
/// the left halves and of the right ones. The order of blocks is the register's own.
///
/// # Panics
/// If there are fewer or more blocks.
#[inline(always)]
pub(super) fn load<V: Bytes, const WHOLE: bool>(
    token: V::Token,
    blocks: &[[u8; 8]],
) -> [[V; 4]; 2] {
    assert!(if WHOLE { blocks.len() == group::<V>() } else { blocks.len() <= group::<V>() });
    let (mut left, mut right) = ([V::zero(token); 4], [V::zero(token); 4]);
    for i in 0..4 {
        let x = load_one::<V, WHOLE>(token, blocks, 2 * i);
        let y = load_one::<V, WHOLE>(token, blocks, 2 * i + 1);
        left[i] = sort(x.even_32(y));
        right[i] = sort(x.odd_32(y));
    }
    let [l3, l2, l1, l0] = transpose(left);
    let [r3, r2, r1, r0] = transpose(right);
    [[l0, l1, l2, l3], [r0, r1, r2, r3]]
}

/// The inverse of [`load`], with its panics.
#[inline(always)]
pub(super) fn store<V: Bytes, const WHOLE: bool>(
    [left, right]: [[V; 4]; 2],
    blocks: &mut [[u8; 8]],
) {
    assert!(if WHOLE { blocks.len() == group::<V>() } else { blocks.len() <= group::<V>() });
    let left = transpose([left[3], left[2], left[1], left[0]]);
    let right = transpose([right[3], right[2], right[1], right[0]]);
    for i in 0..4 {
        let (left, right) = (sort(left[i]), sort(right[i]));
        store_one::<V, WHOLE>(left.interleave_low_32(right), blocks, 2 * i);
        store_one::<V, WHOLE>(left.interleave_high_32(right), blocks, 2 * i + 1);
    }
}
