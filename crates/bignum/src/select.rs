//! Table reads that touch every entry.
#![allow(unsafe_code)]
use tautochrone_simd::Isa;

use crate::word;

/// Words whose sums stay in registers.
const PART: usize = 16;

/// entry := table[index] for `entry.len()` words an entry and E entries: all are read, and a mask picks.
pub(crate) fn select<const E: usize>(isa: Isa, entry: &mut [u64], table: &[u64], index: u64) {
    let mut masks = [0; E];
    for (i, mask) in (0u64..).zip(&mut masks) {
        *mask = word::is_zero(i ^ index);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = isa.avx2() {
        // SAFETY: the token proves AVX2.
        return unsafe { by_avx2(avx2, entry, table, &masks) };
    }
    let _ = isa;
    by_masks(entry, table, &masks);
}

/// The same code for the compiler to vectorise.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_avx2(_: tautochrone_simd::Avx2, entry: &mut [u64], table: &[u64], masks: &[u64]) {
    by_masks(entry, table, masks);
}

#[inline(always)]
fn by_masks(entry: &mut [u64], table: &[u64], masks: &[u64]) {
    let n = entry.len();
    for (j, out) in entry.chunks_mut(PART).enumerate() {
        let candidates = table.chunks_exact(n).map(|entry| &entry[PART * j..]).zip(masks);
        if let Some(out) = out.as_mut_array::<PART>() {
            let mut sum = [0; PART];
            for (candidate, &mask) in candidates {
                let candidate: &[u64; PART] = candidate.first_chunk().expect("a whole part");
                for (s, &w) in sum.iter_mut().zip(candidate) {
                    *s |= w & mask;
                }
            }
            *out = sum;
        } else {
            out.fill(0);
            for (candidate, &mask) in candidates {
                for (s, &w) in out.iter_mut().zip(candidate) {
                    *s |= w & mask;
                }
            }
        }
    }
}
