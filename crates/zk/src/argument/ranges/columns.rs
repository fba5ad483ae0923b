//! The pads of columns, and whether the claim holds of them.

use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::{RangeSlot, Ranges};
use crate::argument::field::Element;
use crate::argument::images;
use crate::error::Error;
use crate::params::Params;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::SourceEntry;

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
        let forms = [slot.kappa(), slot.gamma(), slot.beta()];
        let mut outside = false;
        let see = |_, entries: &[T]| {
            for column in entries.chunks_exact(v) {
                outside |= beyond(ranges, column);
            }
        };
        let [kappa, gamma, beta] = images::read(params, witness, shard, &forms, see)?;
        let pads = Self { kappa, gamma, beta };
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
