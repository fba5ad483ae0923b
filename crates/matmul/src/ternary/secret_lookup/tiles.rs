//! Sums of terms looked up in registers, over any kind of them.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::wipe_on_drop;

use crate::matrix::{Matrix, MatrixMut};
use crate::ternary::row::{Line, Row};

/// Terms of a look-up.
pub(super) const TERMS: usize = 3;
/// Columns of a register.
pub(super) const LANES: usize = 16;
/// Look-ups whose indices share a word of 32 bits, the first lowest.
pub(super) const PACKED: usize = 4;
/// Words of indices of a block: tables of 32 look-ups and four rows are 16 KiB of a first-level
/// cache.
pub(super) const WORDS: usize = 8;
/// Terms of a block.
pub(super) const DEPTH: usize = TERMS * PACKED * WORDS;
/// Rows of a tile: two cache lines of a column of Z; the CPU fetches the second with the first.
pub(super) const ROWS: usize = 32;

/// Rows, and registers of columns, whose sums stay in registers.
pub(super) const BLOCK: usize = 4;

/// Registers for `columns` columns, a multiple of `BLOCK`.
pub(super) const fn registers(columns: usize) -> usize {
    columns.div_ceil(LANES).next_multiple_of(BLOCK)
}

/// The words of a register.
pub(super) type Words = Line<u32, LANES>;

/// The 27 sums of three entries, the sum for c at (c_0 + 1) + 3 (c_1 + 1) + 9 (c_2 + 1).
pub(super) type Table = [Words; 2];

/// Registers that words are looked up in.
pub(super) trait Lookup: Row<u32, LANES> {
    /// Half of the sums of three entries.
    fn sums(token: Self::Token, entries: &[u32; TERMS], signs: &Signs) -> Self;

    /// `totals[r][c][lane]` += `tables[r][indices[c][lane] mod 32]`; then the next indices move to
    /// the bottom of `indices`.
    fn add_entries(
        tables: &[Table; BLOCK],
        indices: &mut [Self; BLOCK],
        totals: &mut [[Self; BLOCK]; BLOCK],
    );

    /// Register j of the result has the words j of all.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];
}

/// Memory of a tile, erased when dropped.
pub(super) struct Scratch {
    /// `WORDS * PACKED` tables for each of `BLOCK` rows.
    tables: Vec<[Table; BLOCK]>,
    /// `ROWS` rows of as many lines as there are registers of columns.
    sums: Vec<Words>,
}

impl Scratch {
    /// For `columns` columns of Z.
    pub(super) fn new(columns: usize) -> Self {
        Self {
            tables: vec![[[Line::zero(); 2]; BLOCK]; WORDS * PACKED],
            sums: vec![Line::zero(); ROWS * registers(columns)],
        }
    }
}

wipe_on_drop!(Scratch, tables: [[Line::zero(); 2]; BLOCK], sums: Line::zero());

/// A tile of at most `ROWS` rows: rows `row` and on of Z += X Y.
pub(super) struct Tile<'a, 'z> {
    /// The rows of X.
    pub(super) x: Matrix<'a, u32>,
    /// Blocks of `DEPTH` terms; in each, `WORDS` lines for every register of columns.
    pub(super) indices: &'a [Words],
    pub(super) row: usize,
    pub(super) z: &'a mut MatrixMut<'z, u32>,
    pub(super) scratch: &'a mut Scratch,
}

#[inline(always)]
pub(super) fn run<R: Lookup>(token: R::Token, tile: Tile<'_, '_>) {
    let Tile { x, indices, row, z, scratch: Scratch { tables, sums } } = tile;
    let registers = registers(z.columns());
    for (first, sums) in (0..x.rows()).step_by(BLOCK).zip(sums.chunks_exact_mut(BLOCK * registers))
    {
        for (block, indices) in indices.chunks_exact(registers * WORDS).enumerate() {
            fill::<R>(token, tables, x, first, block * DEPTH);
            for (group, indices) in indices.chunks_exact(BLOCK * WORDS).enumerate() {
                add_group::<R>(token, tables, indices, sums, registers, group * BLOCK);
            }
        }
    }
    add_sums::<R>(token, sums, registers, row, x.rows(), z);
}

