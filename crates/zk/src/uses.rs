//! What the proof is used for: batches of LWE samples, commitments to data, sums of columns.
//!
//! All three are statements T = A S like any other; these modules build their witnesses, derive
//! their statements and say what a valid proof means for them. In every case the bound that a proof
//! shows is the *relaxed* one: the prover knows, for each column t of T, an integer vector s' with
//! A s' = t and ||s'|| <= 2 B ([`Params::norm_bound_squared`] is B^2), far longer than the honest
//! column.
//!
//! [`Params::norm_bound_squared`]: crate::Params::norm_bound_squared
pub mod commitment;
pub mod lwe;
#[cfg(feature = "committed")]
pub mod sums;

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, read_columns};

/// Column `index` of a witness, to open it, **where no column holds pads that mask**: whoever sees
/// the pads of a column that masks a message of an argument knows what it hid. Columns of a
/// [`Layout`](crate::argument::Layout) are opened by
/// [`Layout::open`](crate::argument::Layout::open), which refuses such columns.
///
/// # Errors
/// [`Error::Parameter`] if there is no such column; what reading the witness gives.
pub fn column_unchecked(
    params: &Params,
    witness: &dyn WitnessSource,
    index: u64,
) -> Result<Zeroizing<Vec<i32>>, Error> {
    column_of(params, witness, index)
}

/// The same in the entries that the source has.
#[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
pub(crate) fn column_of<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    index: u64,
) -> Result<Zeroizing<Vec<T>>, Error> {
    if index >= params.l() {
        return Err(Error::parameter("column", index, "a column of the witness"));
    }
    let v = params.v() as usize;
    let block = index / u64::from(BLOCK);
    let mut columns = Zeroizing::new(vec![T::default(); v * params.block_columns(block) as usize]);
    read_columns(params, witness, block, &mut columns)?;
    let start = (index % u64::from(BLOCK)) as usize * v;
    Ok(Zeroizing::new(columns[start..start + v].to_vec()))
}
