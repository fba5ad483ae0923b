//! Registers that hold one byte of each of many blocks.

use tautochrone_simd::vector::Bytes;

/// Blocks of which a register holds a byte.
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

/// Of a [`group`] of blocks, bytes b0 to b3 of the left halves and of the right ones. The order of
/// blocks is the register's own.
#[inline(always)]
pub(super) fn load<V: Bytes>(token: V::Token, blocks: &[[u8; 8]]) -> [[V; 4]; 2] {
    let bytes = blocks.as_flattened();
    assert_eq!(bytes.len(), 8 * group::<V>());
    let zero = V::zero(token);
    let (mut left, mut right) = ([zero; 4], [zero; 4]);
    for i in 0..4 {
        let x = V::load_bytes(token, &bytes[2 * i * group::<V>()..]);
        let y = V::load_bytes(token, &bytes[(2 * i + 1) * group::<V>()..]);
        left[i] = sort(x.even_32(y));
        right[i] = sort(x.odd_32(y));
    }
    let [l3, l2, l1, l0] = transpose(left);
    let [r3, r2, r1, r0] = transpose(right);
    [[l0, l1, l2, l3], [r0, r1, r2, r3]]
}

/// The inverse of [`load`].
#[inline(always)]
pub(super) fn store<V: Bytes>([left, right]: [[V; 4]; 2], blocks: &mut [[u8; 8]]) {
    let bytes = blocks.as_flattened_mut();
    assert_eq!(bytes.len(), 8 * group::<V>());
    let left = transpose([left[3], left[2], left[1], left[0]]);
    let right = transpose([right[3], right[2], right[1], right[0]]);
    for i in 0..4 {
        let (left, right) = (sort(left[i]), sort(right[i]));
        left.interleave_low_32(right).store_bytes(&mut bytes[2 * i * group::<V>()..]);
        left.interleave_high_32(right).store_bytes(&mut bytes[(2 * i + 1) * group::<V>()..]);
    }
}
