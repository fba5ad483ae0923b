//! What a verifier recomputes of W, and what hints make of it.
//!
//! V = A' Z_1 - T C differs from W by Z_2 and by what was rounded off T. A *hint* h says how far
//! the high part of V is from the high part of W: W_H = round_d(V) + h, and E = low_d(V) - 2^d h is
//! an integer matrix with A' Z_1 - T C - E = 2^d W_H modulo q.

use alloc::vec::Vec;

use crate::codec::hints::MAX_HINT;
use crate::error::{Fault, Reason};
use crate::params::Params;
use crate::words::{ModQ, Word, with_words};
use tautochrone_simd::{Isa, vectorize};

/// V = `az` - 2^dT `tc`, in the place of A' Z_1.
pub(crate) fn subtract_tc<W: Word>(params: &Params, az: &mut [W], tc: &ModQ) {
    let shift = params.round_t();
    with_words!(tc, tc => for (az, tc) in az.iter_mut().zip(tc) {
        *az = W::from_u64(az.to_u64().wrapping_sub(tc.to_u64() << shift));
    });
}

/// h = `w_high` - round_d(V), centred modulo 2^(w-d); `None` if one exceeds [`MAX_HINT`].
pub(crate) fn hints<W: Word>(params: &Params, w_high: &[W], v: &[W]) -> Option<Vec<i8>> {
    let rounding = params.rounding_of_w();
    let mut hints = vec![0; v.len()];
    let within = vectorize!(Isa::detect_vectors(), {
        let mut within = true;
        for ((hint, high), v) in hints.iter_mut().zip(w_high).zip(v) {
            let exact = rounding.difference(high.to_u64(), rounding.high(v.to_u64()));
            within &= exact.unsigned_abs() <= MAX_HINT.unsigned_abs().into();
            *hint = exact as i8;
        }
        within
    });
    within.then_some(hints)
}

/// Checks that no column (z_k, e_k) of (Z_1, E) is longer than B, in exact integers, with mixed
/// masks without the rows of messages, which are not longer than B_m; and makes W_H of V.
pub(crate) fn check_norms_and_round<W: Word>(
    params: &Params,
    z: &[i64],
    hints: &[i8],
    v: &mut [W],
) -> Result<(), Reason> {
    let (k, r) = (params.z_rows() as usize, params.r() as usize);
    let (rounding, round_w) = (params.rounding_of_w(), params.round_w());
    let columns = z.chunks_exact(k).zip(v.chunks_exact_mut(r)).zip(hints.chunks_exact(r));
    let mut e = vec![0_i64; r];
    for (column, ((z, v), hints)) in (0..).zip(columns) {
        vectorize!(Isa::detect_vectors(), {
            for ((e, v), &hint) in e.iter_mut().zip(v.iter_mut()).zip(hints) {
                let (word, hint) = (v.to_u64(), i64::from(hint));
                // Below 2^d (20 + 1/2), and 2^d <= 4 sigma < 2^34.
                *e = rounding.low(word) - (hint << round_w);
                *v = W::from_u64(rounding.add(rounding.high(word), hint));
            }
        });
        let (messages, z) = z.split_at(params.message_mask_rows() as usize);
        if norm_squared(messages) > params.message_norm_bound_squared()
            || norm_squared(z) + norm_squared(&e) > params.norm_bound_squared()
        {
            return Err(Reason::Content(Fault::NormTooLarge { column }));
        }
    }
    Ok(())
}

/// Exactly; entries are below 2^39 and at most 2^20 of them, so that halves of squares add up
/// without overflow.
pub(crate) fn norm_squared(entries: &[i64]) -> u128 {
    let (low, high) = vectorize!(Isa::detect_vectors(), {
        let (mut low, mut high) = (0_u64, 0_u64);
        for x in entries {
            // x = 2^20 a + c: x^2 = 2^40 a^2 + 2^21 a c + c^2; the last two are below 2^60;
            // factors of 32 bits.
            let x = x.unsigned_abs();
            let (a, c) = (x >> 20 & 0xffff_ffff, x & 0xf_ffff);
            high += a * a;
            let rest = (a * c << 21) + c * c;
            high += rest >> 40;
            low += rest & ((1 << 40) - 1);
        }
        (low, high)
    });
    (u128::from(high) << 40) + u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn norms_are_exact(x in prop::collection::vec((-(1_i64 << 39) + 1..1 << 39, 0..39), 0..50)) {
            let x: Vec<i64> = x.iter().map(|(x, shift)| x >> shift).collect();
            let squares = x.iter().map(|x| u128::from(x.unsigned_abs()).pow(2));
            prop_assert_eq!(norm_squared(&x), squares.sum::<u128>());
        }
    }
}
