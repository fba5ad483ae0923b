//! Weighted sums of the columns of messages: t_a = sum over j of g_j T(a, j) for all rows a, and
//! for the row of beta behind them.

use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::{Isa, Token, vectorize};
use zeroize::Zeroizing;

use super::ranges::level::OfShard;
use super::request::Columns;
use crate::entry::WitnessEntry;
use crate::error::Error;
use crate::field::{Coefficients, ElementOf, Field, Word as _, with_lanes};
use crate::sum_check::dot;
use crate::witness::columns::{OF_GROUP, for_first_rows};

/// Rows that are summed together: six sums of each stay in the first level of a cache.
const ROWS: usize = 128;

/// t_a of the columns of a shard, whose beta these are, for each weight in turn.
///
/// # Constant time
/// In the entries.
pub(super) fn column_sums<F: Field, T: WitnessEntry>(
    (isa, of): (Isa, OfShard<'_>),
    (rows, beta): (u32, &[ElementOf<F>]),
    data: Range<u64>,
    columns: &[Columns<F>],
) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
    let ((params, _, shard), rows) = (of, rows as usize);
    let Range { start, end } = shard.columns(params);
    let here = start.max(data.start)..end.min(data.end).max(start.max(data.start));
    let count = (here.end - here.start) as usize;
    let weights: Vec<Vec<ElementOf<F>>> =
        columns.iter().map(|columns| columns.dense(here.start - data.start, count)).collect();
    let mut sums = Zeroizing::new(vec![ElementOf::ZERO; columns.len() * (rows + 1)]);
    if count == 0 {
        return Ok(sums);
    }
    let beta = &beta[(here.start - start) as usize..][..count];
    for (weights, sums) in weights.iter().zip(sums.chunks_exact_mut(rows + 1)) {
        sums[rows] = dot(weights, beta);
    }
    for_first_rows(of, &here, (rows, OF_GROUP), &mut |first, stride, entries: &[T]| {
        let skipped = (first - here.start) as usize;
        for (weights, sums) in weights.iter().zip(sums.chunks_exact_mut(rows + 1)) {
            let weights = &weights[skipped..];
            crate::parallel::for_chunks(&mut sums[..rows], ROWS, |chunk, sums| {
                let rows = chunk * ROWS..chunk * ROWS + sums.len();
                with_lanes!(isa, L<F>, token => {
                    let _: Option<L<F>> = None;
                    vectorize!(
                        token,
                        match const { F::Coefficients::COUNT * F::PARTS } {
                            6 => add::<F, T, 6>(entries, stride, rows, weights, sums),
                            9 => add::<F, T, 9>(entries, stride, rows, weights, sums),
                            _ => add::<F, T, 10>(entries, stride, rows, weights, sums),
                        },
                    );
                });
            });
        }
    })?;
    Ok(sums)
}

/// Adds what some columns count in some rows. A group has at most 2^10 columns and an entry less
/// than 2^21 in absolute value, so that no sum of products with 31 bits reaches 2^62. There are
/// SUMS parts of the coefficients of an element.
#[inline(always)]
fn add<F: Field, T: WitnessEntry, const SUMS: usize>(
    entries: &[T],
    stride: usize,
    rows: Range<usize>,
    weights: &[ElementOf<F>],
    out: &mut [ElementOf<F>],
) {
    debug_assert_eq!(SUMS, F::Coefficients::COUNT * F::PARTS, "sums of all parts");
    // By coefficient, the lowest part first.
    let mut sums = Zeroizing::new([[0_i64; ROWS]; SUMS]);
    for (column, weight) in entries.chunks_exact(stride).zip(weights) {
        let column = &column[rows.clone()];
        let coefficients = weight.coefficients();
        // `zip` is inlined within a codegen unit alone.
        for (i, &coefficient) in coefficients.as_ref().iter().enumerate() {
            if coefficient == F::Word::ZERO {
                continue;
            }
            for index in 0..F::PARTS {
                let part = F::part(coefficient, index);
                let sums = &mut sums[i * F::PARTS + index][..column.len()];
                for (row, &entry) in column.iter().enumerate() {
                    let entry: i32 = entry.into();
                    sums[row] += i64::from(entry) * i64::from(part);
                }
            }
        }
    }
    for (row, out) in out.iter_mut().enumerate() {
        let mut coefficients = F::Coefficients::ZERO;
        for (out, sums) in coefficients.as_mut().iter_mut().zip(sums.chunks_exact(F::PARTS)) {
            let mut parts = [0; SUMS];
            parts.iter_mut().zip(sums).for_each(|(part, sums)| *part = sums[row]);
            *out = F::of_parts(&parts[..F::PARTS]);
        }
        *out += ElementOf::from_residues(coefficients);
    }
}
