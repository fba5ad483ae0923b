//! The look-ups over any kind of registers.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::kernel::ternary::{Line, Register, column_of};
use crate::matrix::{Matrix, MatrixMut};

/// Columns of Z whose sums are formed together.
pub(crate) const COLUMNS: usize = 6;
/// Lines of rows of a tile: with six columns 24 sums, 4 numbers, 2 lines of a table and what was looked up take 31 of 32
/// registers.
pub(crate) const ROWS: usize = 4;
/// Terms of a number: the tables of four are 10 KiB, of five 31 KiB, all of a first-level cache.
pub(crate) const MOST_TERMS: usize = 4;
/// Rows of a line.
const LANES: usize = 64;
/// As many as a byte names, so that an index needs no comparison: 3^4 at most are in use.
const TABLES: usize = 1 << 8;
/// Bytes of a table.
const ROOM: usize = 2 * LANES;

/// 64 bytes.
pub(crate) type Bytes = Line<u8, LANES>;

/// What the numbers add, a byte each.
pub(super) type Table = [Bytes; 2];

/// A line in registers in which bytes are looked up.
pub(super) trait Lookup: Register<u8, LANES> {
    /// A table in registers.
    type Table: Copy;
    fn table(table: &Table) -> Self::Table;
    /// `self[i]` + byte `numbers[i]` of the table for every i.
    fn add_picked(self, table: Self::Table, numbers: Self) -> Self;
}

/// How many entries of at most `bound` make a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    bound: u8,
    /// Entries that make a number.
    pub(crate) terms: usize,
}

impl Digits {
    /// The most, at most `MOST_TERMS`, whose numbers a table has room for; `bound` is at most 63.
    pub(crate) const fn new(bound: u8) -> Self {
        let base = 2 * bound as usize + 1;
        let (mut terms, mut numbers) = (1, base);
        while terms < MOST_TERMS && numbers * base <= ROOM {
            terms += 1;
            numbers *= base;
        }
        Self { bound, terms }
    }

    const fn base(self) -> usize {
        2 * self.bound as usize + 1
    }

    /// The number of zeros only.
    fn middle(self) -> Bytes {
        Line([(self.base().pow(self.terms as u32) / 2) as u8; LANES])
    }

    /// Lookups whose sum is certain to fit a signed byte.
    fn of_bytes(self) -> usize {
        i8::MAX as usize / (self.terms * usize::from(self.bound.max(1)))
    }

    /// The table of `pick`, a number of `terms` digits in base three: byte sum_i (x_i + b) (2 b + 1)^i is
    /// sum_i x_i (pick_i - 1).
    fn table(self, pick: usize) -> Table {
        let mut sums = [0_i8; ROOM];
        let (mut known, mut rest) = (1, pick);
        for _ in 0..self.terms {
            let y = (rest % 3) as i8 - 1;
            // From the last digit's block to the first, which is what the others are made of.
            for digit in (0..self.base()).rev() {
                let product = (digit as i8 - self.bound as i8) * y;
                for number in 0..known {
                    sums[digit * known + number] = sums[number] + product;
                }
            }
            known *= self.base();
            rest /= 3;
        }
        let (low, high) = sums.split_at(LANES);
        [low, high].map(|half| Line(core::array::from_fn(|i| half[i].cast_unsigned())))
    }

    /// The tables of all picks.
    fn tables(self) -> Vec<Table> {
        let mut tables = vec![[Line::zero(); 2]; TABLES];
        for (pick, table) in tables.iter_mut().enumerate().take(3_usize.pow(self.terms as u32)) {
            *table = self.table(pick);
        }
        tables
    }
}

/// [`super::Kernel::pack`]. What columns beyond the end and rows beyond the last count does not matter: they meet zeros of Y, or are
/// not added to Z.
#[inline(always)]
pub(super) fn pack<R: Lookup>(digits: Digits, x: Matrix<'_, u8>) -> Vec<[Bytes; ROWS]> {
    let groups = x.columns().div_ceil(digits.terms);
    let mut packed = vec![[Line::zero(); ROWS]; x.rows().div_ceil(ROWS * LANES) * groups];
    // Columns are read from top to bottom, once.
    for group in 0..groups {
        let first = group * digits.terms;
        let columns = first..x.columns().min(first + digits.terms);
        for (line, row) in (0..x.rows()).step_by(LANES).enumerate() {
            let x = x.rows_in(row..x.rows().min(row + LANES));
            let (columns, middle) = (columns.clone(), R::load(&digits.middle()));
            let numbers = match digits.bound {
                0 | 1 => numbers::<R, 3>(x, columns, middle),
                2 => numbers::<R, 5>(x, columns, middle),
                3 => numbers::<R, 7>(x, columns, middle),
                4 => numbers::<R, 9>(x, columns, middle),
                _ => numbers::<R, 11>(x, columns, middle),
            };
            numbers.store(&mut packed[line / ROWS * groups + group][line % ROWS]);
        }
    }
    packed
}

