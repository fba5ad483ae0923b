//! Tables whose reads touch every entry.
#![allow(unsafe_code)]
use tautochrone_simd::Isa;
use zeroize::Zeroize;

use crate::word;

/// Words of a line.
const LINE: usize = 8;

/// Lines whose sums stay in registers: eight of AVX2's sixteen, four of AVX-512's.
const PART: usize = 4;

/// A line of the cache: loads that straddle two lines take twice as long.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u64; LINE]);

/// E numbers of one width, wiped when dropped.
pub(crate) struct Table<const E: usize> {
    lines: Vec<Line>,
    /// Lines of an entry.
    stride: usize,
}

impl<const E: usize> Drop for Table<E> {
    fn drop(&mut self) {
        for line in &mut self.lines {
            line.0.zeroize();
        }
    }
}

impl<const E: usize> Table<E> {
    /// Room for numbers of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        let stride = words.div_ceil(LINE);
        Self { lines: vec![Line([0; LINE]); E * stride], stride }
    }

    /// table[i] := x; `i` is public.
    pub(crate) fn set(&mut self, i: usize, x: &[u64]) {
        let lines = &mut self.lines[i * self.stride..][..self.stride];
        for (line, x) in lines.iter_mut().zip(x.chunks(LINE)) {
            line.0[..x.len()].copy_from_slice(x);
        }
    }

    /// x := table[i]; `i` is public.
    pub(crate) fn get(&self, i: usize, x: &mut [u64]) {
        let lines = &self.lines[i * self.stride..][..self.stride];
        for (x, line) in x.chunks_mut(LINE).zip(lines) {
            x.copy_from_slice(&line.0[..x.len()]);
        }
    }

    /// x := table[index]: all entries are read, and a mask picks.
    pub(crate) fn select(&self, isa: Isa, x: &mut [u64], index: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = isa.avx512() {
            // SAFETY: the token proves AVX-512.
            return unsafe { by_avx512(avx512, x, self, index) };
        } else if let Some(avx2) = isa.avx2() {
            // SAFETY: the token proves AVX2.
            return unsafe { by_avx2(avx2, x, self, index) };
        }
        let _ = isa;
        by_masks(x, self, index);
    }
}

/// The same code for the compiler to vectorise.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn by_avx512<const E: usize>(
    _: tautochrone_simd::Avx512,
    x: &mut [u64],
    table: &Table<E>,
    index: u64,
) {
    by_masks(x, table, index);
}

/// The same code for the compiler to vectorise.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_avx2<const E: usize>(_: tautochrone_simd::Avx2, x: &mut [u64], table: &Table<E>, index: u64) {
    by_masks(x, table, index);
}

#[inline(always)]
fn by_masks<const E: usize>(x: &mut [u64], table: &Table<E>, index: u64) {
    let mut masks = [0; E];
    for (i, mask) in (0u64..).zip(&mut masks) {
        *mask = word::is_zero(i ^ index);
    }
    let mut first = 0;
    for part in x.chunks_mut(PART * LINE) {
        if part.len() == PART * LINE {
            by_masks_of::<E, PART>(part, table, first, &masks);
        } else {
            for (k, line) in part.chunks_mut(LINE).enumerate() {
                by_masks_of::<E, 1>(line, table, first + k, &masks);
            }
        }
        first += PART;
    }
}

/// The words of T lines of an entry, from line `first` on.
#[inline(always)]
fn by_masks_of<const E: usize, const T: usize>(
    part: &mut [u64],
    table: &Table<E>,
    first: usize,
    masks: &[u64; E],
) {
    let mut sums = [[0; LINE]; T];
    let mut rest = &table.lines[first..];
    for &mask in masks {
        let lines: &[Line; T] = rest.first_chunk().expect("lines of an entry");
        for (sum, line) in sums.iter_mut().zip(lines) {
            for (s, &w) in sum.iter_mut().zip(&line.0) {
                *s |= w & mask;
            }
        }
        rest = rest.get(table.stride..).unwrap_or_default();
    }
    part.copy_from_slice(&sums.as_flattened()[..part.len()]);
}
