//! Bytes and arrays as the proof system reads them.

use std::io;

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_zk::internals::BLOCK;
use tautochrone_zk::{Error, Params, ReadAt, WitnessSource};

use crate::arrays::{self, Array};
use crate::errors::{self, WitnessError};
use crate::signals::Stop;

/// A statement in memory, an error once the call is to stop.
pub(super) struct Bytes<'a> {
    bytes: &'a [u8],
    stop: &'a Stop,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8], stop: &'a Stop) -> Self {
        Self { bytes, stop }
    }
}

impl ReadAt for Bytes<'_> {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.stop.check()?;
        self.bytes.read_at(offset, buffer)
    }
}

/// A witness as an array: int8, or int32 where entries may be wider.
pub(crate) enum WitnessArray<'py> {
    Bytes(PyReadonlyArray2<'py, i8>),
    Words(PyReadonlyArray2<'py, i32>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for WitnessArray<'py> {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Array(array) = any.extract()?;
        let descr = array.dtype();
        if array.ndim() != 2 {
            let got = array.ndim();
            let text = format!("the witness has {got} dimensions; expected 2, (v, l)");
            return Err(WitnessError::new_err(text));
        }
        if arrays::is::<i8>(&descr) {
            let array = array.cast::<PyArray2<i8>>()?;
            return Ok(Self::Bytes(array.try_readonly().map_err(errors::parameter)?));
        }
        if arrays::is::<i32>(&descr) {
            let array = array.cast::<PyArray2<i32>>()?;
            return Ok(Self::Words(array.try_readonly().map_err(errors::parameter)?));
        }
        Err(arrays::no_such_dtype(&descr, "int8 or int32"))
    }
}

impl WitnessArray<'_> {
    pub(super) fn entries(&self) -> Entries<'_> {
        match self {
            Self::Bytes(array) => Entries::Bytes(array.as_array()),
            Self::Words(array) => Entries::Words(array.as_array()),
        }
    }
}

/// The entries of an array of shape (v, l).
#[derive(Clone, Copy)]
pub(super) enum Entries<'a> {
    Bytes(ArrayView2<'a, i8>),
    Words(ArrayView2<'a, i32>),
}

impl Entries<'_> {
    /// Refuses an array that is not v x l.
    pub(super) fn check_shape(&self, params: &Params) -> PyResult<()> {
        let (v, l) = match self {
            Self::Bytes(entries) => entries.dim(),
            Self::Words(entries) => entries.dim(),
        };
        if v as u64 == u64::from(params.v()) && l as u64 == params.l() {
            return Ok(());
        }
        let expected = (params.v(), params.l());
        Err(WitnessError::new_err(format!(
            "the witness has shape ({v}, {l}); expected (v, l) = {expected:?}"
        )))
    }
}

/// A witness in an array, in any order.
impl WitnessSource for Entries<'_> {
    fn read_columns(
        &self,
        _params: &Params,
        first_block: u64,
        out: &mut [i8],
    ) -> Result<(), Error> {
        match *self {
            Entries::Bytes(entries) => read(entries, first_block, out, |entry| entry),
            Entries::Words(entries) => {
                // An entry beyond a byte is beyond the bound, and so is the byte in its place.
                read(entries, first_block, out, |entry| entry.try_into().unwrap_or(i8::MIN))
            }
        }
    }

    fn columns(&self, _params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        let Entries::Bytes(entries) = self else { return None };
        lent(entries, first_block, count)
    }

    fn read_wide_columns(
        &self,
        _params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        match *self {
            Entries::Bytes(entries) => read(entries, first_block, out, i32::from),
            Entries::Words(entries) => read(entries, first_block, out, |entry| entry),
        }
    }

    fn wide_columns(&self, _params: &Params, first_block: u64, count: usize) -> Option<&[i32]> {
        let Entries::Words(entries) = self else { return None };
        lent(entries, first_block, count)
    }
}

/// Columns of S, which are columns of the array.
fn read<T: Copy, U>(
    entries: ArrayView2<'_, T>,
    first_block: u64,
    out: &mut [U],
    convert: impl Fn(T) -> U,
) -> Result<(), Error> {
    let columns = entries.reversed_axes();
    let (l, v) = columns.dim();
    let first = usize::try_from(first_block.saturating_mul(BLOCK.into())).unwrap_or(l);
    let count = out.len().checked_div(v).unwrap_or(0);
    if count > l.saturating_sub(first) || count * v != out.len() {
        return Err(Error::io("witness")(io::ErrorKind::UnexpectedEof.into()));
    }
    let columns = columns.axis_iter(Axis(0)).skip(first);
    for (out, column) in out.chunks_exact_mut(v.max(1)).zip(columns) {
        for (out, &entry) in out.iter_mut().zip(column) {
            *out = convert(entry);
        }
    }
    Ok(())
}

/// The same in place, if the array is in Fortran order.
fn lent<'a, T>(entries: &'a ArrayView2<'_, T>, first_block: u64, count: usize) -> Option<&'a [T]> {
    let v = entries.dim().0;
    let start = usize::try_from(first_block.checked_mul(BLOCK.into())?).ok()?.checked_mul(v)?;
    // Columns lie one after the other.
    let whole = entries.as_slice_memory_order().filter(|_| entries.t().is_standard_layout())?;
    whole.get(start..start.checked_add(count.checked_mul(v)?)?)
}
