//! S as the protocol reads it: in groups of columns, every entry checked.

use super::{WitnessSource, check_bound};
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, GROUP, Params};

/// Calls `f(first block, columns)` for the witness in groups of [`GROUP`] blocks; what had to be copied is erased afterwards.
pub(crate) fn for_column_groups(
    params: &Params,
    witness: &dyn WitnessSource,
    f: impl FnMut(u64, &[i8]) -> Result<(), Error>,
) -> Result<(), Error> {
    for_column_groups_from(params, witness, 0, f)
}

/// The same, from block `first` on.
pub(crate) fn for_column_groups_from(
    params: &Params,
    witness: &dyn WitnessSource,
    first: u64,
    mut f: impl FnMut(u64, &[i8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let v = params.v() as usize;
    let group_columns = (GROUP * u64::from(BLOCK)).min(params.l()) as usize;
    let mut buffer = None;
    for first_block in (first..params.blocks()).step_by(GROUP as usize) {
        let columns =
            (params.l() - first_block * u64::from(BLOCK)).min(group_columns as u64) as usize;
        let lent = witness.columns(params, first_block, columns);
        if let Some(part) = lent.filter(|part| part.len() == v * columns) {
            check_bound(params.v(), params.b(), first_block, part)?;
            f(first_block, part)?;
        } else {
            let buffer = buffer.get_or_insert_with(|| Secrets::zeros(v * group_columns));
            let part = &mut buffer[..v * columns];
            read_columns(params, witness, first_block, part)?;
            f(first_block, part)?;
        }
    }
    Ok(())
}

/// The door through which columns of S come in: every entry is within b, whatever the source makes of its contract.
pub(crate) fn read_columns(
    params: &Params,
    witness: &dyn WitnessSource,
    first_block: u64,
    out: &mut [i8],
) -> Result<(), Error> {
    witness.read_columns(params, first_block, out)?;
    check_bound(params.v(), params.b(), first_block, out)
}
