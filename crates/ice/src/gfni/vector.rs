//! What the kernels need of a register.

use crate::circuit::Plane;

// Kernels avoid closures and `array::map`: what is not inlined into the function that enables the instructions is compiled
// without them, and costs many times its work.

/// A register of bytes.
pub(crate) trait Bytes: Plane {
    /// Where `self` has ones the bits of `one`, elsewhere those of `zero`.
    #[inline(always)]
    fn select(self, one: Self, zero: Self) -> Self {
        one.xor(zero).and(self).xor(zero)
    }
    /// self ^ (value & mask).
    #[inline(always)]
    fn add_masked(self, value: Self, mask: Self) -> Self {
        self.xor(value.and(mask))
    }
    /// self ^ a ^ b.
    #[inline(always)]
    fn add2(self, a: Self, b: Self) -> Self {
        self.xor(a.xor(b))
    }
    /// Of every byte x, A x + C; A is the matrix in the same 64-bit word of `matrix` ([`matrix`](super::layout::matrix)).
    fn affine<const C: i32>(self, matrix: Self) -> Self;
    /// Of every byte x, A x^-1, where 0^-1 = 0.
    fn inverse_affine(self, matrix: Self) -> Self;
    /// Byte by byte, the product in GF(2^8).
    fn multiply(self, other: Self) -> Self;
}

/// Registers that hold one byte of many blocks, one of each.
pub(crate) trait Columns: Bytes {
    /// How many.
    const BLOCKS: usize;
    /// Of `BLOCKS` blocks: bytes b0 to b3 of the left half and of the right one. The order of blocks is the register's own.
    fn load(blocks: &[[u8; 8]]) -> [[Self; 4]; 2];
    /// The inverse of [`Self::load`].
    fn store(halves: [[Self; 4]; 2], blocks: &mut [[u8; 8]]);
}

/// Sixty-four bytes for a look-up.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Table(pub(crate) [u8; 64]);

/// Registers of 64 bytes, which can hold a table.
pub(crate) trait Wide: Columns {
    /// Bits of every 64-bit word to the right.
    fn shift_right<const N: u32>(self) -> Self;
    /// Of every byte, the entry of the table that its low six bits say.
    fn look_up(self, table: &Table) -> Self;
}

/// Registers of four words in two halves, in which keys are made.
pub(crate) trait Words: Bytes {
    fn load(words: [u64; 4]) -> Self;
    fn words(self) -> [u64; 4];
    fn swap_halves(self) -> Self;
    /// Within each half, the bytes that `order` says, less than 16.
    fn shuffle(self, order: [u64; 4]) -> Self;
}

/// Registers that hold one block in each lane of 128 bits: two words.
pub(crate) trait Lanes: Bytes {
    /// The same words in every lane.
    fn splat128(words: [u64; 2]) -> Self;
    /// The words of every lane exchanged.
    fn swap(self) -> Self;
    /// The second word of every lane and the first of `next`.
    fn followed_by(self, next: Self) -> Self;
    /// Within every lane, the bytes that `order` says, less than 16, or 0 for 0x80.
    fn shuffle(self, order: Self) -> Self;
    /// As many blocks as there are lanes, each in both words of its lane.
    fn load(blocks: &[[u8; 8]]) -> Self;
    /// The inverse of [`Self::load`], from the first words.
    fn store(self, blocks: &mut [[u8; 8]]);
}
