//! Panels by AVX-512 VBMI: the same bytes as the packer in plain Rust. Here panels of steps for
//! tiles, in [`planes`] panels for registers.
//!
//! A step is 64 terms of 16 lines. Each of its digits is one tile, 1024 bytes, in one of two forms,
//! which are the transposes of each other as matrices of 16 x 16 cells of four bytes: of Y, row i
//! holds the terms of line i; of X, row i holds terms 4 i .. 4 i + 3 of all lines. Entries that lie
//! along the sum in memory give the first form, entries of adjacent lines the second; where the
//! other one is wanted, the tile is transposed in place.
//!
//! Constant time: addresses and masks depend on shapes, types and widths only.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::array::from_fn;

use tautochrone_simd::{Vbmi, prefetch, wipe_on_drop};

use super::panel::PanelSource;
use super::transpose;
use crate::digits::Method;
use crate::layout::Side;
use crate::matrix::Matrix;
use crate::word::Operand;

/// Terms of a step.
const TERMS: usize = 64;
/// Lines of a panel.
const LINES: usize = 16;
/// Bytes of a tile.
const TILE: usize = 1024;
/// Bytes of a register.
const REGISTER: usize = 64;

/// Bytes of indices or lanes, aligned as a register.
#[repr(C, align(64))]
struct Lanes([u8; 64]);

impl Lanes {
    #[inline(always)]
    fn load(&self) -> __m512i {
        // SAFETY: 64 readable, aligned bytes; `Packing` proves AVX-512.
        unsafe { _mm512_load_si512(self.0.as_ptr().cast()) }
    }
}

/// An index whose byte `i` is given by a constant expression.
macro_rules! index {
    (|$i:ident| $byte:expr) => {{
        #[allow(clippy::integer_division_remainder_used, reason = "constants")]
        static INDEX: Lanes = {
            let mut index = [0; 64];
            let mut $i = 0;
            while $i < 64 {
                index[$i] = ($byte) as u8;
                $i += 1;
            }
            Lanes(index)
        };
        INDEX.load()
    }};
}

pub(super) mod planes;

/// The encoding of entries of `T`, repeated through a register, and what has been seen of them.
struct Packing {
    add: __m512i,
    flip: __m512i,
    /// Whether entries are changed at all.
    plain: bool,
    /// The bits, sign excluded, that entries need.
    used: __m512i,
    /// Whether these are looked at.
    checked: bool,
}

/// Packs all steps of the adjacent panels `out` (`source` is the first), if entries of a line,
/// or of a term, are adjacent in memory and have at least as many bytes as digits; whether an entry
/// needs more bits than stated.
pub(super) fn pack<T: Operand>(
    _: Vbmi,
    source: &PanelSource<'_>,
    view: &Matrix<'_, T>,
    out: &mut [u8],
) -> Option<bool> {
    let (row, column) = view.strides();
    if source.layout.encoding.count > bytes::<T>() {
        return None;
    }
    // SAFETY: the token proves AVX-512 F, BW, DQ, VL, VBMI.
    unsafe {
        match (row, column) {
            (_, 1) => Some(pack_along(source, view, out)),
            (1, _) => Some(pack_across(source, view, out)),
            _ => None,
        }
    }
}

/// Entries of two bits as bytes: `tiles[t]` gets bits 2 t and 2 t + 1 of each byte, sign extended.
/// Any number of the last tiles may be left out.
pub(super) fn expand<'a>(
    _: Vbmi,
    bytes: &[u8; TILE],
    tiles: impl Iterator<Item = &'a mut [u8; TILE]>,
) {
    // SAFETY: the token proves AVX-512 F, BW, DQ, VL, VBMI.
    unsafe { expand_group(bytes, tiles) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn expand_group<'a>(bytes: &[u8; TILE], tiles: impl Iterator<Item = &'a mut [u8; TILE]>) {
    // `vpermb` looks at the low six bits of a byte; the low two count. What a shift of 16
    // bits brings in from a byte's neighbour lies above them.
    let signed = index!(|i| [0, 1, -2, -1][i % 4]);
    for (tile, shift) in tiles.zip([0, 2, 4, 6]) {
        let shift = _mm_cvtsi32_si128(shift);
        for (out, bytes) in
            tile.as_chunks_mut::<REGISTER>().0.iter_mut().zip(bytes.as_chunks::<REGISTER>().0)
        {
            let shifted = _mm512_srl_epi16(load(bytes), shift);
            store(out, _mm512_permutexvar_epi8(shifted, signed));
        }
    }
}

/// Bytes of an entry.
const fn bytes<T: Operand>() -> usize {
    (T::BITS as usize).div_ceil(8)
}

/// A mask of the bytes of `entries`, at most 64.
#[inline(always)]
const fn mask<T>(entries: &[T]) -> u64 {
    let bytes = size_of_val(entries);
    if bytes >= 64 { u64::MAX } else { (1 << bytes) - 1 }
}

/// Up to 64 bytes of entries; bytes beyond `entries` are zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn load<T: Operand>(entries: &[T]) -> __m512i {
    // SAFETY: only the bytes of `entries` are read.
    unsafe { _mm512_maskz_loadu_epi8(mask(entries), entries.as_ptr().cast()) }
}

