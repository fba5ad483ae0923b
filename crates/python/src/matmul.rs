//! Products: calls of `tautochrone-matmul`.

use core::cmp::Ordering;

use numpy::{
    Element, PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Operand as Entry, Word};

use crate::arguments::arg;
use crate::arrays::{self, Array};
use crate::errors::{self, ParameterError};
use crate::operands::{ColumnMajor, Operand, Output, with_view};
use crate::signals::Signals;
use crate::threads;

/// Terms of a product between two looks at signals: 0.1 to 1 s on one core.
const TERMS: usize = 1 << 32;
/// Least columns of a part: X is read once for each.
const MIN_COLUMNS: usize = 64;

/// X Y modulo 2^w, exactly, w = 8, 16, 32 or 64.
///
/// x: (m, k), or (k,) for one row; y: (k, n), or (k,) for one column; each of any integer dtype of
/// 8 to 64 bits, which need not be the same: narrow entries make a product faster. Signed entries
/// stand for their residue. More dimensions in front are stacks of matrices, which broadcast as
/// stacks do in numpy.matmul. dtype: of the result, whose bits are w; if it is left out the one of
/// the wider operand, or of two that are as wide and differ the unsigned one. out: array of the
/// result's shape to write and return, whose matrices have contiguous rows or columns, in no memory
/// of an operand. add: out += X Y instead. order: "C" or "F", of the matrices of a new result.
///
/// Operands are not copied, whether in C or Fortran order or strided, unless a stride is negative
/// or no multiple of the element's size, their byte order is not this machine's, or they are
/// lists; such a copy is erased. Returns an array of shape (.., m, n), without the dimension of an
/// operand that has one only. Constant time in all entries. On all threads of RAYON_NUM_THREADS;
/// the interpreter's lock is released, and no other thread may write to the arrays meanwhile.
/// Ctrl-C is heeded between matrices of a stack and parts of 2^32 terms.
#[pyfunction]
#[pyo3(signature = (x, y, /, *, dtype=None, out=None, add=false, order="C"))]
pub(crate) fn matmul<'py>(
    py: Python<'py>,
    x: Operand<'py>,
    y: Operand<'py>,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<Array<'py>>,
    #[pyo3(from_py_with = arg)] add: bool,
    #[pyo3(from_py_with = arg)] order: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (x, y) = (x.array(), y.array());
    let (x_is_row, y_is_column) = (x.ndim() == 1, y.ndim() == 1);
    let x = if x_is_row { expand(x, 0)? } else { x.clone() };
    let y = if y_is_column { expand(y, 1)? } else { y.clone() };
    let ([stack_x @ .., m, k], [stack_y @ .., k_y, n]) = (x.shape(), y.shape()) else {
        return Err(ParameterError::new_err("an operand has 0 dimensions; expected 1 or more"));
    };
    if k != k_y {
        return Err(errors::parameter(format!("cannot multiply {m} x {k} by {k_y} x {n}")));
    }
    if !matches!(order, "C" | "F") {
        return Err(ParameterError::new_err("order is \"C\" or \"F\""));
    }
    let numpy = py.import("numpy")?;
    let stacks = (PyTuple::new(py, stack_x)?, PyTuple::new(py, stack_y)?);
    let stack = numpy.call_method1("broadcast_shapes", stacks).map_err(errors::numpy(py))?;
    let stack: Vec<usize> = stack.extract()?;
    let mut shape = stack.clone();
    shape.extend((!x_is_row).then_some(m));
    shape.extend((!y_is_column).then_some(n));
    let array = if let Some(out) = &out {
        arrays::output(Some(shape.into_pyobject(py)?.as_any()), dtype, Some(out), out.0.dtype())?
    } else {
        if add {
            return Err(ParameterError::new_err("add needs out"));
        }
        let dtype = dtype.map_or_else(|| default_dtype(&x, &y), arrays::dtype_of)?;
        if order == "F" && !x_is_row && !y_is_column {
            let shape = [&stack[..], &[*n, *m]].concat();
            let array = arrays::zeros(shape.into_pyobject(py)?.as_any(), &dtype, "C")?;
            array.call_method1("swapaxes", (-1, -2))?.cast_into()?
        } else {
            arrays::zeros(shape.into_pyobject(py)?.as_any(), &dtype, "C")?
        }
    };
    // Two dimensions at least, and unsigned: a view of the same memory.
    let mut z = array.clone();
    if y_is_column {
        z = expand(&z, -1)?;
    }
    if x_is_row {
        z = expand(&z, -2)?;
    }
    let of_stack = |array: &Bound<'py, PyUntypedArray>, rows: usize, columns: usize| {
        let shape = [&stack[..], &[rows, columns]].concat();
        numpy.call_method1("broadcast_to", (array, PyTuple::new(py, shape)?))
    };
    let (x, y) = (of_stack(&x, *m, *k)?, of_stack(&y, *k, *n)?);
    let descr = z.dtype();
    macro_rules! multiply_as {
        ($($unsigned:ty, $signed:ty;)*) => {
            $(if arrays::is::<$unsigned>(&descr) || arrays::is::<$signed>(&descr) {
                let z = z.call_method1("view", (self::dtype::<$unsigned>(py),))?;
                let mut signals = Signals::new();
                let indices = numpy.call_method1("ndindex", (PyTuple::new(py, &stack)?,))?;
                for index in indices.try_iter()? {
                    let index = index?;
                    let x = Operand::new(x.get_item(&index)?.cast()?)?;
                    let y = Operand::new(y.get_item(&index)?.cast()?)?;
                    let z = z.get_item(&index)?;
                    multiply::<$unsigned>(py, &x, &y, z.cast()?, add, &mut signals)?;
                }
                return if array.ndim() == 0 && out.is_none() {
                    arrays::scalar(&array)
                } else {
                    Ok(array.into_any())
                };
            })*
        };
    }
    multiply_as! { u8, i8; u16, i16; u32, i32; u64, i64; }
    Err(arrays::no_such_dtype(&descr, "an integer of 8 to 64 bits"))
}

