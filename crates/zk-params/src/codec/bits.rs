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

/// Reads bits; beyond the end everything reads as zero and [`BitReader::ends_cleanly`] tells.
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
    /// A reader of these bytes.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// The next 57 bits at least, without consuming them.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u64 {
        let at = (self.position >> 3) as usize;
        let word = if let Some(bytes) = self.bytes.get(at..at + 8) {
            u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
        } else {
            let mut last = [0; 8];
            let rest = self.bytes.get(at..).unwrap_or_default();
            last[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(last)
        };
        word >> (self.position & 7)
    }

    /// Leaves out the next `width` bits.
    #[inline(always)]
    pub(crate) fn skip(&mut self, width: u64) {
        self.position += width;
    }

    /// Takes `width` <= 56 bits.
    #[inline(always)]
    pub(crate) fn take(&mut self, width: u32) -> u64 {
        debug_assert!(width <= 56, "peek promises 57 bits");
        let value = self.peek() & ((1 << width) - 1);
        self.skip(width.into());
        value
    }

    /// Whether exactly all bytes were consumed and the padding bits of the last one are zero.
    pub(crate) fn ends_cleanly(&self) -> bool {
        self.position.div_ceil(8) == self.bytes.len() as u64
            && (self.position.is_multiple_of(8) || self.peek() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(fields in prop::collection::vec((any::<u64>(), 0_u32..=63), 0..200)) {
            let mut writer = BitWriter::onto(Vec::new());
            for &(value, width) in &fields {
                writer.put(value & ((1 << width) - 1), width);
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &(value, width) in &fields {
                let low = reader.take(width.min(56));
                let high = reader.take(width.saturating_sub(56));
                prop_assert_eq!(low | high << 56, value & ((1 << width) - 1));
            }
            prop_assert!(reader.ends_cleanly());
        }
    }

    #[test]
    fn padding_and_length_are_checked() {
        let mut reader = BitReader::new(&[0b101]);
        reader.skip(3);
        assert!(reader.ends_cleanly());
        let mut reader = BitReader::new(&[0b1101]);
        reader.skip(3);
        assert!(!reader.ends_cleanly(), "a padding bit is set");
        let mut reader = BitReader::new(&[0, 0]);
        reader.skip(8);
        assert!(!reader.ends_cleanly(), "a byte too many");
        reader.skip(9);
        assert!(!reader.ends_cleanly(), "a bit too few");
    }
}
