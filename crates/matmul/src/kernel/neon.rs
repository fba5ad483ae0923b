//! 128-bit registers: `udot`, four products of unsigned bytes to a lane, by a lane of Y.
#![allow(unsafe_code)]

use core::arch::aarch64::*;
use core::arch::asm;

use tautochrone_simd::DotProd;

use super::block::{self, Operands, TILE, Task, Tile};
use super::table::UDOT;
use crate::word::Word;

/// Rows and columns of a tile.
const ROWS: usize = UDOT.0;
const COLUMNS: usize = UDOT.1;

/// Bytes of a cell.
const CELL: usize = 4;

/// `sum + x y`, of the four bytes of lane `LANE` of y with the bytes of every lane of x. (The
/// intrinsic is not stable.)
#[target_feature(enable = "dotprod")]
#[inline]
fn dot<const LANE: u32>(mut sum: uint32x4_t, x: uint8x16_t, y: uint8x16_t) -> uint32x4_t {
    // SAFETY: registers go in and one comes out, nothing else.
    unsafe {
        asm!(
            "udot {sum:v}.4s, {x:v}.16b, {y:v}.4b[{lane}]",
            sum = inout(vreg) sum,
            x = in(vreg) x,
            y = in(vreg) y,
            lane = const LANE,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

/// `M` registers of four rows by `N` registers of four columns.
///
/// # Safety
/// As [`Tile::multiply`]; `4 M <= ROWS`, `4 N <= COLUMNS`.
#[target_feature(enable = "dotprod")]
#[inline]
unsafe fn accumulate<const M: usize, const N: usize>(
    operands: &Operands<'_>,
    out: &mut [u32; TILE],
) {
    const { assert!(4 * M <= ROWS && 4 * N <= COLUMNS) };
    let mut sums = [[[vdupq_n_u32(0); M]; 4]; N];
    for pair in operands.pairs {
        let (mut x, mut y) = (pair.x, pair.y);
        for _ in 0..operands.cells {
            let mut rows = [vdupq_n_u8(0); M];
            for (i, row) in rows.iter_mut().enumerate() {
                // SAFETY: a cell of X has `ROWS` lines, by the caller.
                *row = unsafe { vld1q_u8(x.add(16 * i)) };
            }
            for (j, [first, second, third, fourth]) in sums.iter_mut().enumerate() {
                // SAFETY: a cell of Y has `COLUMNS` lines, by the caller.
                let columns = unsafe { vld1q_u8(y.add(16 * j)) };
                for (i, &row) in rows.iter().enumerate() {
                    first[i] = dot::<0>(first[i], row, columns);
                    second[i] = dot::<1>(second[i], row, columns);
                    third[i] = dot::<2>(third[i], row, columns);
                    fourth[i] = dot::<3>(fourth[i], row, columns);
                }
            }
            // SAFETY: there are so many cells, by the caller.
            (x, y) = unsafe { (x.add(ROWS * CELL), y.add(COLUMNS * CELL)) };
        }
    }
    let columns = out.as_chunks_mut::<ROWS>().0;
    for (column, sums) in columns.iter_mut().zip(sums.as_flattened()) {
        for (to, &sum) in column.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            // SAFETY: four words.
            unsafe { vst1q_u32(to.as_mut_ptr(), sum) }
        }
    }
}

/// Bytes, unsigned in X and in Y.
#[derive(Clone, Copy)]
struct Bytes(DotProd);

impl Tile for Bytes {
    type Lane = u32;

    #[inline(always)]
    unsafe fn multiply(&self, operands: &Operands<'_>, out: &mut [u32; TILE]) {
        // SAFETY: guaranteed by the caller; the token proves the instructions.
        unsafe {
            match (operands.rows <= 4, operands.columns) {
                (true, ..=4) => accumulate::<1, 1>(operands, out),
                (true, _) => accumulate::<1, 3>(operands, out),
                (false, ..=4) => accumulate::<2, 1>(operands, out),
                (false, ..=8) => accumulate::<2, 2>(operands, out),
                (false, _) => accumulate::<2, 3>(operands, out),
            }
        }
    }
}

/// Forms the tiles of a task.
///
/// # Safety
/// As `block::multiply`.
#[target_feature(enable = "dotprod")]
pub(super) unsafe fn run<W: Word>(token: DotProd, task: &Task<'_, W>) {
    // SAFETY: guaranteed by the caller.
    unsafe { block::multiply::<_, _, ROWS>(&Bytes(token), task) }
}
