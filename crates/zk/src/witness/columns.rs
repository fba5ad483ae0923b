//! S as the protocol reads it: in groups of columns, every entry checked.

use super::{WitnessSource, check_bounds};
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::Params;
use crate::shard::range::Shard;

/// Calls `f(first block, columns)` for the groups of a shard's columns, in order. Columns that the
/// source does not lend are copied, and the copies erased.
pub(crate) fn for_column_groups(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    mut f: impl FnMut(u64, &[i8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let v = params.v() as usize;
    // The first group is the largest.
    let largest = shard.groups(params).next().map_or(0, |(_, columns)| columns);
    let mut buffer = None;
    for (first_block, columns) in shard.groups(params) {
        let lent = witness.columns(params, first_block, columns);
        if let Some(part) = lent.filter(|part| part.len() == v * columns) {
            check_bounds(params, first_block, part)?;
            f(first_block, part)?;
        } else {
            let buffer = buffer.get_or_insert_with(|| Secrets::zeros(v * largest));
            let part = &mut buffer[..v * columns];
            read_columns(params, witness, first_block, part)?;
            f(first_block, part)?;
        }
    }
    Ok(())
}

/// Reads columns of S and checks that every entry is within b, even if the source violates its
/// contract.
pub(crate) fn read_columns(
    params: &Params,
    witness: &dyn WitnessSource,
    first_block: u64,
    out: &mut [i8],
) -> Result<(), Error> {
    witness.read_columns(params, first_block, out)?;
    check_bounds(params, first_block, out)
}
