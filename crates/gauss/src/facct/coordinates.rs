//! [`Facct::fill_centres`]: a centre for each coordinate.

use rand::CryptoRng;
use tautochrone_ctr::Stream;

use super::batch::{Accepted, Batch, GROUP, GROUP_WORDS, Scratch, Words};
use super::centre::{self, Centre};
use super::pending::{Next, Pending};
use super::{Facct, portable, vector};
use crate::error::Error;
use crate::source::{Generator, Source};

impl Facct {
    /// Fills `out[i]` with an independent sample around `centres[i]`, as [`Self::fill_centred`]. A
    /// rejected coordinate is retried in its place, so that no value influences the position of
    /// another.
    ///
    /// # Constant time
    /// In centres, stream and `out`, as [`Self::fill_centred`]; which coordinates were retried is
    /// visible and independent of all of them.
    ///
    /// # Errors
    /// [`Error::Length`] if the lengths differ; [`Error::Centre`] unless every |mu| < 2^51.
    pub fn fill_centres(
        &self,
        centres: &[f64],
        stream: &mut Stream,
        out: &mut [i64],
    ) -> Result<(), Error> {
        self.fill_around(centres, stream, out)
    }

    /// As [`Self::fill_centres`], from any generator.
    ///
    /// # Constant time
    /// As [`Self::fill_centres`].
    ///
    /// # Errors
    /// [`Error::Length`] if the lengths differ; [`Error::Centre`] unless every |mu| < 2^51.
    pub fn fill_centres_from<R: CryptoRng + ?Sized>(
        &self,
        centres: &[f64],
        rng: &mut R,
        out: &mut [i64],
    ) -> Result<(), Error> {
        self.fill_around(centres, &mut Generator(rng), out)
    }

    fn fill_around(
        &self,
        centres: &[f64],
        source: &mut dyn Source,
        out: &mut [i64],
    ) -> Result<(), Error> {
        if centres.len() != out.len() {
            return Err(Error::Length { centres: centres.len(), out: out.len() });
        }
        centre::check(self.isa, centres)?;
        let mut words = Words::new();
        let mut pending = Pending::new();
        let mut scratch = Scratch::new();
        loop {
            let next = pending.next(out.len());
            let (Next::First(len) | Next::Again(len)) = next else { return Ok(()) };
            let words = words.draw(source, GROUP_WORDS * len.div_ceil(GROUP));
            if self.whole_batch(centres, words, &mut pending, &mut scratch, out) {
                continue;
            }
            let Scratch { centres: some, samples } = &mut scratch;
            if let Next::First(_) = next {
                let range = pending.start..pending.start + len;
                some[..len].copy_from_slice(&centres[range.clone()]);
                let accepted = self.batch(some, words, source, samples);
                out[range].copy_from_slice(&samples[..len]);
                pending.first_done(len, &accepted);
            } else {
                scratch.gather(centres, pending.last(len));
                let accepted = self.batch(&scratch.centres, words, source, &mut scratch.samples);
                scratch.scatter(pending.last(len), out);
                pending.again_done(len, &accepted);
            }
        }
    }

    /// A whole batch on registers, if that can be done, and no decision is in doubt.
    fn whole_batch(
        &self,
        centres: &[f64],
        words: &[u64],
        pending: &mut Pending,
        scratch: &mut Scratch,
        out: &mut [i64],
    ) -> bool {
        let table = &self.table;
        vector::on_registers!(self, token, V, {
            return vector::coordinates::whole::<V>(
                token, table, centres, words, pending, scratch, out,
            );
        });
        let _ = (table, centres, words, pending, scratch, out);
        false
    }

    /// A trial around each centre for which there are words.
    fn batch(
        &self,
        centres: &Batch<f64>,
        words: &[u64],
        source: &mut dyn Source,
        values: &mut Batch<i64>,
    ) -> Accepted {
        let mut accepted = [0; _];
        if self.fast_coordinates(centres, words, values, &mut accepted) {
            self.coordinates(centres, words, Some(source), values, &mut accepted);
        }
        accepted
    }

    /// The fast trials, trial i around centre i; whether any decision was in doubt.
    fn fast_coordinates(
        &self,
        centres: &Batch<f64>,
        words: &[u64],
        values: &mut Batch<i64>,
        accepted: &mut Accepted,
    ) -> bool {
        let table = &self.table;
        vector::on_registers!(self, token, V, {
            return vector::coordinates::coordinates::<V>(
                token, table, centres, words, values, accepted,
            );
        });
        let _ = table;
        self.coordinates(centres, words, None, values, accepted)
    }

    /// The portable trials, each in its place.
    fn coordinates(
        &self,
        centres: &Batch<f64>,
        words: &[u64],
        exact: Option<&mut dyn Source>,
        values: &mut Batch<i64>,
        accepted: &mut Accepted,
    ) -> bool {
        *accepted = [0; _];
        portable::trials(
            &self.table,
            |i| Some(Centre::new(centres[i])),
            words,
            exact,
            |i, z, is_accepted| {
                values[i] = z;
                accepted[i >> 3] |= u8::from(is_accepted) << (i & 7);
            },
        )
    }
}
