//! Sizes of groups and batches.

use crate::buffer::Buffer;
use crate::centres;

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

/// The randomness of [`MAX_GROUPS`] groups.
pub(super) type Words = Buffer<{ GROUP_WORDS * MAX_GROUPS }>;
/// Centres of a batch, and samples around them.
pub(super) type Scratch = centres::Scratch<i64, SAMPLES>;
