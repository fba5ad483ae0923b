//! [`Element`]: the types of samples of any size.

use bytemuck::cast_slice_mut;
use tautochrone_simd::vector::Compress;

/// The type of a sample: `i64` or `i32`.
pub trait Element: Copy + Default + 'static {
    /// The value, if it is known to fit.
    fn cut(value: i64) -> Self;
    /// Stores the `accepted` ones of the lanes at the front of `out`, in order, as
    /// [`Compress::compress_store`].
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]);
}

impl Element for i64 {
    #[inline(always)]
    fn cut(value: i64) -> Self {
        value
    }
    #[inline(always)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]) {
        values.compress_store(accepted, cast_slice_mut(out));
    }
}

impl Element for i32 {
    #[inline(always)]
    fn cut(value: i64) -> Self {
        value as Self
    }
    #[inline(always)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]) {
        values.compress_store_32(accepted, cast_slice_mut(out));
    }
}
