//! [`Adjusted::fill_centres`]: a centre for each coordinate.

use alloc::vec::Vec;

use super::super::lanes::BLOCK;
use super::accept::{self, Accepted};
use super::centre::{LIMIT, Parts};
use super::trials::{Block, Trials};
use super::{Adjusted, vector};
use crate::centres::{self, Scratch, rejected};
use crate::element::WideSample;
use crate::error::Error;
use crate::source::Source;

impl Adjusted {
    /// Fills `out[i]` with a sample of centre `centres[i]`: a rejected coordinate is retried, and
    /// no coordinate is ever moved, so that no value influences the position of another. Returns
    /// the number of trials.
    ///
    /// # Errors
    /// [`Error::Centre`] unless every |mu| < 2^30; [`Error::Length`] if the lengths differ.
    pub fn fill_centres<T: WideSample>(
        &self,
        centres: &[f64],
        source: &mut dyn Source,
        out: &mut [T],
    ) -> Result<u64, Error> {
        if centres.len() != out.len() {
            return Err(Error::Length { centres: centres.len(), out: out.len() });
        }
        centres::check(self.isa(), centres, LIMIT)?;
        let mut trials = Trials::new();
        let mut scratch = Scratch::<T, BLOCK>::new();
        // Every coordinate once, in place; then the rejected ones until there are none.
        let mut pending = Vec::new();
        for start in (0..out.len()).step_by(BLOCK) {
            let block = trials.next(&self.base, source);
            let some = start..out.len().min(start + BLOCK);
            let around = |centres: &_, out: &mut _| self.around(centres, block, out);
            let accepted = scratch.first(&centres[some.clone()], &mut out[some.clone()], around);
            pending.extend(rejected(some.len(), &accepted).map(|i| (start + i) as u64));
        }
        let mut count = out.len();
        while !pending.is_empty() {
            count += pending.len();
            let mut again = 0;
            for start in (0..pending.len()).step_by(BLOCK) {
                let block = trials.next(&self.base, source);
                let some = &pending[start..pending.len().min(start + BLOCK)];
                let around = |centres: &_, out: &mut _| self.around(centres, block, out);
                let accepted = scratch.again(centres, some, out, around);
                for i in rejected(some.len(), &accepted) {
                    pending[again] = pending[start + i];
                    again += 1;
                }
            }
            pending.truncate(again);
        }
        Ok(count as u64)
    }

    /// A sample around each centre, and which of them are accepted.
    fn around<T: WideSample>(
        &self,
        centres: &[f64; BLOCK],
        block: Block<'_>,
        out: &mut [T; BLOCK],
    ) -> Accepted {
        if let Some(accepted) = self.around_fast(centres, block, out) {
            return accepted;
        }
        let parts = Parts::new(self.isa(), centres);
        let samples = parts.floors.iter().zip(block.candidates);
        for (out, (&floor, candidate)) in out.iter_mut().zip(samples) {
            *out = T::cut(i64::from(floor) + candidate);
        }
        accept::lanes(self.isa(), &self.exponent, block, &parts.fractions)
    }

    /// The same on registers; `None` if there are none, or a decision is in doubt.
    fn around_fast<T: WideSample>(
        &self,
        centres: &[f64; BLOCK],
        block: Block<'_>,
        out: &mut [T; BLOCK],
    ) -> Option<Accepted> {
        let e = &self.exponent;
        vector::on_registers!(self, token, V, {
            return vector::centres::<V, T>(token, e, centres, block, out);
        });
        None
    }
}
