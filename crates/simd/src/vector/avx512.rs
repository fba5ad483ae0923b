//! Registers of 512 bits on AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::intrinsics::{intrinsics, memory, raw};
use super::{Mask, Vector};
use crate::proof::HasAvx512;

/// Eight lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct U64x8<T>(pub(super) __m512i, pub(super) T);

impl Mask for __mmask8 {
    const LANES: u32 = 8;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        !self & other
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.into()
    }
}

raw!(U64x8<HasAvx512>(__m512i));

impl<T: HasAvx512> Vector for U64x8<T> {
    type Token = T;
    type Mask = __mmask8;

    memory!(8, _mm512_set1_epi64, _mm512_loadu_si512, _mm512_storeu_si512);

    intrinsics! {
        and(y) = _mm512_and_si512;
        or(y) = _mm512_or_si512;
        xor(y) = _mm512_xor_si512;
        andnot(y) = _mm512_andnot_si512;
        // Three inputs at a time: the truth tables of x ? y : z, x ^ y ^ z and x ^ y & z.
        select(one, zero) = _mm512_ternarylogic_epi64::<0xca>;
        xor3(y, z) = _mm512_ternarylogic_epi64::<0x96>;
        xor_masked(y, mask) = _mm512_ternarylogic_epi64::<0x78>;
        add(y) = _mm512_add_epi64;
        sub(y) = _mm512_sub_epi64;
        mul_low_32(y) = _mm512_mul_epu32;
        shl<const N: u32>() = _mm512_slli_epi64::<N>;
        shr<const N: u32>() = _mm512_srli_epi64::<N>;
        shl_each(counts) = _mm512_sllv_epi64;
        shr_each(counts) = _mm512_srlv_epi64;
    }

    #[inline(always)]
    fn eq(self, y: Self) -> __mmask8 {
        // SAFETY: the register's token proves AVX-512, here and below.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, y.0) }
    }
    #[inline(always)]
    fn lt(self, y: Self) -> __mmask8 {
        // SAFETY: as above.
        unsafe { _mm512_cmplt_epu64_mask(self.0, y.0) }
    }
    #[inline(always)]
    fn sign(self) -> __mmask8 {
        // SAFETY: as above.
        unsafe { _mm512_movepi64_mask(self.0) }
    }
    #[inline(always)]
    fn blend(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: as above.
        yes.with(unsafe { _mm512_mask_blend_epi64(mask, no.0, yes.0) })
    }
}
