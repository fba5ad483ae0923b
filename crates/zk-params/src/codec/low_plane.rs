//! The plane of low bits and signs that an encoding begins with: for every coefficient in turn the
//! low k bits of |z| and then the sign bit, padded with zero bits to whole bytes.

use tautochrone_simd::{Isa, Token, vectorize};

use super::bits::{field, is_padded};
use crate::error::{Fault, Reason};

/// Bytes of the plane.
pub(super) const fn bytes(count: usize, k: u32) -> usize {
    (count * (k as usize + 1)).div_ceil(8)
}

/// Coefficients from the plane, which has as many bytes as their number asks for, and from their
/// magnitudes' high parts.
pub(super) fn join(low: &[u8], k: u32, high: &[u8], z: &mut [i64]) -> Result<(), Reason> {
    match Isa::detect_vectors().avx2() {
        Some(token) => vectorize!(token, join_any(low, k, high, z)),
        None => join_any(low, k, high, z),
    }
}

#[inline(always)]
fn join_any(low: &[u8], k: u32, high: &[u8], z: &mut [i64]) -> Result<(), Reason> {
    let (mut bad, count) = (false, z.len());
    let mut join = |high: u8, field: u64| {
        let sign = field >> k;
        let magnitude = u64::from(high) << k | field & ((1 << k) - 1);
        bad |= sign == 1 && magnitude == 0;
        (magnitude as i64 ^ -(sign as i64)) + sign as i64
    };
    // Eight fields are as many bytes as a field has bits. Each lies in a word of its own, and the
    // last of these words may reach seven bytes further.
    let width = k as usize + 1;
    let places: [(usize, u32); 8] =
        core::array::from_fn(|i| (i * width / 8, (i * width % 8) as u32));
    let groups = (low.len().saturating_sub(8) / width).min(z.len() / 8);
    let (eights, rest) = z.split_at_mut(8 * groups);
    let (high, rest_high) = high.split_at(8 * groups);
    let groups = eights.as_chunks_mut::<8>().0.iter_mut().zip(high.as_chunks::<8>().0);
    for (group, (z, high)) in groups.enumerate() {
        let bytes = &low[group * width..][..width + 8];
        for (i, &(byte, shift)) in places.iter().enumerate() {
            let word = bytes[byte..].first_chunk().expect("eight bytes");
            let field = u64::from_le_bytes(*word) >> shift & ((2 << k) - 1);
            z[i] = join(high[i], field);
        }
    }
    for (i, (z, &high)) in (eights.len()..).zip(rest.iter_mut().zip(rest_high)) {
        *z = join(high, field(low, i * width, k + 1));
    }
    if bad || !is_padded(low, count * width) {
        return Err(Reason::Content(Fault::Encoding));
    }
    Ok(())
}
