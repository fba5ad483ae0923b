//! Bytes and arrays as the proof system reads them.

use std::io;

use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_zk::internals::BLOCK;
use tautochrone_zk::{Error, Params, ReadAt, WitnessSource};

use crate::errors::WitnessError;
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

/// The columns of a witness, one after the other: an array of shape (l, v) in C order, in 32 bits
/// where entries may be wider than a byte.
#[derive(FromPyObject)]
pub(crate) enum WitnessArray<'py> {
    Bytes(PyReadonlyArray2<'py, i8>),
    Words(PyReadonlyArray2<'py, i32>),
}

impl WitnessArray<'_> {
    pub(super) fn columns(&self) -> PyResult<Columns<'_>> {
        let (entries, shape) = match self {
            Self::Bytes(array) => (Entries::Bytes(array.as_slice()?), array.shape()),
            Self::Words(array) => (Entries::Words(array.as_slice()?), array.shape()),
        };
        Ok(Columns { entries, l: shape[0] as u64, v: shape[1] })
    }
}

/// A witness in memory.
pub(super) struct Columns<'a> {
    entries: Entries<'a>,
    l: u64,
    v: usize,
}

enum Entries<'a> {
    Bytes(&'a [i8]),
    Words(&'a [i32]),
}

impl Columns<'_> {
    /// Refuses an array that is not v x l.
    pub(super) fn check_shape(&self, params: &Params) -> PyResult<()> {
        let (got, expected) = ((self.v as u64, self.l), (u64::from(params.v()), params.l()));
        if got == expected {
            return Ok(());
        }
        Err(WitnessError::new_err(format!(
            "the witness has shape {got:?}; expected (v, l) = {expected:?}"
        )))
    }

    /// `len` entries of the columns from a block on.
    fn part<'a, T>(&self, entries: &'a [T], first_block: u64, len: usize) -> Option<&'a [T]> {
        let first = usize::try_from(first_block.checked_mul(BLOCK.into())?).ok()?;
        let start = first.checked_mul(self.v)?;
        entries.get(start..start.checked_add(len)?)
    }

    /// The same with another type.
    fn read<T: Copy, U>(
        &self,
        entries: &[T],
        first_block: u64,
        out: &mut [U],
        convert: impl Fn(T) -> U,
    ) -> Result<(), Error> {
        let part = self.part(entries, first_block, out.len());
        let end = || Error::io("witness")(io::ErrorKind::UnexpectedEof.into());
        for (out, &entry) in out.iter_mut().zip(part.ok_or_else(end)?) {
            *out = convert(entry);
        }
        Ok(())
    }
}

impl WitnessSource for Columns<'_> {
    fn read_columns(&self, _: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        match self.entries {
            Entries::Bytes(entries) => self.read(entries, first_block, out, |entry| entry),
            Entries::Words(entries) => {
                // An entry beyond a byte is beyond the bound, and so is the byte in its place.
                self.read(entries, first_block, out, |entry| entry.try_into().unwrap_or(i8::MIN))
            }
        }
    }

    fn columns(&self, _: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        let Entries::Bytes(entries) = self.entries else { return None };
        self.part(entries, first_block, count.checked_mul(self.v)?)
    }

    fn read_wide_columns(
        &self,
        _: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        match self.entries {
            Entries::Bytes(entries) => self.read(entries, first_block, out, i32::from),
            Entries::Words(entries) => self.read(entries, first_block, out, |entry| entry),
        }
    }

    fn wide_columns(&self, _: &Params, first_block: u64, count: usize) -> Option<&[i32]> {
        let Entries::Words(entries) = self.entries else { return None };
        self.part(entries, first_block, count.checked_mul(self.v)?)
    }
}
