//! Messages that satisfy a claim: from a file, or random ones.

use std::path::Path;

use tautochrone_ctr::{Label, Seed};
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

/// So many rows and columns of messages that are uniform in the ranges of their rows, or Gaussian
/// where a norm begins.
pub(super) fn random<'a>(
    ranges: &[RowRange],
    norms: impl Iterator<Item = (u32, &'a NormArg)>,
    [rows, columns]: [usize; 2],
    seed: &Seed,
) -> Result<Scratch<i8>, Failure> {
    let mut stream = seed.stream(Label::new("prove: messages"), 0);
    let mut messages = Scratch::new(rows * columns, 0_i8);
    for column in messages.chunks_exact_mut(rows) {
        for &RowRange { first_row, rows, low, high } in ranges {
            let part = &mut column[first_row as usize..][..rows as usize];
            fill_range(&mut stream, low as i8..=high as i8, part).map_err(Failure::new)?;
        }
    }
    for (first_row, norm) in norms {
        let sampler = Bitslice::builder().sigma(norm.sigma()).build().map_err(Failure::new)?;
        let mut entries = Scratch::new(norm.rows as usize, 0);
        for column in messages.chunks_exact_mut(rows) {
            Sampler::fill(&sampler, &mut stream, &mut entries);
            for (out, &entry) in column[first_row as usize..].iter_mut().zip(entries.iter()) {
                *out = entry as i8;
            }
        }
    }
    Ok(messages)
}
