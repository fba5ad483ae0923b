//! 256- and 512-bit planes.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Isa;

use super::planes::{MOST_LANES, Register, run as run_on};
use crate::circuit::Keys;
use crate::registers::{Ymm, Zmm};

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
    ($name:ident, $lanes:literal, $load:ident, $store:ident, $left:ident, $right:ident) => {
        impl Register for $name {
            const LANES: usize = $lanes;
            #[inline(always)]
            fn load(words: &[u64; MOST_LANES]) -> Self {
                // SAFETY: the enclosing function enables the instructions, as everywhere below; eight words are there.
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

#[rustfmt::skip]
register!(Ymm, 4, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_sll_epi64, _mm256_srl_epi64);
#[rustfmt::skip]
register!(Zmm, 8, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_sll_epi64, _mm512_srl_epi64);
