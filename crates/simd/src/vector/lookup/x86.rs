//! [`LookUp`] on AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::compare::blend_32;
use super::super::{U64x4, U64x8, Vector};
use super::LookUp;
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> LookUp for U64x4<T> {
    /// Entries of 32 bits; or the low halves, then the high halves, of entries of 64.
    type Table = [Self; 4];

    #[inline(always)]
    fn table_32(token: T, entries: &[u32; 32]) -> [Self; 4] {
        let at: *const __m256i = entries.as_ptr().cast();
        // SAFETY: the token proves AVX2; the reference covers 128 bytes.
        unsafe {
            [
                Self::from_raw(token, _mm256_loadu_si256(at)),
                Self::from_raw(token, _mm256_loadu_si256(at.add(1))),
                Self::from_raw(token, _mm256_loadu_si256(at.add(2))),
                Self::from_raw(token, _mm256_loadu_si256(at.add(3))),
            ]
        }
    }

    #[inline(always)]
    fn table_64(token: T, entries: &[u64; 16]) -> [Self; 4] {
        let mut halves = [0; 32];
        for (i, entry) in entries.iter().enumerate() {
            (halves[i], halves[16 + i]) = (*entry as u32, (entry >> 32) as u32);
        }
        Self::table_32(token, &halves)
    }

    #[inline(always)]
    fn look_up_32(self, &[a, b, c, d]: &[Self; 4]) -> Self {
        // SAFETY: the register's token proves AVX2.
        Self::from_raw(self.token(), unsafe {
            let index = self.raw();
            let (low, high) =
                (look_up_16(a.raw(), b.raw(), index), look_up_16(c.raw(), d.raw(), index));
            blend_32(_mm256_slli_epi32::<27>(index), high, low)
        })
    }

    #[inline(always)]
    fn look_up_64(self, table: &[Self; 4]) -> Self {
        self.look_up_64_twice(self, table).0
    }

    #[inline(always)]
    fn look_up_64_twice(self, y: Self, &[a, b, c, d]: &[Self; 4]) -> (Self, Self) {
        let index = self.low_halves(y).raw();
        // SAFETY: as above.
        let (low, high) =
            unsafe { (look_up_16(a.raw(), b.raw(), index), look_up_16(c.raw(), d.raw(), index)) };
        let (low, high) = (Self::from_raw(self.token(), low), Self::from_raw(self.token(), high));
        (low.low_halves(high), low.high_halves(high))
    }

    #[inline(always)]
    fn low_halves(self, high: Self) -> Self {
        let high = high.shl::<32>();
        // SAFETY: as above.
        Self::from_raw(self.token(), unsafe { _mm256_blend_epi32::<0xaa>(self.raw(), high.raw()) })
    }

    #[inline(always)]
    fn high_halves(self, high: Self) -> Self {
        let low = self.shr::<32>();
        // SAFETY: as above.
        Self::from_raw(self.token(), unsafe { _mm256_blend_epi32::<0xaa>(low.raw(), high.raw()) })
    }
}

/// For each lane of 32 bits, the entry at the index lane mod 16, of two registers.
#[target_feature(enable = "avx2")]
#[inline]
fn look_up_16(first: __m256i, second: __m256i, index: __m256i) -> __m256i {
    let low = _mm256_permutevar8x32_epi32(first, index);
    let high = _mm256_permutevar8x32_epi32(second, index);
    blend_32(_mm256_slli_epi32::<28>(index), high, low)
}

impl<T: HasAvx512> LookUp for U64x8<T> {
    type Table = [Self; 2];

    #[inline(always)]
    fn table_32(token: T, entries: &[u32; 32]) -> [Self; 2] {
        let at: *const __m512i = entries.as_ptr().cast();
        // SAFETY: the token proves AVX-512; the reference covers 128 bytes.
        unsafe {
            [
                Self::from_raw(token, _mm512_loadu_si512(at)),
                Self::from_raw(token, _mm512_loadu_si512(at.add(1))),
            ]
        }
    }

    #[inline(always)]
    fn table_64(token: T, entries: &[u64; 16]) -> [Self; 2] {
        [Self::load(token, entries), Self::load(token, &entries[8..])]
    }

    #[inline(always)]
    fn look_up_32(self, [low, high]: &[Self; 2]) -> Self {
        // SAFETY: the register's token proves AVX-512.
        Self::from_raw(self.token(), unsafe {
            _mm512_permutex2var_epi32(low.raw(), self.raw(), high.raw())
        })
    }

    #[inline(always)]
    fn look_up_64(self, [low, high]: &[Self; 2]) -> Self {
        // SAFETY: as above.
        Self::from_raw(self.token(), unsafe {
            _mm512_permutex2var_epi64(low.raw(), self.raw(), high.raw())
        })
    }

    #[inline(always)]
    fn low_halves(self, high: Self) -> Self {
        // SAFETY: as above.
        Self::from_raw(self.token(), unsafe {
            _mm512_mask_shuffle_epi32::<0b10_10_00_00>(self.raw(), 0xaaaa, high.raw())
        })
    }

    #[inline(always)]
    fn high_halves(self, high: Self) -> Self {
        // SAFETY: as above.
        Self::from_raw(self.token(), unsafe {
            _mm512_mask_shuffle_epi32::<0b11_11_01_01>(high.raw(), 0x5555, self.raw())
        })
    }
}
