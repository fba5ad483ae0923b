//! The definition in 256-bit registers: by the compiler where nothing is rejected, four cells at a time where some are.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx2, declassify};

use super::cells::{Below, Keep};
use super::integer::Integer;
use super::portable;
use crate::quads::COMPRESS;

/// As [`portable::keep`].
pub(super) fn keep<T: Integer>(_: Avx2, keep: Keep, out: &mut [T]) {
    #[target_feature(enable = "avx2")]
    fn keep_lanes<T: Integer>(keep: Keep, out: &mut [T]) {
        portable::keep(keep, out);
    }
    // SAFETY: the token proves that AVX2 was detected.
    unsafe { keep_lanes(keep, out) }
}

/// As [`portable::widen`].
pub(super) fn widen<T: Integer, const N: usize>(
    _: Avx2,
    keep: Keep,
    cells: &[[u8; N]],
    out: &mut [T],
) {
    #[target_feature(enable = "avx2")]
    fn widen_lanes<T: Integer, const N: usize>(keep: Keep, cells: &[[u8; N]], out: &mut [T]) {
        portable::widen(keep, cells, out);
    }
    // SAFETY: the token proves that AVX2 was detected.
    unsafe { widen_lanes(keep, cells, out) }
}

/// As [`portable::below`].
pub(super) fn below<T: Integer, const N: usize>(
    _: Avx2,
    rule: Below,
    cells: &[[u8; N]],
    out: &mut [T],
) -> usize {
    // SAFETY: the token proves that AVX2 was detected.
    unsafe { below_quads(rule, cells, out) }
}

#[target_feature(enable = "avx2,popcnt")]
fn below_quads<T: Integer, const N: usize>(rule: Below, cells: &[[u8; N]], out: &mut [T]) -> usize {
    let (quads, rest) = cells.as_chunks::<4>();
    // Four numbers are stored where at most as many came before as there were cells.
    assert!(cells.len() <= out.len());
    let words = _mm256_set1_epi64x(0xffff_ffff);
    let n = [rule.n & 0xffff_ffff, rule.n >> 32].map(|n| _mm256_set1_epi64x(n as i64));
    // Comparisons of unsigned numbers are signed comparisons after flipping the first bit.
    let first = _mm256_set1_epi64x(i64::MIN);
    let least = _mm256_xor_si256(_mm256_set1_epi64x(rule.least as i64), first);
    let mut done = 0;
    for quad in quads {
        let at: *const [u8; N] = quad.as_ptr();
        let (high, low) = if N == 4 {
            // SAFETY: four cells of four bytes.
            let cells = _mm256_cvtepu32_epi64(unsafe { _mm_loadu_si128(at.cast()) });
            let product = _mm256_mul_epu32(cells, n[0]);
            (_mm256_srli_epi64::<32>(product), _mm256_and_si256(product, words))
        } else {
            // SAFETY: four cells of eight bytes.
            let cells = unsafe { _mm256_loadu_si256(at.cast()) };
            let upper = _mm256_srli_epi64::<32>(cells);
            let low = _mm256_mul_epu32(cells, n[0]);
            let carried =
                _mm256_add_epi64(_mm256_mul_epu32(upper, n[0]), _mm256_srli_epi64::<32>(low));
            let middle =
                _mm256_add_epi64(_mm256_mul_epu32(cells, n[1]), _mm256_and_si256(carried, words));
            let high =
                _mm256_add_epi64(_mm256_mul_epu32(upper, n[1]), _mm256_srli_epi64::<32>(carried));
            let high = _mm256_add_epi64(high, _mm256_srli_epi64::<32>(middle));
            (high, _mm256_blend_epi32::<0xaa>(low, _mm256_slli_epi64::<32>(middle)))
        };
        let rejected = _mm256_cmpgt_epi64(least, _mm256_xor_si256(low, first));
        let counts = declassify(!_mm256_movemask_pd(_mm256_castsi256_pd(rejected)) as usize & 15);
        // SAFETY: eight words.
        let order = unsafe { _mm256_loadu_si256(COMPRESS[counts].as_ptr().cast()) };
        let mut numbers = [0; 4];
        // SAFETY: four elements of eight bytes.
        unsafe {
            _mm256_storeu_si256(
                numbers.as_mut_ptr().cast(),
                _mm256_permutevar8x32_epi32(high, order),
            );
        }
        for (out, number) in out[done..done + 4].iter_mut().zip(numbers) {
            *out = T::cut(number);
        }
        done += counts.count_ones() as usize;
    }
    done + portable::below(rule, rest, &mut out[done..])
}
