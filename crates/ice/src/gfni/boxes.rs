//! The words of four S-boxes, two a block of 128 bits, in two registers: no instruction has to
//! cross the borders of such blocks.

use tautochrone_simd::vector::{Bytes, OrderedLogic, Pair};

/// Four words, one for each S-box or a register.
pub(crate) type Lane = [u64; 4];

/// S-boxes 0 and 1, 2 and 3.
pub(super) type Boxes<V> = Pair<V>;

/// The same words for every block of the cipher.
#[inline(always)]
pub(super) fn load<V: Bytes>(token: V::Token, &[a, b, c, d]: &Lane) -> Boxes<V> {
    Pair(V::splat_128(token, [a, b]), V::splat_128(token, [c, d]))
}

/// Within every block of 128 bits of each register, the bytes at these indices.
#[inline(always)]
pub(super) fn shuffle<V: Bytes>(x: Boxes<V>, indices: &Lane) -> Boxes<V> {
    let Pair(first, second) = load::<V>(x.0.token(), indices);
    Pair(x.0.shuffle_bytes(first), x.1.shuffle_bytes(second))
}

/// Bits exchanged with the partner's bits where the mask, of either register, says so.
#[inline(always)]
pub(super) fn exchanged<V: OrderedLogic>(x: Boxes<V>, mask: V) -> Boxes<V> {
    Pair(mask.select_ordered(x.1, x.0), mask.select_ordered(x.0, x.1))
}
