//! 256- and 512-bit planes.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Isa;

use super::{MOST_LANES, Register, run as run_on};
use crate::circuit::{Keys, Plane};

/// Runs on the widest registers of `isa`; false if there are none here.
pub(super) fn run(isa: Isa, keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) -> bool {
    if isa.avx512().is_some() {
        // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
        unsafe { avx512(keys, decrypt, blocks) };
    } else if isa.avx2().is_some() {
        // SAFETY: the token proves AVX2.
        unsafe { avx2(keys, decrypt, blocks) };
    } else {
        return false;
    }
    true
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512(keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
    run_on::<Zmm>(keys, decrypt, blocks);
}

#[target_feature(enable = "avx2")]
fn avx2(keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
    run_on::<Ymm>(keys, decrypt, blocks);
}

macro_rules! register {
    ($name:ident, $vector:ty, $lanes:literal, $set:ident, $xor:ident, $and:ident, $load:ident, $store:ident, $left:ident, $right:ident) => {
        /// Made within the function above that enables its instructions, nowhere else.
        #[derive(Clone, Copy)]
        struct $name($vector);

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

        impl Register for $name {
            const LANES: usize = $lanes;
            #[inline(always)]
            fn load(words: &[u64; MOST_LANES]) -> Self {
                // SAFETY: eight words are there, LANES are read.
                Self(unsafe { $load(words.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, words: &mut [u64; MOST_LANES]) {
                // SAFETY: there is room for eight words, LANES are written.
                unsafe { $store(words.as_mut_ptr().cast(), self.0) }
            }
            #[inline(always)]
            fn shift_left(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $left(self.0, _mm_cvtsi32_si128(bits as i32)) })
            }
            #[inline(always)]
            fn shift_right(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $right(self.0, _mm_cvtsi32_si128(bits as i32)) })
            }
        }
    };
}

register!(
    Ymm,
    __m256i,
    4,
    _mm256_set1_epi64x,
    _mm256_xor_si256,
    _mm256_and_si256,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_sll_epi64,
    _mm256_srl_epi64
);
register!(
    Zmm,
    __m512i,
    8,
    _mm512_set1_epi64,
    _mm512_xor_si512,
    _mm512_and_si512,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_sll_epi64,
    _mm512_srl_epi64
);