/// The first 64 bytes of `out` := a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn store(out: &mut [u8], register: __m512i) {
    // SAFETY: so many writable bytes.
    unsafe { _mm512_storeu_si512(out[..REGISTER].as_mut_ptr().cast(), register) }
}

impl Packing {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    fn new<T: Operand>(source: &PanelSource<'_>, view: &Matrix<'_, T>) -> Self {
        let encoding = source.layout.encoding;
        let repeat = |value: u64| match T::BITS {
            8 => _mm512_set1_epi8(value as i8),
            16 => _mm512_set1_epi16(value as i16),
            32 => _mm512_set1_epi32(value as i32),
            _ => _mm512_set1_epi64(value as i64),
        };
        Self {
            add: repeat(encoding.add),
            flip: repeat(encoding.flip),
            plain: encoding.add | encoding.flip == 0,
            used: repeat(0),
            checked: view.bits() < T::BITS,
        }
    }

    /// Up to 64 bytes of entries as digits, and zeros.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    fn load<T: Operand>(&mut self, entries: &[T]) -> __m512i {
        self.encode::<T>(load(entries), mask(entries))
    }

    /// Entries as digits, where the bytes of entries are given, with note of the bits that they
    /// need. Other bytes become zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    fn encode<T: Operand>(&mut self, entries: __m512i, bytes: u64) -> __m512i {
        if self.checked {
            let signs = match T::BITS {
                _ if !T::SIGNED => _mm512_setzero_si512(),
                8 => _mm512_movm_epi8(_mm512_movepi8_mask(entries)),
                16 => _mm512_srai_epi16::<15>(entries),
                32 => _mm512_srai_epi32::<31>(entries),
                _ => _mm512_srai_epi64::<63>(entries),
            };
            self.used = _mm512_or_si512(self.used, _mm512_xor_si512(entries, signs));
        }
        if self.plain {
            return entries;
        }
        let sum = match T::BITS {
            8 => _mm512_add_epi8(entries, self.add),
            16 => _mm512_add_epi16(entries, self.add),
            32 => _mm512_add_epi32(entries, self.add),
            _ => _mm512_add_epi64(entries, self.add),
        };
        _mm512_maskz_mov_epi8(bytes, _mm512_xor_si512(sum, self.flip))
    }

    /// Whether an entry needs more bits than stated.
    #[inline(always)]
    fn exceeds<T: Operand>(self, view: &Matrix<'_, T>) -> bool {
        if !self.checked {
            return false;
        }
        let mut lanes = Lanes([0; 64]);
        // SAFETY: 64 writable, aligned bytes; `self` proves AVX-512.
        unsafe { _mm512_store_si512(lanes.0.as_mut_ptr().cast(), self.used) };
        let used = lanes.0.chunks_exact(bytes::<T>()).fold(0, |used, lane| {
            lane.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)) | used
        });
        used >> (view.bits() - u32::from(T::SIGNED)) != 0
    }
}

/// Entries of a line are adjacent.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn pack_along<T: Operand>(source: &PanelSource<'_>, view: &Matrix<'_, T>, out: &mut [u8]) -> bool {
    let count = source.layout.encoding.count;
    let mut packing = Packing::new(source, view);
    for (panel, out) in out.chunks_exact_mut(panel_bytes(source)).enumerate() {
        let line = source.line + panel * LINES;
        let lines = LINES.min(source.layout.lines - line);
        for (step, out) in out.chunks_exact_mut(count * TILE).enumerate() {
            let terms = TERMS.min(source.terms - step * TERMS);
            for i in 0..lines {
                let run = view.row_run(line + i, source.term + step * TERMS, terms);
                let digits = split::<T>(run, &mut packing, count);
                for (digit, out) in digits.iter().zip(out.chunks_exact_mut(TILE)) {
                    store(&mut out[64 * i..], *digit);
                }
            }
            for out in out.chunks_exact_mut(TILE) {
                out[64 * lines..].fill(0);
                if source.layout.side == Side::Left {
                    transpose(out);
                }
            }
        }
    }
    packing.exceeds(view)
}

