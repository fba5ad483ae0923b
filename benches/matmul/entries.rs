//! Operands of the products that are timed.

/// Entries that fill `bits` bits (two's complement).
pub(crate) fn entries<T>(len: usize, bits: u32, from: impl Fn(i64) -> T) -> Vec<T> {
    let mut state = 1u64;
    let step = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from((state ^ state >> 29) as i64 >> (64 - bits))
    };
    (0..len).map(step).collect()
}
