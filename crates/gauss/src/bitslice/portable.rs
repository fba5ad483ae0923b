//! 64 lanes in a word: circuits in two-input gates, lanes from planes by 8 x 8 bit matrices.

use super::gates;
use super::lanes::{BLOCK, Bits, Plane};

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

/// Lanes from planes, by 8 x 8 bit matrices.
#[inline(always)]
pub(super) fn unpack(values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
        let plane = |b: usize| if b == 7 { Some(sign) } else { values.get(b) };
        *out = transpose(core::array::from_fn(|b| plane(b).map_or(0, |plane| plane[i])));
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
