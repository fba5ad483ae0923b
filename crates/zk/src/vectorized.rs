//! Plain loops, compiled for the CPU's vectors.

use tautochrone_simd::Isa;

/// Runs a loop as it is compiled for the widest vectors that there are. `f` is a closure marked
/// `#[inline(always)]`.
#[inline(always)]
pub(crate) fn vectorized<T>(f: impl FnOnce() -> T) -> T {
    Isa::detect_vectors().vectorize(f)
}
