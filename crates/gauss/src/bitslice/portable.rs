//! 64 lanes in a word: circuits in two-input gates, lanes from planes by 8 x 8 bit matrices.

use super::gates;
use super::lanes::{BLOCK, Bits, Plane};
use super::raw::Raw;

impl Bits for u64 {
    type Token = ();
    const PARTS: usize = 8;

    #[inline(always)]
    fn load((): (), plane: &Plane, part: usize) -> Self {
        Self::from_le_bytes(plane.as_chunks().0[part])
    }

    #[inline(always)]
    fn store(self, plane: &mut Plane, part: usize) {
        plane.as_chunks_mut().0[part] = self.to_le_bytes();
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self & b
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self | b
    }

    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        self ^ b
    }

    #[inline(always)]
    fn andnot(self, b: Self) -> Self {
        !self & b
    }

    #[inline(always)]
    fn ones(self) -> Self {
        Self::MAX
    }

    #[inline(always)]
    fn lut3<const IMM: i32>(a: Self, b: Self, c: Self) -> Self {
        gates::lut3::<Self, IMM>(a, b, c)
    }
}

/// Portable transpose: value planes and the sign plane to lanes, by 8 x 8 bit matrices.
#[inline(always)]
pub(super) fn unpack<R: Raw>(values: &[Plane], sign: &Plane, out: &mut [R; BLOCK]) {
    let top = R::VALUE_BITS as usize;
    for (i, out) in out.chunks_exact_mut(8).enumerate() {
        let byte = |b: usize| if b == top { sign[i] } else { values.get(b).map_or(0, |p| p[i]) };
        let low = transpose(core::array::from_fn(byte));
        let high = if top > 8 { transpose(core::array::from_fn(|b| byte(8 + b))) } else { [0; 8] };
        for (out, (low, high)) in out.iter_mut().zip(low.into_iter().zip(high)) {
            *out = R::join(low, high);
        }
    }
}

/// Bit j of byte i becomes bit i of byte j (Warren, Hacker's Delight, section 7-3).
#[inline(always)]
fn transpose(rows: [u8; 8]) -> [u8; 8] {
    let mut x = u64::from_le_bytes(rows);
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ x >> shift) & mask;
        x ^= t ^ t << shift;
    }
    x.to_le_bytes()
}
