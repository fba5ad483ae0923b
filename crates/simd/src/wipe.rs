//! Erasing secrets.

/// Overwrites secrets with `zero` at the speed of `memset`, behind a barrier that keeps the compiler
/// from dropping the stores. `zero` is whatever the type has for nothing.
#[inline]
pub fn wipe<T: Copy>(secrets: &mut [T], zero: T) {
    secrets.fill(zero);
    zeroize::optimization_barrier(secrets);
}

#[cfg(test)]
mod tests {
    use super::wipe;

    #[test]
    fn everything_is_overwritten() {
        let mut secrets = [3_u16; 37];
        wipe(&mut secrets[1..36], 0);
        assert_eq!(secrets.iter().map(|&x| u32::from(x)).sum::<u32>(), 6);
    }
}
