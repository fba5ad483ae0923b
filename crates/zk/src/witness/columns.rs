//! S as the protocol reads it: in groups of columns, every entry checked.

use super::{WitnessSource, check_bounds};
use crate::entry::WitnessEntry;
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::Params;
use crate::shard::range::Shard;

/// A method by which a source fills columns in, from a block on.
type Read<T> = fn(&dyn WitnessSource, &Params, u64, &mut [T]) -> Result<(), Error>;
/// A method by which a source lends so many columns from a block on.
type Lend<T> = for<'a> fn(&'a dyn WitnessSource, &Params, u64, usize) -> Option<&'a [T]>;

/// An entry as which a source delivers S.
pub(crate) trait SourceEntry: WitnessEntry + From<i8> {
    const READ: Read<Self>;
    const LEND: Lend<Self>;
}

impl SourceEntry for i8 {
    const READ: Read<Self> = |source, params, first, out| source.read_columns(params, first, out);
    const LEND: Lend<Self> = |source, params, first, count| source.columns(params, first, count);
}

impl SourceEntry for i32 {
    const READ: Read<Self> =
        |source, params, first, out| source.read_wide_columns(params, first, out);
    const LEND: Lend<Self> =
        |source, params, first, count| source.wide_columns(params, first, count);
}

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
        let lent = (T::LEND)(witness, params, first_block, columns);
        if let Some(part) = lent.filter(|part| part.len() == v * columns) {
            f(first_block, part)?;
        } else {
            let buffer = buffer.get_or_insert_with(|| Secrets::zeros(v * largest));
            let part = &mut buffer[..v * columns];
            (T::READ)(witness, params, first_block, part)?;
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
    (T::READ)(witness, params, first_block, out)?;
    check_bounds(params, first_block, out)
}
