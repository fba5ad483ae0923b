//! Sizes of groups and batches.

use tautochrone_simd::wipe;

use crate::source::Source;

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
/// Bit j of element i: whether trial 8 i + j was accepted.
pub(super) type Accepted = [u8; SAMPLES.div_ceil(8)];
/// The words of a group.
pub(super) type Group = [u64; GROUP_WORDS];

/// The randomness of [`MAX_GROUPS`] groups, aligned for the registers; the used ones are erased on
/// drop.
#[repr(C, align(64))]
pub(super) struct Words {
    words: [u64; GROUP_WORDS * MAX_GROUPS],
    used: usize,
}

impl Words {
    pub(super) const fn new() -> Self {
        Self { words: [0; _], used: 0 }
    }

    /// The next words of `source` for so many groups.
    pub(super) fn draw(&mut self, source: &mut (impl Source + ?Sized), groups: usize) -> &[u64] {
        let used = GROUP_WORDS * groups;
        self.used = self.used.max(used);
        source.fill_u64(&mut self.words[..used]);
        &self.words[..used]
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        wipe(&mut self.words[..self.used], 0);
    }
}
