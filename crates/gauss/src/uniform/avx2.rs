//! Numbers below n in 256-bit registers, four cells at a time.
#![allow(unsafe_code)]

use core::arch::x86_64::{_mm_loadu_si128, _mm256_cvtepu32_epi64};
use core::hint::black_box;

use tautochrone_simd::vector::{Compress, LookUp, Mask, U64x4, Vector};
use tautochrone_simd::{Avx2, Token, declassify, vectorize};

use super::integer::Integer;
use super::portable::{self, Below};

/// As [`portable::below`].
pub(super) fn below<T: Integer, const N: usize>(
    token: Avx2,
    rule: Below,
    cells: &[[u8; N]],
    out: &mut [T],
) -> usize {
    vectorize!(token, below_quads(token, rule, cells, out))
}

/// Four cells of 4 or 8 bytes as lanes of 64 bits.
#[inline(always)]
fn load<const N: usize>(token: Avx2, quad: &[[u8; N]; 4]) -> U64x4<Avx2> {
    if N == 4 {
        // SAFETY: the token proves AVX2; the reference covers four cells of four bytes.
        U64x4::from_raw(token, unsafe {
            _mm256_cvtepu32_epi64(_mm_loadu_si128(quad.as_ptr().cast()))
        })
    } else {
        U64x4::load_bytes(token, quad.as_flattened())
    }
}

#[inline(always)]
fn below_quads<T: Integer, const N: usize>(
    token: Avx2,
    rule: Below,
    cells: &[[u8; N]],
    out: &mut [T],
) -> usize {
    let (quads, rest) = cells.as_chunks::<4>();
    // Four numbers are stored where at most as many came before as there were cells.
    assert!(cells.len() <= out.len());
    let words = U64x4::splat(token, 0xffff_ffff);
    // A compiler that saw them made of one word each would forget that they have 32 bits, and
    // multiply 64 bits.
    let n = [
        black_box(U64x4::splat(token, rule.n & 0xffff_ffff)),
        black_box(U64x4::splat(token, rule.n >> 32)),
    ];
    let least = U64x4::splat(token, rule.least);
    let mut done = 0;
    for quad in quads {
        let cells = load(token, quad);
        let (high, low) = if N == 4 {
            let product = cells.mul_low_32(n[0]);
            (product.shr::<32>(), product.and(words))
        } else {
            let upper = cells.shr::<32>();
            let low = cells.mul_low_32(n[0]);
            let carried = upper.mul_low_32(n[0]).add(low.shr::<32>());
            let middle = cells.mul_low_32(n[1]).add(carried.and(words));
            let high = upper.mul_low_32(n[1]).add(carried.shr::<32>());
            (high.add(middle.shr::<32>()), low.low_halves(middle))
        };
        let accepted = declassify(!low.lt(least).bits() & 15);
        let mut numbers = [0; 4];
        high.compress_store(accepted, &mut numbers);
        for (out, number) in out[done..done + 4].iter_mut().zip(numbers) {
            *out = T::cut(number);
        }
        done += accepted.count_ones() as usize;
    }
    done + portable::below(rule, rest, &mut out[done..])
}
