//! Committed columns and new ones as one witness.

use crate::erase::Secrets;
use crate::error::{Error, WitnessProblem};
use crate::params::{BLOCK, Params};
use crate::witness::WitnessSource;

/// The columns of a source, and new ones behind them.
pub(in super::super) struct Joined<'a> {
    pub(in super::super) committed: &'a dyn WitnessSource,
    /// Of the committed columns alone.
    pub(in super::super) params: &'a Params,
    /// v entries a column.
    pub(in super::super) new: &'a Secrets,
}

impl WitnessSource for Joined<'_> {
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let (v, count) = (params.v() as usize, (out.len() / params.v() as usize) as u64);
        let first = first_block.saturating_mul(BLOCK.into());
        let committed = self.params.l().saturating_sub(first).min(count);
        let (out, rest) = out.split_at_mut(committed as usize * v);
        if !out.is_empty() {
            self.committed.read_columns(self.params, first_block, out)?;
        }
        let start = (first + committed).saturating_sub(self.params.l()) as usize * v;
        let new = self.new.get(start..start.saturating_add(rest.len()));
        let expected = u64::from(params.v()) * params.l();
        let got = self.new.len() as u64 + u64::from(params.v()) * self.params.l();
        rest.copy_from_slice(new.ok_or(Error::Witness(WitnessProblem::Length { got, expected }))?);
        Ok(())
    }
}