/// Adds a block's terms for `BLOCK` rows and `BLOCK` registers of columns from `first` on.
#[inline(always)]
fn add_group<R: Lookup>(
    token: R::Token,
    tables: &[[Table; BLOCK]],
    indices: &[Words],
    sums: &mut [Words],
    registers: usize,
    first: usize,
) {
    let sum = |r: usize, c: usize| r * registers + first + c;
    let mut totals: [[R; BLOCK]; BLOCK] =
        core::array::from_fn(|r| core::array::from_fn(|c| R::load(token, &sums[sum(r, c)].0)));
    for (word, tables) in tables.chunks_exact(PACKED).enumerate() {
        let mut indices = core::array::from_fn(|c| R::load(token, &indices[c * WORDS + word].0));
        for tables in tables {
            R::add_entries(tables, &mut indices, &mut totals);
        }
    }
    for (r, totals) in totals.iter().enumerate() {
        for (c, total) in totals.iter().enumerate() {
            total.store(&mut sums[sum(r, c)].0);
        }
    }
}

/// Moves the sums of `rows` rows to the rows of Z from `row` on.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
fn add_sums<R: Lookup>(
    token: R::Token,
    sums: &mut [Words],
    registers: usize,
    row: usize,
    rows: usize,
    z: &mut MatrixMut<'_, u32>,
) {
    for register in 0..z.columns().div_ceil(LANES) {
        let mut columns = [[Line::zero(); ROWS / LANES]; LANES];
        for (part, sums) in sums.chunks_exact_mut(LANES * registers).enumerate() {
            let sum = |i: usize| R::load(token, &sums[i * registers + register].0);
            for (column, sums) in columns.iter_mut().zip(R::transpose(core::array::from_fn(sum))) {
                sums.store(&mut column[part].0);
            }
            for sum in sums.iter_mut().skip(register).step_by(registers) {
                *sum = Line::zero();
            }
        }
        let numbers = register * LANES..z.columns().min((register + 1) * LANES);
        for (j, sums) in numbers.zip(&columns) {
            let (whole, rest) = z.column(j)[row..row + rows].as_chunks_mut::<LANES>();
            let (of_whole, of_rest) = sums.split_at(whole.len());
            for (z, sums) in whole.iter_mut().zip(of_whole) {
                add(z, sums);
            }
            for sums in of_rest.iter().take(1) {
                add(rest, sums);
            }
        }
    }
}

/// z += the first of `sums`.
#[inline(always)]
fn add(z: &mut [u32], sums: &Words) {
    for (z, &sum) in z.iter_mut().zip(&sums.0) {
        *z = z.wrapping_add(sum);
    }
}

/// The tables of a block of terms for `BLOCK` rows; entries beyond the end of X are 0.
#[inline(always)]
fn fill<R: Lookup>(
    token: R::Token,
    tables: &mut [[Table; BLOCK]],
    x: Matrix<'_, u32>,
    row: usize,
    term: usize,
) {
    for r in 0..BLOCK {
        let entries = entries(x, row + r, term);
        for (tables, entries) in tables.iter_mut().zip(entries.as_chunks::<TERMS>().0) {
            for (half, line) in tables[r].iter_mut().enumerate() {
                R::sums(token, entries, &SIGNS[half]).store(&mut line.0);
            }
        }
    }
}

/// Entries of a row of X from a column on, 0 beyond the end.
#[inline(always)]
fn entries(x: Matrix<'_, u32>, row: usize, column: usize) -> [u32; DEPTH] {
    let mut entries = [0; DEPTH];
    if row < x.rows() {
        let count = DEPTH.min(x.columns() - column);
        if x.strides().1 == 1 {
            entries[..count].copy_from_slice(x.row_run(row, column, count));
        } else {
            for (i, entry) in entries[..count].iter_mut().enumerate() {
                *entry = x.at(row, column + i);
            }
        }
    }
    entries
}

/// The signs of the entries in half of a table, a bit a word.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    /// Where entry i is added.
    pub(super) plus: [u16; TERMS],
    /// Where it is subtracted.
    pub(super) minus: [u16; TERMS],
}

const SIGNS: [Signs; 2] = [signs(0), signs(LANES)];

#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn signs(first: usize) -> Signs {
    let mut signs = Signs { plus: [0; TERMS], minus: [0; TERMS] };
    let mut lane = 0;
    while lane < LANES {
        let (mut i, mut rest) = (0, first + lane);
        while i < TERMS {
            match rest % 3 {
                0 => signs.minus[i] |= 1 << lane,
                1 => {}
                _ => signs.plus[i] |= 1 << lane,
            }
            rest /= 3;
            i += 1;
        }
        lane += 1;
    }
    signs
}
