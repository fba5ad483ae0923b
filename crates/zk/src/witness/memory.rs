//! [`Witness`]: S in memory.

use alloc::vec::Vec;

use super::columns::{OF_GROUP, for_column_groups};
use super::{WitnessSource, check_bounds, columns};
use crate::entry::{WitnessEntry, parts_of, with_entry};
use crate::erase::{Secrets, redacted};
use crate::error::{Error, WitnessProblem};
use crate::params::{BLOCK, GROUP, Params};
use crate::shard::range::Shard;

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
    /// As a source delivers them.
    entries: Secrets,
}

impl Witness {
    /// Takes over v l entries, column after column, each in [-b, b].
    ///
    /// # Errors
    /// [`Error::Witness`], which says where.
    pub fn new(params: &Params, entries: Vec<i8>) -> Result<Self, Error> {
        let entries = Secrets::own(entries);
        check(params, &entries)?;
        if params.entry_bytes() == 1 {
            return Ok(Self { entries });
        }
        Ok(Self::of(params, &Secrets::own(entries.iter().map(|&s| s.into()).collect())))
    }

    /// The same for entries of 32 bits, as bounds above 127 need them. They are stored in
    /// [`Params::entry_bytes`] each.
    ///
    /// # Errors
    /// [`Error::Witness`], which says where.
    pub fn wide(params: &Params, entries: Vec<i32>) -> Result<Self, Error> {
        let entries = Secrets::own(entries);
        check(params, &entries)?;
        Ok(Self::of(params, &entries))
    }

    /// The witness of entries that were checked.
    fn of(params: &Params, checked: &[i32]) -> Self {
        let width = params.entry_bytes();
        let mut entries = Secrets::zeros(checked.len() * width);
        columns::write(checked, width, &mut entries);
        Self { entries }
    }

    /// All columns of a source, read and checked once: for a witness that is used several times and
    /// fits into memory, v l entries of [`Params::entry_bytes`].
    ///
    /// # Errors
    /// [`Error::Witness`]; errors of reading the source.
    pub fn read(params: &Params, source: &dyn WitnessSource) -> Result<Self, Error> {
        let column = params.v() as usize * params.entry_bytes();
        let mut entries = Secrets::zeros(column * params.l() as usize);
        let groups = entries.chunks_mut(OF_GROUP * column);
        for (first, part) in (0..).step_by(GROUP as usize).zip(groups) {
            source.read_columns(params, first, part)?;
        }
        let (witness, all) = (Self { entries }, Shard::whole(params));
        with_entry!(params, T => {
            for_column_groups(params, &witness, all, &mut |_, _: &[T]| Ok(()))?;
        });
        Ok(witness)
    }

    /// `len` bytes of the entries from block `first_block` on, if it is of these parameters' shape
    /// and there are as many.
    fn part(&self, params: &Params, first_block: u64, len: usize) -> Option<&[i8]> {
        if self.entries.len() as u128 != params.witness_bytes() {
            return None;
        }
        let column = u64::from(params.v()) * params.entry_bytes() as u64;
        let start = usize::try_from(first_block.checked_mul(u64::from(BLOCK) * column)?).ok()?;
        self.entries.get(start..start.checked_add(len)?)
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

redacted!("Witness", Witness);

impl WitnessSource for Witness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let part = self.part(params, first_block, out.len()).ok_or_else(|| {
            let got = parts_of(&self.entries, params.entry_bytes()) as u64;
            let expected = u64::from(params.v()) * params.l();
            Error::Witness(WitnessProblem::Length { got, expected })
        })?;
        out.copy_from_slice(part);
        Ok(())
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        let len = count.checked_mul(params.v() as usize * params.entry_bytes())?;
        self.part(params, first_block, len)
    }
}
