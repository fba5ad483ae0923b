//! Eight trials at a time.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx512;

use super::block::Block;
use super::lanes::{self, Lanes};
use super::layout::{Layout, Side};
use crate::registers::instructions;

/// Exists only where AVX-512 does: every maker takes the token.
#[derive(Clone, Copy)]
struct V512(__m512i);

impl Lanes for V512 {
    type Token = Avx512;
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, x: u64) -> Self {
        // SAFETY: the token proves AVX-512.
        Self(unsafe { _mm512_set1_epi64(x as i64) })
    }

    #[inline(always)]
    fn load(_: Avx512, words: &[u64]) -> Self {
        // SAFETY: the token proves AVX-512; the slice covers 64 bytes.
        Self(unsafe { _mm512_loadu_si512(words[..8].as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_pairs(token: Avx512, words: &[u64]) -> (Self, Self) {
        let (a, b) = (Self::load(token, words).0, Self::load(token, &words[8..]).0);
        // SAFETY: the token proves AVX-512.
        unsafe {
            let even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
            let odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
            (
                Self(_mm512_permutex2var_epi64(a, even, b)),
                Self(_mm512_permutex2var_epi64(a, odd, b)),
            )
        }
    }

    #[inline(always)]
    fn store(self, values: &mut [i64]) {
        // SAFETY: a `V512` proves AVX-512; the slice covers 64 bytes.
        unsafe { _mm512_storeu_si512(values[..8].as_mut_ptr().cast(), self.0) }
    }

    instructions! {
        and(b) = _mm512_and_si512;
        or(b) = _mm512_or_si512;
        xor(b) = _mm512_xor_si512;
        add(b) = _mm512_add_epi64;
        sub(b) = _mm512_sub_epi64;
        mul(b) = _mm512_mul_epu32;
        shr(bits) = _mm512_srlv_epi64;
        shr32() = _mm512_srli_epi64::<32>;
    }

    #[inline(always)]
    fn signs(self) -> u8 {
        // SAFETY: a `V512` proves AVX-512.
        unsafe { _mm512_movepi64_mask(self.0) }
    }

    #[inline(always)]
    unsafe fn sides(self, sides: &[Side]) -> (Self, Self) {
        const { assert!(size_of::<Side>() == 1 << 4) };
        // SAFETY: a `V512` proves AVX-512; a register is eight words.
        let offset: [usize; 8] = unsafe { core::mem::transmute(_mm512_slli_epi64::<4>(self.0)) };
        // SAFETY: the caller promises indices within the table; a `Side` is two words, n and left. Whole loads and
        // inserts beat two gathers of eight.
        unsafe {
            let side = |lane: usize| _mm_loadu_si128(sides.as_ptr().byte_add(offset[lane]).cast());
            let four = |a, b, c, d| {
                let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(side(a)), side(b));
                let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(side(c)), side(d));
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
            };
            let (even, odd) = (four(0, 2, 4, 6), four(1, 3, 5, 7));
            (Self(_mm512_unpacklo_epi64(even, odd)), Self(_mm512_unpackhi_epi64(even, odd)))
        }
    }
}

/// [`lanes::trials`] on 512-bit registers.
pub(super) fn trials<const WORDS: usize, const WIDE: bool>(
    token: Avx512,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    // SAFETY: the `Avx512` token proves that AVX-512 was detected.
    unsafe { kernel::<WORDS, WIDE>(token, layout, sides, words, count, block) }
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,bmi2")]
fn kernel<const WORDS: usize, const WIDE: bool>(
    token: Avx512,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    lanes::trials::<V512, WORDS, WIDE>(token, layout, sides, words, count, block);
}
