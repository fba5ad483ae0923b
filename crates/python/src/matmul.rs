//! Products: calls of `tautochrone-matmul`.

use numpy::{Element, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Operand, Word};

use crate::arrays::{self, Array};
use crate::errors;
use crate::operands::{ColumnMajor, Output, with_view};
use crate::signals::Signals;
use crate::threads;

/// Terms of a product between two looks at signals: 0.1 to 1 s on one core.
const TERMS: usize = 1 << 32;
/// Least columns of a part: X is read once for each.
const MIN_COLUMNS: usize = 64;

/// Z = X Y or Z += X Y, for arrays of two dimensions; Z of unsigned integers.
#[pyfunction]
pub(crate) fn multiply<'py>(
    py: Python<'py>,
    x: Array<'py>,
    y: Array<'py>,
    z: Array<'py>,
    add: bool,
) -> PyResult<()> {
    let (Array(x), Array(y), Array(z)) = (&x, &y, &z);
    let descr = z.dtype();
    macro_rules! multiply_as {
        ($($word:ty)*) => {
            $(if arrays::is::<$word>(&descr) {
                return multiply_words::<$word>(py, x, y, z, add);
            })*
        };
    }
    multiply_as!(u8 u16 u32 u64);
    Err(arrays::no_such_dtype(&descr, "uint8, uint16, uint32 or uint64"))
}

fn multiply_words<'py, W: Word + Element>(
    py: Python<'py>,
    x: &Bound<'py, PyUntypedArray>,
    y: &Bound<'py, PyUntypedArray>,
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
fn product<W: Word, X: Operand, Y: Operand>(
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
