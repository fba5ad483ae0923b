//! Sizes of groups and batches, and the types of samples.

use bytemuck::cast_slice_mut;
use tautochrone_simd::vector::Compress;
use zeroize::Zeroize;

/// Trials in a group: the vector kernels run two registers of eight.
pub(super) const GROUP: usize = 16;
/// 64-bit words of randomness a group consumes: cells, acceptance and signs, offsets, and two
/// shared words.
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

/// The type of a sample: `i64` or `i32`.
pub(super) trait Element: Copy + Default + Zeroize {
    /// The value, if it is known to fit.
    fn cut(value: i64) -> Self;
    /// Stores the `accepted` ones of the lanes at the front of `out`, in order, as
    /// [`Compress::compress_store`].
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]);
}

impl Element for i64 {
    fn cut(value: i64) -> Self {
        value
    }
    #[inline(always)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]) {
        values.compress_store(accepted, cast_slice_mut(out));
    }
}

impl Element for i32 {
    fn cut(value: i64) -> Self {
        value as Self
    }
    #[inline(always)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]) {
        values.compress_store_32(accepted, cast_slice_mut(out));
    }
}
