//! Registers of 512 bits on AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

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

impl<T: HasAvx512> U64x8<T> {
    /// The register, for instructions that the traits have not.
    #[inline(always)]
    pub fn raw(self) -> __m512i {
        self.0
    }
    /// A register of such instructions.
    #[inline(always)]
    pub fn from_raw(token: T, raw: __m512i) -> Self {
        Self(raw, token)
    }
    #[inline(always)]
    fn with(self, raw: __m512i) -> Self {
        Self(raw, self.1)
    }
}

impl<T: HasAvx512> Vector for U64x8<T> {
    type Token = T;
    type Mask = __mmask8;
    const LANES: usize = 8;

    #[inline(always)]
    fn token(self) -> T {
        self.1
    }

    #[inline(always)]
    fn splat(token: T, x: u64) -> Self {
        // SAFETY: the token proves AVX-512.
        Self(unsafe { _mm512_set1_epi64(x as i64) }, token)
    }
    #[inline(always)]
    fn load(token: T, words: &[u64]) -> Self {
        let words = &words[..8];
        // SAFETY: the token proves AVX-512; the slice covers the register.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }, token)
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..8];
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn load_bytes(token: T, bytes: &[u8]) -> Self {
        let bytes = &bytes[..64];
        // SAFETY: as above.
        Self(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }, token)
    }
    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8]) {
        let bytes = &mut bytes[..64];
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, y: Self) -> Self {
        // SAFETY: the register's token proves AVX-512, as everywhere below.
        self.with(unsafe { _mm512_and_si512(self.0, y.0) })
    }
    #[inline(always)]
    fn or(self, y: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_or_si512(self.0, y.0) })
    }
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_xor_si512(self.0, y.0) })
    }
    #[inline(always)]
    fn andnot(self, y: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_andnot_si512(self.0, y.0) })
    }
    // Three inputs at a time: the truth tables of x ? y : z, x ^ y ^ z and x ^ y & z.
    #[inline(always)]
    fn select(self, one: Self, zero: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_ternarylogic_epi64::<0xca>(self.0, one.0, zero.0) })
    }
    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_ternarylogic_epi64::<0x96>(self.0, y.0, z.0) })
    }
    #[inline(always)]
    fn xor_masked(self, y: Self, mask: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_ternarylogic_epi64::<0x78>(self.0, y.0, mask.0) })
    }

    #[inline(always)]
    fn add(self, y: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_add_epi64(self.0, y.0) })
    }
    #[inline(always)]
    fn sub(self, y: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_sub_epi64(self.0, y.0) })
    }
    #[inline(always)]
    fn mul_low_32(self, y: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_mul_epu32(self.0, y.0) })
    }
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_slli_epi64::<N>(self.0) })
    }
    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_srli_epi64::<N>(self.0) })
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_sllv_epi64(self.0, counts.0) })
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_srlv_epi64(self.0, counts.0) })
    }

    #[inline(always)]
    fn eq(self, y: Self) -> __mmask8 {
        // SAFETY: as above.
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
