//! Sizes of groups and batches, and what is sampled into.

use zeroize::Zeroize;

/// Trials in a group: the vector paths run two registers of eight side by side.
pub(super) const GROUP: usize = 16;
/// 64-bit words of randomness a group consumes: cells, acceptance and signs, offsets, and two shared words.
pub(super) const GROUP_WORDS: usize = 8 + 8 + 16 + 2;
/// Groups drawn at a time.
pub(super) const MAX_GROUPS: usize = 16;
/// Samples drawn at a time, at most.
pub(super) const SAMPLES: usize = GROUP * MAX_GROUPS;

/// The samples of [`MAX_GROUPS`] groups.
pub(super) type Batch<T> = [T; SAMPLES];
/// Bit j of element i: whether trial 8 i + j was accepted.
pub(super) type Accepted = [u8; SAMPLES / 8];
/// The randomness of [`MAX_GROUPS`] groups.
pub(super) type Words = [u64; GROUP_WORDS * MAX_GROUPS];

/// What is sampled into: `i64` or `i32`.
pub(super) trait Element: Copy + Default + Zeroize {
    /// Whether it has 64 bits, not 32.
    const WIDE: bool;
    /// The value, if it is known to fit.
    fn cut(value: i64) -> Self;
}

impl Element for i64 {
    const WIDE: bool = true;
    fn cut(value: i64) -> Self {
        value
    }
}

impl Element for i32 {
    const WIDE: bool = false;
    fn cut(value: i64) -> Self {
        value as Self
    }
}
