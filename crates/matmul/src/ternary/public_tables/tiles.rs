//! Tables of sums of columns, over any kind of registers.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::wipe;

use crate::matrix::{Matrix, MatrixMut};
use crate::ternary::row::{Line, Row, column_of, prefetch_columns};
use crate::word::Word;

/// Entries of a table of the 3^3 = 27 sums of three columns, a power of two so that an index needs
/// no comparison.
pub(super) const GROUP3_ENTRIES: usize = 32;
/// Entries of a table of the 3^4 = 81 sums of four.
pub(super) const GROUP4_ENTRIES: usize = 128;

/// Minimum columns of Z for prefetching the columns of X that the next tables need. With fewer, the
/// next loads already fit into the reorder buffer: 512 entries, about 20 instructions a column.
const MIN_PREFETCH_COLUMNS: usize = 25;

/// Columns of X that share a table.
pub(super) const fn group(entries: usize) -> usize {
    if entries == GROUP3_ENTRIES { 3 } else { 4 }
}

/// T tables, and a sum for each column of Z; erased when dropped, for X may be secret.
///
/// The entries of all tables with one index are adjacent, so that one register holds the address of
/// all tables.
pub(super) struct Scratch<W: Word, const L: usize, const T: usize, const ENTRIES: usize> {
    tables: Vec<[Line<W, L>; T]>,
    sums: Vec<Line<W, L>>,
    /// Wider sums of bytes, where they are wanted.
    wide: Vec<[i16; L]>,
}

impl<W: Word, const L: usize, const T: usize, const ENTRIES: usize> Scratch<W, L, T, ENTRIES> {
    /// For n columns of Z.
    pub(super) fn new(n: usize) -> Self {
        Self {
            // `vec!` would clone, an unrolled copy for each shape.
            tables: core::iter::repeat_with(|| [Line::zero(); T]).take(ENTRIES).collect(),
            sums: vec![Line::zero(); n],
            wide: Vec::new(),
        }
    }
}

impl<W: Word, const L: usize, const T: usize, const ENTRIES: usize> Drop
    for Scratch<W, L, T, ENTRIES>
{
    fn drop(&mut self) {
        wipe(&mut self.tables, [Line::zero(); T]);
        wipe(&mut self.sums, Line::zero());
        wipe(&mut self.wide, [0; L]);
    }
}

/// A tile of at most L rows: rows `row` and on of Z += X Y.
pub(super) struct Tile<'a, 'z, W: Word, Z, const L: usize, const T: usize, const ENTRIES: usize> {
    /// The rows of X; bytes may end with some that are not in Z.
    pub(super) x: Matrix<'a, W>,
    /// Which sums the columns of Z take: for every batch of T groups of columns of X a word a
    /// column. Byte i of a word is the index into table i.
    pub(super) indices: &'a [u64],
    pub(super) row: usize,
    pub(super) z: &'a mut MatrixMut<'z, Z>,
    pub(super) scratch: &'a mut Scratch<W, L, T, ENTRIES>,
}

#[inline(always)]
pub(super) fn run<W: Word, R: Row<W, L>, const L: usize, const T: usize, const ENTRIES: usize>(
    token: R::Token,
    tile: Tile<'_, '_, W, W, L, T, ENTRIES>,
) {
    let Tile { x, indices, row, z, scratch } = tile;
    for (batch, words) in indices.chunks_exact(z.columns()).enumerate() {
        add_batch::<W, R, L, T, ENTRIES>(token, x, batch, words, scratch);
    }
    for (j, sum) in scratch.sums.iter_mut().enumerate() {
        for (z, &sum) in z.column(j)[row..row + x.rows()].iter_mut().zip(&sum.0) {
            *z = z.wrapping_add(sum);
        }
        *sum = Line::zero();
    }
}

