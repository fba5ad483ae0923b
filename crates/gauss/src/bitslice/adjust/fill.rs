//! [`Adjusted::fill`]: one centre for all samples.

use tautochrone_simd::{declassify, wipe};

use super::super::lanes::BLOCK;
use super::centre::LIMIT;
use super::thresholds::Thresholds;
use super::trials::{Block, Trials};
use super::{Adjusted, accept, vector};
use crate::centres;
use crate::element::WideSample;
use crate::error::Error;
use crate::source::Source;

impl Adjusted {
    /// Fills `out` with independent samples of one centre; returns how many trials that took.
    ///
    /// # Errors
    /// [`Error::Centre`] unless |mu| < 2^30.
    pub fn fill<T: WideSample>(
        &self,
        centre: f64,
        source: &mut dyn Source,
        out: &mut [T],
    ) -> Result<u64, Error> {
        centres::check(self.isa(), &[centre], LIMIT)?;
        Ok(self.fill_one(centres::parts(centre), source, out))
    }

    /// Samples around floor + fraction; returns how many trials that took.
    pub(super) fn fill_one<T: WideSample>(
        &self,
        parts: (i64, f64),
        source: &mut dyn Source,
        out: &mut [T],
    ) -> u64 {
        let around = OneCentre::new(self, parts);
        let mut trials = Trials::new();
        let mut spare = [T::default(); BLOCK];
        let (mut done, mut count) = (0, 0);
        while done < out.len() {
            let block = trials.next(&self.base, source);
            count += BLOCK as u64;
            let rest = &mut out[done..];
            if let Some(to) = rest.first_chunk_mut() {
                done += around.accepted(block, to);
            } else {
                let accepted = around.accepted(block, &mut spare).min(rest.len());
                rest[..accepted].copy_from_slice(&spare[..accepted]);
                done += accepted;
            }
        }
        wipe(&mut spare, T::default());
        count
    }
}

impl Adjusted {
    /// The table of a centre's fraction, if there are registers that look it up, and the base has
    /// few enough values.
    fn thresholds(&self, fraction: f64) -> Option<Thresholds> {
        vector::on_registers!(self, _token, _V, {
            return Thresholds::new(self.isa(), self.base.bound(), &self.exponent, fraction);
        });
        None
    }
}

/// Values that a fill around one centre computes once; erased on drop.
struct OneCentre<'a> {
    sampler: &'a Adjusted,
    parts: (i64, f64),
    fractions: [f64; BLOCK],
    thresholds: Option<Thresholds>,
}

impl<'a> OneCentre<'a> {
    fn new(sampler: &'a Adjusted, parts: (i64, f64)) -> Self {
        let thresholds = sampler.thresholds(parts.1);
        Self { sampler, parts, fractions: [parts.1; BLOCK], thresholds }
    }

    /// The accepted samples of a block at the front of `out`, in order; how many there are.
    fn accepted<T: WideSample>(&self, block: Block<'_>, out: &mut [T; BLOCK]) -> usize {
        if let Some(count) = self.fast(block, out) {
            return count;
        }
        let accepted =
            accept::lanes(self.sampler.isa(), &self.sampler.exponent, block, &self.fractions);
        let floor = self.parts.0;
        let mut count = 0;
        for (candidates, accepted) in block.candidates.as_chunks::<8>().0.iter().zip(accepted) {
            for (bit, candidate) in candidates.iter().enumerate() {
                out[count] = T::cut(floor + candidate);
                // How many are accepted is public.
                count += usize::from(declassify(accepted >> bit & 1));
            }
        }
        count
    }

    /// The same on registers; `None` if there are none, or a decision is in doubt.
    fn fast<T: WideSample>(&self, block: Block<'_>, out: &mut [T; BLOCK]) -> Option<usize> {
        let (e, table, parts) = (&self.sampler.exponent, self.thresholds.as_ref(), self.parts);
        vector::on_registers!(self.sampler, token, V, {
            return vector::one_centre::<V, T>(token, e, table, parts, block, out);
        });
        None
    }
}

impl Drop for OneCentre<'_> {
    fn drop(&mut self) {
        wipe(&mut self.fractions, 0.0);
        wipe(core::slice::from_mut(&mut self.parts), (0, 0.0));
    }
}
