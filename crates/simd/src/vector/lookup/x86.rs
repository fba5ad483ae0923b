//! [`LookUp`] on AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::intrinsics::expressions;
use super::super::{U64x4, U64x8, Vector};
use super::LookUp;
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> LookUp for U64x4<T> {
    /// Entries of 32 bits: the first eight, and the words to be added (without carries) to them
    /// where bit 3, bit 4 or both bits of the index are set. Or the low halves of entries of 64
    /// bits, the first eight and the words to be added where bit 3 is set, and likewise the high
    /// halves. A blend is three instructions inside of many CPUs.
    type Table = [Self; 4];

    #[inline(always)]
    fn table_32(token: T, entries: &[u32; 32]) -> [Self; 4] {
        let [a, b, c, d] = eights(token, entries);
        let changed = a.xor(b);
        [a, changed, a.xor(c), changed.xor(c.xor(d))]
    }

    #[inline(always)]
    fn table_64(token: T, entries: &[u64; 16]) -> [Self; 4] {
        let mut halves = [0; 32];
        for (i, entry) in entries.iter().enumerate() {
            (halves[i], halves[16 + i]) = (*entry as u32, (entry >> 32) as u32);
        }
        let [a, b, c, d] = eights(token, &halves);
        [a, a.xor(b), c, c.xor(d)]
    }

    #[inline(always)]
    fn look_up_32(self, &[a, b, c, d]: &[Self; 4]) -> Self {
        // SAFETY: the register's token proves AVX2.
        let (third, fourth) = unsafe { (bit_32::<3>(self.raw()), bit_32::<4>(self.raw())) };
        let (third, fourth) = (self.with(third), self.with(fourth));
        let (first, second) =
            (look_up_8(a, self).xor(look_up_8(b, self).and(third)), look_up_8(d, self).and(third));
        first.xor(look_up_8(c, self).xor(second).and(fourth))
    }

    #[inline(always)]
    fn look_up_64(self, table: &[Self; 4]) -> Self {
        self.look_up_64_twice(self, table).0
    }

    #[inline(always)]
    fn look_up_64_twice(self, y: Self, &[a, b, c, d]: &[Self; 4]) -> (Self, Self) {
        let index = self.low_halves(y);
        // SAFETY: as above.
        let third = self.with(unsafe { bit_32::<3>(index.raw()) });
        let low = look_up_8(a, index).xor(look_up_8(b, index).and(third));
        let high = look_up_8(c, index).xor(look_up_8(d, index).and(third));
        (low.low_halves(high), low.high_halves(high))
    }

    expressions! {
        low_halves(low, high) = _mm256_blend_epi32::<0xaa>(low, _mm256_slli_epi64::<32>(high));
        high_halves(low, high) = _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(low), high);
    }
}

/// 32 entries in registers of eight.
#[inline(always)]
fn eights<T: HasAvx2>(token: T, entries: &[u32; 32]) -> [U64x4<T>; 4] {
    let at: *const __m256i = entries.as_ptr().cast();
    // SAFETY: the token proves AVX2; the reference covers 128 bytes.
    unsafe {
        [
            U64x4::from_raw(token, _mm256_loadu_si256(at)),
            U64x4::from_raw(token, _mm256_loadu_si256(at.add(1))),
            U64x4::from_raw(token, _mm256_loadu_si256(at.add(2))),
            U64x4::from_raw(token, _mm256_loadu_si256(at.add(3))),
        ]
    }
}

/// For each lane of 32 bits, the entry at the index lane mod 8.
#[inline(always)]
fn look_up_8<T: HasAvx2>(table: U64x4<T>, index: U64x4<T>) -> U64x4<T> {
    // SAFETY: the register's token proves AVX2.
    U64x4::from_raw(index.token(), unsafe { _mm256_permutevar8x32_epi32(table.raw(), index.raw()) })
}

/// Each lane of 32 bits all ones where its bit `BIT` is set, else zero.
#[target_feature(enable = "avx2")]
#[inline]
fn bit_32<const BIT: u32>(x: __m256i) -> __m256i {
    let highest = _mm256_sllv_epi32(x, _mm256_set1_epi32(31 - BIT as i32));
    _mm256_srai_epi32::<31>(highest)
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
        self.with(unsafe { _mm512_permutex2var_epi32(low.raw(), self.raw(), high.raw()) })
    }

    #[inline(always)]
    fn look_up_64(self, [low, high]: &[Self; 2]) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_permutex2var_epi64(low.raw(), self.raw(), high.raw()) })
    }

    expressions! {
        low_halves(low, high) = _mm512_mask_shuffle_epi32::<0b10_10_00_00>(low, 0xaaaa, high);
        high_halves(low, high) = _mm512_mask_shuffle_epi32::<0b11_11_01_01>(high, 0x5555, low);
    }
}
