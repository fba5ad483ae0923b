//! Lanes from planes, without vector instructions.

use tautochrone_simd::transpose_bits;

use super::lanes::{BLOCK, Plane};

/// Lanes from planes, by 8 x 8 bit matrices.
#[inline(always)]
pub(super) fn unpack(values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
        let plane = |b: usize| if b == 7 { Some(sign) } else { values.get(b) };
        let rows = core::array::from_fn(|b| plane(b).map_or(0, |plane| plane[i]));
        *out = transpose_bits(u64::from_le_bytes(rows)).to_le_bytes();
    }
}
