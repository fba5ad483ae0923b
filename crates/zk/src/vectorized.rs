//! Plain loops, compiled for the CPU's vectors.

use tautochrone_simd::{Isa, Token};

/// Runs a loop as it is compiled for AVX2, where there is AVX2. `f` is a closure marked
/// `#[inline(always)]`.
#[inline(always)]
pub(crate) fn vectorized<T>(f: impl FnOnce() -> T) -> T {
    match Isa::detect_vectors().avx2() {
        Some(token) => token.vectorize(f),
        None => f(),
    }
}
