//! Arrays: made, checked, erased.

use numpy::{
    Element, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyByteArrayMethods, PyBytes, PySlice, PyTuple};

use crate::arguments::wrong_type;
use crate::errors::{self, ArgumentTypeError, ParameterError};

/// The argument `out`, or a result.
pub(crate) struct Array<'py>(pub(crate) Bound<'py, PyUntypedArray>);

impl<'a, 'py> FromPyObject<'a, 'py> for Array<'py> {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = any.cast::<PyUntypedArray>().map_err(|_| wrong_type("a numpy array", &any))?;
        Ok(Self(array.to_owned()))
    }
}

/// `numpy.zeros(shape, dtype, order=order)`, which says itself if a shape is wrong.
pub(crate) fn zeros<'py>(
    shape: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyArrayDescr>,
    order: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = shape.py();
    let zeros = py.import("numpy")?.call_method1("zeros", (shape, dtype, order));
    Ok(zeros.map_err(errors::numpy(py))?.cast_into()?)
}

/// The argument `dtype`: anything that `numpy.dtype` takes.
pub(crate) fn dtype_of<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDescr>> {
    let py = argument.py();
    PyArrayDescr::new(py, argument).map_err(errors::numpy(py))
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
    ArgumentTypeError::new_err(format!("dtype is {descr}; expected {expected}{order}"))
}

/// The array to be filled: `out`, which must agree with `size` and `dtype` where these are given,
/// or a new one of that shape, none for one value, and dtype.
pub(crate) fn output<'py>(
    size: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Array<'py>>,
    default: Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = dtype.map(dtype_of).transpose()?;
    let Some(Array(out)) = out else {
        let none = PyTuple::empty(default.py());
        return zeros(size.unwrap_or(&none), &dtype.unwrap_or(default), "C");
    };
    if let Some(dtype) = dtype.filter(|dtype| !dtype.is_equiv_to(&out.dtype())) {
        let other = out.dtype();
        return Err(ArgumentTypeError::new_err(format!("dtype is {dtype}, and of out {other}")));
    }
    if let Some(size) = size {
        let numpy = size.py().import("numpy")?;
        let shape = numpy.call_method1("broadcast_shapes", (size,));
        let shape: Vec<usize> = shape.map_err(errors::numpy(size.py()))?.extract()?;
        if shape != out.shape() {
            let got = out.shape();
            return Err(errors::parameter(format!("size is {shape:?}, and of out {got:?}")));
        }
    }
    Ok(out.clone())
}

/// The one value of an array without dimensions as a scalar of numpy; the array is erased.
pub(crate) fn scalar<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    let value = array.get_item(PyTuple::empty(array.py()))?;
    wipe(array)?;
    Ok(value)
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
    let Array(array) = buffer.extract()?;
    let py = buffer.py();
    array.call_method1("fill", (0,)).map(drop).map_err(errors::numpy(py))
}
