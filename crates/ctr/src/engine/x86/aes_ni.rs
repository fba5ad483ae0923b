//! One block a register.

use core::arch::x86_64::*;

super::kernel::kernel! {
    features: "aes,sse4.1",
    register: __m128i, class: xmm_reg,
    blocks: 1,
    key: |key: &[u8; 16]| {
        // SAFETY: sixteen bytes.
        unsafe { _mm_loadu_si128(key.as_ptr().cast()) }
    },
    first: |first: u128| _mm_set_epi64x((first >> 64) as i64, first as i64),
    add: _mm_add_epi64, step: |n| _mm_set_epi64x(0, n),
    reverse: |counter| _mm_shuffle_epi8(
        counter,
        _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f),
    ),
    xor: _mm_xor_si128, round: _mm_aesenc_si128, last: _mm_aesenclast_si128,
    store: |out: &mut [[u8; 16]; 1], block| {
        // SAFETY: sixteen bytes.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), block) }
    },
}
