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

    /// The same in the bytes that the parameters call for.
    fn read<T: Copy + Into<i32>>(
        &self,
        (entries, width): (&[T], usize),
        first_block: u64,
        out: &mut [i8],
    ) -> Result<(), Error> {
        let part = self.part(entries, first_block, out.len() / width);
        let end = || Error::io("witness")(io::ErrorKind::UnexpectedEof.into());
        // An entry beyond so many bytes is beyond the bound, and so are the bytes in its place.
        let least = i32::MIN >> (32 - 8 * width);
        for (out, &entry) in out.chunks_exact_mut(width).zip(part.ok_or_else(end)?) {
            let entry: i32 = entry.into();
            let entry = if (least..=!least).contains(&entry) { entry } else { least };
            for (out, byte) in out.iter_mut().zip(entry.to_le_bytes()) {
                *out = byte.cast_signed();
            }
        }
        Ok(())
    }
}

impl WitnessSource for Columns<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let width = params.entry_bytes();
        match self.entries {
            Entries::Bytes(entries) => self.read((entries, width), first_block, out),
            Entries::Words(entries) => self.read((entries, width), first_block, out),
        }
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        match self.entries {
            Entries::Bytes(entries) if params.entry_bytes() == 1 => {
                self.part(entries, first_block, count.checked_mul(self.v)?)
            }
            _ => None,
        }
    }
}