/// The dtype of a product of these.
fn default_dtype<'py>(
    x: &Bound<'py, PyUntypedArray>,
    y: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyArrayDescr>> {
    let (x, y) = (arrays::native(&x.dtype())?, arrays::native(&y.dtype())?);
    // If both are as wide, x counts as the wider one if it is unsigned.
    let x_is_wider = match x.itemsize().cmp(&y.itemsize()) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => x.kind() == b'u',
    };
    Ok(if x_is_wider { x } else { y })
}

fn expand<'py>(
    array: &Bound<'py, PyUntypedArray>,
    axis: isize,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let numpy = array.py().import("numpy")?;
    Ok(numpy.call_method1("expand_dims", (array, axis))?.cast_into()?)
}

fn multiply<'py, W: Word + Element>(
    py: Python<'py>,
    x: &Operand<'py>,
    y: &Operand<'py>,
    z: &Bound<'py, PyUntypedArray>,
    add: bool,
    signals: &mut Signals,
) -> PyResult<()> {
    let mut output = Output::<W>::new(z, [x, y])?;
    let z = output.column_major()?;
    with_view!(x, x => with_view!(y, y => {
        let (x, y) = (x.matrix()?, y.matrix()?);
        // Z^T = Y^T X^T: results of the crate are column-major.
        py.detach(|| if z.transposed {
            product(y.transposed(), x.transposed(), z, add, signals)
        } else {
            product(x, y, z, add, signals)
        })
    }))
}

/// Z = X Y or Z += X Y by parts of the columns, between which signals are handled.
fn product<W: Word, X: Entry, Y: Entry>(
    x: Matrix<'_, X>,
    y: Matrix<'_, Y>,
    z: ColumnMajor<'_, W>,
    add: bool,
    signals: &mut Signals,
) -> PyResult<()> {
    let ColumnMajor { data, rows, columns, stride, .. } = z;
    let terms = rows.saturating_mul(x.columns()).max(1);
    let step = (TERMS / terms).max(MIN_COLUMNS);
    let multiplier = Multiplier::new();
    for start in (0..columns).step_by(step) {
        let end = columns.min(start + step);
        let first = if rows == 0 { 0 } else { start * stride };
        let part = &mut data[first..];
        threads::install(|| {
            let z = MatrixMut::strided(part, rows, end - start, stride)?;
            let y = y.columns_in(start..end);
            let product = multiplier.product(x, y);
            if add { product.add_to(z) } else { product.write_to(z) }
        })?
        .map_err(errors::parameter)?;
        signals.check()?;
    }
    Ok(())
}
