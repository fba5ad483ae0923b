//! Messages that satisfy a claim: from a file, or random ones.

use std::path::Path;

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::Sampler;
use tautochrone_gauss::bitslice::Bitslice;
use tautochrone_gauss::uniform::fill_range;
use tautochrone_simd::Scratch;
use tautochrone_zk::argument::RowRange;
use zeroize::Zeroizing;

use super::args::NormArg;
use crate::failure::Failure;

/// Messages of a file, an entry a byte.
pub(super) fn read(path: &Path, expected: usize) -> Result<Scratch<i8>, Failure> {
    let bytes = Zeroizing::new(crate::input::read_exactly(path, expected, "the messages")?);
    let mut messages = Scratch::new(expected, 0);
    messages.copy_from_slice(bytemuck::cast_slice(&bytes));
    Ok(messages)
}

/// Messages that are uniform in the ranges of their rows, and then Gaussian: so many rows in all
/// before and behind.
pub(super) fn random(
    ranges: &[RowRange],
    [in_ranges, rows]: [u32; 2],
    norms: &[NormArg],
    l: u64,
    seed: &Seed,
) -> Result<Scratch<i8>, Failure> {
    let mut stream = seed.stream(Label::new("prove: messages"), 0);
    let rows = rows as usize;
    let mut messages = Scratch::new(rows * l as usize, 0_i8);
    for column in messages.chunks_exact_mut(rows) {
        for &RowRange { first_row, rows, low, high } in ranges {
            let part = &mut column[first_row as usize..][..rows as usize];
            fill_range(&mut stream, low as i8..=high as i8, part).map_err(Failure::new)?;
        }
    }
    let mut first = in_ranges as usize;
    for part in norms {
        let behind = first + part.rows as usize;
        fill_gaussian(&mut stream, *part, messages.chunks_exact_mut(rows), first..behind)?;
        first = behind;
    }
    Ok(messages)
}

/// Gaussian entries in some rows of columns.
fn fill_gaussian<'a>(
    stream: &mut Stream,
    part: NormArg,
    columns: impl Iterator<Item = &'a mut [i8]>,
    rows: core::ops::Range<usize>,
) -> Result<(), Failure> {
    let sampler = Bitslice::builder().sigma(part.sigma()).build().map_err(Failure::new)?;
    for column in columns {
        let part = &mut column[rows.clone()];
        let mut entries = Scratch::new(part.len(), 0);
        Sampler::fill(&sampler, stream, &mut entries);
        for (out, &entry) in part.iter_mut().zip(entries.iter()) {
            *out = entry as i8;
        }
    }
    Ok(())
}
