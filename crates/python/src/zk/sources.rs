//! Bytes and arrays as the proof system reads and writes them. Each gives an error once the call is
//! to stop.

use std::io::{self, Write};

use numpy::ndarray::{ArrayView2, Axis};
use pyo3::PyResult;
use tautochrone_zk::{BLOCK, Error, Params, ReadAt, WitnessSource};

use crate::errors::WitnessError;
use crate::signals::Stop;

/// A statement in memory.
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

/// A statement that is being written.
pub(super) struct Sink<'a> {
    rest: &'a mut [u8],
    stop: &'a Stop,
}

impl<'a> Sink<'a> {
    pub(super) fn new(out: &'a mut [u8], stop: &'a Stop) -> Self {
        Self { rest: out, stop }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stop.check()?;
        self.rest.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A witness in an array of shape (v, l), in any order.
pub(super) struct ArrayWitness<'a> {
    /// The transposed array: rows are columns of S.
    columns: ArrayView2<'a, i8>,
    stop: &'a Stop,
}

impl<'a> ArrayWitness<'a> {
    pub(super) fn new(entries: ArrayView2<'a, i8>, stop: &'a Stop) -> Self {
        Self { columns: entries.reversed_axes(), stop }
    }
}

/// Refuses an array that is not v x l.
pub(super) fn check_shape(entries: ArrayView2<'_, i8>, params: &Params) -> PyResult<()> {
    let (v, l) = entries.dim();
    if v as u64 == u64::from(params.v()) && l as u64 == params.l() {
        return Ok(());
    }
    let expected = (params.v(), params.l());
    Err(WitnessError::new_err(format!(
        "the witness has shape ({v}, {l}); expected (v, l) = {expected:?}"
    )))
}

impl WitnessSource for ArrayWitness<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.stop.check().map_err(Error::io("witness"))?;
        let (l, v) = self.columns.dim();
        let too_long = || Error::WitnessLength {
            got: (v * l) as u64,
            expected: u64::from(params.v()) * params.l(),
        };
        let first = usize::try_from(first_block.saturating_mul(BLOCK.into())).unwrap_or(l);
        let count = out.len().checked_div(v).unwrap_or(0);
        if count > l.saturating_sub(first) || count * v != out.len() {
            return Err(too_long());
        }
        let columns = self.columns.axis_iter(Axis(0)).skip(first);
        for (out, column) in out.chunks_exact_mut(v.max(1)).zip(columns) {
            out.iter_mut().zip(column).for_each(|(out, &entry)| *out = entry);
        }
        Ok(())
    }

    fn columns(&self, _params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        if self.stop.is_set() {
            // It will be read instead, which fails.
            return None;
        }
        let v = self.columns.dim().1;
        let start = usize::try_from(first_block.checked_mul(BLOCK.into())?).ok()?.checked_mul(v)?;
        self.columns.to_slice()?.get(start..start.checked_add(count.checked_mul(v)?)?)
    }
}
