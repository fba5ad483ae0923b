//! Bit strings, least significant bit first within each byte.

/// The `width` bits from bit `start` on, 1 to 64 of them; beyond the end everything reads as zero.
#[inline]
pub(crate) fn field(bytes: &[u8], start: usize, width: u32) -> u64 {
    let rest = bytes.get(start >> 3..).unwrap_or_default();
    let mut word = [0; 16];
    let len = rest.len().min(word.len());
    word[..len].copy_from_slice(&rest[..len]);
    (u128::from_le_bytes(word) >> (start & 7)) as u64 & (u64::MAX >> (64 - width))
}

/// Whether what is behind so many bits in their last byte is zero.
#[must_use]
#[inline]
pub fn is_padded(bytes: &[u8], bits: usize) -> bool {
    let used = bits & 7;
    used == 0 || bytes[bits >> 3] >> used == 0
}
