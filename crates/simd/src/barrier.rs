//! Barriers that keep a mask a mask.

/// The number itself; the compiler then knows nothing of it.
///
/// Masks of all ones or all zeros are how portable code selects without a branch. A compiler that
/// sees where they come from turns them back into a condition. Where the machine has an instruction
/// that selects, no branch need come of it; where it has none, as the first generations of s390x
/// and RISC-V, one does. There this is [`core::hint::black_box`]. On x86 and aarch64, which select,
/// it is nothing, and the compiled code is checked instead (docs/assurance.md). So it is on wasm32,
/// which has `select`; what engines make of that is not checked, and the package for it only
/// verifies.
#[inline(always)]
#[must_use]
pub const fn value_barrier(x: u64) -> u64 {
    if cfg!(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "wasm32"
    )) {
        x
    } else {
        core::hint::black_box(x)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_pass() {
        for x in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(super::value_barrier(x), x);
        }
    }
}
