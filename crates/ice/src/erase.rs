//! Erasing secrets.

/// Overwrites secrets with `zero`, in a way that the compiler keeps.
pub(crate) fn erase<T: Copy>(secrets: &mut [T], zero: T) {
    secrets.fill(zero);
    zeroize::optimization_barrier(secrets);
}
