//! [`Witness`]: S in memory.

use alloc::vec::Vec;

use super::columns::{SourceEntry, read_columns};
use super::{WitnessSource, check_bounds, widen};
use crate::entry::WitnessEntry;
use crate::erase::{Secrets, redacted};
use crate::error::{Error, WitnessProblem};
use crate::params::{BLOCK, GROUP, Params};

/// A witness in memory; erased when dropped, never printed.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// let entries = vec![1; params.v() as usize * params.l() as usize];
/// let witness = Witness::new(&params, entries)?;
/// assert!(Witness::new(&params, vec![1; 3]).is_err(), "v l entries");
/// # Ok::<(), Error>(())
/// ```
pub struct Witness {
    entries: Entries,
}

/// Entries in the type that the parameters call for, or in bytes where they fit.
enum Entries {
    Bytes(Secrets<i8>),
    Words(Secrets<i32>),
}

impl Witness {
    /// Takes over v l entries, column after column, each in [-b, b].
    ///
    /// # Errors
    /// [`Error::Witness`], which says where.
    pub fn new(params: &Params, entries: Vec<i8>) -> Result<Self, Error> {
        let entries = Secrets::own(entries);
        check(params, &entries)?;
        Ok(Self { entries: Entries::Bytes(entries) })
    }

    /// The same for entries of 32 bits, as bounds above 127 need them. They are stored in bytes
    /// where those suffice.
    ///
    /// # Errors
    /// [`Error::Witness`], which says where.
    pub fn wide(params: &Params, entries: Vec<i32>) -> Result<Self, Error> {
        let words = Secrets::own(entries);
        check(params, &words)?;
        if params.entry_bytes() > 1 {
            return Ok(Self { entries: Entries::Words(words) });
        }
        let mut bytes = Secrets::zeros(words.len());
        for (byte, &word) in bytes.iter_mut().zip(words.iter()) {
            // Within the bound, and so within a byte.
            *byte = word as i8;
        }
        Ok(Self { entries: Entries::Bytes(bytes) })
    }

    /// All columns of a source, read and checked once: for a witness that is used several times and
    /// fits into memory, v l entries of [`Params::entry_bytes`].
    ///
    /// # Errors
    /// [`Error::Witness`]; errors of reading the source.
    pub fn read(params: &Params, source: &dyn WitnessSource) -> Result<Self, Error> {
        fn all<T: SourceEntry>(
            params: &Params,
            source: &dyn WitnessSource,
        ) -> Result<Secrets<T>, Error> {
            let v = params.v() as usize;
            let mut entries = Secrets::zeros(v * params.l() as usize);
            let group = GROUP as usize * BLOCK as usize * v;
            for (first, part) in (0..).step_by(GROUP as usize).zip(entries.chunks_mut(group)) {
                read_columns(params, source, first, part)?;
            }
            Ok(entries)
        }
        let entries = if params.entry_bytes() > 1 {
            Entries::Words(all(params, source)?)
        } else {
            Entries::Bytes(all(params, source)?)
        };
        Ok(Self { entries })
    }

    fn too_short(&self, params: &Params) -> Error {
        let got = match &self.entries {
            Entries::Bytes(entries) => entries.len(),
            Entries::Words(entries) => entries.len(),
        };
        Error::Witness(WitnessProblem::Length {
            got: got as u64,
            expected: u64::from(params.v()) * params.l(),
        })
    }
}

/// Refuses entries that are not v x l or not within their bounds.
fn check<T: WitnessEntry>(params: &Params, entries: &[T]) -> Result<(), Error> {
    let (got, expected) = (entries.len() as u64, u64::from(params.v()) * params.l());
    if got != expected {
        return Err(Error::Witness(WitnessProblem::Length { got, expected }));
    }
    check_bounds(params, 0, entries)
}

/// `len` of all entries from block `first_block` on, if there are as many.
fn part<'a, T>(params: &Params, all: &'a [T], first_block: u64, len: usize) -> Option<&'a [T]> {
    let block = u64::from(BLOCK) * u64::from(params.v());
    let start = usize::try_from(first_block.checked_mul(block)?).ok()?;
    all.get(start..start.checked_add(len)?)
}

redacted!("Witness", Witness);

impl WitnessSource for Witness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let Entries::Bytes(entries) = &self.entries else {
            return Err(Error::Witness(WitnessProblem::Wide { b: params.b() }));
        };
        let part = part(params, entries, first_block, out.len());
        out.copy_from_slice(part.ok_or_else(|| self.too_short(params))?);
        Ok(())
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        let Entries::Bytes(entries) = &self.entries else { return None };
        part(params, entries, first_block, count.checked_mul(params.v() as usize)?)
    }

    fn read_wide_columns(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        let len = out.len();
        match &self.entries {
            Entries::Bytes(entries) => {
                let part = part(params, entries, first_block, len);
                widen(part.ok_or_else(|| self.too_short(params))?, out);
            }
            Entries::Words(entries) => {
                let part = part(params, entries, first_block, len);
                out.copy_from_slice(part.ok_or_else(|| self.too_short(params))?);
            }
        }
        Ok(())
    }

    fn wide_columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i32]> {
        let Entries::Words(entries) = &self.entries else { return None };
        part(params, entries, first_block, count.checked_mul(params.v() as usize)?)
    }
}
