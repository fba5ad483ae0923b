//! Kernels of AVX-512 intrinsics: byte look-ups by `vpermb` (VBMI), and lanes from
//! planes.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Avx512, Gfni, HasAvx512, Vbmi};

use super::bytes::{ByteRow, Bytes, every_width};
use super::kind::Kind;
use super::lanes::{BLOCK, Plane};
use super::planes::NONE;
use super::raw::{self, Raw};
use crate::element::Sample;

#[inline(always)]
fn load(token: impl HasAvx512, bytes: &[u8; 64]) -> __m512i {
    U64x8::load_bytes(token, bytes).raw()
}

#[inline(always)]
fn store(token: impl HasAvx512, bytes: &mut [u8; 64], x: __m512i) {
    U64x8::from_raw(token, x).store_bytes(bytes);
}

/// 64 lanes of low bytes and, for the wide form, high bytes.
#[target_feature(enable = "avx512f,avx512bw")]
fn store_raw<R: Raw>(token: Vbmi, out: &mut [R; 64], low: __m512i, high: __m512i) {
    let (mut l, mut h) = ([0; 64], [0; 64]);
    store(token, &mut l, low);
    store(token, &mut h, high);
    for i in 0..64 {
        out[i] = R::join(l[i], h[i]);
    }
}