/// `middle` + sum_i x_i base^i.
#[inline(always)]
fn numbers<R: Lookup, const BASE: u8>(x: Matrix<'_, u8>, columns: Range<usize>, middle: R) -> R {
    let mut number = R::load(&Line::zero());
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
        .add(column_of(x, column));
    }
    number.add(middle)
}

/// Columns of Z += X Y.
pub(crate) struct Job<'a, 'z> {
    /// X as [`super::Kernel::pack`] makes it; as many blocks of `groups` as there are tiles.
    pub(crate) packed: &'a [[Bytes; ROWS]],
    pub(crate) digits: Digits,
    /// For every `COLUMNS` columns of Y, for every group of terms, what they pick: sum_i (y_i + 1) 3^i.
    pub(crate) picks: &'a [Vec<[u8; COLUMNS]>],
    pub(crate) z: &'a mut MatrixMut<'z, u32>,
}

/// Groups of terms that `COLUMNS` columns take before the next do: their numbers, 256 KiB, stay in a second-level cache
/// meanwhile, and the sums of the columns in the first.
const DEPTH: usize = 1024;

/// Sums of `COLUMNS` columns of a tile, erased when dropped.
struct Sums([[[i16; LANES]; ROWS]; COLUMNS]);

impl Drop for Sums {
    fn drop(&mut self) {
        self.0 = [[[0; LANES]; ROWS]; COLUMNS];
        zeroize::optimization_barrier(&self.0);
    }
}

/// [`super::Kernel::multiply`]: sums in bytes, before they overflow in 16 bits, before those overflow in Z.
#[inline(always)]
pub(super) fn multiply<R: Lookup>(job: Job<'_, '_>) {
    let Job { packed, digits, picks, z } = job;
    let tables = digits.tables();
    let tables = tables.as_array().expect("as many as were made");
    let of_bytes = digits.of_bytes();
    let depth = DEPTH.min(i16::MAX as usize / i8::MAX as usize * of_bytes);
    let rows = z.rows();
    let groups = packed.len() / rows.div_ceil(ROWS * LANES);
    let mut sums = Sums([[[0; LANES]; ROWS]; COLUMNS]);
    for (row, packed) in (0..rows).step_by(ROWS * LANES).zip(packed.chunks_exact(groups)) {
        for first in (0..groups).step_by(depth) {
            let part = first..groups.min(first + depth);
            for (block, picks) in picks.iter().enumerate() {
                let numbers = packed[part.clone()].chunks(of_bytes);
                for (numbers, picks) in numbers.zip(picks[part.clone()].chunks(of_bytes)) {
                    lookups::<R>(numbers, picks, tables, &mut sums.0);
                }
                let rows = row..rows.min(row + ROWS * LANES);
                add_sums(&mut sums.0, block * COLUMNS, rows, z);
            }
        }
    }
}

/// Adds what groups of terms add to `COLUMNS` columns.
#[inline(always)]
fn lookups<R: Lookup>(
    numbers: &[[Bytes; ROWS]],
    picks: &[[u8; COLUMNS]],
    tables: &[Table; TABLES],
    sums: &mut [[[i16; LANES]; ROWS]; COLUMNS],
) {
    let zero = R::load(&Line::zero());
    let mut totals = [[zero; ROWS]; COLUMNS];
    for (numbers, picks) in numbers.iter().zip(picks) {
        let numbers: [R; ROWS] = core::array::from_fn(|r| R::load(&numbers[r]));
        for (totals, &pick) in totals.iter_mut().zip(picks) {
            let table = R::table(&tables[usize::from(pick)]);
            for (total, &numbers) in totals.iter_mut().zip(&numbers) {
                *total = total.add_picked(table, numbers);
            }
        }
    }
    for (totals, sums) in totals.iter().zip(sums) {
        for (total, sums) in totals.iter().zip(sums) {
            let mut bytes = Line::zero();
            total.store(&mut bytes);
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
