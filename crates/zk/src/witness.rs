//! The witness S (v x l, entries in [-b, b]): in memory, in a file, or drawn at random; always read
//! by column blocks.

pub(crate) mod columns;
pub(crate) mod digest;
mod file;
mod group;
mod memory;
mod random;
mod uniform;

use alloc::vec::Vec;

use tautochrone_simd::{Isa, declassify, vectorize};

use crate::entry::WitnessEntry;
use crate::erase::{Secrets, redacted};
use crate::error::{Error, WitnessProblem};
use crate::hash::{Digest, Hasher};
use crate::params::{BLOCK, Params};
pub use file::WitnessFile;
pub use memory::Witness;
pub use random::RandomWitness;
pub(crate) use uniform::Uniform;

/// Something that delivers S by columns, as often as it is asked: once to commit, once to bind the
/// randomness of a proof to it, and once for every attempt.
pub trait WitnessSource: Sync {
    /// Fills `out` with the columns from 256 `first_block` on, column after column, v entries each.
    ///
    /// `out.len()` is a multiple of v and reaches at most to column l. Entries lie in [-b, b]; a
    /// prover checks it once more.
    ///
    /// Where b exceeds 127, [`Self::read_wide_columns`] is asked instead.
    ///
    /// # Errors
    /// [`Error::Io`] where a source of one's own fails.
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error>;

    /// The result of [`Self::read_columns`] for `count` columns, if it lies in memory: then
    /// nothing is copied. They are read where this is `None`, as it is unless a source says
    /// otherwise, or of another length than v `count`.
    #[doc(hidden)]
    fn columns(&self, _params: &Params, _first_block: u64, _count: usize) -> Option<&[i8]> {
        None
    }

    /// As [`Self::read_columns`], in 32 bits an entry: for parameters whose b exceeds 127
    /// ([`Params::b`]). Entries that [`Self::read_columns`] delivers,
    /// unless a source says otherwise.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Witness`].
    fn read_wide_columns(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        read_widened(out, |bytes| self.read_columns(params, first_block, bytes))
    }

    /// The first rows of its last columns, if these lie in memory and their other rows are made as
    /// they are read: whoever needs no more of these columns asks for no more.
    #[doc(hidden)]
    fn messages(&self, _params: &Params) -> Option<MessageRows<'_>> {
        None
    }

    /// As [`Self::columns`], in 32 bits an entry.
    #[doc(hidden)]
    fn wide_columns(&self, _params: &Params, _first_block: u64, _count: usize) -> Option<&[i32]> {
        None
    }
}

/// The first `rows` rows of the columns from `first` on, column after column.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct MessageRows<'a> {
    pub first: u64,
    pub rows: usize,
    pub entries: &'a [i8],
}

redacted!("MessageRows", MessageRows<'_>);

/// # Errors
/// [`Error::Witness`] unless there are as many entries of messages as are expected.
pub(crate) fn check_messages(got: u64, expected: u64) -> Result<(), Error> {
    if got == expected {
        return Ok(());
    }
    Err(Error::Witness(WitnessProblem::Messages { got, expected }))
}

/// # Errors
/// [`Error::Witness`] unless entries are bytes.
pub(crate) fn check_bytes(params: &Params) -> Result<(), Error> {
    if params.entry_bytes() == 1 {
        return Ok(());
    }
    Err(Error::Witness(WitnessProblem::Wide { b: params.b() }))
}

/// Entries as they are read in bytes.
pub(crate) fn read_widened(
    out: &mut [i32],
    read: impl FnOnce(&mut [i8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut bytes = Secrets::zeros(out.len());
    read(&mut bytes)?;
    widen(&bytes, out);
    Ok(())
}

/// Bytes as words.
pub(crate) fn widen(bytes: &[i8], out: &mut [i32]) {
    for (word, &byte) in out.iter_mut().zip(bytes) {
        *word = byte.into();
    }
}

/// Checks entries of columns of S from block `first_block` on against the bounds of their rows.
///
/// Constant time in the entries while all are within them; an error says where the first one is
/// that is not.
pub(crate) fn check_bounds<T: WitnessEntry>(
    params: &Params,
    first_block: u64,
    entries: &[T],
) -> Result<(), Error> {
    check_columns(params, first_block * u64::from(BLOCK), entries)
}

/// The same for columns from any of them on.
fn check_columns<T: WitnessEntry>(params: &Params, first: u64, entries: &[T]) -> Result<(), Error> {
    if let [group] = params.row_groups() {
        return check_bound(params.v(), group.bound, first, entries);
    }
    let mut bounds = Vec::with_capacity(params.v() as usize);
    for group in params.row_groups() {
        bounds.resize(bounds.len() + group.rows as usize, T::cap(group.bound));
    }
    let columns = entries.chunks_exact(bounds.len());
    let outside = vectorize!(Isa::detect_vectors(), {
        columns.clone().fold(false, |any, column| {
            let pairs = column.iter().zip(&bounds);
            pairs.fold(any, |any, (s, &bound)| any | (s.magnitude() > bound))
        })
    });
    if !declassify(outside) {
        return Ok(());
    }
    for (index, column) in (first..).zip(columns) {
        let pairs = column.iter().zip(&bounds);
        if let Some(row) = pairs.clone().position(|(s, &bound)| s.magnitude() > bound) {
            return Err(Error::Witness(WitnessProblem::Bound {
                row: row as u64,
                column: index,
                b: bounds[row].into(),
            }));
        }
    }
    Ok(())
}

/// The same for one bound on all entries of columns of `rows`.
#[expect(clippy::integer_division_remainder_used, reason = "the error says where, and is public")]
pub(crate) fn check_bound<T: WitnessEntry>(
    rows: u32,
    bound: u32,
    first: u64,
    entries: &[T],
) -> Result<(), Error> {
    let cap = T::cap(bound);
    let outside = vectorize!(
        Isa::detect_vectors(),
        entries.iter().fold(false, |any, s| any | (s.magnitude() > cap)),
    );
    if !declassify(outside) {
        return Ok(());
    }
    let at = entries.iter().position(|s| s.magnitude() > cap).unwrap_or_default() as u64;
    let rows = u64::from(rows);
    let column = first + at / rows;
    Err(Error::Witness(WitnessProblem::Bound { row: at % rows, column, b: bound }))
}

/// H("S-block", index, bytes), for the digest of S that goes into the seed of Y. Secret.
pub(crate) fn block_hash<T: WitnessEntry>(params: &Params, index: u64, entries: &[T]) -> Digest {
    let mut hasher = Hasher::new(params.hash(), "S-block").number(index);
    hasher.begin_field(size_of_val(entries) as u64);
    T::with_le_bytes(entries, |bytes| hasher.update(bytes));
    hasher.finish()
}

#[cfg(test)]
mod tests;
