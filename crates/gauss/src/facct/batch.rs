//! Sizes of groups and batches.

use tautochrone_simd::vector::Compress;

use crate::buffer::Buffer;

/// Trials in a group: the vector kernels run two registers of eight.
pub(super) const GROUP: usize = 16;
/// 64-bit words of randomness a group consumes, four registers: cells, acceptance and signs, and
/// two of offsets.
pub(super) const GROUP_WORDS: usize = 4 * 8;
/// Groups drawn at a time.
pub(super) const MAX_GROUPS: usize = 16;
/// Samples drawn at a time, at most.
pub(super) const SAMPLES: usize = GROUP * MAX_GROUPS;

/// The samples of [`MAX_GROUPS`] groups.
pub(super) type Batch<T> = [T; SAMPLES];
/// The words of a group.
pub(super) type Group = [u64; GROUP_WORDS];

/// The randomness of [`MAX_GROUPS`] groups.
pub(super) type Words = Buffer<{ GROUP_WORDS * MAX_GROUPS }>;

/// Coordinates that are to be tried again; they are public.
pub(super) struct Pending {
    /// The first `len` of these: less than a batch, and as many as one more batch may add. Behind
    /// them a register more may be written.
    indices: [u64; 2 * SAMPLES + 8],
    pub(super) len: usize,
}

impl Pending {
    pub(super) const fn new() -> Self {
        Self { indices: [0; _], len: 0 }
    }

    /// Moves the last ones, at most a batch, to the front of `batch`; how many.
    pub(super) fn take(&mut self, batch: &mut Batch<u64>) -> usize {
        let count = self.len.min(SAMPLES);
        self.len -= count;
        batch[..count].copy_from_slice(&self.indices[self.len..self.len + count]);
        batch[count..].fill(u64::MAX);
        count
    }

    /// Drops those that were added last and are none of `total` coordinates.
    pub(super) fn drop_beyond(&mut self, total: usize) {
        while self.len > 0 && self.indices[self.len - 1] >= total as u64 {
            self.len -= 1;
        }
    }

    /// Adds a coordinate unless it is accepted.
    pub(super) fn push(&mut self, index: u64, accepted: bool) {
        self.indices[self.len] = index;
        self.len += usize::from(!accepted);
    }

    /// Adds the coordinates, of eight, whose bits in `accepted` are not set.
    #[inline(always)]
    pub(super) fn push_octet<V: Compress>(&mut self, indices: V, accepted: u32) {
        let rejected = !accepted & 0xff;
        indices.compress_store(rejected, &mut self.indices[self.len..]);
        self.len += rejected.count_ones() as usize;
    }
}

/// The coordinates that a batch of trials is for. Some of the last may be beyond all coordinates.
#[derive(Clone, Copy)]
pub(super) enum Coordinates<'a> {
    From(usize),
    Listed(&'a Batch<u64>),
}
