//! Tiles in plain Rust, which the compiler vectorises as far as the baseline goes.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use super::block::{self, Lane, Operands, TILE, Task, Tile};
use crate::digits::Digit;
use crate::word::Word;

/// Rows and columns of a tile.
pub(super) const TILE_OF_SUMS: (usize, usize) = (ROWS, COLUMNS);
const ROWS: usize = 8;
const COLUMNS: usize = 4;

/// A cell, and how two of them multiply.
///
/// Packed digits are little-endian on every machine, so that big-endian ones turn them around here.
trait Cell: Copy {
    type Lane: Lane;
    fn multiply_add(sum: Self::Lane, x: Self, y: Self) -> Self::Lane;
}

impl Cell for [i16; 2] {
    type Lane = u32;
    #[inline(always)]
    fn multiply_add(sum: u32, x: Self, y: Self) -> u32 {
        let product = |i: usize| i32::from(i16::from_le(x[i])) * i32::from(i16::from_le(y[i]));
        sum.wrapping_add_signed(product(0).wrapping_add(product(1)))
    }
}

macro_rules! word {
    ($($t:ty)*) => {$(
        impl Cell for $t {
            type Lane = Self;
            #[inline(always)]
            fn multiply_add(sum: Self, x: Self, y: Self) -> Self {
                sum.wrapping_add(Self::from_le(x).wrapping_mul(Self::from_le(y)))
            }
        }
    )*};
}

word!(u32 u64);

/// The tile of cells `C`.
#[derive(Clone, Copy)]
struct Plain<C>(PhantomData<C>);

impl<C: Cell> Tile for Plain<C> {
    type Lane = C::Lane;

    unsafe fn multiply(&self, operands: &Operands<'_>, out: &mut [C::Lane; TILE]) {
        let cells = operands.cells;
        let mut sums = [[C::Lane::default(); ROWS]; COLUMNS];
        for pair in operands.pairs {
            // SAFETY: a panel of `cells` cells of `ROWS` lines; any bytes make a cell.
            let x = unsafe { core::slice::from_raw_parts(pair.x.cast::<[C; ROWS]>(), cells) };
            // SAFETY: as above, of `COLUMNS` lines.
            let y = unsafe { core::slice::from_raw_parts(pair.y.cast::<[C; COLUMNS]>(), cells) };
            for (x, y) in x.iter().zip(y) {
                for (sums, y) in sums.iter_mut().zip(y) {
                    for (sum, x) in sums.iter_mut().zip(x) {
                        *sum = C::multiply_add(*sum, *x, *y);
                    }
                }
            }
        }
        out[..ROWS * COLUMNS].copy_from_slice(sums.as_flattened());
    }
}

/// Forms the tiles of a task.
pub(super) fn run<W: Word>(digit: Digit, task: &Task<'_, W>) {
    let tile: &dyn Tile<Lane = u32> = match digit {
        Digit::Half => &Plain::<[i16; 2]>(PhantomData),
        Digit::Word => &Plain::<u32>(PhantomData),
        Digit::Double => return multiply(&Plain::<u64>(PhantomData), task),
        Digit::Byte => unreachable!("no plan has this kernel"),
    };
    multiply(tile, task);
}

fn multiply<L: Lane, W: Word>(tile: &dyn Tile<Lane = L>, task: &Task<'_, W>) {
    // SAFETY: no special instructions; the rest is guaranteed by the maker of the task.
    unsafe { block::multiply::<L, W, ROWS>(tile, task) }
}
