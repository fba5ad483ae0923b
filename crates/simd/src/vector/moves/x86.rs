//! AVX2, AVX-512 and VBMI.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::mem::transmute;

use super::super::intrinsics::{expressions, intrinsics};
use super::super::{U64x2, U64x4, U64x8};
use super::{Bytes, Compress, Gather, Halves, Lanes, LookUp, LookUpBytes, Vector};
use crate::proof::{HasAvx2, HasAvx512, HasVbmi};

impl<T: HasAvx512> U64x8<T> {
    /// The lanes of registers, one after the other.
    #[inline(always)]
    pub fn words(registers: &[Self]) -> &[u64] {
        const { assert!(size_of::<Self>() == 64) };
        // SAFETY: a register is its lanes, without padding or invalid patterns: a token has no
        // size, which leaves the lanes at offset 0.
        unsafe { core::slice::from_raw_parts(registers.as_ptr().cast(), 8 * registers.len()) }
    }
}

impl<T: HasAvx512> Lanes for U64x8<T> {
    #[inline(always)]
    fn mask_from_bits(_: T, bits: u32) -> __mmask8 {
        bits as __mmask8
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the register's token proves AVX-512, as everywhere below.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64 }
    }
    #[inline(always)]
    fn splat_element(token: T, registers: &[Self], at: usize) -> Self {
        Self::splat(token, Self::words(registers)[at])
    }

    #[inline(always)]
    fn up(self, below: Self, n: usize) -> Self {
        macro_rules! of_count {
            ($($n:literal)*) => {
                match n {
                    // SAFETY: as above.
                    $($n => unsafe { _mm512_alignr_epi64::<{ 8 - $n }>(self.0, below.0) },)*
                    _ => self.0,
                }
            };
        }
        Self(of_count!(1 2 3 4 5 6 7), self.1)
    }
    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}

impl<T: HasAvx512> Halves for U64x8<T> {
    #[inline(always)]
    fn splat_in_halves(self, lane: usize) -> Self {
        const ORDERS: [[u64; 8]; 4] = [
            [0, 0, 0, 0, 4, 4, 4, 4],
            [1, 1, 1, 1, 5, 5, 5, 5],
            [2, 2, 2, 2, 6, 6, 6, 6],
            [3, 3, 3, 3, 7, 7, 7, 7],
        ];
        let order = Self::load(self.1, &ORDERS[lane]);
        // SAFETY: the register's token proves AVX-512, as everywhere below.
        Self(unsafe { _mm512_permutexvar_epi64(order.0, self.0) }, self.1)
    }
    #[inline(always)]
    fn up_in_halves(self, below: Self, n: usize) -> Self {
        // Indices from 8 on are lanes of self.
        let order = match n {
            1 => [3, 8, 9, 10, 7, 12, 13, 14],
            2 => [2, 3, 8, 9, 6, 7, 12, 13],
            3 => [1, 2, 3, 8, 5, 6, 7, 12],
            _ => return self,
        };
        let order = Self::load(self.1, &order);
        // SAFETY: as above.
        Self(unsafe { _mm512_permutex2var_epi64(below.0, order.0, self.0) }, self.1)
    }
}

/// The block of a register of one.
///
/// # Safety
/// None is needed; as the intrinsics that it stands in for.
#[inline(always)]
unsafe fn same(block: __m128i) -> __m128i {
    block
}

macro_rules! bytes {
    (
        $name:ident<$has:ident>, $splat:ident, $to_ps:ident, $shuffle_ps:ident, $from_ps:ident,
        $align:ident, { $($method:ident = $intrinsic:ident;)* }
    ) => {
        impl<T: $has> Bytes for $name<T> {
            #[inline(always)]
            fn splat_128(token: T, words: [u64; 2]) -> Self {
                // SAFETY: the token proves the instructions; a block has two words.
                Self(unsafe { $splat(_mm_loadu_si128(words.as_ptr().cast())) }, token)
            }
            expressions! {
                even_32(x, y) = $from_ps($shuffle_ps::<0b10_00_10_00>($to_ps(x), $to_ps(y)));
                odd_32(x, y) = $from_ps($shuffle_ps::<0b11_01_11_01>($to_ps(x), $to_ps(y)));
                align_64(x, y) = $align::<8>(y, x);
            }
            intrinsics! { $($method(y) = $intrinsic;)* }
        }
    };
}

bytes!(
    U64x2<HasAvx2>,
    same,
    _mm_castsi128_ps,
    _mm_shuffle_ps,
    _mm_castps_si128,
    _mm_alignr_epi8,
    {
        shuffle_bytes = _mm_shuffle_epi8;
        interleave_low_32 = _mm_unpacklo_epi32;
        interleave_high_32 = _mm_unpackhi_epi32;
        interleave_low_64 = _mm_unpacklo_epi64;
        interleave_high_64 = _mm_unpackhi_epi64;
    }
);
bytes!(
    U64x4<HasAvx2>,
    _mm256_broadcastsi128_si256,
    _mm256_castsi256_ps,
    _mm256_shuffle_ps,
    _mm256_castps_si256,
    _mm256_alignr_epi8,
    {
        shuffle_bytes = _mm256_shuffle_epi8;
        interleave_low_32 = _mm256_unpacklo_epi32;
        interleave_high_32 = _mm256_unpackhi_epi32;
        interleave_low_64 = _mm256_unpacklo_epi64;
        interleave_high_64 = _mm256_unpackhi_epi64;
    }
);
bytes!(
    U64x8<HasAvx512>,
    _mm512_broadcast_i64x2,
    _mm512_castsi512_ps,
    _mm512_shuffle_ps,
    _mm512_castps_si512,
    _mm512_alignr_epi8,
    {
        shuffle_bytes = _mm512_shuffle_epi8;
        interleave_low_32 = _mm512_unpacklo_epi32;
        interleave_high_32 = _mm512_unpackhi_epi32;
        interleave_low_64 = _mm512_unpacklo_epi64;
        interleave_high_64 = _mm512_unpackhi_epi64;
    }
);

impl<T: HasVbmi> LookUpBytes for U64x8<T> {
    intrinsics! { look_up(table) = _mm512_permutexvar_epi8; }
}

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
