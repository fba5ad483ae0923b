//! Reads of tables of words that touch every entry.
#![allow(unsafe_code)]
use tautochrone_simd::Isa;

use crate::power::Table;
use crate::word;

/// Words of a line of the cache.
const LINE: usize = 8;

/// Words whose sums stay in registers: eight of AVX2's sixteen, four of AVX-512's.
const PART: usize = 4 * LINE;

/// Entries of the largest table, for windows of 6 bits.
const ENTRIES: usize = 64;

/// x := table[index]: all entries are read, and a mask picks.
pub(crate) fn select(isa: Isa, x: &mut [u64], table: &Table<u64>, index: u64) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = isa.avx512() {
        // SAFETY: the token proves AVX-512.
        return unsafe { by_avx512(avx512, x, table, index) };
    } else if let Some(avx2) = isa.avx2() {
        // SAFETY: the token proves AVX2.
        return unsafe { by_avx2(avx2, x, table, index) };
    }
    let _ = isa;
    by_masks(x, table, index);
}

/// The same code for the compiler to vectorise.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn by_avx512(_: tautochrone_simd::Avx512, x: &mut [u64], table: &Table<u64>, index: u64) {
    by_masks(x, table, index);
}

/// The same code for the compiler to vectorise.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_avx2(_: tautochrone_simd::Avx2, x: &mut [u64], table: &Table<u64>, index: u64) {
    by_masks(x, table, index);
}

#[inline(always)]
fn by_masks(x: &mut [u64], table: &Table<u64>, index: u64) {
    let mut masks = [0; ENTRIES];
    for (i, mask) in (0..).zip(&mut masks) {
        *mask = word::is_zero(i ^ index);
    }
    let mut first = 0;
    for part in x.chunks_mut(PART) {
        if part.len() == PART {
            by_masks_of::<PART>(part, table, first, &masks);
        } else {
            for (k, line) in part.chunks_mut(LINE).enumerate() {
                by_masks_of::<LINE>(line, table, first + k * LINE, &masks);
            }
        }
        first += PART;
    }
}

/// At most W words of an entry, from word `first` on.
#[inline(always)]
fn by_masks_of<const W: usize>(
    part: &mut [u64],
    table: &Table<u64>,
    first: usize,
    masks: &[u64; ENTRIES],
) {
    let mut sums = [0; W];
    for (words, &mask) in table.parts::<W>(first).zip(masks) {
        for (s, &w) in sums.iter_mut().zip(words) {
            *s |= w & mask;
        }
    }
    part.copy_from_slice(&sums[..part.len()]);
}
