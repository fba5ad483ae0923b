//! Four trials at a time.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

use super::block::Block;
use super::lanes::{self, Lanes};
use super::layout::{Layout, Side};
use crate::registers::instructions;

/// Exists only where AVX2 does: every maker takes the token.
#[derive(Clone, Copy)]
struct V256(__m256i);

impl Lanes for V256 {
    type Token = Avx2;
    const COUNT: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, x: u64) -> Self {
        // SAFETY: the token proves AVX2.
        Self(unsafe { _mm256_set1_epi64x(x as i64) })
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u64]) -> Self {
        // SAFETY: the token proves AVX2; the slice covers 32 bytes.
        Self(unsafe { _mm256_loadu_si256(words[..4].as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_pairs(token: Avx2, words: &[u64]) -> (Self, Self) {
        let (a, b) = (Self::load(token, words).0, Self::load(token, &words[4..]).0);
        // SAFETY: the token proves AVX2.
        unsafe {
            // Words 0 1 4 5 and 2 3 6 7.
            let outer = _mm256_permute2x128_si256::<0x20>(a, b);
            let inner = _mm256_permute2x128_si256::<0x31>(a, b);
            (Self(_mm256_unpacklo_epi64(outer, inner)), Self(_mm256_unpackhi_epi64(outer, inner)))
        }
    }

    #[inline(always)]
    fn store(self, values: &mut [i64]) {
        // SAFETY: a `V256` proves AVX2; the slice covers 32 bytes.
        unsafe { _mm256_storeu_si256(values[..4].as_mut_ptr().cast(), self.0) }
    }

    instructions! {
        and(b) = _mm256_and_si256;
        or(b) = _mm256_or_si256;
        xor(b) = _mm256_xor_si256;
        add(b) = _mm256_add_epi64;
        sub(b) = _mm256_sub_epi64;
        mul(b) = _mm256_mul_epu32;
        shr(bits) = _mm256_srlv_epi64;
        shr32() = _mm256_srli_epi64::<32>;
    }

    #[inline(always)]
    fn signs(self) -> u8 {
        // SAFETY: a `V256` proves AVX2.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(self.0)) as u8 }
    }

    #[inline(always)]
    unsafe fn sides(self, sides: &[Side]) -> (Self, Self) {
        const { assert!(size_of::<Side>() == 1 << 4) };
        // SAFETY: a `V256` proves AVX2; a register is four words.
        let offset: [usize; 4] = unsafe { core::mem::transmute(_mm256_slli_epi64::<4>(self.0)) };
        // SAFETY: the caller promises indices within the table; a `Side` is two words, n and left. Whole loads and
        // inserts beat two gathers of four.
        unsafe {
            let side = |lane: usize| _mm_loadu_si128(sides.as_ptr().byte_add(offset[lane]).cast());
            let two = |a, b| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(side(a)), side(b));
            let (even, odd) = (two(0, 2), two(1, 3));
            (Self(_mm256_unpacklo_epi64(even, odd)), Self(_mm256_unpackhi_epi64(even, odd)))
        }
    }
}

/// [`lanes::trials`] on 256-bit registers.
pub(super) fn trials<const WORDS: usize, const WIDE: bool>(
    token: Avx2,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    // SAFETY: the `Avx2` token proves that AVX2 was detected.
    unsafe { kernel::<WORDS, WIDE>(token, layout, sides, words, count, block) }
}

#[target_feature(enable = "avx2,bmi2")]
fn kernel<const WORDS: usize, const WIDE: bool>(
    token: Avx2,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    lanes::trials::<V256, WORDS, WIDE>(token, layout, sides, words, count, block);
}
