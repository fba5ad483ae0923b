//! Products: calls of `tautochrone-matmul`.

use numpy::{Element, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::prelude::*;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Operand as Entry, Word};

use crate::arrays;
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
/// stand for their residue. dtype: that of the result, whose bits are w; the unsigned one of the
/// widest operand if it is left out. out: array of the result's shape to write and return, with
/// contiguous rows or columns, in no memory of an operand. add: out += X Y instead. order: "C" or
/// "F", of a new result.
///
/// Operands are not copied, whether in C or Fortran order or strided, unless a stride is negative
/// or no multiple of the element's size, or their byte order is not that of this machine; such a
/// copy is erased. Returns an array of shape (m, n), without the dimension of an operand that has one only. Constant time in all entries. On all
/// threads of RAYON_NUM_THREADS; the interpreter's lock is released, and no other thread may write
/// to the arrays meanwhile. Ctrl-C is heeded between parts of 2^32 terms.
#[pyfunction]
#[pyo3(signature = (x, y, /, *, dtype=None, out=None, add=false, order="C"))]
pub(crate) fn matmul<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyUntypedArray>,
    y: &Bound<'py, PyUntypedArray>,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyUntypedArray>>,
    add: bool,
    order: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let (x, x_is_row) = two_dimensional(x, 0)?;
    let (y, y_is_column) = two_dimensional(y, 1)?;
    if x.shape()[1] != y.shape()[0] {
        return Err(errors::parameter(format!(
            "cannot multiply {} x {} by {} x {}",
            x.shape()[0],
            x.shape()[1],
            y.shape()[0],
            y.shape()[1]
        )));
    }
    if !matches!(order, "C" | "F") {
        return Err(ParameterError::new_err("order is \"C\" or \"F\""));
    }
    let (m, n) = (x.shape()[0], y.shape()[1]);
    let mut shape = Vec::new();
    shape.extend((!x_is_row).then_some(m));
    shape.extend((!y_is_column).then_some(n));
    let array = if let Some(out) = out {
        arrays::output(Some(shape.into_pyobject(py)?.as_any()), dtype, Some(out), out.dtype())?
    } else {
        if add {
            return Err(ParameterError::new_err("add needs out"));
        }
        let widest = x.dtype().itemsize().max(y.dtype().itemsize());
        let dtype = match dtype {
            Some(dtype) => arrays::dtype_of(dtype)?,
            None => arrays::dtype_of(format!("uint{}", 8 * widest).into_pyobject(py)?.as_any())?,
        };
        arrays::zeros(shape.into_pyobject(py)?.as_any(), &dtype, order)?
    };
    // Of two dimensions and unsigned: a view of the same memory.
    let mut z = array.clone();
    if x_is_row {
        z = expand(&z, 0)?;
    }
    if y_is_column {
        z = expand(&z, 1)?;
    }
    let (x, y) = (Operand::new(&x)?, Operand::new(&y)?);
    let descr = z.dtype();
    macro_rules! multiply_as {
        ($($unsigned:ty, $signed:ty;)*) => {
            $(if arrays::is::<$unsigned>(&descr) || arrays::is::<$signed>(&descr) {
                let z = z.call_method1("view", (self::dtype::<$unsigned>(py),))?.cast_into()?;
                multiply::<$unsigned>(py, &x, &y, &z, add)?;
                return Ok(array);
            })*
        };
    }
    multiply_as! { u8, i8; u16, i16; u32, i32; u64, i64; }
    Err(arrays::no_such_dtype(&descr, "an integer of 8 to 64 bits"))
}

/// Two dimensions, the other one of length 1 and at `axis`; and whether it was added.
fn two_dimensional<'py>(
    array: &Bound<'py, PyUntypedArray>,
    axis: usize,
) -> PyResult<(Bound<'py, PyUntypedArray>, bool)> {
    match array.ndim() {
        1 => Ok((expand(array, axis)?, true)),
        2 => Ok((array.clone(), false)),
        n => Err(errors::parameter(format!("an operand has {n} dimensions; expected 1 or 2"))),
    }
}

fn expand<'py>(
    array: &Bound<'py, PyUntypedArray>,
    axis: usize,
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
) -> PyResult<()> {
    let mut output = Output::<W>::new(z, [x, y])?;
    let z = output.column_major()?;
    with_view!(x, x => with_view!(y, y => {
        let (x, y) = (x.matrix()?, y.matrix()?);
        // Z^T = Y^T X^T: results of the crate are column-major.
        py.detach(|| if z.transposed {
            product(y.transposed(), x.transposed(), z, add)
        } else {
            product(x, y, z, add)
        })
    }))
}

/// Z = X Y or Z += X Y by parts of the columns, between which signals are handled.
fn product<W: Word, X: Entry, Y: Entry>(
    x: Matrix<'_, X>,
    y: Matrix<'_, Y>,
    z: ColumnMajor<'_, W>,
    add: bool,
) -> PyResult<()> {
    let ColumnMajor { data, rows, columns, stride, .. } = z;
    let terms = rows.saturating_mul(x.columns()).max(1);
    let step = (TERMS / terms).max(MIN_COLUMNS);
    let multiplier = Multiplier::new();
    let mut signals = Signals::new();
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