/// Bytes of a panel in the block of `source`, all digits.
fn panel_bytes(source: &PanelSource<'_>) -> usize {
    source.plane * source.layout.encoding.count
}

/// The digits of up to 64 entries, digit by digit; those from `count` on are any.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn split<T: Operand>(run: &[T], packing: &mut Packing, count: usize) -> [__m512i; 8] {
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    let per = 512 / T::BITS as usize;
    macro_rules! part {
        ($i:expr) => {
            packing.load(&run[($i * per).min(run.len())..(($i + 1) * per).min(run.len())])
        };
    }
    let none = _mm512_setzero_si512();
    match T::BITS {
        8 => [part!(0), none, none, none, none, none, none, none],
        16 => {
            let (a, b) = (part!(0), part!(1));
            let low = _mm512_permutex2var_epi8(a, index!(|i| 2 * i), b);
            let high = _mm512_permutex2var_epi8(a, index!(|i| 2 * i + 1), b);
            [low, high, none, none, none, none, none, none]
        }
        32 => {
            // Each register by itself: 16 bytes of every digit.
            let group = index!(|i| i % 16 * 4 + i / 16);
            let a = _mm512_permutexvar_epi8(group, part!(0));
            let b = _mm512_permutexvar_epi8(group, part!(1));
            let c = _mm512_permutexvar_epi8(group, part!(2));
            let d = _mm512_permutexvar_epi8(group, part!(3));
            let [a, b, c, d] = transpose_pairs([a, b, c, d]);
            [a, b, c, d, none, none, none, none]
        }
        _ => {
            // Each register by itself: 8 bytes of every digit.
            let group = index!(|i| i % 8 * 8 + i / 8);
            let mut parts = [none; 8];
            for (i, part) in parts.iter_mut().enumerate() {
                *part = _mm512_permutexvar_epi8(group, part!(i));
            }
            transpose_quads(&parts, count)
        }
    }
}

/// 8 x 8 lanes of 64 bits, transposed; rows from `count` on are any.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn transpose_quads(rows: &[__m512i; 8], count: usize) -> [__m512i; 8] {
    let &[r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    let [e0, e2, e4, e6] = transpose_pairs([
        _mm512_unpacklo_epi64(r0, r1),
        _mm512_unpacklo_epi64(r2, r3),
        _mm512_unpacklo_epi64(r4, r5),
        _mm512_unpacklo_epi64(r6, r7),
    ]);
    if count == 1 {
        return [e0; 8];
    }
    let [e1, e3, e5, e7] = transpose_pairs([
        _mm512_unpackhi_epi64(r0, r1),
        _mm512_unpackhi_epi64(r2, r3),
        _mm512_unpackhi_epi64(r4, r5),
        _mm512_unpackhi_epi64(r6, r7),
    ]);
    [e0, e1, e2, e3, e4, e5, e6, e7]
}

/// 4 x 4 lanes of 128 bits, transposed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn transpose_pairs([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, ab2) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b));
    let (cd, cd2) = (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xee>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(ab, cd),
        _mm512_shuffle_i64x2::<0xdd>(ab, cd),
        _mm512_shuffle_i64x2::<0x88>(ab2, cd2),
        _mm512_shuffle_i64x2::<0xdd>(ab2, cd2),
    ]
}

/// Entries of a term are adjacent. As many panels are packed at a time as have entries in a
/// register: a column of S is read in whole cache lines, once.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn pack_across<T: Operand>(source: &PanelSource<'_>, view: &Matrix<'_, T>, out: &mut [u8]) -> bool {
    let count = source.layout.encoding.count;
    let size = panel_bytes(source);
    let height = LINES * (REGISTER / (LINES * bytes::<T>())).max(1);
    let columns = view.transposed();
    let mut packing = Packing::new(source, view);
    for (group, out) in out.chunks_mut(height / LINES * size).enumerate() {
        let line = source.line + group * height;
        let lines = height.min(source.layout.lines - line);
        for step in 0..size / (count * TILE) {
            let first = step * TERMS;
            for q in 0..TERMS / 4 {
                let run = |t: usize| -> &[T] {
                    let term = first + 4 * q + t;
                    if term >= source.terms {
                        return &[];
                    }
                    if term + TERMS < source.terms {
                        prefetch(columns.row_run(source.term + term + TERMS, line, lines));
                    }
                    columns.row_run(source.term + term, line, lines)
                };
                let tiles = interleave::<T>([run(0), run(1), run(2), run(3)], &mut packing);
                let tiles = tiles.chunks_exact(bytes::<T>());
                for (digits, out) in tiles.zip(out.chunks_exact_mut(size)) {
                    let out = out[count * TILE * step..].chunks_exact_mut(TILE);
                    for (digit, out) in digits.iter().zip(out).take(count) {
                        store(&mut out[64 * q..], *digit);
                    }
                }
            }
        }
        if source.layout.side == Side::Right {
            out.chunks_exact_mut(TILE).for_each(|out| transpose(out));
        }
    }
    packing.exceeds(view)
}

