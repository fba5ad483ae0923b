//! Bit strings, least significant bit first within each byte.

use alloc::vec;
use alloc::vec::Vec;

/// Appends bits to a byte vector.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self::onto(Vec::with_capacity(bytes))
    }

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
            // What did not fit. At least one bit was pending, as `width` < 64.
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
#[derive(Clone, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
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

/// Reads `count` numbers, each in unary: as many ones, then a zero. Numbers above 255 read as 255.
/// `None` unless `bytes` are exactly these, and zero bits up to a whole byte.
#[inline(always)]
pub(crate) fn read_unary(bytes: &[u8], count: usize) -> Option<Vec<u8>> {
    let (words, rest) = bytes.as_chunks();
    // A word has up to 64 numbers, all of which are written, although some may be padding.
    let mut numbers = vec![0; count + 64];
    let (mut found, mut carried) = (0, 0);
    for word in words {
        let numbers = numbers[found..].first_chunk_mut()?;
        found += word_of_unary(u64::from_le_bytes(*word), numbers, &mut carried);
    }
    // Ones beyond the end, where no number ends.
    let beyond = if rest.is_empty() { 0 } else { 64 - 8 * rest.len() };
    if beyond > 0 {
        let mut last = [u8::MAX; 8];
        last[..rest.len()].copy_from_slice(rest);
        let numbers = numbers[found..].first_chunk_mut()?;
        found += word_of_unary(u64::from_le_bytes(last), numbers, &mut carried);
    }
    let padding = numbers.get(count..found)?;
    let clean = padding.len() < 8 && padding.iter().all(|&number| number == 0);
    numbers.truncate(count);
    (clean && usize::from(carried) == beyond).then_some(numbers)
}

/// The numbers that end in a word, and how many they are. `carried` is the number of ones before
/// the word, and becomes that at its end, saturating.
#[inline(always)]
fn word_of_unary(word: u64, numbers: &mut [u8; 64], carried: &mut u8) -> usize {
    let mut zeros = !word;
    let count = zeros.count_ones() as usize;
    // Where numbers end, eight at a time: most words take the same few rounds, so that branches are
    // predicted. What follows the last one is not looked at.
    let mut ends = [0; 64];
    for ends in ends.as_chunks_mut::<8>().0.iter_mut().take(count.div_ceil(8)) {
        for end in ends {
            *end = zeros.trailing_zeros() as u8;
            zeros &= zeros.wrapping_sub(1);
        }
    }
    for i in 1..64 {
        numbers[i] = ends[i].wrapping_sub(ends[i - 1]).wrapping_sub(1);
    }
    numbers[0] = ends[0].saturating_add(*carried);
    *carried = match count {
        0 => carried.saturating_add(64),
        _ => 63 - ends[count - 1],
    };
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(fields in prop::collection::vec((any::<u64>(), 0_u32..=63), 0..200)) {
            let mut writer = BitWriter::default();
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

        #[test]
        fn unary_numbers_are_read(
            lengths in prop::collection::vec(0_u8..57, 0..200),
            more in 0_usize..3,
        ) {
            let mut writer = BitWriter::default();
            for &length in &lengths {
                for _ in 0..length {
                    writer.put(1, 1);
                }
                writer.put(0, 1);
            }
            let bytes = writer.finish();
            prop_assert_eq!(read_unary(&bytes, lengths.len()), Some(lengths.clone()));
            // Eight numbers more are more than the padding holds.
            prop_assert!(read_unary(&bytes, lengths.len() + 8).is_none());
            let longer = [bytes, vec![0; more]].concat();
            prop_assert_eq!(read_unary(&longer, lengths.len()).is_some(), more == 0);
        }
    }

    #[test]
    fn what_follows_unary_numbers_is_zero_padding() {
        for byte in 0..=u8::MAX {
            let third = (0..8).filter(|i| byte >> i & 1 == 0).nth(2);
            let expected = third.is_some_and(|third| u32::from(byte) >> (third + 1) == 0);
            for before in [0, 1, 7, 8, 15, 63] {
                // Bytes of one number each, to move the last one through a word.
                let bytes = [&vec![0x7f; before][..], &[byte]].concat();
                assert_eq!(read_unary(&bytes, before + 3).is_some(), expected, "{byte:08b}");
            }
        }
        assert_eq!(read_unary(&[], 0), Some(vec![]));
        assert_eq!(read_unary(&[0], 0), None);
        assert_eq!(read_unary(&[], 1), None);
        let long = [&[255; 40][..], &[0x3f]].concat();
        assert_eq!(read_unary(&long, 2), Some(vec![255, 0]), "326 ones");
        assert_eq!(read_unary(&long, 3), None);
        assert_eq!(read_unary(&[0; 8], 64), Some(vec![0; 64]));
        assert_eq!(read_unary(&[0; 9], 64), None);
        assert_eq!(read_unary(&[0; 24], 64), None);
        assert_eq!(read_unary(&[0, 0, 0, 0, 0, 0, 0, 128], 63), None);
        assert_eq!(read_unary(&[0xff; 8], 0), None);
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
