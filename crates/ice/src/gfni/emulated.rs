//! Registers as arrays of bytes, for checks where the instructions are missing: on other CPUs, and under valgrind, which
//! follows secrets through this code as it can not through AVX-512.

use super::vector::{Bytes, Columns, Lanes, Table, Wide, Words};
use crate::circuit::Plane;

/// A register of N bytes.
#[derive(Clone, Copy)]
pub(crate) struct Emulated<const N: usize>([u8; N]);

impl<const N: usize> Emulated<N> {
    fn zip(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn from_words(f: impl Fn(usize) -> u64) -> Self {
        Self(core::array::from_fn(|i| f(i / 8).to_le_bytes()[i % 8]))
    }

    fn word(self, i: usize) -> u64 {
        (0..8).fold(0, |word, n| word | u64::from(self.0[8 * i + n]) << (8 * n))
    }
}

/// Bit i is the parity of the bits of x that byte 7 - i of the matrix says.
fn affine(matrix: u64, x: u8, constant: u8) -> u8 {
    (0..8).fold(constant, |y, i| {
        let chosen = (matrix >> (8 * (7 - i))) as u8 & x;
        let parity = (0..8).fold(0, |sum, n| sum ^ chosen >> n & 1);
        y ^ parity << i
    })
}

fn multiply(a: u8, b: u8) -> u8 {
    crate::field::Field::Rijndael.multiply(a, b)
}

impl<const N: usize> Plane for Emulated<N> {
    fn splat(word: u64) -> Self {
        Self::from_words(|_| word)
    }
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const N: usize> Bytes for Emulated<N> {
    fn affine<const C: i32>(self, matrix: Self) -> Self {
        Self(core::array::from_fn(|i| affine(matrix.word(i / 8), self.0[i], C as u8)))
    }
    fn inverse_affine(self, matrix: Self) -> Self {
        // x^-1 = x^254, x^(2 + 4 + .. + 128).
        let inverse = |x: u8| {
            let (mut square, mut product) = (x, 1);
            for _ in 1..8 {
                square = multiply(square, square);
                product = multiply(product, square);
            }
            product
        };
        Self(self.0.map(inverse)).affine::<0>(matrix)
    }
    fn multiply(self, other: Self) -> Self {
        self.zip(other, multiply)
    }
}

impl<const N: usize> Columns for Emulated<N> {
    const BLOCKS: usize = N;
    fn load(blocks: &[[u8; 8]]) -> [[Self; 4]; 2] {
        let byte =
            |half: usize, j: usize| Self(core::array::from_fn(|i| blocks[i][4 * half + 3 - j]));
        [0, 1].map(|half| [byte(half, 0), byte(half, 1), byte(half, 2), byte(half, 3)])
    }
    fn store(halves: [[Self; 4]; 2], blocks: &mut [[u8; 8]]) {
        for (i, block) in blocks.iter_mut().enumerate() {
            *block = core::array::from_fn(|n| halves[n / 4][3 - n % 4].0[i]);
        }
    }
}

impl Wide for Emulated<64> {
    fn shift_right<const BITS: u32>(self) -> Self {
        Self::from_words(|i| self.word(i) >> BITS)
    }
    fn look_up(self, table: &Table) -> Self {
        // Every entry is read, one is kept.
        Self(self.0.map(|index| {
            table.0.iter().zip(0_u8..).fold(0, |kept, (&entry, i)| {
                let differ = u16::from((index ^ i) & 63);
                kept | entry & (differ.wrapping_sub(1) >> 8) as u8
            })
        }))
    }
}

impl Words for Emulated<32> {
    fn load(words: [u64; 4]) -> Self {
        Self::from_words(|i| words[i])
    }
    fn words(self) -> [u64; 4] {
        core::array::from_fn(|i| self.word(i))
    }
    fn swap_halves(self) -> Self {
        Self::from_words(|i| self.word(i ^ 2))
    }
    fn shuffle(self, order: [u64; 4]) -> Self {
        Lanes::shuffle(self, <Self as Words>::load(order))
    }
}

impl<const N: usize> Lanes for Emulated<N> {
    fn splat128(words: [u64; 2]) -> Self {
        Self::from_words(|i| words[i % 2])
    }
    fn swap(self) -> Self {
        Self::from_words(|i| self.word(i ^ 1))
    }
    fn followed_by(self, next: Self) -> Self {
        Self::from_words(|i| if i % 2 == 0 { self.word(i + 1) } else { next.word(i - 1) })
    }
    fn shuffle(self, order: Self) -> Self {
        // Every byte of the lane is read, one is kept at most.
        Self(core::array::from_fn(|i| {
            let lane = &self.0[i / 16 * 16..][..16];
            lane.iter().zip(0_u8..).fold(0, |kept, (&byte, n)| {
                let differ = u16::from(order.0[i] ^ n);
                kept | byte & (differ.wrapping_sub(1) >> 8) as u8
            })
        }))
    }
    fn load(blocks: &[[u8; 8]]) -> Self {
        Self::from_words(|i| u64::from_le_bytes(blocks[i / 2]))
    }
    fn store(self, blocks: &mut [[u8; 8]]) {
        for (i, block) in blocks.iter_mut().enumerate() {
            *block = self.word(2 * i).to_le_bytes();
        }
    }
}
