//! Transpositions: cells of lines become lines of cells. Small ones by the shuffles that every
//! x86-64 has.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Four cells of 32 bits of four lines.
#[inline(always)]
pub(crate) fn words(lines: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has SSE2; any 16 bytes are a register, and four words.
    unsafe {
        let [a, b, c, d] = core::mem::transmute::<[[u32; 4]; 4], [__m128i; 4]>(lines);
        let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
        let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
        core::mem::transmute::<[__m128i; 4], [[u32; 4]; 4]>([
            _mm_unpacklo_epi64(ab, cd),
            _mm_unpackhi_epi64(ab, cd),
            _mm_unpacklo_epi64(ab_high, cd_high),
            _mm_unpackhi_epi64(ab_high, cd_high),
        ])
    }
    #[cfg(not(target_arch = "x86_64"))]
    core::array::from_fn(|c| core::array::from_fn(|l| lines[l][c]))
}

/// Two cells of 64 bits of two lines.
#[inline(always)]
pub(crate) fn doubles(lines: [[u64; 2]; 2]) -> [[u64; 2]; 2] {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has SSE2; any 16 bytes are a register, and two words.
    unsafe {
        let [a, b] = core::mem::transmute::<[[u64; 2]; 2], [__m128i; 2]>(lines);
        let cells = [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)];
        core::mem::transmute::<[__m128i; 2], [[u64; 2]; 2]>(cells)
    }
    #[cfg(not(target_arch = "x86_64"))]
    core::array::from_fn(|c| core::array::from_fn(|l| lines[l][c]))
}

/// Sixteen cells of 32 bits of sixteen lines, a line a register.
///
/// Words, pairs and fours of words change places: after each step, register i holds parts of the
/// rows whose numbers agree with i in the bits that are not yet exchanged.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn registers(rows: &[__m512i; 16]) -> [__m512i; 16] {
    let mut words = *rows;
    for i in 0..8 {
        let (a, b) = (rows[2 * i], rows[2 * i + 1]);
        words[2 * i] = _mm512_unpacklo_epi32(a, b);
        words[2 * i + 1] = _mm512_unpackhi_epi32(a, b);
    }
    // Register 4 i + j: column j of every four, of rows 4 i to 4 i + 3.
    let mut fours = words;
    for i in 0..4 {
        for j in 0..2 {
            let (a, b) = (words[4 * i + j], words[4 * i + 2 + j]);
            fours[4 * i + 2 * j] = _mm512_unpacklo_epi64(a, b);
            fours[4 * i + 2 * j + 1] = _mm512_unpackhi_epi64(a, b);
        }
    }
    // The four quarters q of register 4 i + j hold column 4 q + j of rows 4 i to 4 i + 3.
    let mut columns = fours;
    for j in 0..4 {
        let [a, b, c, d] = [fours[j], fours[4 + j], fours[8 + j], fours[12 + j]];
        let (ab_even, ab_odd) =
            (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xdd>(a, b));
        let (cd_even, cd_odd) =
            (_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xdd>(c, d));
        columns[j] = _mm512_shuffle_i32x4::<0x88>(ab_even, cd_even);
        columns[4 + j] = _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd);
        columns[8 + j] = _mm512_shuffle_i32x4::<0xdd>(ab_even, cd_even);
        columns[12 + j] = _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd);
    }
    columns
}
