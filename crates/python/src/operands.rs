//! Arrays as matrices: views of numpy's memory for `tautochrone-matmul`, without copies.

use core::slice;

use numpy::{
    Element, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use tautochrone_matmul as matmul;

use crate::errors::{self, ParameterError};

/// Evaluates `$body` with `$view` bound to the typed [`View`] of an array.
macro_rules! with_view {
    ($array:expr, $view:ident => $body:expr) => {
        $crate::operands::with_view!(@ $array, $view => $body; u8 u16 u32 u64 i8 i16 i32 i64)
    };
    (@ $array:expr, $view:ident => $body:expr; $($t:ty)*) => {
        $(if $crate::arrays::is::<$t>(&$array.dtype()) {
            let $view = $crate::operands::View::<$t>::new($array)?;
            $body
        } else)* {
            Err($crate::arrays::no_such_dtype(&$array.dtype(), "an integer of 8 to 64 bits"))
        }
    };
}
pub(crate) use with_view;

/// An array that is borrowed for reading.
pub(crate) struct View<'py, T: Element> {
    array: PyReadonlyArray2<'py, T>,
}

impl<'py, T: Element + matmul::Operand> View<'py, T> {
    pub(crate) fn new(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let array = array.cast::<PyArray2<T>>()?.try_readonly().map_err(errors::parameter)?;
        Ok(Self { array })
    }

    /// The same as a matrix.
    pub(crate) fn matrix(&self) -> PyResult<matmul::Matrix<'_, T>> {
        let array = self.array.as_untyped();
        let no_matrix = || ParameterError::new_err("an operand is not aligned or strided");
        let (row, column) = strides(array).ok_or_else(no_matrix)?;
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        let len = span((rows, columns), (row, column));
        // Nothing is read of an empty array, wherever it is.
        let data: &[T] = if len == 0 {
            &[]
        } else {
            // SAFETY: numpy's first element is the lowest in memory, as no stride is negative, and
            // the last one is `len - 1` elements after it, in the same block of memory, which
            // `self.array` keeps alive. It is aligned (`strides`), any bytes are an integer,
            // and the borrow keeps other Rust code from writing there.
            #[expect(unsafe_code)]
            unsafe {
                slice::from_raw_parts(self.array.data().cast_const(), len)
            }
        };
        matmul::Matrix::strided(data, rows, columns, row, column).map_err(errors::parameter)
    }
}

/// A result to be written: column-major, perhaps of the transposed product.
pub(crate) struct Output<'py, W: Element> {
    array: PyReadwriteArray2<'py, W>,
}

pub(crate) struct ColumnMajor<'a, W> {
    pub(crate) data: &'a mut [W],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) stride: usize,
    /// Whether these are the rows of the array.
    pub(crate) transposed: bool,
}

impl<'py, W: Element> Output<'py, W> {
    /// `array` must share no memory with the operands, gaps between rows or columns included.
    pub(crate) fn new(
        array: &Bound<'py, PyUntypedArray>,
        operands: [&Bound<'py, PyUntypedArray>; 2],
    ) -> PyResult<Self> {
        let numpy = array.py().import("numpy")?;
        for operand in operands {
            // Compares the ranges of addresses.
            if numpy.call_method1("may_share_memory", (array, operand))?.extract()? {
                return Err(ParameterError::new_err("out and an operand overlap in memory"));
            }
        }
        let array = array.cast::<PyArray2<W>>()?.try_readwrite().map_err(errors::parameter)?;
        Ok(Self { array })
    }

    pub(crate) fn column_major(&mut self) -> PyResult<ColumnMajor<'_, W>> {
        let array = self.array.as_untyped();
        let (row, column) = strides(array).ok_or_else(not_a_matrix)?;
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        let by_columns = (rows <= 1 || row == 1) && (columns <= 1 || column >= rows);
        let by_rows = (columns <= 1 || column == 1) && (rows <= 1 || row >= columns);
        let (stride, transposed) = if by_columns && (columns <= rows || !by_rows) {
            (if columns <= 1 { rows } else { column }, false)
        } else if by_rows {
            (if rows <= 1 { columns } else { row }, true)
        } else {
            return Err(not_a_matrix());
        };
        let len = span((rows, columns), (row, column));
        let data: &mut [W] = if len == 0 {
            &mut []
        } else {
            // SAFETY: as in `View::matrix`; the array is borrowed for writing, so no other borrow
            // shares elements with it, and the operands of the product do not even reach into the
            // gaps between its elements (`Output::new`).
            #[expect(unsafe_code)]
            unsafe {
                slice::from_raw_parts_mut(self.array.data(), len)
            }
        };
        let (rows, columns) = if transposed { (columns, rows) } else { (rows, columns) };
        Ok(ColumnMajor { data, rows, columns, stride, transposed })
    }
}

fn not_a_matrix() -> PyErr {
    ParameterError::new_err(
        "out must be aligned and have contiguous rows or contiguous columns that do not overlap",
    )
}

/// Strides in elements; `None` if one is negative or no multiple of an element's size, or the array
/// is not aligned. The stride of a dimension of one element is 1, even if numpy says another.
fn strides(array: &Bound<'_, PyUntypedArray>) -> Option<(usize, usize)> {
    let size = array.dtype().itemsize().max(1);
    let stride = |axis: usize| {
        if array.shape()[axis] <= 1 {
            return Some(1);
        }
        let bytes = usize::try_from(array.strides()[axis]).ok()?;
        bytes.is_multiple_of(size).then_some(bytes / size)
    };
    array.is_aligned().then_some((stride(0)?, stride(1)?))
}

/// One more than the index of the last element, counted in memory; 0 for none.
fn span((rows, columns): (usize, usize), (row, column): (usize, usize)) -> usize {
    if rows == 0 || columns == 0 { 0 } else { (rows - 1) * row + (columns - 1) * column + 1 }
}
