//! Four blocks a register.

use core::arch::x86_64::*;

super::kernel::kernel! {
    features: "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt",
    register: __m512i, class: zmm_reg,
    blocks: 4,
    key: |key: &[u8; 16]| {
        // SAFETY: sixteen bytes.
        _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(key.as_ptr().cast()) })
    },
    first: |first: u128| {
        let counter = _mm_set_epi64x((first >> 64) as i64, first as i64);
        _mm512_add_epi64(_mm512_broadcast_i32x4(counter), _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 3, 0))
    },
    add: _mm512_add_epi64, step: |n| _mm512_setr_epi64(n, 0, n, 0, n, 0, n, 0),
    reverse: |counter| _mm512_shuffle_epi8(
        counter,
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f)),
    ),
    xor: _mm512_xor_si512, round: _mm512_aesenc_epi128, last: _mm512_aesenclast_epi128,
    store: |out: &mut [[u8; 16]; 4], block| {
        // SAFETY: 64 bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), block) }
    },
}
