//! 256-bit registers: `vpmaddubsw`, `vpmaddwd`, `vpmulld`, and 64-bit products from 32-bit ones.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

use super::block::{self, Lane, Operands, Pair, TILE, Task, Tile};
use super::register::{Arithmetic, Block, Pairs, Single, arithmetic};
use super::table::{YMM_DIRECT, YMM_LONG_PAIRS, YMM_PAIRS};
use crate::digits::{Digit, Method};
use crate::layout::TOP_BITS;
use crate::word::Word;

arithmetic! {
    /// Eight cells of two signed halves.
    Halves: Avx2, __m256i, u32, _mm256_set1_epi32, _mm256_add_epi16,
    |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
}
arithmetic! {
    /// Eight 32-bit words.
    Words: Avx2, __m256i, u32, _mm256_set1_epi32, _mm256_add_epi32,
    |sum, a, b| _mm256_add_epi32(sum, _mm256_mullo_epi32(a, b))
}

/// Four 64-bit words: `a b = low(a) low(b) + 2^32 (low(a) high(b) + high(a) low(b))`. The first
/// products are summed by themselves, and the others, whose low 32 bits are enough, next to each
/// other in two 32-bit lanes.
#[derive(Clone, Copy)]
struct Doubles;

impl Arithmetic for Doubles {
    type Token = Avx2;
    type Vector = __m256i;
    type Sum = (__m256i, __m256i);
    type Lane = u64;

    #[inline(always)]
    unsafe fn splat(cell: u64) -> __m256i {
        // SAFETY: by the caller, as below.
        unsafe { _mm256_set1_epi64x(cell.cast_signed()) }
    }

    #[inline(always)]
    unsafe fn zero() -> Self::Sum {
        // SAFETY: as above.
        unsafe { (_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_add_epi64(a, b) }
    }

    #[inline(always)]
    unsafe fn multiply_add((low, crossed): Self::Sum, a: __m256i, b: __m256i) -> Self::Sum {
        // SAFETY: as above.
        unsafe {
            let exchanged = _mm256_shuffle_epi32::<0b10_11_00_01>(b);
            (
                _mm256_add_epi64(low, _mm256_mul_epu32(a, b)),
                _mm256_add_epi32(crossed, _mm256_mullo_epi32(a, exchanged)),
            )
        }
    }

    #[inline(always)]
    unsafe fn store((low, crossed): Self::Sum, to: *mut __m256i) {
        // SAFETY: 32 writable bytes, by the caller.
        unsafe {
            let high = _mm256_add_epi32(crossed, _mm256_srli_epi64::<32>(crossed));
            let sum = _mm256_add_epi64(low, _mm256_slli_epi64::<32>(high));
            _mm256_storeu_si256(to, sum);
        }
    }
}

arithmetic! {
    /// Eight cells of four bytes, of seven bits in X and signed in Y. Products are summed by twos:
    /// below 2^15, as 2 * 127 * 128 = 32512, so `vpmaddubsw` never saturates. A lane is two 16-bit
    /// sums; of their sum 8 bits are used.
    SevenBits: Avx2, __m256i, u32, _mm256_set1_epi32, _mm256_add_epi8,
    |sum, x, y| _mm256_add_epi16(sum, _mm256_maddubs_epi16(x, y)),
    store |sum, to| to.write_unaligned(_mm256_add_epi16(sum, _mm256_srli_epi32::<16>(sum)))
}
arithmetic! {
    /// Eight cells of 32 bits, multiplied modulo 2. `store` adds the parity of a sum, times 128, to
    /// the memory.
    TopBits: Avx2, __m256i, u32, _mm256_set1_epi32, _mm256_xor_si256,
    |sum, x, y| _mm256_xor_si256(sum, _mm256_and_si256(x, y)),
    store |sum, to| {
        let sum = _mm256_xor_si256(sum, _mm256_srli_epi32::<16>(sum));
        let sum = _mm256_xor_si256(sum, _mm256_srli_epi32::<8>(sum));
        let sum = _mm256_xor_si256(sum, _mm256_srli_epi32::<4>(sum));
        let sum = _mm256_xor_si256(sum, _mm256_srli_epi32::<2>(sum));
        let sum = _mm256_xor_si256(sum, _mm256_srli_epi32::<1>(sum));
        let other = to.read_unaligned();
        to.write_unaligned(_mm256_add_epi32(other, _mm256_slli_epi32::<7>(sum)));
    }
}

/// Two registers of 32-bit lanes by `N` columns.
type Wide<V, const N: usize> = Block<V, 2, 3, 3, N>;

/// The tile of [`Method::TopBit`]: seven bits first, then the top ones, which lie behind them in a
/// panel.
#[derive(Clone, Copy)]
struct Split(Avx2);

impl Tile for Split {
    type Lane = u32;

    #[inline(always)]
    unsafe fn multiply(&self, operands: &Operands<'_>, out: &mut [u32; TILE]) {
        let &Operands { pairs, cells, .. } = operands;
        debug_assert_eq!(pairs.len(), 1, "words of one byte have one digit");
        let (rows, columns) = YMM_DIRECT;
        // SAFETY: guaranteed by the caller; the cells of a panel are followed by a cell of bits for
        // every `TOP_BITS` of them.
        unsafe {
            Wide::<Single<SevenBits>, { YMM_DIRECT.1 }>::new(self.0).multiply(operands, out);
            let bits = Pair {
                x: pairs[0].x.add(cells * rows * size_of::<u32>()),
                y: pairs[0].y.add(cells * columns * size_of::<u32>()),
            };
            let wide = Wide::<Single<TopBits>, { YMM_DIRECT.1 }>::new(self.0);
            #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
            let cells = cells / TOP_BITS;
            wide.multiply(&Operands { pairs: &[bits], cells, ..*operands }, out);
        }
    }
}

/// [`block::multiply`] in registers of 256 bits.
///
/// # Safety
/// As `block::multiply`; AVX2 exists.
#[target_feature(enable = "avx2")]
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
pub(super) unsafe fn run<W: Word>(token: Avx2, digit: Digit, method: Method, task: &Task<'_, W>) {
    use Digit::{Byte, Double, Half, Word};
    use Method::{Direct, TopBit, Winograd};
    let tile: &dyn Tile<Lane = u32> = match (digit, method) {
        (Byte, TopBit) => &Split(token),
        (Half, Direct) => &Wide::<Single<Halves>, { YMM_DIRECT.1 }>::new(token),
        (Half, Winograd) => &Wide::<Pairs<Halves>, { YMM_PAIRS.1 }>::new(token),
        (Word, Winograd) => &Wide::<Pairs<Words>, { YMM_PAIRS.1 }>::new(token),
        (Double, Winograd) => {
            let doubles = Block::<Pairs<Doubles>, 1, 2, 2, { YMM_LONG_PAIRS.1 }>::new(token);
            // SAFETY: guaranteed by the caller; the token proves the instructions.
            return unsafe { multiply::<_, _, { YMM_LONG_PAIRS.0 }>(&doubles, task) };
        }
        _ => unreachable!("no plan has this kernel with AVX2"),
    };
    // SAFETY: as above.
    unsafe { multiply::<_, _, { YMM_DIRECT.0 }>(tile, task) }
}
