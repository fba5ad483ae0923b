//! Values of linear forms at the columns of S.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::error::Error;
use crate::field::{ElementOf, Field};
use crate::opening::LinearForm;
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};

/// The forms at all columns of a shard, which is read once; `see` is given the entries as well, and
/// which column of the shard is the first of these. Secret.
///
/// # Errors
/// Errors of reading S.
///
/// # Constant time
/// In the entries.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn read<F: Field, T: SourceEntry, const N: usize>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    forms: &[LinearForm<F>; N],
    mut see: impl FnMut(usize, &[T]),
) -> Result<[Zeroizing<Vec<ElementOf<F>>>; N], Error> {
    let (v, columns) = (params.v() as usize, shard.columns(params));
    let count = (columns.end - columns.start) as usize;
    let mut images = [(); N].map(|()| Zeroizing::new(vec![ElementOf::ZERO; count]));
    for_column_groups(params, witness, shard, |first, entries: &[T]| {
        let start = (first * u64::from(BLOCK) - columns.start) as usize;
        for (form, images) in forms.iter().zip(&mut images) {
            let images = &mut images[start..start + entries.len() / v];
            crate::parallel::for_chunks(images, 1, |j, image| {
                image[0] = form.at(&entries[v * j..v * (j + 1)]);
            });
        }
        see(start, entries);
        Ok(())
    })?;
    Ok(images)
}
