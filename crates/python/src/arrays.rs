//! Arrays that the package's functions in Python have made, or checked but for what they hold.

use numpy::{
    Element, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;

use crate::arguments::wrong_type;
use crate::errors::{self, ArgumentTypeError, ParameterError};

/// An array of any type.
pub(crate) struct Array<'py>(pub(crate) Bound<'py, PyUntypedArray>);

impl<'a, 'py> FromPyObject<'a, 'py> for Array<'py> {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = any.cast::<PyUntypedArray>().map_err(|_| wrong_type("a numpy array", &any))?;
        Ok(Self(array.to_owned()))
    }
}

pub(crate) fn is<T: Element>(descr: &Bound<'_, PyArrayDescr>) -> bool {
    descr.is_equiv_to(&dtype::<T>(descr.py()))
}

/// Refuses a dtype that a function does not have.
pub(crate) fn no_such_dtype(descr: &Bound<'_, PyArrayDescr>, expected: &str) -> PyErr {
    let order = match descr.is_native_byteorder() {
        Some(false) => " in the byte order of this machine",
        _ => "",
    };
    ArgumentTypeError::new_err(format!("dtype is {descr}; expected {expected}{order}"))
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
