//! Small transpositions, by the shuffles that every x86-64 has: cells of lines become lines of
//! cells.
#![allow(unsafe_code)]

/// Four cells of 32 bits of four lines.
#[inline(always)]
pub(crate) fn words(lines: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has SSE2; any 16 bytes are a register, and four words.
    unsafe {
        use core::arch::x86_64::*;
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
        use core::arch::x86_64::*;
        let [a, b] = core::mem::transmute::<[[u64; 2]; 2], [__m128i; 2]>(lines);
        let cells = [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)];
        core::mem::transmute::<[__m128i; 2], [[u64; 2]; 2]>(cells)
    }
    #[cfg(not(target_arch = "x86_64"))]
    core::array::from_fn(|c| core::array::from_fn(|l| lines[l][c]))
}
