//! Arguments of functions. A wrong one is an exception of this package; which one it was
//! is in a note of the exception, by PyO3.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PySlice};
use zeroize::Zeroizing;

use crate::errors::{self, ArgumentTypeError};

/// The values that a type of arguments has, for messages.
pub(crate) trait Expected {
    const TEXT: &'static str;
}

macro_rules! expected {
    ($($t:ty, $text:literal;)*) => {
        $(impl Expected for $t {
            const TEXT: &'static str = $text;
        })*
    };
}
expected! {
    bool, "True or False";
    u8, "an integer from 0 to 2^8 - 1";
    u32, "an integer from 0 to 2^32 - 1";
    u64, "an integer from 0 to 2^64 - 1";
    usize, "an integer from 0 to 2^64 - 1";
    f64, "a number";
    &str, "a string";
    Vec<String>, "a list of strings";
    Vec<(Data, Data)>, "a sequence of (identity, key), both bytes";
    Vec<(u32, u32, i32, i32)>, "ranges (rows, low, high)";
    Vec<(u32, u32, u64, u32)>, "norms (rows, bound on the squared norm)";
    Vec<(Vec<i64>, Vec<i64>, i64)>, "a sequence of (left, right, value), integers";
    Vec<(u32, u64, Vec<Vec<i64>>)>, "a sequence of (row, column, entries)";
    Vec<Vec<i64>>, "integers in two dimensions";
    Vec<u64>, "a sequence of integers from 0 to 2^64 - 1";
    Vec<Data>, "a sequence of bytes";
}

impl<T: Expected> Expected for Option<T> {
    const TEXT: &'static str = T::TEXT;
}

/// Converts an argument as PyO3 does, for `#[pyo3(from_py_with = arg)]`.
pub(crate) fn arg<'a, 'py, T>(any: &'a Bound<'py, PyAny>) -> PyResult<T>
where
    T: Expected + FromPyObject<'a, 'py>,
{
    any.as_borrowed()
        .extract()
        .map_err(|error: T::Error| errors::argument(any.py(), error.into(), || got(T::TEXT, any)))
}

/// "expected this, got that type": values may be secret.
fn got(expected: &str, any: &Bound<'_, PyAny>) -> String {
    let name = any.get_type().name();
    let name = name.as_ref().map_or_else(|_| "?".into(), ToString::to_string);
    format!("expected {expected}, got {}{name}", if name == "int" { "another " } else { "" })
}

/// The exception about an argument of a wrong type.
pub(crate) fn wrong_type(expected: &str, any: &Bound<'_, PyAny>) -> PyErr {
    ArgumentTypeError::new_err(got(expected, any))
}

/// Bytes that are public, or the caller's: the bytes of `bytes` in place, a copy of a bytearray, a
/// memoryview, a uint8 array or any other buffer of bytes.
pub(crate) struct Data(pub(crate) PyBackedBytes);

impl<'a, 'py> FromPyObject<'a, 'py> for Data {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if any.is_instance_of::<PyBytes>() {
            return Ok(Self(any.extract()?));
        }
        let view = bytes_of(&any).ok_or_else(|| wrong_type("bytes", &any))?;
        Ok(Self(view.call_method0("tobytes")?.extract()?))
    }
}

/// A view of a buffer of unsigned bytes.
fn bytes_of<'py>(any: &Bound<'py, PyAny>) -> Option<Bound<'py, PyMemoryView>> {
    let view = PyMemoryView::from(any).ok()?;
    let is_bytes = view.getattr("format").ok()?.eq("B").ok()?;
    is_bytes.then_some(view)
}

/// A copy of secret bytes, of any buffer of them, that is erased when dropped.
pub(crate) fn secret(any: &Bound<'_, PyAny>) -> Option<Zeroizing<Vec<u8>>> {
    if let Ok(bytes) = any.cast::<PyBytes>() {
        return Some(Zeroizing::new(bytes.as_bytes().to_vec()));
    }
    let copy = PyByteArray::from(bytes_of(any)?.as_any()).ok()?;
    let secret = Zeroizing::new(copy.to_vec());
    let zeros = PyBytes::new(any.py(), &vec![0; secret.len()]);
    copy.set_item(PySlice::full(any.py()), zeros).ok()?;
    Some(secret)
}
