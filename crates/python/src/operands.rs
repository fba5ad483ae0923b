//! Arrays as matrices: views of numpy's memory for `tautochrone-matmul`, without copies.

use core::slice;

use numpy::{
    Element, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use tautochrone_matmul as matmul;

use crate::arrays::{copied, is, is_native, no_such_dtype};
use crate::errors::{self, ParameterError};

/// An operand: the caller's array, or a copy that is erased when dropped.
pub(crate) struct Operand<'py> {
    array: Bound<'py, PyUntypedArray>,
    is_copy: bool,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Operand<'py> {
    type Error = PyErr;

    /// An operand of any number of dimensions, from an array or anything that numpy turns into one.
    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = any.cast::<PyUntypedArray>() {
            return Ok(Self { array: array.to_owned(), is_copy: false });
        }
        let py = any.py();
        let array = py.import("numpy")?.call_method1("array", (any,)).map_err(errors::numpy(py))?;
        Ok(Self::copy(array.cast_into()?))
    }
}

impl<'py> Operand<'py> {
    /// An operand of two dimensions. A copy is made only of arrays with negative strides, or such
    /// as are no multiples of the element's size, or with elements in another byte order than this
    /// machine.
    pub(crate) fn new(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        if strides(array).is_some() && array.is_aligned() && is_native(array)? {
            return Ok(Self { array: array.clone(), is_copy: false });
        }
        Ok(Self::copy(copied(array)?))
    }

    /// A copy, which nobody else has.
    pub(crate) fn copy(array: Bound<'py, PyUntypedArray>) -> Self {
        Self { array, is_copy: true }
    }

    pub(crate) fn array(&self) -> &Bound<'py, PyUntypedArray> {
        &self.array
    }

    pub(crate) fn typed<T: Element>(&self) -> PyResult<View<'py, T>> {
        let array = self.array.cast::<PyArray2<T>>()?.try_readonly().map_err(errors::parameter)?;
        Ok(View { array })
    }

    /// For what has another type than the macro [`with_view`] offers.
    pub(crate) fn no_such_type(&self) -> PyErr {
        no_such_dtype(&self.array.dtype(), "an integer of 8 to 64 bits")
    }

    pub(crate) fn has_type<T: Element>(&self) -> bool {
        is::<T>(&self.array.dtype())
    }
}

impl Drop for Operand<'_> {
    fn drop(&mut self) {
        if self.is_copy {
            // It is ours and writable, and if it is not of numbers, nothing was computed.
            let _ = self.array.call_method1("fill", (0,));
        }
    }
}

/// Evaluates `$body` with `$view` bound to the typed view of an [`Operand`].
macro_rules! with_view {
    ($operand:expr, $view:ident => $body:expr) => {
        $crate::operands::with_view!(@ $operand, $view => $body; u8 u16 u32 u64 i8 i16 i32 i64)
    };
    (@ $operand:expr, $view:ident => $body:expr; $($t:ty)*) => {
        $(if $operand.has_type::<$t>() {
            let $view = $operand.typed::<$t>()?;
            $body
        } else)* {
            Err($operand.no_such_type())
        }
    };
}
pub(crate) use with_view;

/// An array that is borrowed for reading.
pub(crate) struct View<'py, T: Element> {
    array: PyReadonlyArray2<'py, T>,
}

impl<T: Element + matmul::Operand> View<'_, T> {
    /// The same as a matrix.
    pub(crate) fn matrix(&self) -> PyResult<matmul::Matrix<'_, T>> {
        let array = self.array.as_untyped();
        let (row, column) = strides(array).ok_or_else(not_a_matrix)?;
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        let len = span((rows, columns), (row, column));
        // Nothing is read of an empty array, wherever it is.
        let data: &[T] = if len == 0 {
            &[]
        } else {
            // SAFETY: numpy's first element is the lowest in memory, as no stride is negative, and
            // the last one is `len - 1` elements after it, in the same block of memory, which
            // `self.array` keeps alive. It is aligned (`Operand::new`), any bytes are an integer,
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
        operands: [&Operand<'py>; 2],
    ) -> PyResult<Self> {
        let numpy = array.py().import("numpy")?;
        for operand in operands {
            // Compares the ranges of addresses.
            if numpy.call_method1("may_share_memory", (array, operand.array()))?.extract()? {
                return Err(ParameterError::new_err("out and an operand overlap in memory"));
            }
        }
        let array = array.cast::<PyArray2<W>>()?.try_readwrite().map_err(errors::parameter)?;
        Ok(Self { array })
    }

    pub(crate) fn column_major(&mut self) -> PyResult<ColumnMajor<'_, W>> {
        let array = self.array.as_untyped();
        let (row, column) =
            strides(array).filter(|_| array.is_aligned()).ok_or_else(not_a_matrix)?;
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

/// Strides in elements; `None` if one is negative or no multiple of an element's size. The stride
/// of a dimension of one element is 1, even if numpy says another.
fn strides(array: &Bound<'_, PyUntypedArray>) -> Option<(usize, usize)> {
    let size = array.dtype().itemsize().max(1);
    let stride = |axis: usize| {
        if array.shape()[axis] <= 1 {
            return Some(1);
        }
        let bytes = usize::try_from(array.strides()[axis]).ok()?;
        bytes.is_multiple_of(size).then_some(bytes / size)
    };
    Some((stride(0)?, stride(1)?))
}

/// One more than the index of the last element, counted in memory; 0 for none.
fn span((rows, columns): (usize, usize), (row, column): (usize, usize)) -> usize {
    if rows == 0 || columns == 0 { 0 } else { (rows - 1) * row + (columns - 1) * column + 1 }
}
