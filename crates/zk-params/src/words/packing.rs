//! Columns of T in a file: words of `width` = w - dT bits, least significant bit first, each column
//! padded with zero bits to whole bytes. Words of 32 or 64 bits are little-endian integers then.

mod unpack;

use alloc::vec::Vec;

use super::Word;

pub(super) use unpack::unpack_words;

/// Bytes of a column of `rows` words of `width` bits.
pub(crate) const fn column_bytes(rows: usize, width: u32) -> usize {
    (rows * width as usize).div_ceil(8)
}

/// [`Word::pack`].
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
pub(super) fn pack_words<W: Word>(words: &[W], rows: usize, width: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(words.len() / rows * column_bytes(rows, width) + 8);
    for column in words.chunks_exact(rows) {
        match width {
            ..=15 => pack_column::<W, 4>(&mut bytes, column, width),
            16..=31 => pack_column::<W, 2>(&mut bytes, column, width),
            _ => pack_column::<W, 1>(&mut bytes, column, width),
        }
    }
    bytes
}

/// Appends a column, `N` words at a time, which have 64 bits at most.
fn pack_column<W: Word, const N: usize>(bytes: &mut Vec<u8>, column: &[W], width: u32) {
    let (mut pending, mut count) = (0_u128, 0);
    let mut put = |joined: u64, bits: u32| {
        pending |= u128::from(joined) << count;
        count += bits;
        if count >= 64 {
            bytes.extend_from_slice(&(pending as u64).to_le_bytes());
            (pending, count) = (pending >> 64, count - 64);
        }
    };
    let (groups, rest) = column.as_chunks::<N>();
    for group in groups {
        let words = (0..).zip(group);
        put(words.fold(0, |all, (i, word)| all | word.to_u64() << (i * width)), N as u32 * width);
    }
    for word in rest {
        put(word.to_u64(), width);
    }
    let rest = count.div_ceil(8) as usize;
    bytes.extend_from_slice(&(pending as u64).to_le_bytes()[..rest]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unpacked(bytes: &[u8], rows: usize, width: u32) -> Option<Vec<u64>> {
        let mut words = vec![0; bytes.len() / column_bytes(rows, width) * rows];
        Word::unpack(bytes, rows, width, &mut words).then_some(words)
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            words in prop::collection::vec(any::<u64>(), 0..90),
            rows in 1_usize..40,
            width in 1_u32..=64,
        ) {
            let words: Vec<u64> = words[..words.len() / rows * rows]
                .iter()
                .map(|word| word >> (64 - width))
                .collect();
            let bytes = Word::pack(&words, rows, width);
            prop_assert_eq!(bytes.len(), words.len() / rows * column_bytes(rows, width));
            // By the definition.
            for (j, column) in bytes.chunks_exact(column_bytes(rows, width)).enumerate() {
                for i in 0..rows * width as usize {
                    let bit = words[j * rows + i / width as usize] >> (i % width as usize) & 1;
                    prop_assert_eq!(u64::from(column[i / 8] >> (i % 8) & 1), bit);
                }
            }
            prop_assert_eq!(unpacked(&bytes, rows, width), Some(words));
        }
    }

    /// Words of three bits: 1, 6 and 5 are 101_110_001 from the top.
    #[test]
    fn the_lowest_bit_comes_first() {
        assert_eq!(Word::pack(&[1_u16, 6, 5], 3, 3), [0b0111_0001, 0b1]);
        assert_eq!(unpacked(&[0b0111_0001, 0b1], 3, 3), Some(vec![1, 6, 5]));
        assert_eq!(unpacked(&[0b0111_0001, 0b11], 3, 3), None);
    }

    #[test]
    fn whole_words_are_little_endian() {
        assert_eq!(Word::pack(&[0x0403_0201_u32, 5], 2, 32), [1, 2, 3, 4, 5, 0, 0, 0]);
        assert_eq!(Word::pack(&[0x0807_0605_0403_0201_u64], 1, 64), [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
