//! Arrays: made, checked, erased.

use numpy::{
    Element, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyByteArrayMethods, PyBytes, PySlice};

use crate::errors::{self, DTypeError, ParameterError};

/// `numpy.zeros(shape, dtype, order=order)`, which says itself what is wrong with a shape.
pub(crate) fn zeros<'py>(
    shape: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyArrayDescr>,
    order: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let numpy = shape.py().import("numpy")?;
    Ok(numpy.call_method1("zeros", (shape, dtype, order))?.cast_into()?)
}

/// The argument `dtype`: anything that `numpy.dtype` takes.
pub(crate) fn dtype_of<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDescr>> {
    PyArrayDescr::new(argument.py(), argument)
}

pub(crate) fn is<T: Element>(descr: &Bound<'_, PyArrayDescr>) -> bool {
    descr.is_equiv_to(&dtype::<T>(descr.py()))
}

/// The same dtype in the byte order of this machine.
pub(crate) fn native<'py>(descr: &Bound<'py, PyArrayDescr>) -> PyResult<Bound<'py, PyArrayDescr>> {
    Ok(descr.call_method1("newbyteorder", ("=",))?.cast_into()?)
}

/// A copy in C order and in the byte order of this machine.
pub(crate) fn copied<'py>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    Ok(array.call_method1("astype", (native(&array.dtype())?, "C"))?.cast_into()?)
}

/// Whether elements are in the byte order of this machine.
pub(crate) fn is_native(array: &Bound<'_, PyUntypedArray>) -> PyResult<bool> {
    Ok(native(&array.dtype())?.is_equiv_to(&array.dtype()))
}

/// Refuses a dtype that a function does not have.
pub(crate) fn no_such_dtype(descr: &Bound<'_, PyArrayDescr>, expected: &str) -> PyErr {
    let order = match native(descr) {
        Ok(native) if !native.is_equiv_to(descr) => " in the byte order of this machine",
        _ => "",
    };
    DTypeError::new_err(format!("dtype is {descr}; expected {expected}{order}"))
}

/// The array to be filled: `out`, which must agree with `shape` and `dtype` where those are given,
/// or a new one of that shape and dtype.
pub(crate) fn output<'py>(
    shape: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyUntypedArray>>,
    default: Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = dtype.map(dtype_of).transpose()?;
    let Some(out) = out else {
        let shape = shape.ok_or_else(|| ParameterError::new_err("give shape or out"))?;
        return zeros(shape, &dtype.unwrap_or(default), "C");
    };
    if let Some(dtype) = dtype.filter(|dtype| !dtype.is_equiv_to(&out.dtype())) {
        return Err(DTypeError::new_err(format!("dtype is {dtype}, that of out {}", out.dtype())));
    }
    if let Some(shape) = shape {
        let wanted = match shape.extract::<usize>() {
            Ok(n) => vec![n],
            Err(_) => shape.extract::<Vec<usize>>()?,
        };
        if wanted != out.shape() {
            let got = out.shape();
            return Err(errors::parameter(format!("shape is {wanted:?}, that of out {got:?}")));
        }
    }
    Ok(out.clone())
}

/// A writable C-contiguous array of this element type.
pub(crate) fn writable<'py, T: Element>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    if !array.is_c_contiguous() || !array.is_aligned() {
        return Err(ParameterError::new_err("out is not C-contiguous and aligned"));
    }
    array.cast::<PyArrayDyn<T>>()?.try_readwrite().map_err(errors::parameter)
}

/// Overwrites an array or a bytearray with zeros.
///
/// buffer: a writable numpy array of any shape, strides and numeric dtype, or a bytearray. For
/// secrets that are not needed any more. Copies that numpy or Python made elsewhere stay, and
/// `bytes` and `int` cannot be erased at all.
#[pyfunction]
#[pyo3(signature = (buffer, /))]
pub(crate) fn wipe(buffer: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(bytes) = buffer.cast::<PyByteArray>() {
        let all = PySlice::full(buffer.py());
        return bytes.set_item(all, PyBytes::new(buffer.py(), &vec![0; bytes.len()]));
    }
    let array = buffer.cast::<PyUntypedArray>()?;
    array.call_method1("fill", (0,)).map(drop)
}
