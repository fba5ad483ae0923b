//! Views of ndarray's two-dimensional arrays, row-major or column-major, without a copy.

use ndarray::{ArrayBase, ArrayView2, ArrayViewMut2, Data, DataMut, Ix2};

use super::{Matrix, MatrixMut};
use crate::error::Error;
use crate::word::{Operand, Word};

impl<'a, T: Operand> TryFrom<ArrayView2<'a, T>> for Matrix<'a, T> {
    type Error = Error;

    /// # Errors
    /// [`Error::Strides`] unless the entries lie row after row or column after column.
    fn try_from(array: ArrayView2<'a, T>) -> Result<Self, Error> {
        let (rows, columns) = array.dim();
        if let Some(entries) = array.to_slice() {
            return Self::row_major(entries, rows, columns);
        }
        let entries = array.reversed_axes().to_slice().ok_or(Error::Strides)?;
        Self::column_major(entries, rows, columns)
    }
}

impl<'a, T: Operand, S: Data<Elem = T>> TryFrom<&'a ArrayBase<S, Ix2>> for Matrix<'a, T> {
    type Error = Error;

    /// # Errors
    /// As for a view.
    fn try_from(array: &'a ArrayBase<S, Ix2>) -> Result<Self, Error> {
        array.view().try_into()
    }
}

impl<'a, W: Word> TryFrom<ArrayViewMut2<'a, W>> for MatrixMut<'a, W> {
    type Error = Error;

    /// # Errors
    /// [`Error::Strides`] unless the entries lie row after row or column after column.
    fn try_from(array: ArrayViewMut2<'a, W>) -> Result<Self, Error> {
        let (rows, columns) = array.dim();
        if array.is_standard_layout() {
            let entries = array.into_slice().ok_or(Error::Strides)?;
            return Self::row_major(entries, rows, columns);
        }
        let entries = array.reversed_axes().into_slice().ok_or(Error::Strides)?;
        Self::column_major(entries, rows, columns)
    }
}

impl<'a, W: Word, S: DataMut<Elem = W>> TryFrom<&'a mut ArrayBase<S, Ix2>> for MatrixMut<'a, W> {
    type Error = Error;

    /// # Errors
    /// As for a view.
    fn try_from(array: &'a mut ArrayBase<S, Ix2>) -> Result<Self, Error> {
        array.view_mut().try_into()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, ShapeBuilder, s};

    use super::*;
    use crate::Multiplier;

    /// X Y by three loops.
    fn product(x: &Array2<u32>, y: &Array2<i8>) -> Array2<u32> {
        Array2::from_shape_fn((x.nrows(), y.ncols()), |(i, j)| {
            (0..x.ncols()).fold(0_u32, |sum, k| {
                sum.wrapping_add(x[(i, k)].wrapping_mul(i32::from(y[(k, j)]).cast_unsigned()))
            })
        })
    }

    /// Operands and results in either order, and vectors.
    #[test]
    fn products_are_those_of_the_definition() {
        let multiplier = Multiplier::new();
        for (m, k, n) in [(7, 9, 5), (1, 4, 3), (3, 4, 1), (1, 1, 1), (0, 2, 3), (2, 0, 3)] {
            let x = Array2::from_shape_fn((m, k), |(i, j)| 0xfedc_ba98_u32 << (i + j));
            let y = Array2::from_shape_fn((k, n), |(i, j)| ((i * 31 + j) as i32 - 100) as i8);
            let want = product(&x, &y);
            let (x_columns, y_columns) = (x.t().to_owned(), y.t().to_owned());
            for x in [x.view(), x_columns.t()] {
                for y in [y.view(), y_columns.t()] {
                    for z in [Array2::zeros((m, n)), Array2::zeros((m, n).f())] {
                        let mut z: Array2<u32> = z;
                        let x = Matrix::try_from(x).expect("dense");
                        let y = Matrix::try_from(y).expect("dense");
                        let form = || multiplier.product::<u32>(x, y);
                        form().write_to((&mut z).try_into().expect("dense")).expect("shapes");
                        assert_eq!(z, want);
                        form().add_to((&mut z).try_into().expect("dense")).expect("shapes");
                        assert_eq!(z, want.mapv(|entry| entry.wrapping_mul(2)));
                    }
                }
            }
        }
        // A part of a matrix has gaps between its rows, and a step back has no stride here.
        let mut x = Array2::<u32>::zeros((4, 4));
        assert_eq!(Matrix::try_from(x.slice(s![.., ..3])).err(), Some(Error::Strides));
        assert_eq!(Matrix::try_from(x.slice(s![..;-1, ..])).err(), Some(Error::Strides));
        assert_eq!(MatrixMut::try_from(x.slice_mut(s![..;2, ..])).err(), Some(Error::Strides));
        assert!(Matrix::try_from(x.slice(s![1..3, ..])).is_ok(), "whole rows");
    }
}
