//! Weighted sums of the columns of messages: t_a = sum over j of g_j T(a, j) for all rows a, and for
//! the row of beta behind them.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::{Isa, Token};
use zeroize::Zeroizing;

use super::request::Columns;
use crate::error::Error;
use crate::field::{Element, with_lanes};
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::sum_check::dot;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};

/// Rows that are summed together: six sums of each stay in the first level of a cache.
const ROWS: usize = 128;
/// Bits of the lower part of a coefficient.
const LOW: u32 = 31;

/// t_a of the columns of a shard, whose beta these are, for each weight in turn.
///
/// # Errors
/// Errors of reading S.
///
/// # Constant time
/// In the entries.
pub(super) fn column_sums<T: SourceEntry>(
    (isa, params, witness, shard): (Isa, &Params, &dyn WitnessSource, Shard),
    (rows, beta): (u32, &[Element]),
    data: Range<u64>,
    columns: &[Columns],
) -> Result<Zeroizing<Vec<Element>>, Error> {
    let (v, rows) = (params.v() as usize, rows as usize);
    let Range { start, end } = shard.columns(params);
    let here = start.max(data.start)..end.min(data.end).max(start.max(data.start));
    let count = (here.end - here.start) as usize;
    let weights: Vec<Vec<Element>> =
        columns.iter().map(|columns| columns.dense(here.start - data.start, count)).collect();
    let mut sums = Zeroizing::new(vec![Element::ZERO; columns.len() * (rows + 1)]);
    if count == 0 {
        return Ok(sums);
    }
    let beta = &beta[(here.start - start) as usize..][..count];
    for (weights, sums) in weights.iter().zip(sums.chunks_exact_mut(rows + 1)) {
        sums[rows] = dot(weights, beta);
    }
    for_column_groups(params, witness, shard, |first, entries: &[T]| {
        let start = first * u64::from(BLOCK);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let end = start + (entries.len() / v) as u64;
        let [from, to] = [here.start, here.end].map(|column| column.clamp(start, end));
        let entries = &entries[(from - start) as usize * v..(to - start) as usize * v];
        let skipped = from.saturating_sub(here.start) as usize;
        for (weights, sums) in weights.iter().zip(sums.chunks_exact_mut(rows + 1)) {
            let weights = &weights[skipped.min(count)..];
            crate::parallel::for_chunks(&mut sums[..rows], ROWS, |chunk, sums| {
                let rows = chunk * ROWS..chunk * ROWS + sums.len();
                with_lanes!(isa, L, token => {
                    let _: Option<L> = None;
                    token.vectorize(
                        #[inline(always)]
                        || add(entries, v, rows, weights, sums),
                    );
                });
            });
        }
        Ok(())
    })?;
    Ok(sums)
}

/// Adds what some columns count in some rows. A group has at most 2^10 columns and an entry less
/// than 2^21 in absolute value, so that no sum of products with 31 bits reaches 2^62.
#[inline(always)]
fn add<T: SourceEntry>(
    entries: &[T],
    v: usize,
    rows: Range<usize>,
    weights: &[Element],
    out: &mut [Element],
) {
    // By coefficient, the lower part first.
    let mut sums = Zeroizing::new([[0_i64; ROWS]; 6]);
    for (column, weight) in entries.chunks_exact(v).zip(weights) {
        let column = &column[rows.clone()];
        for (place, coefficient) in weight.coefficients().into_iter().enumerate() {
            if coefficient == 0 {
                continue;
            }
            let halves = [coefficient & ((1 << LOW) - 1), coefficient >> LOW];
            for (sums, half) in sums[2 * place..].iter_mut().zip(halves) {
                let half = half as i32;
                for (sum, &entry) in sums.iter_mut().zip(column) {
                    let entry: i32 = entry.into();
                    *sum += i64::from(entry) * i64::from(half);
                }
            }
        }
    }
    for (row, out) in out.iter_mut().enumerate() {
        let sum = |place: usize| {
            i128::from(sums[2 * place][row]) + (i128::from(sums[2 * place + 1][row]) << LOW)
        };
        *out += Element::from_integers([sum(0), sum(1), sum(2)]);
    }
}
