//! The witness S (v x l, entries in [-b, b]): in memory, in a file, or drawn at random; always read
//! by column blocks.

pub(crate) mod columns;
pub(crate) mod digest;
pub(crate) mod file;
mod memory;
mod random;
mod uniform;

use alloc::vec::Vec;

use tautochrone_simd::{Isa, declassify, vectorize};

use crate::entry::WitnessEntry;
use crate::erase::redacted;
use crate::error::{Error, WitnessProblem};
use crate::hash::{Digest, Hasher};
use crate::params::Params;
pub use file::WitnessFile;
pub use memory::Witness;
pub use random::RandomWitness;
pub(crate) use uniform::Uniform;

/// Something that delivers S by columns, as often as it is asked: once to commit, once to bind the
/// randomness of a proof to it, and once for every attempt.
pub trait WitnessSource: Sync {
    /// Fills `out` with the columns from 256 `first_block` on, column after column, v entries each
    /// of [`Params::entry_bytes`] bytes: one where b is at most 127; else in two's complement,
    /// little-endian.
    ///
    /// `out` is as long as some of the columns up to column l. Entries lie in [-b, b], which a
    /// prover checks.
    ///
    /// # Errors
    /// [`Error::Io`] where a source of one's own fails.
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error>;

    /// The result of [`Self::read_columns`] for `count` columns, if it lies in memory: then
    /// nothing is copied. They are read where this is `None`, as it is unless a source says
    /// otherwise, or of another length than `count` columns.
    #[doc(hidden)]
    fn columns(&self, _params: &Params, _first_block: u64, _count: usize) -> Option<&[i8]> {
        None
    }

    /// The first rows of its last columns, if these lie in memory and their other rows are made as
    /// they are read: whoever needs no more of these columns asks for no more.
    #[doc(hidden)]
    fn messages(&self, _params: &Params) -> Option<MessageRows<'_>> {
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

/// Checks entries of columns of S from column `first` on against the bounds of their rows.
///
/// Constant time in the entries while all are within them; an error says where the first one is
/// that is not.
pub(crate) fn check_bounds<T: WitnessEntry>(
    params: &Params,
    first: u64,
    entries: &[T],
) -> Result<(), Error> {
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
