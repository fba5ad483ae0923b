//! The definition: three loops. Slow, obvious, and what everything else is tested against.

use crate::matrix::{Matrix, MatrixMut};
use crate::word::{Operand, Word};

/// Z += X Y mod 2^w.
///
/// # Panics
/// If the shapes do not fit together.
pub fn multiply_add<W: Word, X: Operand, Y: Operand>(
    x: Matrix<'_, X>,
    y: Matrix<'_, Y>,
    mut z: MatrixMut<'_, W>,
) {
    assert!(
        x.columns() == y.rows() && x.rows() == z.rows() && y.columns() == z.columns(),
        "shapes must agree"
    );
    if z.is_row_major() {
        return multiply_add(y.transposed(), x.transposed(), z.transposed());
    }
    for j in 0..y.columns() {
        for (i, z) in z.column(j).iter_mut().enumerate() {
            for k in 0..x.columns() {
                let product =
                    W::truncate(x.at(i, k).widen()).wrapping_mul(W::truncate(y.at(k, j).widen()));
                *z = z.wrapping_add(product);
            }
        }
    }
}
