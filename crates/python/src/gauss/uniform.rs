//! Uniform integers.

use numpy::{PyUntypedArrayMethods, dtype};
use pyo3::prelude::*;
use tautochrone_gauss::uniform as integers;

use super::fill::Request;
use crate::arguments::arg;
use crate::arrays::{self, Array};
use crate::errors::{self, ParameterError};
use crate::sampling::fill;

/// Independent integers, exactly uniform, in an array of any shape.
///
/// Give one of bits and below. bits: [0, 2^bits), or with signed=True [-2^(bits-1), 2^(bits-1));
/// below: [0, below). size: int or tuple of ints; the shape of `out`, or one scalar, if it is left
/// out. dtype: uint8 to uint64 (the default), or int8 to int64 (the default) if signed. out:
/// C-contiguous array to fill and return. seed: 32 bytes, a Stream to continue, or None for the
/// operating system's entropy.
///
/// Constant time in numbers and seed. The interpreter's lock is released; Ctrl-C is heeded every
/// 65536 numbers and leaves zeros in `out`.
#[pyfunction]
#[pyo3(signature = (
    size=None, *, bits=None, below=None, signed=false, dtype=None, out=None, seed=None
))]
pub(crate) fn uniform<'py>(
    py: Python<'py>,
    size: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arg)] bits: Option<u32>,
    #[pyo3(from_py_with = arg)] below: Option<u64>,
    #[pyo3(from_py_with = arg)] signed: bool,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<Array<'py>>,
    seed: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let default = if signed { self::dtype::<i64>(py) } else { self::dtype::<u64>(py) };
    let request = Request { size, dtype, out: out.as_ref(), seed };
    let array = arrays::output(size, dtype, request.out, default)?;
    let descr = array.dtype();
    macro_rules! fill_as {
        ($($t:ty)*, $draw:expr) => {
            $(if arrays::is::<$t>(&descr) {
                let draw = $draw;
                fill(&array, seed, errors::parameter, |stream, _, out: &mut [$t]| {
                    draw(stream, out)
                })?;
                return request.answer(array);
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