/// For four terms of the lines of one panel, or as many as fit in a register, the four bytes of
/// every line of a panel, digit by digit, panel after panel.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn interleave<T: Operand>([a, b, c, d]: [&[T]; 4], packing: &mut Packing) -> [__m512i; 8] {
    let none = _mm512_setzero_si512();
    if T::BITS == 64 {
        // The low and the high words of the 16 lines of a term.
        let (a, b) = (words(a, packing), words(b, packing));
        let (c, d) = (words(c, packing), words(d, packing));
        let [d0, d1, d2, d3] = interleave_words([a.0, b.0, c.0, d.0]);
        let [d4, d5, d6, d7] = interleave_words([a.1, b.1, c.1, d.1]);
        return [d0, d1, d2, d3, d4, d5, d6, d7];
    }
    let (a, b, c, d) = (packing.load(a), packing.load(b), packing.load(c), packing.load(d));
    match T::BITS {
        8 => {
            let cells = index!(|i| i % 4 * 16 + i / 4);
            let [a, b, c, d] = transpose_pairs([a, b, c, d]);
            [
                _mm512_permutexvar_epi8(cells, a),
                _mm512_permutexvar_epi8(cells, b),
                _mm512_permutexvar_epi8(cells, c),
                _mm512_permutexvar_epi8(cells, d),
                none,
                none,
                none,
                none,
            ]
        }
        16 => {
            // The lower halves are one panel, the upper ones another.
            let (ab, ab2) =
                (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b));
            let (cd, cd2) =
                (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xee>(c, d));
            let low = index!(|i| i % 4 * 32 + i / 4 * 2);
            let high = index!(|i| i % 4 * 32 + i / 4 * 2 + 1);
            [
                _mm512_permutex2var_epi8(ab, low, cd),
                _mm512_permutex2var_epi8(ab, high, cd),
                _mm512_permutex2var_epi8(ab2, low, cd2),
                _mm512_permutex2var_epi8(ab2, high, cd2),
                none,
                none,
                none,
                none,
            ]
        }
        _ => {
            let [d0, d1, d2, d3] = interleave_words([a, b, c, d]);
            [d0, d1, d2, d3, none, none, none, none]
        }
    }
}

/// The low and the high words of up to 16 entries of 64 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn words<T: Operand>(run: &[T], packing: &mut Packing) -> (__m512i, __m512i) {
    let (a, b) = run.split_at(run.len().min(8));
    let (a, b) = (packing.load(a), packing.load(b));
    let even = index!(|i| i / 4 * 8 + i % 4);
    let odd = index!(|i| i / 4 * 8 + i % 4 + 4);
    (_mm512_permutex2var_epi8(a, even, b), _mm512_permutex2var_epi8(a, odd, b))
}

/// For four registers of 16 words, byte i of the words of a lane, in that lane of register i.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn interleave_words([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // Pairs of bytes 0 of a and b in the lower half, of bytes 1 in the upper; then 2 and 3.
    let first = index!(|i| i % 32 / 2 * 4 + i / 32 + i % 2 * 64);
    let second = index!(|i| i % 32 / 2 * 4 + i / 32 + i % 2 * 64 + 2);
    // Pairs of two registers in turn, of the lower or the upper halves.
    let low = index!(|i| i / 4 * 2 + i % 2 + i % 4 / 2 * 64);
    let high = index!(|i| 32 + i / 4 * 2 + i % 2 + i % 4 / 2 * 64);
    let (ab, cd) = (_mm512_permutex2var_epi8(a, first, b), _mm512_permutex2var_epi8(c, first, d));
    let (ab2, cd2) =
        (_mm512_permutex2var_epi8(a, second, b), _mm512_permutex2var_epi8(c, second, d));
    [
        _mm512_permutex2var_epi8(ab, low, cd),
        _mm512_permutex2var_epi8(ab, high, cd),
        _mm512_permutex2var_epi8(ab2, low, cd2),
        _mm512_permutex2var_epi8(ab2, high, cd2),
    ]
}

/// Transposes a tile of 16 x 16 cells of four bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn transpose(tile: &mut [u8]) {
    let (tile, _) = tile[..TILE].as_chunks_mut::<REGISTER>();
    let rows = from_fn(|i| load(&tile[i]));
    for (out, row) in tile.iter_mut().zip(transpose::registers(&rows)) {
        store(out, row);
    }
}
