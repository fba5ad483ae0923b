//! [`Compress`] on AVX2, by a table of permutations, and on AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{U64x4, U64x8, Vector};
use super::Compress;
use crate::proof::{HasAvx2, HasAvx512};

/// Row `mask`: the 32-bit lanes of the 64-bit lanes whose bits are set in it, in order.
const PERMUTATIONS: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            if mask >> lane & 1 == 1 {
                table[mask][at] = 2 * lane;
                table[mask][at + 1] = 2 * lane + 1;
                at += 2;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// The lanes whose bits are set in `lanes`, in order, and others behind them.
#[target_feature(enable = "avx2")]
#[inline]
fn compress(x: __m256i, lanes: u32) -> __m256i {
    let permutation = &PERMUTATIONS[lanes as usize & 15];
    // SAFETY: a row has 32 bytes.
    let permutation = unsafe { _mm256_loadu_si256(permutation.as_ptr().cast()) };
    _mm256_permutevar8x32_epi32(x, permutation)
}

impl<T: HasAvx2> Compress for U64x4<T> {
    #[inline(always)]
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        // SAFETY: the register's token proves AVX2.
        self.with(unsafe { compress(self.raw(), lanes) }).store(words);
    }

    #[inline(always)]
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let halves = &mut halves[..4];
        // SAFETY: as above; the slice covers 16 bytes.
        unsafe {
            let low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
            let x = _mm256_permutevar8x32_epi32(compress(self.raw(), lanes), low_halves);
            _mm_storeu_si128(halves.as_mut_ptr().cast(), _mm256_castsi256_si128(x));
        }
    }
}

impl<T: HasAvx512> Compress for U64x8<T> {
    #[inline(always)]
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        // In registers: a compressing store is many times slower on Zen 4.
        // SAFETY: the register's token proves AVX-512.
        self.with(unsafe { _mm512_maskz_compress_epi64(lanes as u8, self.raw()) }).store(words);
    }

    #[inline(always)]
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let halves = &mut halves[..8];
        // SAFETY: as above; the slice covers 32 bytes.
        unsafe {
            let x = _mm512_maskz_compress_epi64(lanes as u8, self.raw());
            _mm256_storeu_si256(halves.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(x));
        }
    }
}
