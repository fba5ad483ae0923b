//! z = X y mod 2^w for a vector y, without packing: every entry of X is read once, so that large
//! products are bound by memory; `benches/record` says how closely.
//!
//! Row-major X: four rows at a time, each by an inner product with y. Column-major X: some thousand
//! rows at a time, whose sums stay in the first-level cache, four columns at a time. Both are plain
//! loops that compilers vectorise.
//!
//! # Constant time
//! In all entries: shapes and types are public.

use alloc::vec::Vec;

use tautochrone_simd::vectorize;
use zeroize::Zeroizing;

use crate::matrix::Matrix;
use crate::matrix::any::{AnyMatrix, with_matrix};
use crate::multiplier::Multiplier;
use crate::parallel;
use crate::word::{Operand, Word};

/// Rows of a task at least, in either order: 16 KiB of sums of 32 bits.
const ROWS: usize = 4096;
/// Rows, or columns, in one pass over the sums.
const GROUP: usize = 4;

/// The entries of a column as words.
pub(crate) fn words<W: Word>(y: AnyMatrix<'_>) -> Zeroizing<Vec<W>> {
    with_matrix!(y, y => {
        Zeroizing::new((0..y.rows()).map(|i| W::truncate(Operand::widen(y.at(i, 0)))).collect())
    })
}

/// z = X y, for an X that is dense in one direction, of bytes or of as many bits as words have.
/// Others are packed, so that their loops need not be compiled: returns whether z is formed.
pub(crate) fn multiply<W: Word, T: Operand>(
    multiplier: &Multiplier,
    x: Matrix<'_, T>,
    y: &[W],
    z: &mut [W],
) -> bool {
    if const { T::BITS != 8 && T::BITS != W::BITS } {
        return false;
    }
    let (m, k) = (x.rows(), x.columns());
    let parallel = multiplier.is_parallel(m.saturating_mul(k));
    let is_row_major = x.strides().1 == 1;
    let each = match (parallel, is_row_major) {
        // Some tasks for each thread, so that one that falls behind leaves work to others.
        (true, true) => m.div_ceil(4 * parallel::threads()).next_multiple_of(GROUP),
        (false, true) => m.max(1),
        (_, false) => ROWS,
    };
    let isa = multiplier.isa();
    parallel::for_each(z.chunks_mut(each), parallel, |i, z| {
        let rows = i * each..i * each + z.len();
        let x = x.rows_in(rows);
        vectorize!(isa, if is_row_major { by_rows(x, y, z) } else { by_columns(x, y, z) });
    });
    true
}

/// z = X y, X row-major.
#[inline(always)]
fn by_rows<W: Word, T: Operand>(x: Matrix<'_, T>, y: &[W], z: &mut [W]) {
    let k = y.len();
    for (i, z) in z.chunks_mut(GROUP).enumerate() {
        if let [z0, z1, z2, z3] = z {
            let row = |j| x.row_run(GROUP * i + j, 0, k);
            [*z0, *z1, *z2, *z3] = inner_products([row(0), row(1), row(2), row(3)], y);
        } else {
            for (j, z) in z.iter_mut().enumerate() {
                [*z] = inner_products([x.row_run(GROUP * i + j, 0, k)], y);
            }
        }
    }
}

#[inline(always)]
fn inner_products<W: Word, T: Operand, const N: usize>(rows: [&[T]; N], y: &[W]) -> [W; N] {
    let rows = rows.map(|row| &row[..y.len()]);
    let mut sums = [W::default(); N];
    for (j, &y) in y.iter().enumerate() {
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum = sum.wrapping_add(W::truncate(row[j].widen()).wrapping_mul(y));
        }
    }
    sums
}

/// z = X y, X column-major, for rows whose sums fit a cache.
#[inline(always)]
fn by_columns<W: Word, T: Operand>(x: Matrix<'_, T>, y: &[W], z: &mut [W]) {
    let (columns, m) = (x.transposed(), z.len());
    z.fill(W::default());
    for (j, y) in y.chunks(GROUP).enumerate() {
        if let &[y0, y1, y2, y3] = y {
            let column = |c| columns.row_run(GROUP * j + c, 0, m);
            add_columns([column(0), column(1), column(2), column(3)], [y0, y1, y2, y3], z);
        } else {
            for (c, &y) in y.iter().enumerate() {
                add_columns([columns.row_run(GROUP * j + c, 0, m)], [y], z);
            }
        }
    }
}

#[inline(always)]
fn add_columns<W: Word, T: Operand, const N: usize>(columns: [&[T]; N], y: [W; N], z: &mut [W]) {
    let columns = columns.map(|column| &column[..z.len()]);
    for (i, z) in z.iter_mut().enumerate() {
        let mut sum = *z;
        for (column, y) in columns.iter().zip(y) {
            sum = sum.wrapping_add(W::truncate(column[i].widen()).wrapping_mul(y));
        }
        *z = sum;
    }
}
