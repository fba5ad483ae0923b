//! Reads of tables of limbs that touch every entry.
use tautochrone_simd::{Isa, vectorize};

use crate::limb;
use crate::power::Table;

/// Limbs of a cache line.
const CACHE_LINE: usize = 8;

/// Limbs whose sums stay in registers: eight of AVX2's sixteen, four of AVX-512's.
const PART: usize = 4 * CACHE_LINE;

/// Entries of the largest table, which is for windows of 6 bits.
const MAX_ENTRIES: usize = 64;

/// x := table[index]: all entries are read, and a mask selects one.
pub(crate) fn select(isa: Isa, x: &mut [u64], table: &Table<u64>, index: u64) {
    vectorize!(isa, by_masks(x, table, index));
}

#[inline(always)]
fn by_masks(x: &mut [u64], table: &Table<u64>, index: u64) {
    let mut masks = [0; MAX_ENTRIES];
    for (i, mask) in (0..).zip(&mut masks) {
        *mask = limb::is_zero(i ^ index);
    }
    let mut first = 0;
    for part in x.chunks_mut(PART) {
        if part.len() == PART {
            by_masks_of::<PART>(part, table, first, &masks);
        } else {
            for (k, line) in part.chunks_mut(CACHE_LINE).enumerate() {
                by_masks_of::<CACHE_LINE>(line, table, first + k * CACHE_LINE, &masks);
            }
        }
        first += PART;
    }
}

/// At most W limbs of an entry, from limb `first` on.
#[inline(always)]
fn by_masks_of<const W: usize>(
    part: &mut [u64],
    table: &Table<u64>,
    first: usize,
    masks: &[u64; MAX_ENTRIES],
) {
    let mut sums = [0; W];
    for (limbs, &mask) in table.parts::<W>(first).zip(masks) {
        for (s, &w) in sums.iter_mut().zip(limbs) {
            *s |= w & mask;
        }
    }
    part.copy_from_slice(&sums[..part.len()]);
}
