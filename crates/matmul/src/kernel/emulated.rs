//! The AMX kernel with its tiles in plain Rust: what `amx.rs` does in assembly, instruction by
//! instruction, so that packing, tile addresses and recombination are tested on every machine.
#![allow(unsafe_code)]

use super::block::{self, Pair, TILE, Task, Tile};
use crate::word::Word;

/// A tile register: 16 rows of 64 bytes.
type Register = [[u8; 64]; 16];

/// `tileloadd`: rows `stride` bytes apart.
///
/// # Safety
/// The rows are readable.
unsafe fn load(base: *const u8, stride: usize) -> Register {
    let mut tile = [[0; 64]; 16];
    for (i, row) in tile.iter_mut().enumerate() {
        // SAFETY: guaranteed by the caller.
        *row = unsafe { base.add(i * stride).cast::<[u8; 64]>().read_unaligned() };
    }
    tile
}

/// `tdpbsud` (Intel SDM volume 2): `c[m][n] += sum over k, i of signed a[m][4 k + i] unsigned
/// b[k][4 n + i]`.
fn multiply_add(c: &mut [[u32; 16]; 16], a: &Register, b: &Register) {
    for (c, a) in c.iter_mut().zip(a) {
        for (k, b) in b.iter().enumerate() {
            for (n, c) in c.iter_mut().enumerate() {
                for i in 0..4 {
                    let product = i32::from(a[4 * k + i] as i8) * i32::from(b[4 * n + i]);
                    *c = c.wrapping_add_signed(product);
                }
            }
        }
    }
}

/// `tilestored`: rows `stride` lanes apart.
fn store(tile: &[[u32; 16]; 16], out: &mut [u32], stride: usize) {
    for (row, out) in tile.iter().zip(out.chunks_mut(stride)) {
        out[..16].copy_from_slice(row);
    }
}

#[derive(Clone, Copy)]
struct Emulated;

impl Tile for Emulated {
    type Lane = u32;
    const ROWS: usize = 32;
    const COLUMNS: usize = 32;

    unsafe fn multiply(
        self,
        pairs: &[Pair],
        cells: usize,
        _: usize,
        _: usize,
        out: &mut [u32; TILE],
    ) {
        assert!(!pairs.is_empty() && cells > 0 && cells.is_multiple_of(16), "whole steps");
        let mut sums = [[[0; 16]; 16]; 4];
        for pair in pairs {
            for step in 0..cells / 16 {
                // SAFETY: the addresses of `amx.rs`, within panels of `cells` cells of X.
                let [a4, a5, b6, b7] = unsafe {
                    let (x, y) = (pair.x.add(2048 * step), pair.y.add(2048 * step));
                    [load(y, 64), load(y.add(1024), 64), load(x, 128), load(x.add(64), 128)]
                };
                multiply_add(&mut sums[0], &a4, &b6);
                multiply_add(&mut sums[1], &a4, &b7);
                multiply_add(&mut sums[2], &a5, &b6);
                multiply_add(&mut sums[3], &a5, &b7);
            }
        }
        store(&sums[0], out, 32);
        store(&sums[1], &mut out[16..], 32);
        store(&sums[2], &mut out[512..], 32);
        store(&sums[3], &mut out[528..], 32);
    }
}

/// Forms the tiles of a task of bytes.
pub(super) fn run<W: Word>(task: &Task<'_, W>) {
    // SAFETY: no special instructions; the rest is guaranteed by the maker of the task.
    unsafe { block::multiply(Emulated, task) }
}
