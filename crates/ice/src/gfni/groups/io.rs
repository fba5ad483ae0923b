//! b0 to b3 to s0 to s3 and back. b1 and b3 hold, at every bit but for the two that share a place,
//! one bit of s0 and s1 and one of s2 and s3; so do b0 and b2. Two selections give bytes with bits
//! of s0 and s2, and of s1 and s3; an affine map brings the bits of s0 (or s1) to their places and
//! the bits of s2 (or s3) to the free ones; two more selections merge.

use tautochrone_simd::vector::{Bytes, Gf2p8};

use super::State;
use crate::field::{Columns, inverse};
use crate::gfni::keys::copies;
use crate::gfni::layout::{OWNERS, matrix, place, place_apart};

/// Bits of b3 that belong to s1 or s3 (`odd`), of b0 that belong to s1 or s3.
const fn mask(byte: usize) -> u8 {
    let (mut mask, mut m) = (0, 0);
    while m < 8 {
        mask |= (OWNERS[8 * byte + m] & 1) << m;
        m += 1;
    }
    mask
}

/// Places of s0 (and s1) that hold bits of b1 or b3.
const FIRST: u8 = {
    let (mut mask, mut m) = (0, 0);
    while m < 8 {
        if OWNERS[24 + m] < 2 {
            mask |= 1 << place(24 + m);
        }
        m += 1;
    }
    mask
};

/// For `byte` 3 or 0: bits of s0 to their places, bits of s2 to the places that s0 has for the
/// other byte, in order.
const fn arrange(byte: usize) -> Columns {
    let mut free = if byte == 3 { !FIRST } else { FIRST };
    let (mut map, mut m) = ([0; 8], 0);
    while m < 8 {
        let bit = 8 * byte + m;
        map[m] = if OWNERS[bit] < 2 {
            1 << place(bit)
        } else {
            let lowest = free & free.wrapping_neg();
            free ^= lowest;
            lowest
        };
        m += 1;
    }
    map
}

/// From where [`arrange`] brings bits of s2 to their places, which may be [`place_apart`].
const fn repair(apart: bool) -> Columns {
    let (mut map, mut byte) = ([0; 8], 0);
    while byte < 4 {
        let (from, mut m) = (arrange(byte), 0);
        while m < 8 {
            let bit = 8 * byte + m;
            if OWNERS[bit] >= 2 {
                let to = if apart { place_apart(bit) } else { place(bit) };
                map[from[m].trailing_zeros() as usize] = 1 << to;
            }
            m += 1;
        }
        byte += 3;
    }
    map
}

/// The matrices of a map and of its inverse.
const fn both_ways(map: Columns) -> [u64; 2] {
    [matrix(map), matrix(inverse(map))]
}

const ODD: [u64; 2] = [copies(mask(0)), copies(mask(3))];
const MERGE: u64 = copies(FIRST);
const ARRANGE: [[u64; 2]; 2] = [both_ways(arrange(0)), both_ways(arrange(3))];
const REPAIR: [[u64; 2]; 2] = [both_ways(repair(false)), both_ways(repair(true))];

#[inline(always)]
pub(super) fn pack<V: Gf2p8 + Bytes>([b0, b1, b2, b3]: [V; 4], apart: bool) -> State<V> {
    let token = b0.token();
    let (odd0, odd3, merge) =
        (V::splat(token, ODD[0]), V::splat(token, ODD[1]), V::splat(token, MERGE));
    let (by0, by3) = (V::splat(token, ARRANGE[0][0]), V::splat(token, ARRANGE[1][0]));
    let repair = V::splat(token, REPAIR[usize::from(apart)][0]);
    let g0 = odd3.select(b1, b3).affine::<0>(by3);
    let g1 = odd3.select(b3, b1).affine::<0>(by3);
    let h0 = odd0.select(b2, b0).affine::<0>(by0);
    let h1 = odd0.select(b0, b2).affine::<0>(by0);
    [
        merge.select(g0, h0),
        merge.select(g1, h1),
        merge.select(h0, g0).affine::<0>(repair),
        merge.select(h1, g1).affine::<0>(repair),
    ]
}

#[inline(always)]
pub(super) fn unpack<V: Gf2p8 + Bytes>([s0, s1, s2, s3]: State<V>, apart: bool) -> [V; 4] {
    let token = s0.token();
    let (odd0, odd3, merge) =
        (V::splat(token, ODD[0]), V::splat(token, ODD[1]), V::splat(token, MERGE));
    let (by0, by3) = (V::splat(token, ARRANGE[0][1]), V::splat(token, ARRANGE[1][1]));
    let repair = V::splat(token, REPAIR[usize::from(apart)][1]);
    let (s2, s3) = (s2.affine::<0>(repair), s3.affine::<0>(repair));
    let g0 = merge.select(s0, s2).affine::<0>(by3);
    let g1 = merge.select(s1, s3).affine::<0>(by3);
    let h0 = merge.select(s2, s0).affine::<0>(by0);
    let h1 = merge.select(s3, s1).affine::<0>(by0);
    [odd0.select(h1, h0), odd3.select(g0, g1), odd0.select(h0, h1), odd3.select(g1, g0)]
}
