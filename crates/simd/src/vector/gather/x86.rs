//! [`Gather`] on AVX2 and AVX-512: whole loads and inserts, faster than two gathers.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::mem::transmute;

use super::super::{U64x4, U64x8, Vector};
use super::Gather;
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> Gather for U64x4<T> {
    #[inline(always)]
    fn unzip(self, y: Self) -> (Self, Self) {
        let (a, b, token) = (self.raw(), y.raw(), self.token());
        // SAFETY: the register's token proves AVX2.
        unsafe {
            // Words 0 1 4 5 and 2 3 6 7.
            let outer = _mm256_permute2x128_si256::<0x20>(a, b);
            let inner = _mm256_permute2x128_si256::<0x31>(a, b);
            (
                Self::from_raw(token, _mm256_unpacklo_epi64(outer, inner)),
                Self::from_raw(token, _mm256_unpackhi_epi64(outer, inner)),
            )
        }
    }

    #[inline(always)]
    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self) {
        // SAFETY: a register is four words.
        let offset: [usize; 4] = unsafe { transmute(self.shl::<4>().raw()) };
        // SAFETY: the caller promises indices of rows; the token proves AVX2.
        unsafe {
            let row = |lane: usize| _mm_loadu_si128(rows.as_ptr().byte_add(offset[lane]).cast());
            let two = |a, b| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(a)), row(b));
            let (even, odd) = (two(0, 2), two(1, 3));
            (
                self.with(_mm256_unpacklo_epi64(even, odd)),
                self.with(_mm256_unpackhi_epi64(even, odd)),
            )
        }
    }
}

impl<T: HasAvx512> Gather for U64x8<T> {
    #[inline(always)]
    fn unzip(self, y: Self) -> (Self, Self) {
        let (a, b, token) = (self.raw(), y.raw(), self.token());
        // SAFETY: the register's token proves AVX-512.
        unsafe {
            let even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
            let odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
            (
                Self::from_raw(token, _mm512_permutex2var_epi64(a, even, b)),
                Self::from_raw(token, _mm512_permutex2var_epi64(a, odd, b)),
            )
        }
    }

    #[inline(always)]
    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self) {
        // SAFETY: a register is eight words.
        let offset: [usize; 8] = unsafe { transmute(self.shl::<4>().raw()) };
        // SAFETY: the caller promises indices of rows; the token proves AVX-512.
        unsafe {
            let row = |lane: usize| _mm_loadu_si128(rows.as_ptr().byte_add(offset[lane]).cast());
            let four = |a, b, c, d| {
                let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(a)), row(b));
                let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(c)), row(d));
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
            };
            let (even, odd) = (four(0, 2, 4, 6), four(1, 3, 5, 7));
            (
                self.with(_mm512_unpacklo_epi64(even, odd)),
                self.with(_mm512_unpackhi_epi64(even, odd)),
            )
        }
    }
}
