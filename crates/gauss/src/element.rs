//! [`Sample`], [`WideSample`]: the types of samples.

use bytemuck::cast_slice_mut;
use tautochrone_simd::vector::Compress;
use zeroize::Zeroize;

mod sealed {
    pub trait Sealed {}
}

/// An integer type that samples can have: `i8`, `i16`, `i32`, `i64`.
pub trait Sample: sealed::Sealed + Copy + Zeroize + 'static {
    /// Largest value, which the bound of a sampler must not exceed.
    const LIMIT: u64;
    /// The value, if it is known to fit.
    #[doc(hidden)]
    fn cut(value: i64) -> Self;
}

macro_rules! samples {
    ($($t:ty)*) => {$(
        impl sealed::Sealed for $t {}
        impl Sample for $t {
            const LIMIT: u64 = <$t>::MAX as u64;
            #[inline(always)]
            fn cut(value: i64) -> Self {
                value as $t
            }
        }
    )*};
}
samples!(i8 i16 i32 i64);

/// A [`Sample`] that holds the values of every sampler of any size: `i32`, `i64`.
pub trait WideSample: Sample + Default {
    /// Stores the `accepted` ones of the lanes at the front of `out`, in order, as
    /// [`Compress::compress_store`].
    #[doc(hidden)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]);
}

impl WideSample for i64 {
    #[inline(always)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]) {
        values.compress_store(accepted, cast_slice_mut(out));
    }
}

impl WideSample for i32 {
    #[inline(always)]
    fn compress<V: Compress>(values: V, accepted: u32, out: &mut [Self]) {
        values.compress_store_32(accepted, cast_slice_mut(out));
    }
}
