//! Registers of x86-64 as bits.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::circuit::Plane;

macro_rules! register {
    ($(#[$doc:meta])* $name:ident($vector:ty), $set:ident, $xor:ident, $and:ident) => {
        $(#[$doc])*
        ///
        /// Made within functions that enable its instructions, nowhere else.
        #[derive(Clone, Copy)]
        pub(crate) struct $name(pub(crate) $vector);

        impl Plane for $name {
            #[inline(always)]
            fn splat(word: u64) -> Self {
                // SAFETY: the enclosing function enables the instructions, as everywhere below.
                Self(unsafe { $set(word as i64) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $and(self.0, other.0) })
            }
        }
    };
}

register! {
    /// 512 bits, with AVX-512.
    Zmm(__m512i), _mm512_set1_epi64, _mm512_xor_si512, _mm512_and_si512
}
register! {
    /// 128 bits, with AVX2.
    Xmm(__m128i), _mm_set1_epi64x, _mm_xor_si128, _mm_and_si128
}
register! {
    /// 128 bits, with AVX-512.
    Xmm512(__m128i), _mm_set1_epi64x, _mm_xor_si128, _mm_and_si128
}
register! {
    /// 256 bits, with AVX2.
    Ymm(__m256i), _mm256_set1_epi64x, _mm256_xor_si256, _mm256_and_si256
}
register! {
    /// 256 bits, with AVX-512.
    Ymm512(__m256i), _mm256_set1_epi64x, _mm256_xor_si256, _mm256_and_si256
}