/// Lanes from planes: 64 bits of a plane are a mask under which its weight is added.
pub(super) fn unpack(token: Avx512, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    // SAFETY: the token proves AVX-512.
    unsafe { unpack_lanes(token, values, sign, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn unpack_lanes(token: Avx512, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    let mask = |plane: &Plane, word: usize| u64::from_le_bytes(plane.as_chunks().0[word]);
    let mut lanes = [_mm512_setzero_si512(); 8];
    let mut add = |plane: &Plane, weight: u8| {
        let weight = _mm512_set1_epi8(weight as i8);
        for (word, x) in lanes.iter_mut().enumerate() {
            *x = _mm512_mask_add_epi8(*x, mask(plane, word), *x, weight);
        }
    };
    for (b, plane) in values.iter().enumerate() {
        add(plane, 1 << b);
    }
    add(sign, 0x80);
    for (out, lanes) in out.as_chunks_mut().0.iter_mut().zip(lanes) {
        store(token, out, lanes);
    }
}

/// Lanes from planes: bytes of eight planes side by side, then 8 x 8 bit matrices transposed by
/// GFNI.
pub(super) fn transpose(
    token: Vbmi,
    _: Gfni,
    values: &[Plane],
    sign: &Plane,
    out: &mut [u8; BLOCK],
) {
    // SAFETY: the tokens prove VBMI, with AVX-512, and GFNI.
    unsafe { transpose_lanes(token, values, sign, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni")]
fn transpose_lanes(token: Vbmi, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    let [a, b, c, d, e, f, g] = core::array::from_fn(|b| values.get(b).unwrap_or(&NONE));
    let lanes = transpose_eight(token, [a, b, c, d, e, f, g, sign]);
    for (out, lanes) in out.as_chunks_mut().0.iter_mut().zip(lanes) {
        store(token, out, lanes);
    }
}

/// Byte l of register r has bit l % 8 of byte 8r + l / 8 of every plane.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni")]
fn transpose_eight(token: Vbmi, planes: [&Plane; 8]) -> [__m512i; 8] {
    /// The three steps below leave byte 16q + 2r + e of the planes in quadword 2q + e of register
    /// r, where byte 8r + 2q + e belongs.
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    const ORDER: Plane = {
        let mut order = [0; 64];
        let mut i = 0;
        while i < 64 {
            let (q, r, e) = (i / 16, i / 2 % 8, i % 2);
            order[i] = (8 * r + 2 * q + e) as u8;
            i += 1;
        }
        order
    };
    let order = load(token, &ORDER);
    let [a, b, c, d, e, f, g, h] = planes;
    let row = |plane: &Plane| _mm512_permutexvar_epi8(order, load(token, plane));
    // The matrix instruction counts rows from the top: plane 7 comes first.
    let pair = |x: &Plane, y: &Plane| {
        let (x, y) = (row(x), row(y));
        [_mm512_unpacklo_epi8(x, y), _mm512_unpackhi_epi8(x, y)]
    };
    let (hg, fe, dc, ba) = (pair(h, g), pair(f, e), pair(d, c), pair(b, a));
    let four = |x: [__m512i; 2], y: [__m512i; 2]| {
        [
            _mm512_unpacklo_epi16(x[0], y[0]),
            _mm512_unpackhi_epi16(x[0], y[0]),
            _mm512_unpacklo_epi16(x[1], y[1]),
            _mm512_unpackhi_epi16(x[1], y[1]),
        ]
    };
    let (first, second) = (four(hg, fe), four(dc, ba));
    // Byte j of every quadword is 2^j: the matrix product with it is the transpose.
    let powers = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    let mut out = [powers; 8];
    for k in 0..4 {
        let (x, y) = (first[k], second[k]);
        let (low, high) = (_mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y));
        out[2 * k] = _mm512_gf2p8affine_epi64_epi8::<0>(powers, low);
        out[2 * k + 1] = _mm512_gf2p8affine_epi64_epi8::<0>(powers, high);
    }
    out
}

/// Look-ups of a block.
pub(super) fn bytes<R: Raw>(token: Vbmi, t: &Bytes, random: &[ByteRow], out: &mut [R; BLOCK]) {
    // SAFETY: the token proves VBMI, with AVX-512.
    unsafe { every_width!(block, R, t, (token, t, random, out)) }
}

/// 64 lanes at a time. Not inlined: a compiler would set up all widths before it chooses one.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn block<R: Raw, const THRESHOLD: usize, const ENTRY: usize>(
    token: Vbmi,
    t: &Bytes,
    random: &[ByteRow],
    out: &mut [R; BLOCK],
) {
    let (index, threshold) = random.split_at(t.index_bytes);
    let (first, last) = (&index[0], &index[t.index_bytes - 1]);
    let threshold = threshold.first_chunk::<THRESHOLD>().expect("a row for every byte");
    let [low_mask, high_mask, ..] = ((1_u32 << t.slot_bits) - 1).to_le_bytes();
    let low_mask = _mm512_set1_epi8(low_mask as i8);
    let high_mask = _mm512_set1_epi8(high_mask as i8);
    let top_bit = _mm512_set1_epi8(-128);
    for (group, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let low = _mm512_and_si512(load(token, &first.as_chunks().0[group]), low_mask);
        let top = load(token, &last.as_chunks().0[group]);
        // A narrow lane has at most 7 slot bits, for which the mask is zero.
        let high = _mm512_and_si512(top, high_mask);
        // All are looked up, 64 slots at a time, and each lane selects within its own 64.
        let lines = t.lines.as_chunks::<ENTRY>().0;
        let mut entry = [low; ENTRY];
        for (entry, line) in entry.iter_mut().zip(&lines[0]) {
            *entry = _mm512_permutexvar_epi8(low, load(token, &line.0));
        }
        for (block, lines) in lines.iter().enumerate().skip(1) {
            let here = among(low, high, 64 * block);
            for (entry, line) in entry.iter_mut().zip(lines) {
                let line = load(token, &line.0);
                *entry = _mm512_mask_permutexvar_epi8(*entry, here, low, line);
            }
        }
        let mut below = 0;
        for b in 0..THRESHOLD {
            let (x, t) = (load(token, &threshold[b].as_chunks().0[group]), entry[b]);
            below = _mm512_cmplt_epu8_mask(x, t) | _mm512_mask_cmpeq_epu8_mask(below, x, t);
        }
        let z_low = _mm512_mask_mov_epi8(entry[THRESHOLD], below, low);
        let sign = _mm512_and_si512(top, top_bit);
        if R::VALUE_BITS == 7 {
            store_raw(token, out, _mm512_or_si512(z_low, sign), sign);
        } else {
            // With one byte of alias the high byte of a slot is zero.
            let z_high = if ENTRY - THRESHOLD == 2 {
                _mm512_mask_mov_epi8(entry[ENTRY - 1], below, high)
            } else {
                high
            };
            store_raw(token, out, z_low, _mm512_or_si512(z_high, sign));
        }
    }
}

/// Lanes whose slot is one of the 64 from `first` on.
#[target_feature(enable = "avx512f,avx512bw")]
fn among(low: __m512i, high: __m512i, first: usize) -> __mmask64 {
    let [first_low, first_high, ..] = first.to_le_bytes();
    _mm512_mask_testn_epi8_mask(
        _mm512_cmpeq_epi8_mask(high, _mm512_set1_epi8(first_high as i8)),
        _mm512_xor_si512(low, _mm512_set1_epi8(first_low as i8)),
        _mm512_set1_epi8(-64),
    )
}

raw::vectorised_samples!(Avx512, "avx512f,avx512bw,avx512vl,avx512dq");
