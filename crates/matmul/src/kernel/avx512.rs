//! 512-bit registers: `vpdpbusd`, `vpdpwssd` (or `vpmaddwd`), `vpmulld`, `vpmullq`,
//! `vpmadd52luq`.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Ifma, Token, Vnni, vectorize};

use super::block::{self, Lane, Operands, TILE, Task, Tile};
use super::register::{Arithmetic, Pairs, Register, Single, accumulate, arithmetic};
use super::{Backend, Kernel};
use crate::digits::{Digit, Method};
use crate::word::Word;

arithmetic! {
    /// 16 cells of four bytes, unsigned in X and signed in Y; in pairs the cells are words, of which
    /// the signs of the bytes do not matter.
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
    /// Eight words of at most [`IFMA_BITS`] bits; higher bits of a factor do not count.
    Shorts: Ifma, __m512i, u64, _mm512_set1_epi64, _mm512_add_epi64,
    |sum, a, b| _mm512_madd52lo_epu64(sum, a, b)
}

/// Bits that `vpmadd52luq` gives of a product; it adds them modulo 2^64.
pub(super) const IFMA_BITS: u32 = 52;

/// Columns of a tile: of 32 registers, direct sums take 2 x 12 and X two; sums of pairs take 2 x
/// 10, X four, Y two, and the factors the rest.
const fn columns(method: Method) -> usize {
    match method {
        Method::Winograd => PAIRED,
        Method::Direct | Method::TopBit => DIRECT,
    }
}
const DIRECT: usize = 12;
const PAIRED: usize = 10;

/// Rows and columns of a tile.
pub(super) fn tile(digit: Digit, method: Method) -> (usize, usize) {
    (if digit == Digit::Double { 16 } else { 32 }, columns(method))
}

/// Two registers by `COLUMNS` columns; Y is broadcast from memory.
#[derive(Clone, Copy)]
struct Block<V: Register, const COLUMNS: usize>(<V::Of as Arithmetic>::Token);

impl<V: Register, const COLUMNS: usize> Tile for Block<V, COLUMNS> {
    type Lane = <V::Of as Arithmetic>::Lane;

    #[inline(always)]
    unsafe fn multiply(&self, operands: &Operands<'_>, out: &mut [Self::Lane; TILE]) {
        let lines = (2 * V::Of::LANES, COLUMNS);
        // Once for words of every size.
        vectorize!(
            self.0,
            // SAFETY: guaranteed by the caller.
            unsafe {
                match (operands.rows <= V::Of::LANES, operands.columns) {
                    (true, 1) => accumulate::<V, 1, 1>(self.0, operands, lines, out),
                    (true, 2..=4) => accumulate::<V, 1, 4>(self.0, operands, lines, out),
                    (true, 5..=8) => accumulate::<V, 1, 8>(self.0, operands, lines, out),
                    (true, _) => accumulate::<V, 1, COLUMNS>(self.0, operands, lines, out),
                    (false, 1) => accumulate::<V, 2, 1>(self.0, operands, lines, out),
                    (false, 2..=4) => accumulate::<V, 2, 4>(self.0, operands, lines, out),
                    (false, 5..=8) => accumulate::<V, 2, 8>(self.0, operands, lines, out),
                    (false, _) => accumulate::<V, 2, COLUMNS>(self.0, operands, lines, out),
                }
            }
        );
    }
}

/// [`block::multiply`] in registers of 512 bits.
///
/// # Safety
/// As `block::multiply`; AVX-512 F, BW, DQ, VL exist.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn multiply<L: Lane, W: Word, const ROWS: usize>(
    tile: &dyn Tile<Lane = L>,
    columns: usize,
    task: &Task<'_, W>,
) {
    // SAFETY: guaranteed by the caller.
    unsafe { block::multiply::<L, W, ROWS>(tile, columns, task) }
}

/// Forms the tiles of a task.
///
/// # Safety
/// As `block::multiply`.
pub(super) unsafe fn run<W: Word>(kernel: Kernel, task: &Task<'_, W>) {
    use Backend::{Avx512, Ifma, Vnni};
    use Digit::{Byte, Double, Half, Word};
    use Method::{Direct, Winograd};
    let words: (&dyn Tile<Lane = u32>, _) = match (kernel.backend, kernel.digit, kernel.method) {
        (Vnni(token), Byte, Direct) => (&Block::<Single<Bytes>, DIRECT>(token), DIRECT),
        (Vnni(token), Byte, Winograd) => (&Block::<Pairs<Bytes>, PAIRED>(token), PAIRED),
        (Vnni(token), Half, Direct) => (&Block::<Single<FusedHalves>, DIRECT>(token), DIRECT),
        (Vnni(token), Half, Winograd) => (&Block::<Pairs<FusedHalves>, PAIRED>(token), PAIRED),
        (Avx512(token), Half, Direct) => (&Block::<Single<Halves>, DIRECT>(token), DIRECT),
        (Avx512(token), Half, Winograd) => (&Block::<Pairs<Halves>, PAIRED>(token), PAIRED),
        (Avx512(token), Word, Winograd) => (&Block::<Pairs<Words>, PAIRED>(token), PAIRED),
        (backend, Double, method) => {
            let doubles: (&dyn Tile<Lane = u64>, _) = match (backend, method) {
                (Avx512(token), Winograd) => (&Block::<Pairs<Doubles>, PAIRED>(token), PAIRED),
                (Ifma(token), Direct) => (&Block::<Single<Shorts>, DIRECT>(token), DIRECT),
                (Ifma(token), Winograd) => (&Block::<Pairs<Shorts>, PAIRED>(token), PAIRED),
                _ => unreachable!("no plan has this kernel"),
            };
            // SAFETY: guaranteed by the caller; the token proves the instructions.
            return unsafe { multiply::<_, _, 16>(doubles.0, doubles.1, task) };
        }
        _ => unreachable!("no plan has this kernel"),
    };
    // SAFETY: as above.
    unsafe { multiply::<_, _, 32>(words.0, words.1, task) }
}
