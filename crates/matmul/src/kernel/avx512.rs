//! 512-bit registers: `vpdpbusd`, `vpdpwssd` (or `vpmaddwd`), `vpmulld`, `vpmullq`.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::marker::PhantomData;

use tautochrone_simd::{Avx512, Vnni};

use super::generic::{self, Job, Pair, Register, TILE, Tile, accumulate};
use crate::digits::Digit;
use crate::word::Word;

macro_rules! register {
    ($(#[$doc:meta])* $name:ident, $token:ty, $lane:ty, $cell:ty, $broadcast:ident, |$sum:ident, $x:ident, $y:ident| $body:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name(__m512i);

        impl Register for $name {
            type Token = $token;
            type Sum = __m512i;
            type Lane = $lane;
            const LANES: usize = 64 / size_of::<$lane>();
            const CELL: usize = size_of::<$cell>();

            #[inline(always)]
            unsafe fn load(_: $token, from: *const u8) -> Self {
                // SAFETY: 64 readable bytes, by the caller.
                Self(unsafe { _mm512_loadu_si512(from.cast()) })
            }

            #[inline(always)]
            unsafe fn zero(_: $token) -> __m512i {
                // SAFETY: the token proves AVX-512.
                unsafe { _mm512_setzero_si512() }
            }

            #[inline(always)]
            unsafe fn multiply_add(self, $sum: __m512i, y: *const u8) -> __m512i {
                let $x = self.0;
                // SAFETY: a readable cell, by the caller; `load` had the token for the instructions.
                unsafe {
                    let $y = $broadcast(y.cast::<$cell>().read_unaligned());
                    $body
                }
            }

            #[inline(always)]
            unsafe fn store(sum: __m512i, to: *mut $lane) {
                // SAFETY: 64 writable bytes, by the caller.
                unsafe { _mm512_storeu_si512(to.cast(), sum) }
            }
        }
    };
}

register! {
    /// 16 cells of four bytes, unsigned in X and signed in Y.
    Bytes, Vnni, u32, i32, _mm512_set1_epi32, |sum, x, y| _mm512_dpbusd_epi32(sum, x, y)
}
register! {
    /// 16 cells of two signed halves, with the fused instruction.
    FusedHalves, Vnni, u32, i32, _mm512_set1_epi32, |sum, x, y| _mm512_dpwssd_epi32(sum, x, y)
}
register! {
    /// 16 cells of two signed halves.
    Halves, Avx512, u32, i32, _mm512_set1_epi32,
    |sum, x, y| _mm512_add_epi32(sum, _mm512_madd_epi16(x, y))
}
register! {
    /// 16 32-bit words.
    Words, Avx512, u32, i32, _mm512_set1_epi32,
    |sum, x, y| _mm512_add_epi32(sum, _mm512_mullo_epi32(x, y))
}
register! {
    /// Eight 64-bit words.
    Doubles, Avx512, u64, i64, _mm512_set1_epi64,
    |sum, x, y| _mm512_add_epi64(sum, _mm512_mullo_epi64(x, y))
}

/// Two registers by twelve columns: 24 sums, two registers of X; Y is broadcast from memory.
#[derive(Clone, Copy)]
struct Block<V: Register>(V::Token, PhantomData<V>);

impl<V: Register> Tile for Block<V> {
    type Lane = V::Lane;
    const ROWS: usize = 2 * V::LANES;
    const COLUMNS: usize = 12;

    #[inline(always)]
    unsafe fn multiply(
        self,
        pairs: &[Pair],
        cells: usize,
        rows: usize,
        columns: usize,
        out: &mut [V::Lane; TILE],
    ) {
        let lines = (Self::ROWS, Self::COLUMNS);
        // SAFETY: promised by the caller.
        unsafe {
            match (rows <= V::LANES, columns) {
                (true, 1) => accumulate::<V, 1, 1>(self.0, pairs, cells, lines, out),
                (true, 2..=4) => accumulate::<V, 1, 4>(self.0, pairs, cells, lines, out),
                (true, 5..=8) => accumulate::<V, 1, 8>(self.0, pairs, cells, lines, out),
                (true, _) => accumulate::<V, 1, 12>(self.0, pairs, cells, lines, out),
                (false, 1) => accumulate::<V, 2, 1>(self.0, pairs, cells, lines, out),
                (false, 2..=4) => accumulate::<V, 2, 4>(self.0, pairs, cells, lines, out),
                (false, 5..=8) => accumulate::<V, 2, 8>(self.0, pairs, cells, lines, out),
                (false, _) => accumulate::<V, 2, 12>(self.0, pairs, cells, lines, out),
            }
        }
    }
}

/// Forms the tiles of a job without VNNI.
///
/// # Safety
/// As `generic::block`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn run<W: Word>(token: Avx512, digit: Digit, job: &Job<'_, W>) {
    // SAFETY: promised by the caller.
    unsafe {
        match digit {
            Digit::Half => generic::block(Block::<Halves>(token, PhantomData), job),
            Digit::Word => generic::block(Block::<Words>(token, PhantomData), job),
            Digit::Double => generic::block(Block::<Doubles>(token, PhantomData), job),
            Digit::Byte => unreachable!("no plan multiplies bytes without VNNI"),
        }
    }
}

/// Forms the tiles of a job of bytes or halves with VNNI.
///
/// # Safety
/// As `generic::block`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
pub(super) unsafe fn run_vnni<W: Word>(token: Vnni, digit: Digit, job: &Job<'_, W>) {
    // SAFETY: promised by the caller.
    unsafe {
        match digit {
            Digit::Byte => generic::block(Block::<Bytes>(token, PhantomData), job),
            Digit::Half => generic::block(Block::<FusedHalves>(token, PhantomData), job),
            Digit::Word | Digit::Double => unreachable!("no plan multiplies words with VNNI"),
        }
    }
}
