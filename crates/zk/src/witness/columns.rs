//! S as the protocol reads it: in groups of columns, every entry checked.

use super::{WitnessSource, check_bounds};
use crate::entry::WitnessEntry;
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::Params;
use crate::shard::range::Shard;

/// An entry as which a source delivers S.
pub(crate) trait SourceEntry: WitnessEntry + From<i8> {
    /// Columns that the source fills in.
    fn read(
        source: &dyn WitnessSource,
        params: &Params,
        first_block: u64,
        out: &mut [Self],
    ) -> Result<(), Error>;

    /// Columns that the source lends.
    fn lent<'a>(
        source: &'a dyn WitnessSource,
        params: &Params,
        first_block: u64,
        columns: usize,
    ) -> Option<&'a [Self]>;
}

macro_rules! source_entry {
    ($entry:ty, $read:ident, $lent:ident) => {
        impl SourceEntry for $entry {
            fn read(
                source: &dyn WitnessSource,
                params: &Params,
                first_block: u64,
                out: &mut [Self],
            ) -> Result<(), Error> {
                source.$read(params, first_block, out)
            }

            fn lent<'a>(
                source: &'a dyn WitnessSource,
                params: &Params,
                first_block: u64,
                columns: usize,
            ) -> Option<&'a [Self]> {
                source.$lent(params, first_block, columns)
            }
        }
    };
}

source_entry!(i8, read_columns, columns);
source_entry!(i32, read_wide_columns, wide_columns);

/// Calls `f(first block, columns)` for the groups of a shard's columns, in order. Columns that the
/// source does not lend are copied, and the copies erased.
pub(crate) fn for_column_groups<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    mut f: impl FnMut(u64, &[T]) -> Result<(), Error>,
) -> Result<(), Error> {
    for_checked_groups(params, witness, shard, &mut f)
}

/// The same without a look at the entries: `f` has to check them before it relies on them.
pub(crate) fn for_unchecked_groups<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    mut f: impl FnMut(u64, &[T]) -> Result<(), Error>,
) -> Result<(), Error> {
    for_groups(params, witness, shard, &mut f)
}

/// The function that is called for each group of columns: f(first block, columns).
type Visitor<'a, T> = dyn FnMut(u64, &[T]) -> Result<(), Error> + 'a;

// Of one type for all functions, so that they are compiled once for each type of entries.

fn for_checked_groups<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    f: &mut Visitor<'_, T>,
) -> Result<(), Error> {
    for_groups(params, witness, shard, &mut |first_block, part| {
        check_bounds(params, first_block, part)?;
        f(first_block, part)
    })
}

fn for_groups<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    f: &mut Visitor<'_, T>,
) -> Result<(), Error> {
    let v = params.v() as usize;
    // The first group is the largest.
    let largest = shard.groups(params).next().map_or(0, |(_, columns)| columns);
    let mut buffer = None;
    for (first_block, columns) in shard.groups(params) {
        let lent = T::lent(witness, params, first_block, columns);
        if let Some(part) = lent.filter(|part| part.len() == v * columns) {
            f(first_block, part)?;
        } else {
            let buffer = buffer.get_or_insert_with(|| Secrets::zeros(v * largest));
            let part = &mut buffer[..v * columns];
            T::read(witness, params, first_block, part)?;
            f(first_block, part)?;
        }
    }
    Ok(())
}

/// Reads columns of S and checks that every entry is within b, even if the source violates its
/// contract.
pub(crate) fn read_columns<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    first_block: u64,
    out: &mut [T],
) -> Result<(), Error> {
    T::read(witness, params, first_block, out)?;
    check_bounds(params, first_block, out)
}
