//! 256-bit registers: circuits in two-input gates, byte look-ups by `vpshufb`.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

use super::bytes::{ByteRow, Bytes, every_width};
use super::gates;
use super::lanes::{BLOCK, Bits, Plane};
use super::planes::{Planes, Values};
use super::raw::{self, Raw, Sample, Shape};
use crate::registers::instructions;

/// Exists only where AVX2 does: `load` takes the token.
#[derive(Clone, Copy)]
struct V256(__m256i);

impl Bits for V256 {
    type Token = Avx2;
    const PARTS: usize = 2;

    #[inline(always)]
    fn load(_: Avx2, plane: &Plane, part: usize) -> Self {
        let half: &[u8; 32] = &plane.as_chunks().0[part];
        // SAFETY: the token proves AVX2; the reference covers 32 bytes.
        Self(unsafe { _mm256_loadu_si256(half.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, plane: &mut Plane, part: usize) {
        let half: &mut [u8; 32] = &mut plane.as_chunks_mut().0[part];
        // SAFETY: a `V256` proves AVX2; the reference covers 32 bytes.
        unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), self.0) }
    }

    instructions! {
        and(b) = _mm256_and_si256;
        or(b) = _mm256_or_si256;
        xor(b) = _mm256_xor_si256;
        andnot(b) = _mm256_andnot_si256;
    }

    #[inline(always)]
    fn ones(self) -> Self {
        // SAFETY: a `V256` proves AVX2.
        Self(unsafe { _mm256_cmpeq_epi8(self.0, self.0) })
    }

    #[inline(always)]
    fn lut3<const IMM: i32>(a: Self, b: Self, c: Self) -> Self {
        gates::lut3::<Self, IMM>(a, b, c)
    }
}

#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers 32 bytes.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8; 32], x: __m256i) {
    // SAFETY: the reference covers 32 bytes.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x) }
}

/// Circuits of whole blocks.
#[target_feature(enable = "avx2")]
pub(super) fn circuit(token: Avx2, planes: &Planes, random: &[Plane], values: &mut [Values]) {
    planes.run::<V256>(token, random, values);
}

/// Lanes from planes: each plane's 32 bits spread to 32 bytes, tested, and given their weight.
#[target_feature(enable = "avx2")]
pub(super) fn unpack(_: Avx2, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
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
        store(out, _mm256_or_si256(x, _mm256_and_si256(lanes(sign, word), top)));
    }
}

/// Look-ups of whole blocks.
#[target_feature(enable = "avx2")]
pub(super) fn bytes<R: Raw>(_: Avx2, t: &Bytes, random: &[ByteRow], out: &mut [[R; BLOCK]]) {
    every_width!(block, R, t, random, out);
}

/// 32 lanes at a time; the bytes of every slot pass through `vpshufb` in groups of 16 slots.
#[target_feature(enable = "avx2")]
fn block<R: Raw, const THRESHOLD: usize, const ENTRY: usize>(
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
        let low = _mm256_and_si256(load(&first.as_chunks().0[group]), low_mask);
        let top = load(&last.as_chunks().0[group]);
        // Up to 8 slot bits the mask is zero.
        let high = _mm256_and_si256(top, high_mask);
        let mut entry = [_mm256_setzero_si256(); ENTRY];
        for (u, lines) in t.lines.as_chunks::<ENTRY>().0.iter().enumerate() {
            for quarter in 0..4 {
                let [first_low, first_high, ..] = (64 * u + 16 * quarter).to_le_bytes();
                // Low nibble: slot within the sixteen; bit 7: another sixteen, for which vpshufb gives zero.
                let other = _mm256_xor_si256(low, _mm256_set1_epi8(first_low as i8));
                let mut pick = _mm256_adds_epu8(other, _mm256_set1_epi8(0x70));
                if ENTRY - THRESHOLD == 2 {
                    let same = _mm256_cmpeq_epi8(high, _mm256_set1_epi8(first_high as i8));
                    pick = _mm256_or_si256(pick, _mm256_xor_si256(same, ones));
                }
                for (entry, line) in entry.iter_mut().zip(lines) {
                    let sixteen: &[u8; 16] = &line.0.as_chunks().0[quarter];
                    // SAFETY: the reference covers 16 bytes.
                    let table = unsafe { _mm_loadu_si128(sixteen.as_ptr().cast()) };
                    let hit = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), pick);
                    *entry = _mm256_or_si256(*entry, hit);
                }
            }
        }
        // r < t from the least significant byte: unsigned x < t is !(max(x, t) == x).
        let mut not_below = ones;
        for b in 0..THRESHOLD {
            let (x, t) = (load(&threshold[b].as_chunks().0[group]), entry[b]);
            let at_least = _mm256_cmpeq_epi8(_mm256_max_epu8(x, t), x);
            let equal = _mm256_cmpeq_epi8(x, t);
            // x > t, or x == t and the lower bytes are not below.
            not_below = _mm256_andnot_si256(_mm256_andnot_si256(not_below, equal), at_least);
        }
        let z_low = _mm256_blendv_epi8(low, entry[THRESHOLD], not_below);
        let sign = _mm256_and_si256(top, _mm256_set1_epi8(-128));
        let (mut l, mut h) = ([0; 32], [0; 32]);
        if R::VALUE_BITS == 7 {
            store(&mut l, _mm256_or_si256(z_low, sign));
        } else {
            // With one byte of alias the high byte of a slot is zero.
            let z_high = if ENTRY - THRESHOLD == 2 {
                _mm256_blendv_epi8(high, entry[ENTRY - 1], not_below)
            } else {
                high
            };
            store(&mut l, z_low);
            store(&mut h, _mm256_or_si256(z_high, sign));
        }
        for i in 0..32 {
            out[i] = R::join(l[i], h[i]);
        }
    }
}

/// The last step, vectorised here.
#[target_feature(enable = "avx2")]
pub(super) fn samples<R: Raw, T: Sample>(
    _: Avx2,
    shape: Shape,
    factor: Option<u32>,
    raw: &[[R; BLOCK]],
    out: &mut [T],
) {
    raw::samples(shape, factor, raw, out);
}
