//! The table s^ with some of its row variables bound: row a of the table holds the claim's row a,
//! the one behind the last beta, and 0 wherever nothing is said.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::Ranges;
use crate::argument::field::Element;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};

/// Columns that are folded and evaluated together.
const CHUNK: usize = 64;

/// Where the table comes from.
pub(in crate::argument) struct Source<'a> {
    pub(in crate::argument) params: &'a Params,
    pub(in crate::argument) witness: &'a dyn WitnessSource,
    pub(in crate::argument) ranges: &'a Ranges,
    /// Rows of the claim.
    pub(in crate::argument) rows: usize,
    /// The columns that are here.
    pub(in crate::argument) shard: Shard,
    /// Their beta_j.
    pub(in crate::argument) beta: Zeroizing<Vec<Element>>,
}

impl Source<'_> {
    /// Calls f(first column of those that are here, columns, entries of the claim's rows, column
    /// after column) for a few columns at a time, all in order.
    pub(super) fn for_chunks<T: SourceEntry>(
        &self,
        mut f: impl FnMut(usize, usize, &[T]),
    ) -> Result<(), Error> {
        let v = self.params.v() as usize;
        let start = self.shard.blocks().start;
        let mut buffer = crate::erase::Secrets::<T>::zeros(CHUNK * self.rows);
        for_column_groups(self.params, self.witness, self.shard, |first, entries: &[T]| {
            let mut column = ((first - start) * u64::from(BLOCK)) as usize;
            for entries in entries.chunks(CHUNK * v) {
                #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
                let count = entries.len() / v;
                let columns = buffer.chunks_exact_mut(self.rows);
                for (out, entries) in columns.zip(entries.chunks_exact(v)) {
                    gather(self.ranges, entries, out);
                }
                f(column, count, &buffer[..count * self.rows]);
                column += count;
            }
            Ok(())
        })
    }

    /// The same with as many variables bound as `weights` has: f(first column, folded columns) with
    /// `height` elements a column.
    pub(super) fn for_folded<T: SourceEntry>(
        &self,
        weights: &[Element],
        height: usize,
        mut f: impl FnMut(usize, &[Element]),
    ) -> Result<(), Error> {
        let mut folded = Zeroizing::new(vec![Element::ZERO; CHUNK * height]);
        self.for_chunks(|first, count, entries: &[T]| {
            let folded = &mut folded[..count * height];
            crate::parallel::for_chunks(folded, height, |j, out| {
                let entries = &entries[j * self.rows..(j + 1) * self.rows];
                fold(entries, self.beta[first + j], weights, out);
            });
            f(first, folded);
        })
    }
}

/// The claim's rows of a column.
fn gather<T: SourceEntry>(ranges: &Ranges, column: &[T], out: &mut [T]) {
    let mut start = 0;
    for rows in &ranges.rows {
        let rows = rows.start as usize..rows.end as usize;
        let end = start + rows.len();
        out[start..end].copy_from_slice(&column[rows]);
        start = end;
    }
}

/// sum over i < 2^t of weights_i x_(2^t g + i) for each g, x being the entries and beta.
///
/// # Constant time
/// In entries and beta.
pub(super) fn fold<T: SourceEntry>(
    entries: &[T],
    beta: Element,
    weights: &[Element],
    out: &mut [Element],
) {
    let groups = entries.chunks(weights.len()).chain(core::iter::repeat(&[][..]));
    for (out, group) in out.iter_mut().zip(groups) {
        let mut sums = [0_i128; 3];
        for (&entry, weight) in group.iter().zip(weights) {
            let entry: i64 = entry.into();
            for (sum, coefficient) in sums.iter_mut().zip(weight.coefficients()) {
                *sum += i128::from(entry) * i128::from(coefficient.cast_signed());
            }
        }
        *out = Element::from_integers(sums);
    }
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    let (place, weight) = (entries.len() / weights.len(), entries.len() % weights.len());
    out[place] += weights[weight] * beta;
}

/// The table with one more variable bound, `height` elements a column.
///
/// # Constant time
/// In the table.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
pub(super) fn bind(table: &[Element], height: usize, r: Element) -> Zeroizing<Vec<Element>> {
    let half = height.div_ceil(2);
    let mut bound = Zeroizing::new(vec![Element::ZERO; table.len() / height * half]);
    crate::parallel::for_chunks(&mut bound, half, |j, out| {
        let column = &table[j * height..(j + 1) * height];
        for (out, pair) in out.iter_mut().zip(column.chunks(2)) {
            let high = pair.get(1).copied().unwrap_or(Element::ZERO);
            *out = pair[0] + r * (high - pair[0]);
        }
    });
    bound
}
