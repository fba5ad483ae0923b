//! Views of ndarray's two-dimensional arrays without a copy: operands of any strides that are not
//! negative, results that are row-major or column-major.

use ndarray::{ArrayBase, ArrayView2, ArrayViewMut2, Axis, Data, DataMut, Ix2};

use super::{Matrix, MatrixMut};
use crate::error::Error;
use crate::word::{Operand, Word};

impl<'a, T: Operand> TryFrom<ArrayView2<'a, T>> for Matrix<'a, T> {
    type Error = Error;

    /// # Errors
    /// [`Error::Strides`] if a stride is negative.
    fn try_from(array: ArrayView2<'a, T>) -> Result<Self, Error> {
        let [rows, columns] = [0, 1].map(|axis| array.len_of(Axis(axis)));
        // Nothing steps along an axis of one entry.
        let stride = |axis| match array.len_of(Axis(axis)) {
            0 | 1 => Ok(1),
            _ => usize::try_from(array.stride_of(Axis(axis))).map_err(|_| Error::Strides),
        };
        let strides = [stride(0)?, stride(1)?];
        #[allow(unsafe_code)]
        // SAFETY: the view borrows its entries for 'a, all of one allocation.
        Ok(unsafe { Self::from_raw(array.as_ptr(), [rows, columns], strides) })
    }
}

impl<'a, T: Operand, S: Data<Elem = T>> TryFrom<&'a ArrayBase<S, Ix2>> for Matrix<'a, T> {
    type Error = Error;

    /// # Errors
    /// [`Error::Strides`] if a stride is negative.
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
    /// [`Error::Strides`] unless the entries lie row after row or column after column.
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

    /// Parts of arrays with gaps between their entries, every other one, repeated ones, vectors and
    /// nothing; results in either order.
    #[test]
    fn operands_have_any_strides() {
        let multiplier = Multiplier::new();
        let x = Array2::from_shape_fn((40, 90), |(i, j)| 0xfedc_ba98_u32 << ((i + j) & 31));
        let y = Array2::from_shape_fn((90, 50), |(i, j)| ((i * 31 + j) as i32) as i8);
        let one = Array2::from_shape_fn((1, 90), |(_, j)| j as u32);
        let (x_columns, y_columns) = (x.t().to_owned(), y.t().to_owned());
        let parts = [
            s![.., ..],
            s![.., 1..4],
            s![.., 2..3],
            s![5..6, ..;2],
            s![..;3, 2..;5],
            s![..0, ..],
            s![.., ..0],
        ];
        for part in parts {
            for x in
                [x.slice(part), x_columns.t().slice_move(part), one.broadcast((40, 90)).unwrap()]
            {
                for columns in [s![.., ..], s![.., 1..4], s![.., 2..3], s![.., ..;7]] {
                    for y in [y.slice(columns), y_columns.t().slice_move(columns)] {
                        let y = y.slice(s![..x.ncols(), ..]);
                        let want = product(&x.to_owned(), &y.to_owned());
                        let x = Matrix::try_from(x).expect("a view");
                        let y = Matrix::try_from(y).expect("a view");
                        let dim = want.dim();
                        for mut z in [Array2::<u32>::zeros(dim), Array2::zeros(dim.f())] {
                            let z_view = MatrixMut::try_from(&mut z).expect("dense");
                            multiplier.product::<u32>(x, y).write_to(z_view).expect("shapes");
                            assert_eq!(z, want);
                        }
                    }
                }
            }
        }
        // A step back has no stride here, unless there is but one entry; results have no gaps.
        let mut x = Array2::<u32>::zeros((4, 4));
        for part in [s![..;-1, ..], s![.., ..;-1]] {
            assert_eq!(Matrix::try_from(x.slice(part)).err(), Some(Error::Strides));
        }
        assert!(Matrix::try_from(x.slice(s![1..2;-1, 3..;-1])).is_ok());
        assert_eq!(MatrixMut::try_from(x.slice_mut(s![..;2, ..])).err(), Some(Error::Strides));
    }

    /// The memory between the entries of a view may be written by others while it lives.
    #[test]
    fn gaps_are_not_borrowed() {
        let mut both = Array2::<u32>::ones((3, 4));
        let (ours, mut theirs) = both.view_mut().split_at(Axis(1), 2);
        let ones = Array2::<u32>::ones((2, 1));
        let x = Matrix::try_from(&ours).expect("a view");
        let y = Matrix::try_from(&ones).expect("dense");
        theirs.fill(9);
        let mut z = Array2::<u32>::zeros((3, 1));
        let z_view = MatrixMut::try_from(&mut z).expect("dense");
        Multiplier::new().product::<u32>(x, y).write_to(z_view).expect("shapes");
        assert_eq!(z, Array2::from_elem((3, 1), 2));
    }
}
