//! Two blocks a register.

use core::arch::x86_64::*;

super::kernel::kernel! {
    features: "avx2,vaes",
    register: __m256i, class: ymm_reg,
    blocks: 2,
    key: |key: &[u8; 16]| {
        // SAFETY: sixteen bytes.
        _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(key.as_ptr().cast()) })
    },
    first: |first: u128| {
        let counter = _mm_set_epi64x((first >> 64) as i64, first as i64);
        _mm256_add_epi64(_mm256_broadcastsi128_si256(counter), _mm256_setr_epi64x(0, 0, 1, 0))
    },
    add: _mm256_add_epi64, step: |n| _mm256_setr_epi64x(n, 0, n, 0),
    reverse: |counter| _mm256_shuffle_epi8(
        counter,
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f)),
    ),
    xor: _mm256_xor_si256, round: _mm256_aesenc_epi128, last: _mm256_aesenclast_epi128,
    store: |out: &mut [[u8; 16]; 2], block| {
        // SAFETY: 32 bytes.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), block) }
    },
}
