//! Batches of trials until all samples are there: interleaved with encryption where
//! that is possible, else from words in memory.

use tautochrone_simd::{vectorize, wipe};

use super::batch::{Batch, GROUP_WORDS, MAX_GROUPS, SAMPLES, Words};
use super::centre::Centre;
use super::{Facct, portable, vector};
use crate::element::WideSample;
use crate::source::Source;

impl Facct {
    /// One sample, by the portable code compiled for this instruction set.
    pub(super) fn one(&self, centre: Option<&Centre>, source: &mut dyn Source) -> i64 {
        vectorize!(self.isa, portable::one(&self.table, centre, source))
    }

    pub(super) fn fill_any<T: WideSample>(
        &self,
        centre: Option<&Centre>,
        source: &mut dyn Source,
        out: &mut [T],
    ) {
        let mut words = Words::new();
        let mut spare = [T::default(); SAMPLES];
        let mut done = 0;
        while done < out.len() {
            let rest = &mut out[done..];
            #[cfg(target_arch = "x86_64")]
            if let Some(count) = self.fill_interleaved(centre, source, rest) {
                done += count;
                continue;
            }
            // A group yields 13.8 samples on average; drawing only as many as are missing makes
            // short fills cheap.
            let groups = rest.len().div_ceil(13).min(MAX_GROUPS);
            let words = words.draw(source, GROUP_WORDS * groups);
            if let Some(samples) = rest.first_chunk_mut() {
                done += self.trials(centre, words, source, samples);
            } else {
                let count = self.trials(centre, words, source, &mut spare).min(rest.len());
                rest[..count].copy_from_slice(&spare[..count]);
                done += count;
            }
        }
        wipe(&mut spare, T::default());
    }

    /// Fills a prefix of `out` with as many whole batches as are certain to fit and returns the
    /// number of samples. Returns `None`, drawing nothing, if no batch fits or the source or the
    /// CPU lacks a requirement.
    #[cfg(target_arch = "x86_64")]
    fn fill_interleaved<T: WideSample>(
        &self,
        centre: Option<&Centre>,
        source: &mut dyn Source,
        out: &mut [T],
    ) -> Option<usize> {
        let token = (self.isa.ifma()?, self.isa.vaes()?);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let batches = out.len() / SAMPLES;
        let stream = if batches > 0 { source.stream()? } else { return None };
        let start = stream.block()?;
        let registers = stream.registers(4 * MAX_GROUPS * batches)?;
        let (groups, count) = super::interleave::trials(token, &self.table, centre, registers, out);
        if groups == MAX_GROUPS * batches {
            return Some(count);
        }
        // A decision is in doubt: its batch once more, and what follows it not yet.
        stream.seek_block(start.wrapping_add(16 * groups as u128));
        let mut words = Words::new();
        let words = words.draw(stream, GROUP_WORDS * MAX_GROUPS);
        let samples = out[count..].first_chunk_mut().expect("an element for each trial");
        Some(count + self.compress(centre, words, Some(stream), samples).0)
    }

    /// Runs the trials of whole groups; returns how many samples were accepted.
    pub(super) fn trials<T: WideSample>(
        &self,
        centre: Option<&Centre>,
        words: &[u64],
        source: &mut dyn Source,
        samples: &mut Batch<T>,
    ) -> usize {
        let (count, doubt) = self.fast_trials(centre, words, samples);
        if doubt { self.compress(centre, words, Some(source), samples).0 } else { count }
    }

    /// As [`Self::trials`], without settling doubts: (samples accepted, whether a decision was in
    /// doubt, and then the number means nothing).
    pub(super) fn fast_trials<T: WideSample>(
        &self,
        centre: Option<&Centre>,
        words: &[u64],
        samples: &mut Batch<T>,
    ) -> (usize, bool) {
        let table = &self.table;
        let certain = |(groups, count): (usize, usize)| (count, GROUP_WORDS * groups < words.len());
        vector::on_registers!(self, token, V, {
            return certain(vector::trials::<V, T>(token, table, centre, words, samples));
        });
        self.compress(centre, words, None, samples)
    }

    /// The portable trials, accepted samples written in order.
    pub(super) fn compress<T: WideSample>(
        &self,
        centre: Option<&Centre>,
        words: &[u64],
        exact: Option<&mut dyn Source>,
        samples: &mut Batch<T>,
    ) -> (usize, bool) {
        let mut count = 0;
        let doubt = portable::trials(
            &self.table,
            |_| centre.copied(),
            words,
            exact,
            |_, z, accepted| {
                samples[count] = T::cut(z);
                count += usize::from(accepted);
            },
        );
        (count, doubt)
    }
}
