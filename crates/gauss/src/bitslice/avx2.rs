//! Kernels of AVX2 intrinsics: byte look-ups by `vpshufb`, and lanes from planes.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;
use tautochrone_simd::vector::{U64x4, Vector};

use super::bytes::{ByteRow, Bytes, every_width};
use super::kind::Kind;
use super::lanes::{BLOCK, Plane};
use super::raw::{self, Raw};
use crate::element::Sample;

#[inline(always)]
fn load(token: Avx2, bytes: &[u8; 32]) -> __m256i {
    U64x4::load_bytes(token, bytes).raw()
}

#[inline(always)]
fn store(token: Avx2, bytes: &mut [u8; 32], x: __m256i) {
    U64x4::from_raw(token, x).store_bytes(bytes);
}

/// Lanes from planes: each plane's 32 bits spread to 32 bytes, tested, and given their weight.
pub(super) fn unpack(token: Avx2, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    // SAFETY: the token proves AVX2.
    unsafe { unpack_lanes(token, values, sign, out) }
}

#[target_feature(enable = "avx2")]
fn unpack_lanes(token: Avx2, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    let spread = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
        3, 3,
    );
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let lanes = |plane: &Plane, word: usize| {
        let word = i32::from_le_bytes(plane.as_chunks().0[word]);
        let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
        _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit)
    };
    let top = _mm256_set1_epi8(-128);
    for (word, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let mut x = _mm256_setzero_si256();
        for plane in values.iter().rev() {
            // 2x + bit: a set lane is -1.
            x = _mm256_sub_epi8(_mm256_add_epi8(x, x), lanes(plane, word));
        }
        store(token, out, _mm256_or_si256(x, _mm256_and_si256(lanes(sign, word), top)));
    }
}

/// Look-ups of a block.
pub(super) fn bytes<R: Raw>(token: Avx2, t: &Bytes, random: &[ByteRow], out: &mut [R; BLOCK]) {
    // SAFETY: the token proves AVX2.
    unsafe { every_width!(block, R, t, (token, t, random, out)) }
}

/// 32 lanes at a time; the bytes of every slot pass through `vpshufb` in groups of 16 slots.
#[target_feature(enable = "avx2")]
fn block<R: Raw, const THRESHOLD: usize, const ENTRY: usize>(
    token: Avx2,
    t: &Bytes,
    random: &[ByteRow],
    out: &mut [R; BLOCK],
) {
    let (index, threshold) = random.split_at(t.index_bytes);
    let (first, last) = (&index[0], &index[t.index_bytes - 1]);
    let threshold = threshold.first_chunk::<THRESHOLD>().expect("a row for every byte");
    let [low_mask, high_mask, ..] = ((1_u32 << t.slot_bits) - 1).to_le_bytes();
    let low_mask = _mm256_set1_epi8(low_mask as i8);
    let high_mask = _mm256_set1_epi8(high_mask as i8);
    let ones = _mm256_set1_epi8(-1);
    for (group, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let low = _mm256_and_si256(load(token, &first.as_chunks().0[group]), low_mask);
        let top = load(token, &last.as_chunks().0[group]);
        // Up to 8 slot bits the mask is zero.
        let high = _mm256_and_si256(top, high_mask);
        let mut entry = [_mm256_setzero_si256(); ENTRY];
        for (u, lines) in t.lines.as_chunks::<ENTRY>().0.iter().enumerate() {
            for quarter in 0..4 {
                let [first_low, first_high, ..] = (64 * u + 16 * quarter).to_le_bytes();
                // Low nibble: slot within the sixteen; bit 7: another sixteen, for which vpshufb
                // gives zero.
                let other = _mm256_xor_si256(low, _mm256_set1_epi8(first_low as i8));
                let mut index = _mm256_adds_epu8(other, _mm256_set1_epi8(0x70));
                if ENTRY - THRESHOLD == 2 {
                    let same = _mm256_cmpeq_epi8(high, _mm256_set1_epi8(first_high as i8));
                    index = _mm256_or_si256(index, _mm256_xor_si256(same, ones));
                }
                for (entry, line) in entry.iter_mut().zip(lines) {
                    let sixteen: &[u8; 16] = &line.0.as_chunks().0[quarter];
                    // SAFETY: the reference covers 16 bytes.
                    let table = unsafe { _mm_loadu_si128(sixteen.as_ptr().cast()) };
                    let hit = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), index);
                    *entry = _mm256_or_si256(*entry, hit);
                }
            }
        }
        // r < t from the least significant byte: unsigned x < t is !(max(x, t) == x).
        let mut not_below = ones;
        for b in 0..THRESHOLD {
            let (x, t) = (load(token, &threshold[b].as_chunks().0[group]), entry[b]);
            let at_least = _mm256_cmpeq_epi8(_mm256_max_epu8(x, t), x);
            let equal = _mm256_cmpeq_epi8(x, t);
            // x > t, or x == t and the lower bytes are not below.
            not_below = _mm256_andnot_si256(_mm256_andnot_si256(not_below, equal), at_least);
        }
        let z_low = _mm256_blendv_epi8(low, entry[THRESHOLD], not_below);
        let sign = _mm256_and_si256(top, _mm256_set1_epi8(-128));
        let (mut l, mut h) = ([0; 32], [0; 32]);
        if R::VALUE_BITS == 7 {
            store(token, &mut l, _mm256_or_si256(z_low, sign));
        } else {
            // With one byte of alias the high byte of a slot is zero.
            let z_high = if ENTRY - THRESHOLD == 2 {
                _mm256_blendv_epi8(high, entry[ENTRY - 1], not_below)
            } else {
                high
            };
            store(token, &mut l, z_low);
            store(token, &mut h, _mm256_or_si256(z_high, sign));
        }
        for i in 0..32 {
            out[i] = R::join(l[i], h[i]);
        }
    }
}

raw::vectorised_samples!(Avx2, "avx2");
