//! 512-bit registers: one `vpternlog` for each LUT3; byte look-ups by `vpermb` and `vpermi2b` where VBMI is there.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Vbmi};

use super::bytes::{ByteRow, Bytes, Line};
use super::lanes::{BLOCK, Bits, Plane};
use super::planes::Planes;
use super::program::STRIDE;
use super::raw::{Raw, Sample, Shape, finish, finish_sum};

/// Exists only where AVX-512 does: `load` takes the token.
#[derive(Clone, Copy)]
struct V512(__m512i);

impl Bits for V512 {
    type Token = Avx512;
    const PARTS: usize = 1;

    #[inline(always)]
    fn load(_: Avx512, plane: &Plane, _: usize) -> Self {
        // SAFETY: the token proves AVX-512; the reference covers 64 bytes.
        Self(unsafe { _mm512_loadu_si512(plane.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, plane: &mut Plane, _: usize) {
        // SAFETY: a `V512` proves AVX-512; the reference covers 64 bytes.
        unsafe { _mm512_storeu_si512(plane.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        // SAFETY: a `V512` proves AVX-512.
        Self(unsafe { _mm512_and_si512(self.0, b.0) })
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        // SAFETY: a `V512` proves AVX-512.
        Self(unsafe { _mm512_or_si512(self.0, b.0) })
    }

    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: a `V512` proves AVX-512.
        Self(unsafe { _mm512_xor_si512(self.0, b.0) })
    }

    #[inline(always)]
    fn andnot(self, b: Self) -> Self {
        // SAFETY: a `V512` proves AVX-512.
        Self(unsafe { _mm512_andnot_si512(self.0, b.0) })
    }

    #[inline(always)]
    fn ones(self) -> Self {
        Self::lut3::<0xff>(self, self, self)
    }

    #[inline(always)]
    fn lut3<const IMM: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: a `V512` proves AVX-512.
        Self(unsafe { _mm512_ternarylogic_epi64::<IMM>(a.0, b.0, c.0) })
    }
}

#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the reference covers 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn store(bytes: &mut [u8; 64], x: __m512i) {
    // SAFETY: the reference covers 64 bytes.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x) }
}

/// 64 lanes of low bytes and, for the wide form, high bytes.
#[target_feature(enable = "avx512f,avx512bw")]
fn store_raw<R: Raw>(out: &mut [R; 64], low: __m512i, high: __m512i) {
    let (mut l, mut h) = ([0; 64], [0; 64]);
    store(&mut l, low);
    store(&mut h, high);
    for i in 0..64 {
        out[i] = R::join(l[i], h[i]);
    }
}

/// Circuit and transpose of whole blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn planes<R: Raw>(
    token: Avx512,
    planes: &Planes,
    random: &[Plane],
    out: &mut [[R; BLOCK]],
) {
    const WIDTH: usize = STRIDE * V512::PARTS;
    planes.run::<V512, R, WIDTH>(token, random, out, |values, sign, out| unpack(values, sign, out));
}

/// Lanes from planes: 64 bits of a plane are a mask under which its weight is added.
#[target_feature(enable = "avx512f,avx512bw")]
fn unpack<R: Raw>(values: &[Plane], sign: &Plane, out: &mut [R; BLOCK]) {
    let zero = _mm512_setzero_si512();
    let mask = |plane: &Plane, word: usize| u64::from_le_bytes(plane.as_chunks().0[word]);
    let add = |x: &mut [__m512i; 8], plane: &Plane, weight: u8| {
        let weight = _mm512_set1_epi8(weight as i8);
        for (word, x) in x.iter_mut().enumerate() {
            *x = _mm512_mask_add_epi8(*x, mask(plane, word), *x, weight);
        }
    };
    let (mut low, mut high) = ([zero; 8], [zero; 8]);
    let (first, rest) = values.split_at(values.len().min(8));
    for (b, plane) in first.iter().enumerate() {
        add(&mut low, plane, 1 << b);
    }
    for (b, plane) in rest.iter().enumerate() {
        add(&mut high, plane, 1 << b);
    }
    add(if R::VALUE_BITS == 7 { &mut low } else { &mut high }, sign, 0x80);
    for (out, (low, high)) in out.as_chunks_mut::<64>().0.iter_mut().zip(low.into_iter().zip(high))
    {
        store_raw(out, low, high);
    }
}

/// Look-ups of whole blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn bytes<R: Raw>(_: Vbmi, t: &Bytes, random: &[ByteRow], out: &mut [[R; BLOCK]]) {
    macro_rules! widths {
        ($($n:literal)*) => {
            match t.entry() {
                $($n => for (random, out) in random.chunks_exact(t.rows()).zip(out) {
                    block::<R, $n>(t, random, out);
                },)*
                // Entries have 4 (precision 32, 12 slot bits) to 18 bytes.
                _ => unreachable!("entry of {} bytes", t.entry()),
            }
        };
    }
    widths!(4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
}

/// 64 lanes at a time; ENTRY bytes of 64 slots pass through `vpermb`, of 128 slots through `vpermi2b`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn block<R: Raw, const ENTRY: usize>(t: &Bytes, random: &[ByteRow], out: &mut [R; BLOCK]) {
    let (index, threshold) = random.split_at(t.index_bytes);
    let [low_mask, high_mask, ..] = ((1_u32 << t.slot_bits) - 1).to_le_bytes();
    let zero = _mm512_setzero_si512();
    for (group, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let row = |r: &ByteRow| load(&r.as_chunks().0[group]);
        let low = _mm512_and_si512(row(&index[0]), _mm512_set1_epi8(low_mask as i8));
        let top = row(&index[t.index_bytes - 1]);
        let high = if t.slot_bits > 8 {
            _mm512_and_si512(top, _mm512_set1_epi8(high_mask as i8))
        } else {
            zero
        };
        let mut entry = [zero; ENTRY];
        let line = |line: &Line| load(&line.0);
        if let ([lines], []) = t.lines.as_chunks::<ENTRY>() {
            for (entry, l) in entry.iter_mut().zip(lines) {
                *entry = _mm512_permutexvar_epi8(low, line(l));
            }
        } else if t.slot_bits == 7 {
            let (even, odd) = t.lines.split_at(ENTRY);
            for ((entry, x), y) in entry.iter_mut().zip(even).zip(odd) {
                *entry = _mm512_permutex2var_epi8(line(x), low, line(y));
            }
        } else {
            for (pair, lines) in t.lines.chunks_exact(2 * ENTRY).enumerate() {
                let [first_low, first_high, ..] = (128 * pair).to_le_bytes();
                let here = _mm512_mask_testn_epi8_mask(
                    _mm512_cmpeq_epi8_mask(high, _mm512_set1_epi8(first_high as i8)),
                    _mm512_xor_si512(low, _mm512_set1_epi8(first_low as i8)),
                    _mm512_set1_epi8(-128),
                );
                let (even, odd) = lines.split_at(ENTRY);
                for ((entry, x), y) in entry.iter_mut().zip(even).zip(odd) {
                    let hit = _mm512_permutex2var_epi8(line(x), low, line(y));
                    *entry = _mm512_mask_mov_epi8(*entry, here, hit);
                }
            }
        }
        let mut below = 0;
        for (x, &t) in threshold.iter().zip(&entry) {
            let x = row(x);
            below = _mm512_cmplt_epu8_mask(x, t) | _mm512_mask_cmpeq_epu8_mask(below, x, t);
        }
        let z_low = _mm512_mask_mov_epi8(entry[t.threshold_bytes], below, low);
        let sign = _mm512_and_si512(top, _mm512_set1_epi8(-128));
        if R::VALUE_BITS == 7 {
            store_raw(out, _mm512_or_si512(z_low, sign), zero);
        } else {
            let alias = if t.alias_bytes > 1 { entry[t.threshold_bytes + 1] } else { zero };
            let z_high = _mm512_mask_mov_epi8(alias, below, high);
            store_raw(out, z_low, _mm512_or_si512(z_high, sign));
        }
    }
}

/// The last step, vectorised here.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn samples<R: Raw, T: Sample>(
    _: Avx512,
    shape: Shape,
    factor: Option<u32>,
    raw: &[[R; BLOCK]],
    out: &mut [T],
) {
    match factor {
        None => finish(shape, raw.as_flattened(), out),
        Some(k) => finish_sum(k, raw, out),
    }
}
