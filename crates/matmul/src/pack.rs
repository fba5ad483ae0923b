//! Packed panels: X in strips of `rows` rows, Y in strips of `columns` columns, both as lanes, k running slowest within a
//! strip; missing rows and columns are zero.

use crate::matrix::Matrix;
use crate::word::{Lane, Operand};

/// Packs rows `first..first + height` (those that exist) and `depth` columns from `k` on: out[kk][i], i < height.
pub(crate) fn pack_rows<L: Lane, X: Operand>(
    x: &Matrix<'_, X>,
    first: usize,
    height: usize,
    k: usize,
    depth: usize,
    out: &mut [L],
) {
    let rows = height.min(x.rows() - first);
    if rows < height {
        out[..height * depth].fill(L::default());
    }
    for (kk, out) in out.chunks_exact_mut(height).take(depth).enumerate() {
        if let Some(run) = x.column_run(first, k + kk, rows) {
            for (out, x) in out.iter_mut().zip(run) {
                *out = L::truncate(x.widen());
            }
        } else {
            for (i, out) in out.iter_mut().take(rows).enumerate() {
                *out = L::truncate(x.at(first + i, k + kk).widen());
            }
        }
    }
}

/// As [`pack_rows`] where rows are contiguous: reads along rows and writes across.
pub(crate) fn pack_rows_across<L: Lane, X: Operand>(
    x: &Matrix<'_, X>,
    first: usize,
    height: usize,
    k: usize,
    depth: usize,
    out: &mut [L],
) {
    let rows = height.min(x.rows() - first);
    if rows < height {
        out[..height * depth].fill(L::default());
    }
    for i in 0..rows {
        if let Some(run) = x.row_run(first + i, k, depth) {
            for (out, x) in out[i..].iter_mut().step_by(height).zip(run) {
                *out = L::truncate(x.widen());
            }
        } else {
            for kk in 0..depth {
                out[kk * height + i] = L::truncate(x.at(first + i, k + kk).widen());
            }
        }
    }
}

/// Packs whichever way reads memory in order.
pub(crate) fn pack<L: Lane, X: Operand>(
    x: &Matrix<'_, X>,
    first: usize,
    height: usize,
    k: usize,
    depth: usize,
    out: &mut [L],
) {
    let columns_contiguous = x.column_run(first, k, 0).is_some();
    if columns_contiguous {
        pack_rows(x, first, height, k, depth, out);
    } else {
        pack_rows_across(x, first, height, k, depth, out);
    }
}
