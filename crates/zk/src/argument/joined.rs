//! Columns of a witness and others behind them as one witness.

use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::witness::{WitnessSource, check_bytes};

/// The columns of a source, with pads of 0 where these columns are higher, and others behind them.
pub(super) struct Joined<'a> {
    pub(super) first: &'a dyn WitnessSource,
    /// Of the source alone.
    pub(super) params: &'a Params,
    /// Entries of the columns behind; none where only columns of the source are read.
    pub(super) behind: &'a [i8],
}

/// Columns of a source with pads of 0, of this height.
pub(super) fn with_pads(params: &Params, columns: &[i8], (out, height): (&mut [i8], usize)) {
    let (v, k) = (params.v() as usize, (params.v() - params.r()) as usize);
    let pads = height - v;
    for (out, column) in out.chunks_exact_mut(height).zip(columns.chunks_exact(v)) {
        let (secrets, errors) = column.split_at(k);
        out[..k].copy_from_slice(secrets);
        out[k..k + pads].fill(0);
        out[k + pads..].copy_from_slice(errors);
    }
}

impl WitnessSource for Joined<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        check_bytes(params)?;
        let (height, v) = (params.v() as usize, self.params.v() as usize);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let count = (out.len() / height) as u64;
        let first = first_block * u64::from(BLOCK);
        let of_first = self.params.l().saturating_sub(first).min(count) as usize;
        let (out, rest) = out.split_at_mut(of_first * height);
        if of_first > 0 {
            let lent = self.first.columns(self.params, first_block, of_first);
            let mut buffer = None;
            let lent = lent.filter(|entries| entries.len() == of_first * v);
            let entries = if let Some(entries) = lent {
                entries
            } else {
                let buffer = buffer.insert(Secrets::<i8>::zeros(of_first * v));
                self.first.read_columns(self.params, first_block, buffer)?;
                &buffer[..]
            };
            with_pads(self.params, entries, (out, height));
        }
        // The first column behind that is asked for, if there is one.
        let start = (first + of_first as u64).saturating_sub(self.params.l()) as usize;
        rest.copy_from_slice(&self.behind[start * height..][..rest.len()]);
        Ok(())
    }
}