/// Sums in bytes, before they overflow in 16 bits, before those overflow to Z.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes and the bound are public")]
pub(super) fn run_small<R: Row<u8, 64>, const T: usize, const ENTRIES: usize>(
    token: R::Token,
    tile: Tile<'_, '_, u8, u32, 64, T, ENTRIES>,
    bound: u8,
) {
    let Tile { x, indices, row, z, scratch } = tile;
    // Batches whose sums fit 8 and 16 bits.
    let largest = usize::from(bound.max(1)) * T * group(ENTRIES);
    let (of_bytes, of_pairs) = (i8::MAX as usize / largest, i16::MAX as usize / largest);
    scratch.wide.resize(scratch.sums.len(), [0; 64]);
    let batches = indices.len() / z.columns();
    for (batch, words) in indices.chunks_exact(z.columns()).enumerate() {
        add_batch::<u8, R, 64, T, ENTRIES>(token, x, batch, words, scratch);
        let (done, last) = (batch + 1, batch + 1 == batches);
        if last || done % of_bytes == 0 {
            for (wide, sum) in scratch.wide.iter_mut().zip(&mut scratch.sums) {
                for (wide, &sum) in wide.iter_mut().zip(&sum.0) {
                    *wide = wide.wrapping_add(i16::from(sum.cast_signed()));
                }
                *sum = Line::zero();
            }
        }
        if last || done % (of_pairs / of_bytes * of_bytes) == 0 {
            for (j, wide) in scratch.wide.iter_mut().enumerate() {
                for (z, &wide) in z.column(j)[row..].iter_mut().zip(&*wide) {
                    *z = z.wrapping_add_signed(i32::from(wide));
                }
                *wide = [0; 64];
            }
        }
    }
}

/// Adds to every column's sums the sums of a batch of T groups of columns of X.
#[inline(always)]
fn add_batch<W: Word, R: Row<W, L>, const L: usize, const T: usize, const ENTRIES: usize>(
    token: R::Token,
    x: Matrix<'_, W>,
    batch: usize,
    indices: &[u64],
    scratch: &mut Scratch<W, L, T, ENTRIES>,
) {
    const { assert!(T.is_multiple_of(2) && T <= 8, "two tables at a time") };
    let Scratch { tables, sums, .. } = scratch;
    let tables: &mut [[_; T]; ENTRIES] = tables.as_mut_slice().try_into().expect("a line an entry");
    for i in 0..T {
        let first = (batch * T + i) * group(ENTRIES);
        R::separately(
            #[inline(always)]
            || fill::<W, R, L, T, ENTRIES>(token, tables, i, x, first),
        );
    }
    if sums.len() >= MIN_PREFETCH_COLUMNS {
        let next = (batch + 1) * T * group(ENTRIES);
        prefetch_columns(x, next..next + T * group(ENTRIES));
    }
    R::separately(
        #[inline(always)]
        || {
            for (sum, indices) in sums.iter_mut().zip(indices) {
                let entry = |i: usize| {
                    #[expect(
                        clippy::integer_division_remainder_used,
                        reason = "indices of a public matrix"
                    )]
                    let index = (indices >> (8 * i)) as usize % ENTRIES;
                    R::load(token, &tables[index][i].0)
                };
                let mut total = R::load(token, &sum.0);
                for i in (0..T).step_by(2) {
                    total = total.add(entry(i).add(entry(i + 1)));
                }
                total.store(&mut sum.0);
            }
        },
    );
}

/// tables[sum_i (c_i + 1) 3^i][table] = sum_i c_i x_i for all c in {-1, 0, 1}^G, x_i column `first`
/// + i of X, 0 beyond its end.
#[inline(always)]
fn fill<W: Word, R: Row<W, L>, const L: usize, const T: usize, const ENTRIES: usize>(
    token: R::Token,
    tables: &mut [[Line<W, L>; T]; ENTRIES],
    table: usize,
    x: Matrix<'_, W>,
    first: usize,
) {
    let column = |i| column_of::<W, L, R>(token, x, first + i);
    // The sums of two columns stay in registers, so that each of the table is stored once and never
    // loaded.
    let pairs = pairs(column(0), column(1));
    let two = column(2);
    let rows = if ENTRIES == GROUP3_ENTRIES {
        let zero = two.sub(two);
        &[zero.sub(two), zero, two][..]
    } else {
        &self::pairs(two, column(3))
    };
    for (&rest, lines) in rows.iter().zip(tables.chunks_exact_mut(pairs.len())) {
        for (pair, line) in pairs.iter().zip(lines) {
            pair.add(rest).store(&mut line[table].0);
        }
    }
}

/// c_0 a + c_1 b at (c_0 + 1) + 3 (c_1 + 1).
#[inline(always)]
fn pairs<W: Word, const L: usize, R: Row<W, L>>(a: R, b: R) -> [R; 9] {
    let zero = a.sub(a);
    let (minus, below) = (zero.sub(a), zero.sub(b));
    [below.sub(a), below, below.add(a), minus, zero, a, b.sub(a), b, b.add(a)]
}
