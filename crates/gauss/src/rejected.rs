//! [`rejected`]: what is to be tried once more.

/// Which of the first `len` trials were rejected, in ascending order: those whose bit of `accepted`,
/// whole groups of eight bytes, is not set. The bits are public.
pub(crate) fn rejected(len: usize, accepted: &[u8]) -> impl Iterator<Item = usize> {
    (0..).step_by(64).zip(accepted.as_chunks().0).flat_map(move |(start, accepted)| {
        let asked = len.saturating_sub(start).min(64) as u32;
        let mut bits = !u64::from_le_bytes(*accepted) & u64::MAX.unbounded_shr(64 - asked);
        core::iter::from_fn(move || {
            let i = start + bits.trailing_zeros() as usize;
            let more = bits != 0;
            bits &= bits.wrapping_sub(1);
            more.then_some(i)
        })
    })
}
