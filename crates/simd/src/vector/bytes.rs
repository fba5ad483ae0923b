//! [`Bytes`]: moving bytes, double words and words within blocks of 128 bits; [`LookUpBytes`]:
//! tables of bytes in a register.

use core::array::from_fn;

use super::{Emulated, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers as blocks of 128 bits, each of two words of 64 bits, four double words, 16 bytes.
/// Every method does the same in each block.
pub trait Bytes: Vector {
    /// The same block everywhere.
    fn splat_128(token: Self::Token, words: [u64; 2]) -> Self;
    /// Byte i is the byte of self at the index that byte i of `indices` holds, if it is below 16,
    /// and zero if it is 0x80.
    fn shuffle_bytes(self, indices: Self) -> Self;
    /// (self_0, self_2, y_0, y_2), of double words.
    fn even_32(self, y: Self) -> Self;
    /// (self_1, self_3, y_1, y_3), of double words.
    fn odd_32(self, y: Self) -> Self;
    /// (self_0, y_0, self_1, y_1), of double words.
    fn interleave_low_32(self, y: Self) -> Self;
    /// (self_2, y_2, self_3, y_3), of double words.
    fn interleave_high_32(self, y: Self) -> Self;
    /// (self_0, y_0), of words.
    fn interleave_low_64(self, y: Self) -> Self;
    /// (self_1, y_1), of words.
    fn interleave_high_64(self, y: Self) -> Self;
    /// (self_1, y_0), of words.
    fn align_64(self, y: Self) -> Self;
    /// (self_1, self_0), of words.
    #[inline(always)]
    fn swap_64(self) -> Self {
        self.align_64(self)
    }
}

/// Registers of 64 bytes that can be indexed with secrets.
pub trait LookUpBytes: Vector {
    /// For every byte, the byte of `table` at the index that its low six bits say.
    fn look_up(self, table: Self) -> Self;
}

impl<const N: usize> Emulated<N> {
    /// Byte `i`.
    #[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
    fn byte(self, i: usize) -> u8 {
        (self.0[i / 8] >> (8 * (i % 8))) as u8
    }

    fn from_bytes(f: impl Fn(usize) -> u8) -> Self {
        Self(from_fn(|word| u64::from_le_bytes(from_fn(|i| f(8 * word + i)))))
    }

    /// The double words at indices `from` within a block of self and then of `y`.
    #[inline(never)]
    #[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
    fn double_words(self, y: Self, from: [usize; 4]) -> Self {
        let at = |i: usize| {
            let (block, index) = (i / 4 * 2, from[i % 4]);
            let register = if index < 4 { self } else { y };
            register.0[block + index % 4 / 2] >> (32 * (index % 2)) & u64::from(u32::MAX)
        };
        Self(from_fn(|word| at(2 * word) | at(2 * word + 1) << 32))
    }
}

/// All ones if a = b.
fn equal(a: u8, b: u8) -> u8 {
    (u16::from(a ^ b).wrapping_sub(1) >> 8) as u8
}

impl<const N: usize> Bytes for Emulated<N> {
    fn splat_128((): (), words: [u64; 2]) -> Self {
        Self(from_fn(|word| words[word & 1]))
    }
    #[inline(never)]
    fn shuffle_bytes(self, indices: Self) -> Self {
        // Every byte of the block is read, and at most one is selected.
        Self::from_bytes(|i| {
            let index = indices.byte(i);
            (0..16).fold(0, |selected, n| {
                selected | self.byte(i & !15 | usize::from(n)) & equal(index, n)
            })
        })
    }
    fn even_32(self, y: Self) -> Self {
        self.double_words(y, [0, 2, 4, 6])
    }
    fn odd_32(self, y: Self) -> Self {
        self.double_words(y, [1, 3, 5, 7])
    }
    fn interleave_low_32(self, y: Self) -> Self {
        self.double_words(y, [0, 4, 1, 5])
    }
    fn interleave_high_32(self, y: Self) -> Self {
        self.double_words(y, [2, 6, 3, 7])
    }
    fn interleave_low_64(self, y: Self) -> Self {
        self.double_words(y, [0, 1, 4, 5])
    }
    fn interleave_high_64(self, y: Self) -> Self {
        self.double_words(y, [2, 3, 6, 7])
    }
    fn align_64(self, y: Self) -> Self {
        self.double_words(y, [2, 3, 4, 5])
    }
}

impl LookUpBytes for Emulated<8> {
    #[inline(never)]
    fn look_up(self, table: Self) -> Self {
        // Every entry is read, and one is selected.
        Self::from_bytes(|i| {
            let index = self.byte(i) & 63;
            (0..64).fold(0, |selected, n| selected | table.byte(usize::from(n)) & equal(index, n))
        })
    }
}
