//! One centre for all trials: the thresholds of every candidate, computed once and looked up in
//! registers.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Token, wipe};

use super::super::lanes::BLOCK;
use super::accept::Exponent;

/// Candidates: -31..=32.
const CANDIDATES: usize = 64;
/// The index of candidate 0.
const ZERO: i32 = 31;

/// What [`Exponent::threshold`] gives for each candidate; erased on drop.
#[repr(C, align(64))]
pub(super) struct Thresholds {
    table: [u64; CANDIDATES],
}

impl Thresholds {
    /// The table of a centre's fraction, if it has all candidates up to `bound`.
    pub(super) fn new(token: Avx512, bound: u64, e: &Exponent, fraction: f64) -> Option<Self> {
        if bound > ZERO as u64 + 1 {
            return None;
        }
        let mut table = [0; CANDIDATES];
        token.vectorize(
            #[inline(always)]
            || {
                for (threshold, candidate) in table.iter_mut().zip(-ZERO..) {
                    *threshold = e.threshold(candidate, fraction);
                }
            },
        );
        Some(Self { table })
    }

    /// As [`super::accept::lanes`] for candidates of the table.
    pub(super) fn lanes(
        &self,
        _: Avx512,
        values: &[i32; BLOCK],
        uniform: &[u8; 8 * BLOCK],
        accepted: &mut [u8; BLOCK],
    ) {
        // SAFETY: the token proves AVX-512.
        unsafe { self.every_lane(values, uniform, accepted) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    fn every_lane(
        &self,
        values: &[i32; BLOCK],
        uniform: &[u8; 8 * BLOCK],
        accepted: &mut [u8; BLOCK],
    ) {
        let mut table = [_mm512_setzero_si512(); 8];
        for (register, words) in table.iter_mut().zip(self.table.as_chunks::<8>().0) {
            // SAFETY: 64 bytes.
            *register = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
        }
        let (sixteen, thirty_two) = (_mm512_set1_epi64(16), _mm512_set1_epi64(32));
        let lanes = values.as_chunks::<8>().0.iter().zip(uniform.as_chunks::<64>().0);
        for ((values, uniform), accepted) in lanes.zip(accepted.as_chunks_mut::<8>().0) {
            // SAFETY: 32 bytes.
            let values = unsafe { _mm256_loadu_si256(values.as_ptr().cast()) };
            // SAFETY: 64 bytes.
            let uniform = unsafe { _mm512_loadu_si512(uniform.as_ptr().cast()) };
            let index = _mm512_cvtepi32_epi64(_mm256_add_epi32(values, _mm256_set1_epi32(ZERO)));
            let [a, b, c, d, e, f, g, h] = table;
            let (upper, last) =
                (_mm512_test_epi64_mask(index, sixteen), _mm512_test_epi64_mask(index, thirty_two));
            let first = _mm512_mask_mov_epi64(
                _mm512_permutex2var_epi64(a, index, b),
                upper,
                _mm512_permutex2var_epi64(c, index, d),
            );
            let second = _mm512_mask_mov_epi64(
                _mm512_permutex2var_epi64(e, index, f),
                upper,
                _mm512_permutex2var_epi64(g, index, h),
            );
            let threshold = _mm512_mask_mov_epi64(first, last, second);
            let below = _mm512_cmplt_epu64_mask(_mm512_srli_epi64::<1>(uniform), threshold);
            let ones = _mm_maskz_set1_epi8(below.into(), 1);
            // SAFETY: 8 bytes.
            unsafe { _mm_storel_epi64(accepted.as_mut_ptr().cast(), ones) };
        }
    }
}

impl Drop for Thresholds {
    fn drop(&mut self) {
        wipe(&mut self.table, 0);
    }
}

#[cfg(test)]
mod tests {
    use tautochrone_simd::Isa;

    use super::super::accept;
    use super::*;

    /// Every candidate at its threshold, one below, one above, and anywhere.
    #[test]
    fn look_ups_decide_as_the_series() {
        let Some(token) = Isa::detect().avx512() else { return };
        for (scale, fraction) in [(1.0, 0.0), (1.0, 0.5), (0.7, 0.999), (0.3, 1e-9)] {
            let e = Exponent::new(2.0, 0.6, scale);
            let table = Thresholds::new(token, 32, &e, fraction).unwrap();
            let values = core::array::from_fn(|i| (i % CANDIDATES) as i32 - ZERO);
            let mut state = 1_u64;
            let mut uniform = [0; 8 * BLOCK];
            for (i, bytes) in uniform.as_chunks_mut().0.iter_mut().enumerate() {
                let t = e.threshold(values[i], fraction);
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let word = match i / CANDIDATES {
                    0 => t << 1,
                    1 => (t << 1).wrapping_sub(1),
                    2 => t << 1 | 1,
                    _ => state,
                };
                *bytes = word.to_le_bytes();
            }
            let (mut want, mut got) = ([2; BLOCK], [3; BLOCK]);
            accept::lanes(Isa::PORTABLE, &e, &values, &[fraction; BLOCK], &uniform, &mut want);
            table.lanes(token, &values, &uniform, &mut got);
            assert_eq!(got, want);
        }
        let e = Exponent::new(2.0, 0.6, 1.0);
        assert!(Thresholds::new(token, 33, &e, 0.5).is_none(), "candidates up to 32");
    }
}
