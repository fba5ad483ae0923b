//! [`Pending`]: the coordinates that are still to be done.

use tautochrone_simd::vector::Compress;

use super::batch::{Accepted, Batch, SAMPLES};
use crate::centres::rejected;

/// How far the coordinates of a fill are done: those from `start` on have not been tried, and some
/// before were rejected. They are public.
pub(super) struct Pending {
    pub(super) start: usize,
    /// The first `len` of these are to be retried: less than a batch, and as many as one more batch
    /// may add. Behind them a register more may be written.
    indices: [u64; 2 * SAMPLES + 8],
    pub(super) len: usize,
}

/// The next step.
pub(super) enum Next {
    /// The first trial of so many coordinates from `start` on.
    First(usize),
    /// Another trial of so many coordinates, the last ones that were rejected.
    Again(usize),
    Nothing,
}

impl Pending {
    pub(super) const fn new() -> Self {
        Self { start: 0, indices: [0; _], len: 0 }
    }

    /// The next batch of `total` coordinates.
    #[inline(always)]
    pub(super) fn next(&self, total: usize) -> Next {
        if self.start < total && self.len < SAMPLES {
            Next::First((total - self.start).min(SAMPLES))
        } else if self.len > 0 {
            Next::Again(self.len.min(SAMPLES))
        } else {
            Next::Nothing
        }
    }

    /// Adds the indices, of eight, whose bits in `accepted` are not set.
    #[inline(always)]
    pub(super) fn push<V: Compress>(&mut self, indices: V, accepted: u32) {
        let rejected = !accepted & 0xff;
        indices.compress_store(rejected, &mut self.indices[self.len..]);
        self.len += rejected.count_ones() as usize;
    }

    /// The last batch of them, which is no longer pending.
    pub(super) fn take_last(&mut self) -> Batch<u64> {
        self.len -= SAMPLES;
        *self.indices[self.len..].first_chunk().expect("a whole batch")
    }

    /// Undoes [`Self::take_last`] where `len` were pending, and what was pushed after it.
    pub(super) fn put_back(&mut self, len: usize, last: &Batch<u64>) {
        self.indices[len - SAMPLES..len].copy_from_slice(last);
        self.len = len;
    }

    /// The last `count` ones.
    pub(super) fn last(&self, count: usize) -> &[u64] {
        &self.indices[self.len - count..self.len]
    }

    /// The first trials of `count` coordinates are done.
    pub(super) fn first_done(&mut self, count: usize, accepted: &Accepted) {
        for i in rejected(count, accepted) {
            self.indices[self.len] = (self.start + i) as u64;
            self.len += 1;
        }
        self.start += count;
    }

    /// The last `count` ones have been tried again.
    pub(super) fn again_done(&mut self, count: usize, accepted: &Accepted) {
        let first = self.len - count;
        self.len = first;
        for i in rejected(count, accepted) {
            self.indices[self.len] = self.indices[first + i];
            self.len += 1;
        }
    }
}
