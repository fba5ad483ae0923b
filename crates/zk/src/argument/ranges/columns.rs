//! The pads of columns, and whether the claim holds of them.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::{RangeSlot, Ranges};
use crate::argument::field::Element;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};

/// The pads of some columns. Secret.
pub(in crate::argument) struct Pads {
    pub(in crate::argument) kappa: Zeroizing<Vec<Element>>,
    pub(in crate::argument) gamma: Zeroizing<Vec<Element>>,
    pub(in crate::argument) beta: Zeroizing<Vec<Element>>,
}

impl Pads {
    /// Reads a shard of S once; the pads, and whether the claim holds.
    ///
    /// # Errors
    /// Those of reading it.
    pub(super) fn read<T: SourceEntry>(
        params: &Params,
        witness: &dyn WitnessSource,
        shard: Shard,
        slot: RangeSlot,
        ranges: &Ranges,
    ) -> Result<(Self, bool), Error> {
        let v = params.v() as usize;
        let Range { start: first_column, end } = shard.columns(params);
        let zeros = || Zeroizing::new(vec![Element::ZERO; (end - first_column) as usize]);
        let mut pads = Self { kappa: zeros(), gamma: zeros(), beta: zeros() };
        let forms = [slot.kappa(), slot.gamma(), slot.beta()];
        let mut outside = false;
        for_column_groups(params, witness, shard, |first, entries: &[T]| {
            let start = (first * u64::from(BLOCK) - first_column) as usize;
            let Self { kappa, gamma, beta } = &mut pads;
            for (form, values) in forms.iter().zip([kappa, gamma, beta]) {
                #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
                let values = &mut values[start..start + entries.len() / v];
                crate::parallel::for_chunks(values, 1, |j, value| {
                    value[0] = form.at(&entries[v * j..v * (j + 1)]);
                });
            }
            for column in entries.chunks_exact(v) {
                outside |= beyond(ranges, column);
            }
            Ok(())
        })?;
        Ok((pads, !declassify(outside)))
    }
}

/// Whether an entry of a column is not in its range, or a norm is another one.
///
/// # Constant time
/// In the entries.
pub(in crate::argument) fn beyond<T: SourceEntry>(ranges: &Ranges, column: &[T]) -> bool {
    let mut any = false;
    for part in ranges.parts() {
        for &entry in &column[part.first_row as usize..part.end() as usize] {
            let entry: i32 = entry.into();
            any |= (entry < part.low) | (entry > part.high);
        }
    }
    for norm in ranges.norms() {
        any |= norm.fails(column);
    }
    any
}
