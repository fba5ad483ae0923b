//! Registers of a tile: how panels are read into them, multiplied and summed.
//!
//! These registers differ from the types of `simd::vector`. Their methods are unsafe, since they
//! read panels by address, and they are as many sums as the register file holds, for which the
//! compiler must see raw registers in an array; a token is handed to every method that makes one.
#![allow(unsafe_code)]

use tautochrone_simd::Token;

#[cfg(doc)]
use super::block::Tile;
use super::block::{Lane, Operands, TILE};
#[cfg(doc)]
use crate::digits::Method;

/// A step of X in registers, and what the same step of Y does to it.
pub(super) trait Register: Copy {
    /// Proof that the instructions exist.
    type Token: Token;
    /// A step of Y, in every lane.
    type Y: Copy;
    /// An accumulator of as many lanes as a register has.
    type Sum: Copy;
    type Lane: Lane;
    const LANES: usize;
    /// Bytes of a cell.
    const CELL: usize;
    /// Cells of a step.
    const STEP: usize;
    /// # Safety
    /// `from` points to `STEP` times `LANES` cells, `stride` bytes apart; the instructions exist
    /// (here and below: by the token).
    unsafe fn load(token: Self::Token, from: *const u8, stride: usize) -> Self;
    /// # Safety
    /// `from` points to `STEP` cells, `stride` bytes apart; the instructions exist.
    unsafe fn broadcast(token: Self::Token, from: *const u8, stride: usize) -> Self::Y;
    /// # Safety
    /// The instructions exist.
    unsafe fn zero(token: Self::Token) -> Self::Sum;
    /// `sum + x y`, up to terms of x alone and of y alone.
    ///
    /// # Safety
    /// The instructions exist.
    unsafe fn multiply_add(self, sum: Self::Sum, y: Self::Y) -> Self::Sum;
    /// # Safety
    /// `to` is valid for `LANES` lanes; the instructions exist.
    unsafe fn store(sum: Self::Sum, to: *mut Self::Lane);
}

/// Loads and products of registers that multiply term by term, in cells of `$cell`, for an `impl` of
/// [`Register`].
#[cfg(target_arch = "x86_64")]
macro_rules! direct {
    (
        $token:ty, $vector:ty, $load:ident, $cell:ty, $set:ident,
        |$sum:ident, $x:ident, $y:ident| $body:expr
    ) => {
        type Y = $vector;
        const STEP: usize = 1;

        #[inline(always)]
        unsafe fn load(_: $token, from: *const u8, _: usize) -> Self {
            // SAFETY: a readable register, by the caller.
            Self(unsafe { $load(from.cast()) })
        }

        #[inline(always)]
        unsafe fn broadcast(_: $token, from: *const u8, _: usize) -> $vector {
            // SAFETY: a readable cell, by the caller.
            unsafe { $set(from.cast::<$cell>().read_unaligned()) }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, $sum: Self::Sum, $y: $vector) -> Self::Sum {
            let $x = self.0;
            // SAFETY: `load` had the token for the instructions.
            unsafe { $body }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use direct;

/// The same for registers that multiply two terms at a time ([`Method::Winograd`]): `$body` adds `a
/// b` to the sum, where `a` is `x + y'` and `b` is `x' + y`.
#[cfg(target_arch = "x86_64")]
macro_rules! winograd {
    (
        $token:ty, $vector:ty, $load:ident, $cell:ty, $set:ident, $add:ident,
        |$sum:pat_param, $a:ident, $b:ident| $body:expr
    ) => {
        type Y = ($vector, $vector);
        const STEP: usize = 2;

        #[inline(always)]
        unsafe fn load(_: $token, from: *const u8, stride: usize) -> Self {
            // SAFETY: two readable registers, by the caller.
            unsafe { Self($load(from.cast()), $load(from.add(stride).cast())) }
        }

        #[inline(always)]
        unsafe fn broadcast(_: $token, from: *const u8, stride: usize) -> Self::Y {
            // SAFETY: two readable cells, by the caller.
            unsafe {
                let next = from.add(stride);
                (
                    $set(from.cast::<$cell>().read_unaligned()),
                    $set(next.cast::<$cell>().read_unaligned()),
                )
            }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, $sum: Self::Sum, y: Self::Y) -> Self::Sum {
            // SAFETY: `load` had the token for the instructions.
            unsafe {
                let ($a, $b) = ($add(self.0, y.1), $add(self.1, y.0));
                $body
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use winograd;

/// `M` registers of rows by `N` columns, from panels of `x_lines` and `y_lines` lines.
///
/// # Safety
/// As [`Tile::multiply`]; `M * V::LANES <= x_lines`, `N <= y_lines`, `x_lines * N <= TILE`, `cells`
/// a multiple of `V::STEP`.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) unsafe fn accumulate<V: Register, const M: usize, const N: usize>(
    token: V::Token,
    operands: &Operands<'_>,
    (x_lines, y_lines): (usize, usize),
    out: &mut [V::Lane; TILE],
) {
    let (x_stride, y_stride) = (x_lines * V::CELL, y_lines * V::CELL);
    // SAFETY: every access lies in the panels, whose cells are `x_stride` and `y_stride` bytes
    // apart, or in the first `N * x_lines` lanes of `out`.
    unsafe {
        let mut sums = [[V::zero(token); M]; N];
        for pair in operands.pairs {
            let (mut x, mut y) = (pair.x, pair.y);
            for _ in 0..operands.cells / V::STEP {
                let mut registers = [V::load(token, x, x_stride); M];
                let mut i = 1;
                while i < M {
                    registers[i] = V::load(token, x.add(i * V::LANES * V::CELL), x_stride);
                    i += 1;
                }
                let mut j = 0;
                while j < N {
                    let column = V::broadcast(token, y.add(j * V::CELL), y_stride);
                    let mut i = 0;
                    while i < M {
                        sums[j][i] = registers[i].multiply_add(sums[j][i], column);
                        i += 1;
                    }
                    j += 1;
                }
                x = x.add(V::STEP * x_stride);
                y = y.add(V::STEP * y_stride);
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            for (i, sum) in sums.iter().enumerate() {
                V::store(*sum, out.as_mut_ptr().add(j * x_lines + i * V::LANES));
            }
        }
    }
}
