//! AMX tiles in plain Rust: what `amx.rs` does in assembly, instruction by instruction, so that
//! packing, schedules, tile addresses and recombination are tested on every machine.
#![allow(unsafe_code)]

use super::schedule::{CELLS, Entry, LINES, SUMS, TILE, what};
use super::{Level, Operands, Sums, Tiles, Update};
use crate::kernel::Task;
use crate::word::Word;

/// A tile register: 16 rows of 64 bytes.
type Register = [[u8; 64]; 16];

/// `tileloadd` of a tile whose rows are adjacent.
///
/// # Safety
/// The tile is readable.
unsafe fn load(base: *const u8) -> Register {
    // SAFETY: guaranteed by the caller.
    unsafe { base.cast::<Register>().read_unaligned() }
}

/// `tdpb**d` (Intel SDM volume 2): `c[m][n] += sum over k, i of a[m][4 k + i] b[k][4 n + i]`.
fn multiply_add(c: &mut [u32; CELLS], a: &Register, b: &Register, operands: &Operands) {
    let digit = |byte: u8, signed| if signed { i32::from(byte as i8) } else { byte.into() };
    for (c, a) in c.chunks_exact_mut(16).zip(a) {
        for (k, b) in b.iter().enumerate() {
            for (n, c) in c.iter_mut().enumerate() {
                for i in 0..4 {
                    let y = digit(a[4 * k + i], operands.y_signed);
                    *c = c.wrapping_add_signed(y * digit(b[4 * n + i], operands.x_signed));
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Emulated;

impl Tiles for Emulated {
    unsafe fn quad(self, operands: &Operands, two: bool, sums: &mut Sums) {
        *sums = [[0; CELLS]; SUMS];
        for (segment, step) in operands.segments.steps() {
            for (c, sum) in sums.iter_mut().enumerate().filter(|(c, _)| two || c % 2 == 0) {
                // SAFETY: guaranteed by the caller.
                let [y, x] = unsafe {
                    let y = segment.y[c / 2].add(step * operands.y_step);
                    [load(y), load(segment.x[c % 2].add(step * operands.x_step))]
                };
                multiply_add(sum, &y, &x, operands);
            }
        }
    }

    unsafe fn double(self, operands: &Operands, sums: &mut Sums) {
        *sums = [[0; CELLS]; SUMS];
        for (segment, step) in operands.segments.steps() {
            for (panel, sums) in sums.chunks_exact_mut(2).enumerate() {
                // SAFETY: guaranteed by the caller.
                let ([y0, y1], [x0, x1]) = unsafe {
                    let y = segment.y[0].add(step * operands.y_step);
                    let x = segment.x[panel].add(step * operands.x_step);
                    ([load(y), load(y.add(TILE))], [load(x), load(x.add(TILE))])
                };
                multiply_add(&mut sums[0], &y0, &x0, operands);
                multiply_add(&mut sums[1], &y1, &x0, operands);
                multiply_add(&mut sums[1], &y0, &x1, operands);
            }
        }
    }

    unsafe fn window(self, operands: &Operands, entries: &[Entry], sums: &mut Sums) {
        *sums = [[0; CELLS]; SUMS];
        let (mut y, mut x) = ([[0; 64]; 16], [[[0; 64]; 16]; 3]);
        for (segment, step) in operands.segments.steps() {
            for entry in entries {
                let has = |bit| entry.what & bit != 0;
                if has(what::LOAD_Y) {
                    let at = step * operands.y_step + entry.y as usize;
                    // SAFETY: guaranteed by the caller.
                    y = unsafe { load(segment.y[0].add(at)) };
                }
                for c in [3, 2, 1] {
                    if has(what::product(c)) {
                        multiply_add(&mut sums[c], &y, &x[3 - c], operands);
                    }
                }
                if has(what::LOAD_X) {
                    let at = step * operands.x_step + entry.x as usize;
                    // SAFETY: guaranteed by the caller.
                    x[0] = unsafe { load(segment.x[0].add(at)) };
                }
                if has(what::product(0)) {
                    multiply_add(&mut sums[0], &y, &x[0], operands);
                }
                x.rotate_left(1);
            }
        }
    }

    fn prefetch(self, _: *const u8, _: usize, _: Level) {}

    fn join<W: Word, const N: usize>(
        self,
        lanes: [&[u32; LINES]; N],
        update: &Update<'_, W>,
        z: &mut [W],
    ) {
        for (r, z) in z.iter_mut().enumerate() {
            let mut sum = update.further.map_or_else(W::default, |further| further[r]);
            for (k, lanes) in lanes.iter().enumerate() {
                sum = sum.wrapping_add(W::from_sum(lanes[r], 8 * k as u32));
            }
            let sum = if update.store { sum } else { z.wrapping_add(sum) };
            *z = sum.and(update.residues);
        }
    }
}

/// Forms the tiles of a task of bytes.
pub(in crate::kernel) fn run<W: Word>(task: &Task<'_, W>) {
    // SAFETY: no special instructions; the rest is guaranteed by the maker of the task.
    unsafe { super::multiply(Emulated, task) }
}
