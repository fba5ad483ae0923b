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
