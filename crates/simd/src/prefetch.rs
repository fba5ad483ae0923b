//! [`prefetch`]: a hint to the cache.
#![allow(unsafe_code)]

/// Asks for the cache lines of `data`, which will be read soon, in the first level; nothing on
/// architectures other than x86-64. For data that hardware does not foresee: rows of a matrix that
/// lie a page apart, for instance.
///
/// # Constant time
/// The address must be public, as the address of any load.
#[inline(always)]
pub fn prefetch<T>(data: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = data.as_ptr().cast::<i8>();
        // A line begins at most 63 bytes before the data.
        let first = start.addr() & 63;
        for offset in (0..first + size_of_val(data)).step_by(64) {
            // SAFETY: every x86-64 has the instruction, and it may have any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset).wrapping_sub(first)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = data;
}
