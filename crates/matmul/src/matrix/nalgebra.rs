//! Views of nalgebra's matrices and vectors, without a copy: operands of any strides, and results
//! that are dense, which is column-major there.
//! Entries may be integers or `Wrapping` integers, for which nalgebra has an arithmetic modulo 2^w.

use core::num::Wrapping;

use nalgebra::{Dim, IsContiguous, Matrix as Dense, RawStorage, RawStorageMut};

use super::{Matrix, MatrixMut};
use crate::word::{Operand, Word};

impl<'a, T, R, C, S> From<&'a Dense<T, R, C, S>> for Matrix<'a, T>
where
    T: Operand,
    R: Dim,
    C: Dim,
    S: RawStorage<T, R, C>,
{
    fn from(matrix: &'a Dense<T, R, C, S>) -> Self {
        let ((rows, columns), (row, column)) = (matrix.shape(), matrix.strides());
        #[allow(unsafe_code)]
        // SAFETY: `RawStorage` promises entries of these strides, and they are borrowed.
        unsafe {
            Self::from_raw(matrix.as_ptr(), [rows, columns], [row, column])
        }
    }
}

impl<'a, W, R, C, S> From<&'a Dense<Wrapping<W>, R, C, S>> for Matrix<'a, W>
where
    W: Word,
    R: Dim,
    C: Dim,
    S: RawStorage<Wrapping<W>, R, C>,
{
    fn from(matrix: &'a Dense<Wrapping<W>, R, C, S>) -> Self {
        let ((rows, columns), (row, column)) = (matrix.shape(), matrix.strides());
        #[allow(unsafe_code)]
        // SAFETY: as above; `Wrapping<W>` is `repr(transparent)` over `W`.
        unsafe {
            Self::from_raw(matrix.as_ptr().cast(), [rows, columns], [row, column])
        }
    }
}

impl<'a, W, R, C, S> From<&'a mut Dense<W, R, C, S>> for MatrixMut<'a, W>
where
    W: Word,
    R: Dim,
    C: Dim,
    S: RawStorageMut<W, R, C> + IsContiguous,
{
    fn from(matrix: &'a mut Dense<W, R, C, S>) -> Self {
        let (rows, columns) = matrix.shape();
        Self::column_major(matrix.as_mut_slice(), rows, columns)
            .expect("a dense matrix has its shape")
    }
}

impl<'a, W, R, C, S> From<&'a mut Dense<Wrapping<W>, R, C, S>> for MatrixMut<'a, W>
where
    W: Word,
    R: Dim,
    C: Dim,
    S: RawStorageMut<Wrapping<W>, R, C> + IsContiguous,
{
    fn from(matrix: &'a mut Dense<Wrapping<W>, R, C, S>) -> Self {
        let (rows, columns) = matrix.shape();
        let words = bytemuck::cast_slice_mut(matrix.as_mut_slice());
        Self::column_major(words, rows, columns).expect("a dense matrix has its shape")
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector, SMatrix};

    use super::*;
    use crate::Multiplier;

    #[test]
    fn products_agree_with_nalgebra() {
        let x = DMatrix::from_fn(7, 9, |i, j| Wrapping(0xfedc_ba98_7654_3211_u64 << (i + j)));
        let y = DMatrix::from_fn(9, 5, |i, j| Wrapping(u64::MAX - (i * 31 + j) as u64));
        let mut z = DMatrix::from_element(7, 5, Wrapping(1));
        let (left, right) = (Matrix::<u64>::from(&x), Matrix::<u64>::from(&y));
        let multiplier = Multiplier::new();
        multiplier.product(left, right).write_to(MatrixMut::from(&mut z)).expect("shapes agree");
        let want = &x * &y;
        assert_eq!(z, want);
        // Plain integers, also as a result, of matrices whose shape is in their type.
        let mut plain = DMatrix::from_element(7, 5, 0_u64);
        multiplier
            .product(left, right)
            .write_to(MatrixMut::from(&mut plain))
            .expect("shapes agree");
        assert_eq!(plain, want.map(|entry| entry.0));
        let narrow = SMatrix::<i8, 3, 2>::from_element(-1);
        assert_eq!(Matrix::from(&narrow).at(2, 1), -1);
        // Vectors, and columns of a matrix.
        let mut sums = DVector::from_element(7, 0_u64);
        let ones = DVector::from_element(9, 1_u8);
        multiplier
            .product(left, Matrix::from(&ones))
            .write_to(MatrixMut::from(&mut sums))
            .expect("shapes agree");
        assert_eq!(sums, x.column_sum().map(|entry| entry.0));
        assert_eq!(Matrix::<u64>::from(&x.column(4)).at(6, 0), x[(6, 4)].0);
        // Parts of a matrix, a row of it, and every other column.
        for x in
            [x.view_with_steps((1, 2), (3, 4), (1, 1)), x.view_with_steps((3, 0), (1, 9), (0, 0))]
        {
            let y = y.rows(0, x.ncols());
            let mut z = DMatrix::from_element(x.nrows(), 5, Wrapping(0));
            let (left, right) = (Matrix::<u64>::from(&x), Matrix::<u64>::from(&y));
            multiplier.product(left, right).write_to(MatrixMut::from(&mut z)).expect("shapes");
            // The product of nalgebra itself is out of bounds for views.
            assert_eq!(z, x.into_owned() * y.into_owned());
        }
    }
}
