//! [`Gf2p8`]: arithmetic and affine maps of bytes.

use super::pair::both;
use super::{Emulated, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers of bytes in GF(2^8) = GF(2)\[x\] / (x^8 + x^4 + x^3 + x + 1), the field of AES. A bit
/// matrix A is a lane of 64 bits: byte 7 - i masks the bits of the argument whose sum is bit i of
/// the result.
pub trait Gf2p8: Vector {
    /// A x + `C` for every byte x, A being the same lane of `matrix`; 0 <= `C` < 256.
    fn affine<const C: i32>(self, matrix: Self) -> Self;
    /// A x^-1 for every byte x, where 0^-1 = 0.
    fn inverse_affine(self, matrix: Self) -> Self;
    /// Byte by byte, the product in the field.
    fn multiply(self, y: Self) -> Self;
}

/// a b in the field.
fn product(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |sum: u8, bit| {
        let reduced = sum << 1 ^ (sum >> 7).wrapping_neg() & 0x1b;
        reduced ^ (b >> bit & 1).wrapping_neg() & a
    })
}

/// x^254.
fn inverse(x: u8) -> u8 {
    let (mut square, mut inverse) = (x, 1);
    for _ in 1..8 {
        square = product(square, square);
        inverse = product(inverse, square);
    }
    inverse
}

fn affine(matrix: [u8; 8], x: u8, constant: u8) -> u8 {
    (0..8).fold(constant, |y, i| {
        let chosen = matrix[7 - i] & x;
        let parity = (0..8).fold(0, |sum, bit| sum ^ chosen >> bit & 1);
        y ^ parity << i
    })
}

impl<const N: usize> Emulated<N> {
    #[inline(never)]
    fn zip_bytes(self, y: Self, f: impl Fn([u8; 8], [u8; 8]) -> [u8; 8]) -> Self {
        self.zip(y, |x, y| u64::from_le_bytes(f(x.to_le_bytes(), y.to_le_bytes())))
    }
}

impl<const N: usize> Gf2p8 for Emulated<N> {
    fn affine<const C: i32>(self, matrix: Self) -> Self {
        self.zip_bytes(matrix, |x, matrix| x.map(|x| affine(matrix, x, C as u8)))
    }
    fn inverse_affine(self, matrix: Self) -> Self {
        self.zip_bytes(matrix, |x, matrix| x.map(|x| affine(matrix, inverse(x), 0)))
    }
    fn multiply(self, y: Self) -> Self {
        self.zip_bytes(y, |x, y| core::array::from_fn(|i| product(x[i], y[i])))
    }
}

impl<V: Gf2p8> Gf2p8 for Pair<V> {
    both! {
        affine<const C: i32>(matrix);
        inverse_affine(matrix);
        multiply(y);
    }
}
