//! The fast path on eight trials at a time. Its doubts are a superset of the portable ones, which changes nothing: the full
//! rule settles them.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx512;

use super::draw::{Block, Layout};

/// As the portable `trials` for one word a trial, in whole groups of eight, with tables of n + 2^32 left.
pub(super) fn trials(
    token: Avx512,
    layout: &Layout,
    packed: &[u64],
    words: &[[u64; 8]],
    block: &mut Block,
) {
    // The gather below reads `packed` at indices below m.
    assert_eq!(packed.len() as u64, layout.m);
    // SAFETY: the `Avx512` token proves that AVX-512 was detected.
    unsafe { kernel(token, layout, packed, words, block) }
}

#[target_feature(enable = "avx512f,avx512dq")]
fn kernel(_: Avx512, layout: &Layout, packed: &[u64], words: &[[u64; 8]], block: &mut Block) {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi64(1);
    let low_half = _mm512_set1_epi64(0xffff_ffff);
    let m = _mm512_set1_epi64(layout.m as i64);
    let index_mask = _mm512_set1_epi64((1 << layout.index_bits) - 1);
    let index_bits = _mm_cvtsi64_si128(layout.index_bits.into());
    let index_bound = _mm512_set1_epi64(layout.index_bound as i64);
    let keep = _mm512_set1_epi64((u64::MAX << layout.low) as i64);
    // The middle half of the product is compared with ceil(n 2^low / 2^32).
    let guard = _mm_cvtsi64_si128(32 - i64::from(layout.low));
    let groups =
        words.iter().zip(block.values.as_chunks_mut().0).zip(block.doubt.as_flattened_mut());
    for ((words, values), doubt) in groups {
        let values: &mut [i64; 8] = values;
        // SAFETY: eight words are there to be read.
        let w = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
        let choice = _mm512_mul_epu32(_mm512_and_si512(w, index_mask), m);
        let again = _mm512_cmplt_epu64_mask(_mm512_and_si512(choice, index_mask), index_bound);
        let index = _mm512_srl_epi64(choice, index_bits);
        // SAFETY: index < m = packed.len(): it is (a m) >> b for an a < 2^b.
        let side = unsafe { _mm512_i64gather_epi64::<8>(index, packed.as_ptr().cast()) };
        let n = _mm512_and_si512(side, low_half);
        let left = _mm512_srli_epi64::<32>(side);
        // (high 2^32 + low) n / 2^64 for the 32-bit halves of the word.
        let f = _mm512_and_si512(w, keep);
        let low = _mm512_srli_epi64::<32>(_mm512_mul_epu32(f, n));
        let middle = _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64::<32>(f), n), low);
        let x = _mm512_srli_epi64::<32>(middle);
        let bound = _mm512_add_epi64(_mm512_srl_epi64(n, guard), one);
        let near = _mm512_cmplt_epu64_mask(_mm512_and_si512(middle, low_half), bound);
        // x - 1 wraps for x = 0.
        let right = _mm512_cmpge_epu64_mask(_mm512_sub_epi64(x, one), left);
        let sign = _mm512_and_si512(_mm512_srl_epi64(w, index_bits), one);
        let value = _mm512_mask_sub_epi64(x, _mm512_test_epi64_mask(sign, sign), zero, x);
        // SAFETY: there is room for eight values.
        unsafe { _mm512_storeu_si512(values.as_mut_ptr().cast(), value) };
        *doubt = again | near | right;
    }
}
