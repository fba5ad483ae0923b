//! Views of nalgebra matrices, without a copy: both are dense and column-major.

use core::num::Wrapping;

use nalgebra::{DMatrix, Scalar};

use super::{Matrix, MatrixMut};
use crate::word::{Operand, Word};

impl<'a, T: Operand + Scalar> From<&'a DMatrix<T>> for Matrix<'a, T> {
    fn from(matrix: &'a DMatrix<T>) -> Self {
        let (rows, columns) = matrix.shape();
        Self::column_major(matrix.as_slice(), rows, columns).expect("a dense matrix has its shape")
    }
}

impl<'a, W: Word + Scalar> From<&'a DMatrix<Wrapping<W>>> for Matrix<'a, W> {
    fn from(matrix: &'a DMatrix<Wrapping<W>>) -> Self {
        let (rows, columns) = matrix.shape();
        let words = matrix.as_slice();
        #[allow(unsafe_code)]
        // SAFETY: `Wrapping<W>` is `repr(transparent)` over `W`.
        let words = unsafe { core::slice::from_raw_parts(words.as_ptr().cast::<W>(), words.len()) };
        Self::column_major(words, rows, columns).expect("a dense matrix has its shape")
    }
}

impl<'a, W: Word + Scalar> From<&'a mut DMatrix<Wrapping<W>>> for MatrixMut<'a, W> {
    fn from(matrix: &'a mut DMatrix<Wrapping<W>>) -> Self {
        let (rows, columns) = matrix.shape();
        let words = matrix.as_mut_slice();
        #[allow(unsafe_code)]
        // SAFETY: `Wrapping<W>` is `repr(transparent)` over `W`, and the borrow is exclusive.
        let words =
            unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<W>(), words.len()) };
        Self::column_major(words, rows, columns).expect("a dense matrix has its shape")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Multiplier;

    #[test]
    fn products_agree_with_nalgebra() {
        let x = DMatrix::from_fn(7, 9, |i, j| Wrapping(0xfedc_ba98_7654_3211u64 << (i + j)));
        let y = DMatrix::from_fn(9, 5, |i, j| Wrapping(u64::MAX - (i * 31 + j) as u64));
        let mut z = DMatrix::from_element(7, 5, Wrapping(1));
        let (left, right) = (Matrix::<u64>::from(&x), Matrix::<u64>::from(&y));
        Multiplier::new()
            .product(left, right)
            .write_to(MatrixMut::from(&mut z))
            .expect("shapes agree");
        assert_eq!(z, x * y);
        let narrow = DMatrix::from_element(3, 2, -1i8);
        assert_eq!(Matrix::from(&narrow).at(2, 1), -1);
    }
}
