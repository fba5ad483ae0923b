//! Keys and dummy columns as one witness.

use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::witness::WitnessSource;

/// The keys of a source, with pads of 0, and dummy columns behind them.
pub(super) struct Extended<'a> {
    pub(super) keys: &'a dyn WitnessSource,
    /// Of the keys alone.
    pub(super) params: &'a Params,
    /// Entries of dummy columns; none where only columns of keys are read.
    pub(super) dummies: &'a [i8],
}

/// Columns of keys with pads of 0, of this height.
pub(super) fn with_pads(params: &Params, keys: &[i8], (out, height): (&mut [i8], usize)) {
    let (v, k) = (params.v() as usize, (params.v() - params.r()) as usize);
    let pads = height - v;
    for (out, column) in out.chunks_exact_mut(height).zip(keys.chunks_exact(v)) {
        let (secrets, errors) = column.split_at(k);
        out[..k].copy_from_slice(secrets);
        out[k..k + pads].fill(0);
        out[k + pads..].copy_from_slice(errors);
    }
}

/// Keys of the last block, where it is not full.
pub(super) struct Tail(Secrets);

impl Tail {
    /// `bytes` are the bytes of whole columns.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut entries = Secrets::zeros(bytes.len());
        entries.iter_mut().zip(bytes).for_each(|(entry, byte)| *entry = byte.cast_signed());
        Self(entries)
    }
}

impl WitnessSource for Tail {
    /// Of their block, from its first column on.
    fn read_columns(&self, _: &Params, _: u64, out: &mut [i8]) -> Result<(), Error> {
        out.copy_from_slice(&self.0[..out.len()]);
        Ok(())
    }
}

impl WitnessSource for Extended<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let (height, v) = (params.v() as usize, self.params.v() as usize);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let count = (out.len() / height) as u64;
        let first = first_block * u64::from(BLOCK);
        let of_keys = self.params.l().saturating_sub(first).min(count) as usize;
        let (out, rest) = out.split_at_mut(of_keys * height);
        if of_keys > 0 {
            let lent = self.keys.columns(self.params, first_block, of_keys);
            let mut buffer = None;
            let lent = lent.filter(|entries| entries.len() == of_keys * v);
            let entries = if let Some(entries) = lent {
                entries
            } else {
                let buffer = buffer.insert(Secrets::<i8>::zeros(of_keys * v));
                self.keys.read_columns(self.params, first_block, buffer)?;
                &buffer[..]
            };
            with_pads(self.params, entries, (out, height));
        }
        // The first dummy column that is asked for, if there is one.
        let start = (first + of_keys as u64).saturating_sub(self.params.l()) as usize;
        rest.copy_from_slice(&self.dummies[start * height..][..rest.len()]);
        Ok(())
    }
}
