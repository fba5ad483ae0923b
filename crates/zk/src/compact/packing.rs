//! T' in a file: columns of words of w - dT bits, least significant bit first, each column padded
//! with zero bits to whole bytes.

use crate::codec::bits::{BitReader, BitWriter};

/// Bytes of a column of `rows` words of `width` bits.
pub(super) const fn column_bytes(rows: usize, width: u32) -> usize {
    (rows * width as usize).div_ceil(8)
}

/// Packs columns of `rows` words, each below 2^`width`, `width` at most 64.
pub(super) fn pack(words: &[u64], rows: usize, width: u32) -> Vec<u8> {
    let columns = words.len() / rows;
    let mut bytes = Vec::with_capacity(columns * column_bytes(rows, width));
    for column in words.chunks_exact(rows) {
        let mut bits = BitWriter::with_capacity(column_bytes(rows, width) + 8);
        for &word in column {
            let low = width.min(32);
            bits.put(word & ((1 << low) - 1), low);
            bits.put(word >> low, width - low);
        }
        bytes.extend(bits.finish());
    }
    bytes
}

/// The words of columns packed by [`pack`]; `None` if there are bytes too many or too few for whole
/// columns, or if padding is not zero.
pub(super) fn unpack(bytes: &[u8], rows: usize, width: u32) -> Option<Vec<u64>> {
    let columns = bytes.chunks_exact(column_bytes(rows, width));
    if !columns.remainder().is_empty() {
        return None;
    }
    let mut words = Vec::with_capacity(rows * columns.len());
    for column in columns {
        let mut bits = BitReader::new(column);
        for _ in 0..rows {
            let low = width.min(32);
            let word = bits.take(low);
            words.push(word | bits.take(width - low) << low);
        }
        if !bits.ends_cleanly() {
            return None;
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            words in prop::collection::vec(any::<u64>(), 0..60),
            rows in 1_usize..12,
            width in 1_u32..=64,
            flip: prop::sample::Index,
        ) {
            let words: Vec<u64> = words[..words.len() / rows * rows]
                .iter()
                .map(|word| word >> (64 - width))
                .collect();
            let mut bytes = pack(&words, rows, width);
            prop_assert_eq!(bytes.len(), words.len() / rows * column_bytes(rows, width));
            prop_assert_eq!(unpack(&bytes, rows, width), Some(words.clone()));
            if !bytes.is_empty() {
                // A flipped bit is another word, or not accepted.
                let bit = flip.index(8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
                let in_column = bit % (8 * column_bytes(rows, width));
                let padding = in_column >= rows * width as usize;
                prop_assert_eq!(unpack(&bytes, rows, width).is_none(), padding);
                bytes.push(0);
                prop_assert!(column_bytes(rows, width) == 1 || unpack(&bytes, rows, width).is_none());
            }
        }
    }

    /// Words of three bits: 1, 6 and 5 are 101_110_001 from the top.
    #[test]
    fn the_lowest_bit_comes_first() {
        assert_eq!(pack(&[1, 6, 5], 3, 3), [0b0111_0001, 0b1]);
        assert_eq!(unpack(&[0b0111_0001, 0b1], 3, 3), Some(vec![1, 6, 5]));
        assert_eq!(unpack(&[0b0111_0001, 0b11], 3, 3), None);
    }
}
