//! Uniform integers.

use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use tautochrone_gauss::uniform as integers;

use crate::arguments::arg;
use crate::arrays::{self, Array};
use crate::errors::ParameterError;
use crate::sampling::fill;

/// Fills an array with integers of so many bits, signed or not, or below a bound.
#[pyfunction]
#[pyo3(signature = (array, bits, below, signed, seed))]
pub(crate) fn uniform<'py>(
    array: Array<'py>,
    #[pyo3(from_py_with = arg)] bits: Option<u32>,
    #[pyo3(from_py_with = arg)] below: Option<u64>,
    #[pyo3(from_py_with = arg)] signed: bool,
    seed: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let Array(array) = &array;
    let descr = array.dtype();
    macro_rules! fill_as {
        ($($t:ty)*, $draw:expr) => {
            $(if arrays::is::<$t>(&descr) {
                let draw = $draw;
                return fill(array, seed, |stream, _, out: &mut [$t]| draw(stream, out));
            })*
        };
    }
    match (bits, below, signed) {
        (Some(bits), None, false) => {
            fill_as!(u8 u16 u32 u64, |stream: &mut _, out: &mut [_]| {
                integers::fill_bits(stream, bits, out)
            });
        }
        (Some(bits), None, true) => {
            fill_as!(i8 i16 i32 i64, |stream: &mut _, out: &mut [_]| {
                integers::fill_signed(stream, bits, out)
            });
        }
        (None, Some(n), false) => {
            fill_as!(u8 u16 u32 u64, |stream: &mut _, out: &mut [_]| {
                integers::fill_below(stream, n, out)
            });
        }
        _ => return Err(ParameterError::new_err("give bits, bits and signed=True, or below")),
    }
    let expected = if signed { "int8 to int64" } else { "uint8 to uint64" };
    Err(arrays::no_such_dtype(&descr, expected))
}
