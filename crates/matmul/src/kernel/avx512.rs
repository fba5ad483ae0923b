//! 512-bit registers: `vpdpbusd`, `vpdpwssd` (or `vpmaddwd`), `vpmulld`, `vpmullq`,
//! `vpmadd52luq`.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Ifma, Vnni};

use super::block::{self, Lane, Task, Tile};
use super::register::{Arithmetic, Block, Pairs, Single, arithmetic};
use super::table::{ZMM_DIRECT, ZMM_PAIRS};
use super::{Backend, Kernel};
use crate::digits::{Digit, Method};
use crate::word::Word;

arithmetic! {
    /// 16 cells of four bytes, unsigned in X and signed in Y; in pairs the cells are words, of
    /// which the signs of the bytes do not matter.
    Bytes: Vnni, __m512i, u32, _mm512_set1_epi32, _mm512_add_epi8,
    |sum, a, b| _mm512_dpbusd_epi32(sum, a, b)
}
arithmetic! {
    /// 16 cells of two signed halves, with the fused instruction.
    FusedHalves: Vnni, __m512i, u32, _mm512_set1_epi32, _mm512_add_epi16,
    |sum, a, b| _mm512_dpwssd_epi32(sum, a, b)
}
arithmetic! {
    /// 16 cells of two signed halves.
    Halves: Avx512, __m512i, u32, _mm512_set1_epi32, _mm512_add_epi16,
    |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
}
arithmetic! {
    /// 16 32-bit words.
    Words: Avx512, __m512i, u32, _mm512_set1_epi32, _mm512_add_epi32,
    |sum, a, b| _mm512_add_epi32(sum, _mm512_mullo_epi32(a, b))
}
arithmetic! {
    /// Eight 64-bit words.
    Doubles: Avx512, __m512i, u64, _mm512_set1_epi64, _mm512_add_epi64,
    |sum, a, b| _mm512_add_epi64(sum, _mm512_mullo_epi64(a, b))
}
arithmetic! {
    /// Eight words of at most [`IFMA_BITS`](super::IFMA_BITS) bits; higher bits of a factor do not
    /// count.
    Shorts: Ifma, __m512i, u64, _mm512_set1_epi64, _mm512_add_epi64,
    |sum, a, b| _mm512_madd52lo_epu64(sum, a, b)
}

/// Two registers by `N` columns; Y is broadcast from memory.
type Tall<V, const N: usize> = Block<V, 2, 4, 8, N>;

/// [`block::multiply`] in registers of 512 bits.
///
/// # Safety
/// As `block::multiply`; AVX-512 F, BW, DQ, VL exist.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn multiply<L: Lane, W: Word, const ROWS: usize>(
    tile: &dyn Tile<Lane = L>,
    task: &Task<'_, W>,
) {
    // SAFETY: guaranteed by the caller.
    unsafe { block::multiply::<L, W, ROWS>(tile, task) }
}

/// Forms the tiles of a task.
///
/// # Safety
/// As `block::multiply`.
pub(super) unsafe fn run<W: Word>(kernel: Kernel, task: &Task<'_, W>) {
    use Backend::{Avx512, Ifma, Vnni};
    use Digit::{Byte, Double, Half, Word};
    use Method::{Direct, Winograd};
    let words: &dyn Tile<Lane = u32> = match (kernel.backend, kernel.digit, kernel.method) {
        (Vnni(token), Byte, Direct) => &Tall::<Single<Bytes>, ZMM_DIRECT>::new(token),
        (Vnni(token), Byte, Winograd) => &Tall::<Pairs<Bytes>, ZMM_PAIRS>::new(token),
        (Vnni(token), Half, Direct) => &Tall::<Single<FusedHalves>, ZMM_DIRECT>::new(token),
        (Vnni(token), Half, Winograd) => &Tall::<Pairs<FusedHalves>, ZMM_PAIRS>::new(token),
        (Avx512(token), Half, Direct) => &Tall::<Single<Halves>, ZMM_DIRECT>::new(token),
        (Avx512(token), Half, Winograd) => &Tall::<Pairs<Halves>, ZMM_PAIRS>::new(token),
        (Avx512(token), Word, Winograd) => &Tall::<Pairs<Words>, ZMM_PAIRS>::new(token),
        (backend, Double, method) => {
            let doubles: &dyn Tile<Lane = u64> = match (backend, method) {
                (Avx512(token), Winograd) => &Tall::<Pairs<Doubles>, ZMM_PAIRS>::new(token),
                (Ifma(token), Direct) => &Tall::<Single<Shorts>, ZMM_DIRECT>::new(token),
                (Ifma(token), Winograd) => &Tall::<Pairs<Shorts>, ZMM_PAIRS>::new(token),
                _ => unreachable!("no plan has this kernel"),
            };
            // SAFETY: guaranteed by the caller; the token proves the instructions.
            return unsafe { multiply::<_, _, 16>(doubles, task) };
        }
        _ => unreachable!("no plan has this kernel"),
    };
    // SAFETY: as above.
    unsafe { multiply::<_, _, 32>(words, task) }
}
