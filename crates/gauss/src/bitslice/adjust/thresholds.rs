//! One centre for all trials: the thresholds of every candidate, computed once.

use tautochrone_simd::{Isa, vectorize, wipe_on_drop};

use super::accept::Exponent;

/// Candidates: -31..=32.
const CANDIDATES: usize = 64;

/// The results of [`Exponent::threshold`] for each candidate; erased on drop.
#[repr(C, align(64))]
pub(super) struct Thresholds {
    table: [u64; CANDIDATES],
}

impl Thresholds {
    /// The index of candidate 0.
    pub(super) const ZERO: u64 = 31;

    /// The table of a centre's fraction, if it has all candidates up to `bound`.
    pub(super) fn new(isa: Isa, bound: u64, e: &Exponent, fraction: f64) -> Option<Self> {
        if bound > Self::ZERO + 1 {
            return None;
        }
        let mut table = [0; CANDIDATES];
        vectorize!(isa, {
            for (threshold, candidate) in table.iter_mut().zip(-(Self::ZERO as i32)..) {
                *threshold = e.threshold(candidate, fraction);
            }
        });
        Some(Self { table })
    }

    /// Entries 16 `part` and after.
    pub(super) fn sixteen(&self, part: usize) -> &[u64; 16] {
        &self.table.as_chunks().0[part]
    }
}

wipe_on_drop!(Thresholds, table: 0);
