//! 256-bit registers: `vpmaddwd`, `vpmulld`, and 64-bit products from 32-bit ones.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

use super::generic::{self, Job, Pair, Register, TILE, Tile, accumulate};
use crate::digits::Digit;
use crate::word::Word;

/// Eight cells of two signed halves.
#[derive(Clone, Copy)]
struct Halves(__m256i);

/// Eight 32-bit words.
#[derive(Clone, Copy)]
struct Words(__m256i);

/// Four 64-bit words, and the same with their halves exchanged.
#[derive(Clone, Copy)]
struct Doubles(__m256i, __m256i);

macro_rules! narrow {
    ($name:ident, $multiply:ident) => {
        impl Register for $name {
            type Token = Avx2;
            type Sum = __m256i;
            type Lane = u32;
            const LANES: usize = 8;
            const CELL: usize = 4;

            #[inline(always)]
            unsafe fn load(_: Avx2, from: *const u8) -> Self {
                // SAFETY: 32 readable bytes, by the caller.
                Self(unsafe { _mm256_loadu_si256(from.cast()) })
            }

            #[inline(always)]
            unsafe fn zero(_: Avx2) -> __m256i {
                // SAFETY: the token proves AVX2.
                unsafe { _mm256_setzero_si256() }
            }

            #[inline(always)]
            unsafe fn multiply_add(self, sum: __m256i, y: *const u8) -> __m256i {
                // SAFETY: four readable bytes, by the caller; `load` had a token.
                unsafe {
                    let y = _mm256_set1_epi32(y.cast::<i32>().read_unaligned());
                    _mm256_add_epi32(sum, $multiply(self.0, y))
                }
            }

            #[inline(always)]
            unsafe fn store(sum: __m256i, to: *mut u32) {
                // SAFETY: 32 writable bytes, by the caller.
                unsafe { _mm256_storeu_si256(to.cast(), sum) }
            }
        }
    };
}

narrow!(Halves, _mm256_madd_epi16);
narrow!(Words, _mm256_mullo_epi32);

/// `x y = low(x) low(y) + 2^32 (low(x) high(y) + high(x) low(y))`: the sum of the first products, and that of the others,
/// which need their low 32 bits only, side by side in two 32-bit lanes.
impl Register for Doubles {
    type Token = Avx2;
    type Sum = (__m256i, __m256i);
    type Lane = u64;
    const LANES: usize = 4;
    const CELL: usize = 8;

    #[inline(always)]
    unsafe fn load(_: Avx2, from: *const u8) -> Self {
        // SAFETY: 32 readable bytes, by the caller; the token proves AVX2.
        unsafe {
            let x = _mm256_loadu_si256(from.cast());
            Self(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x))
        }
    }

    #[inline(always)]
    unsafe fn zero(_: Avx2) -> Self::Sum {
        // SAFETY: the token proves AVX2.
        unsafe { (_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    unsafe fn multiply_add(self, (low, crossed): Self::Sum, y: *const u8) -> Self::Sum {
        // SAFETY: eight readable bytes, by the caller; `load` had a token.
        unsafe {
            let y = _mm256_set1_epi64x(y.cast::<i64>().read_unaligned());
            (
                _mm256_add_epi64(low, _mm256_mul_epu32(self.0, y)),
                _mm256_add_epi32(crossed, _mm256_mullo_epi32(self.1, y)),
            )
        }
    }

    #[inline(always)]
    unsafe fn store((low, crossed): Self::Sum, to: *mut u64) {
        // SAFETY: 32 writable bytes, by the caller.
        unsafe {
            let high = _mm256_add_epi32(crossed, _mm256_srli_epi64::<32>(crossed));
            let sum = _mm256_add_epi64(low, _mm256_slli_epi64::<32>(high));
            _mm256_storeu_si256(to.cast(), sum);
        }
    }
}

/// Two registers of 32-bit lanes by six columns: 12 sums, two registers of X, one of Y, one product.
#[derive(Clone, Copy)]
struct Wide<V>(Avx2, core::marker::PhantomData<V>);

impl<V: Register<Token = Avx2, Lane = u32>> Tile for Wide<V> {
    type Lane = u32;
    const ROWS: usize = 16;
    const COLUMNS: usize = 6;

    #[inline(always)]
    unsafe fn multiply(
        self,
        pairs: &[Pair],
        cells: usize,
        rows: usize,
        columns: usize,
        out: &mut [u32; TILE],
    ) {
        let lines = (Self::ROWS, Self::COLUMNS);
        // SAFETY: promised by the caller.
        unsafe {
            match (rows <= 8, columns) {
                (true, 1) => accumulate::<V, 1, 1>(self.0, pairs, cells, lines, out),
                (true, _) => accumulate::<V, 1, 6>(self.0, pairs, cells, lines, out),
                (false, 1) => accumulate::<V, 2, 1>(self.0, pairs, cells, lines, out),
                (false, 2..=3) => accumulate::<V, 2, 3>(self.0, pairs, cells, lines, out),
                (false, _) => accumulate::<V, 2, 6>(self.0, pairs, cells, lines, out),
            }
        }
    }
}

/// One register of 64-bit lanes by six columns: 12 sums, X twice, one of Y, one product.
#[derive(Clone, Copy)]
struct Long(Avx2);

impl Tile for Long {
    type Lane = u64;
    const ROWS: usize = 4;
    const COLUMNS: usize = 6;

    #[inline(always)]
    unsafe fn multiply(
        self,
        pairs: &[Pair],
        cells: usize,
        _: usize,
        columns: usize,
        out: &mut [u64; TILE],
    ) {
        let lines = (Self::ROWS, Self::COLUMNS);
        // SAFETY: promised by the caller.
        unsafe {
            match columns {
                1 => accumulate::<Doubles, 1, 1>(self.0, pairs, cells, lines, out),
                2..=3 => accumulate::<Doubles, 1, 3>(self.0, pairs, cells, lines, out),
                _ => accumulate::<Doubles, 1, 6>(self.0, pairs, cells, lines, out),
            }
        }
    }
}

/// Forms the tiles of a job.
///
/// # Safety
/// As `generic::block`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run<W: Word>(token: Avx2, digit: Digit, job: &Job<'_, W>) {
    use core::marker::PhantomData;
    // SAFETY: promised by the caller.
    unsafe {
        match digit {
            Digit::Double => generic::block(Long(token), job),
            Digit::Word => generic::block(Wide::<Words>(token, PhantomData), job),
            Digit::Half => generic::block(Wide::<Halves>(token, PhantomData), job),
            Digit::Byte => unreachable!("no plan multiplies bytes with AVX2 alone"),
        }
    }
}
