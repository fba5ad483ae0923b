//! The look-ups, over any kind of registers.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::wipe_on_drop;

use super::tables::{Bytes, Digits, LANES, TABLES, Table};
use crate::matrix::{Matrix, MatrixMut};
use crate::ternary::row::{Line, Row, column_of};

/// Columns of Z whose sums are formed together.
pub(super) const COLUMNS: usize = 6;
/// Lines of rows of a tile: with six columns 24 sums, 4 numbers, 2 lines of a table and what was
/// looked up take 31 of 32 registers.
pub(super) const ROWS: usize = 4;
/// Registers in which bytes are looked up.
pub(super) trait Lookup: Row<u8, LANES> {
    /// `self[i]` + byte `numbers[i]` of the table for every i.
    fn add_entries(self, table: [Self; 2], numbers: Self) -> Self;
}

/// The numbers of X: for every `ROWS` lines of rows, for every group of terms, the sum of
/// (x_i + b) (2 b + 1)^i.
///
/// Columns beyond the end and rows beyond the last may count as anything: they are multiplied by
/// zeros of Y, or are not added to Z.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn pack<R: Lookup>(
    token: R::Token,
    digits: Digits,
    x: Matrix<'_, u8>,
) -> Vec<[Bytes; ROWS]> {
    let groups = x.columns().div_ceil(digits.terms());
    let mut packed = vec![[Line::zero(); ROWS]; x.rows().div_ceil(ROWS * LANES) * groups];
    // Columns are read from top to bottom, once.
    for group in 0..groups {
        let first = group * digits.terms();
        let columns = first..x.columns().min(first + digits.terms());
        for (line, row) in (0..x.rows()).step_by(LANES).enumerate() {
            let x = x.rows_in(row..x.rows().min(row + LANES));
            let (columns, middle) = (columns.clone(), R::load(token, &digits.middle().0));
            let numbers = match digits.bound() {
                0 | 1 => numbers::<R, 3>(token, x, columns, middle),
                2 => numbers::<R, 5>(token, x, columns, middle),
                3 => numbers::<R, 7>(token, x, columns, middle),
                4 => numbers::<R, 9>(token, x, columns, middle),
                _ => numbers::<R, 11>(token, x, columns, middle),
            };
            numbers.store(&mut packed[line / ROWS * groups + group][line % ROWS].0);
        }
    }
    packed
}

/// `middle` + sum_i x_i base^i.
#[inline(always)]
fn numbers<R: Lookup, const BASE: u8>(
    token: R::Token,
    x: Matrix<'_, u8>,
    columns: Range<usize>,
    middle: R,
) -> R {
    let mut number = R::load(token, &[0; LANES]);
    for column in columns.rev() {
        let two = number.add(number);
        let four = two.add(two);
        number = match BASE {
            3 => two,
            5 => four,
            7 => four.add(two),
            9 => four.add(four),
            _ => four.add(four).add(two),
        }
        .add(number)
        .add(column_of(token, x, column));
    }
    number.add(middle)
}

/// Columns of Z += X Y that one thread forms.
pub(super) struct Share<'a, 'z> {
    /// X as [`pack`] makes it; as many blocks of `groups` as there are tiles.
    pub(super) packed: &'a [[Bytes; ROWS]],
    pub(super) digits: Digits,
    /// For every `COLUMNS` columns of Y, for every group of terms, the indices of their tables:
    /// sum_i (y_i + 1) 3^i.
    pub(super) indices: &'a [Vec<[u8; COLUMNS]>],
    pub(super) z: &'a mut MatrixMut<'z, u32>,
}

/// Groups of terms that `COLUMNS` columns take before the next do: their numbers, 256 KiB, stay in
/// a second-level cache meanwhile, and the sums of the columns in the first.
const DEPTH: usize = 1024;

/// Sums of `COLUMNS` columns of a tile, each in cache lines of its own; erased when dropped.
#[repr(align(64))]
struct Sums([[[i16; LANES]; ROWS]; COLUMNS]);

wipe_on_drop!(Sums, 0: [[0; LANES]; ROWS]);

/// Sums in bytes, before they overflow in 16 bits, before those overflow in Z.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes and the bound are public")]
pub(super) fn run<R: Lookup>(token: R::Token, share: Share<'_, '_>) {
    let Share { packed, digits, indices, z } = share;
    let tables = digits.tables();
    let tables = tables.as_slice().try_into().expect("a table for every index");
    let of_bytes = digits.max_byte_lookups();
    let depth = DEPTH.min(i16::MAX as usize / i8::MAX as usize * of_bytes);
    let rows = z.rows();
    let groups = packed.len() / rows.div_ceil(ROWS * LANES);
    let mut sums = Sums([[[0; LANES]; ROWS]; COLUMNS]);
    for (row, packed) in (0..rows).step_by(ROWS * LANES).zip(packed.chunks_exact(groups)) {
        for first in (0..groups).step_by(depth) {
            let part = first..groups.min(first + depth);
            for (block, indices) in indices.iter().enumerate() {
                let numbers = packed[part.clone()].chunks(of_bytes);
                for (numbers, indices) in numbers.zip(indices[part.clone()].chunks(of_bytes)) {
                    add_group::<R>(token, numbers, indices, tables, &mut sums.0);
                }
                let rows = row..rows.min(row + ROWS * LANES);
                add_sums(&mut sums.0, block * COLUMNS, rows, z);
            }
        }
    }
}

/// Adds what groups of terms add to `COLUMNS` columns.
#[inline(always)]
fn add_group<R: Lookup>(
    token: R::Token,
    numbers: &[[Bytes; ROWS]],
    indices: &[[u8; COLUMNS]],
    tables: &[Table; TABLES],
    sums: &mut [[[i16; LANES]; ROWS]; COLUMNS],
) {
    let zero = R::load(token, &[0; LANES]);
    let mut totals = [[zero; ROWS]; COLUMNS];
    for (numbers, indices) in numbers.iter().zip(indices) {
        let numbers: [R; ROWS] = core::array::from_fn(|r| R::load(token, &numbers[r].0));
        for (totals, &index) in totals.iter_mut().zip(indices) {
            let [low, high] = &tables[usize::from(index)];
            let table = [R::load(token, &low.0), R::load(token, &high.0)];
            for (total, &numbers) in totals.iter_mut().zip(&numbers) {
                *total = total.add_entries(table, numbers);
            }
        }
    }
    for (totals, sums) in totals.iter().zip(sums) {
        for (total, sums) in totals.iter().zip(sums) {
            let mut bytes = Bytes::zero();
            total.store(&mut bytes.0);
            for (sum, byte) in sums.iter_mut().zip(bytes.0) {
                *sum += i16::from(byte.cast_signed());
            }
        }
    }
}

/// Moves sums to these rows of Z, columns from `first` on.
#[inline(always)]
fn add_sums(
    sums: &mut [[[i16; LANES]; ROWS]; COLUMNS],
    first: usize,
    rows: Range<usize>,
    z: &mut MatrixMut<'_, u32>,
) {
    for (j, sums) in (first..z.columns()).zip(&mut *sums) {
        let z = &mut z.column(j)[rows.clone()];
        for (z, sums) in z.chunks_mut(LANES).zip(&*sums) {
            for (z, &sum) in z.iter_mut().zip(sums) {
                *z = z.wrapping_add_signed(sum.into());
            }
        }
    }
    *sums = [[[0; LANES]; ROWS]; COLUMNS];
}
