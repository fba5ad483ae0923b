//! Bit strings, least significant bit first within each byte.

use alloc::vec::Vec;

/// Appends bits to a byte vector.
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// A writer that appends to these bytes.
    pub(crate) const fn onto(bytes: Vec<u8>) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// Appends the low `width` <= 63 bits of `value`; higher bits must be zero.
    #[inline(always)]
    pub(crate) fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 63 && value >> width == 0, "value fits its width");
        self.pending |= value << self.count;
        let count = self.count + width;
        if count < 64 {
            self.count = count;
        } else {
            self.bytes.extend_from_slice(&self.pending.to_le_bytes());
            // The bits that did not fit. At least one bit was pending, as `width` < 64.
            self.pending = value >> (64 - self.count);
            self.count = count - 64;
        }
    }

    /// Pads with zero bits to a whole number of bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let rest = self.count.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..rest]);
        self.bytes
    }
}

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
