//! [`Facct::fill_centres`]: a centre for each coordinate.

use rand::CryptoRng;
use tautochrone_ctr::Stream;
#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{Pair, U64x4, U64x8};
use zeroize::Zeroizing;

use super::batch::{Accepted, Batch, GROUP, SAMPLES, Words};
#[cfg(target_arch = "x86_64")]
use super::beside;
use super::centre::{self, Centre};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use super::vector;
use super::{Facct, portable};
use crate::error::Error;
use crate::rejected::rejected;
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
    /// As [`Self::fill_centres`].
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
        let mut draw = Draw { sampler: self, source, words: Words::new() };
        let mut pending = Pending { indices: [0; _], len: 0 };
        let (mut some_centres, mut some_values) =
            (Zeroizing::new([0.0; SAMPLES]), Zeroizing::new([0; SAMPLES]));
        let mut start = 0;
        while start < out.len() || pending.len > 0 {
            if start < out.len() && pending.len < SAMPLES {
                let (centres, out) = (&centres[start..], &mut out[start..]);
                let len = out.len().min(SAMPLES);
                let accepted = if let (Some(centres), Some(values)) =
                    (centres.first_chunk(), out.first_chunk_mut())
                {
                    draw.trials(len, centres, values)
                } else {
                    some_centres[..len].copy_from_slice(centres);
                    let accepted = draw.trials(len, &some_centres, &mut some_values);
                    out.copy_from_slice(&some_values[..len]);
                    accepted
                };
                pending.push(start, len, &accepted);
                start += len;
            } else {
                let indices = pending.last();
                for (mu, &i) in some_centres.iter_mut().zip(indices) {
                    *mu = centres[i];
                }
                let accepted = draw.trials(indices.len(), &some_centres, &mut some_values);
                for (&z, &i) in some_values.iter().zip(indices) {
                    out[i] = z;
                }
                pending.retain_rejected(&accepted);
            }
        }
        Ok(())
    }

    /// The fast trials, trial i around centre i; whether any decision was in doubt.
    fn fast_coordinates(
        &self,
        centres: &Batch<f64>,
        words: &[u64],
        values: &mut Batch<i64>,
        accepted: &mut Accepted,
    ) -> bool {
        #[cfg(any(test, tautochrone_ctgrind))]
        if self.emulated {
            let table = &self.table;
            return vector::coordinates::<Emulated<8>>((), table, centres, words, values, accepted);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.isa.ifma() {
            let table = &self.table;
            return vector::coordinates::<U64x8<_>>(token, table, centres, words, values, accepted);
        } else if let Some(token) = self.isa.avx2() {
            let table = &self.table;
            return vector::coordinates::<Pair<U64x4<_>>>(
                token, table, centres, words, values, accepted,
            );
        }
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

/// The source of trials.
struct Draw<'a> {
    sampler: &'a Facct,
    source: &'a mut dyn Source,
    words: Words,
}

impl Draw<'_> {
    /// A trial around each of the first `len` centres, and at most [`GROUP`] - 1 more.
    fn trials(&mut self, len: usize, centres: &Batch<f64>, values: &mut Batch<i64>) -> Accepted {
        let groups = len.div_ceil(GROUP);
        let mut accepted = [0; _];
        #[cfg(target_arch = "x86_64")]
        if self.trials_beside(groups, centres, values, &mut accepted).is_some() {
            return accepted;
        }
        let words = self.words.draw(self.source, groups);
        if self.sampler.fast_coordinates(centres, words, values, &mut accepted) {
            self.sampler.coordinates(centres, words, Some(self.source), values, &mut accepted);
        }
        accepted
    }

    /// The same beside the keystream; `None`, and nothing is drawn, if the source or the CPU has not
    /// what it takes.
    #[cfg(target_arch = "x86_64")]
    fn trials_beside(
        &mut self,
        groups: usize,
        centres: &Batch<f64>,
        values: &mut Batch<i64>,
        accepted: &mut Accepted,
    ) -> Option<()> {
        let Facct { isa, table, .. } = self.sampler;
        let token = (isa.ifma()?, isa.vaes()?);
        let stream = self.source.stream()?;
        let start = stream.block()?;
        let registers = stream.registers(4 * groups)?;
        if beside::coordinates(token, table, centres, registers, values, accepted) {
            stream.seek_block(start);
            let words = self.words.draw(stream, groups);
            self.sampler.coordinates(centres, words, Some(stream), values, accepted);
        }
        Some(())
    }
}

/// Coordinates to retry. They are public.
struct Pending {
    /// The first `len` of these: less than a batch, and as many as one more batch may add.
    indices: [usize; 2 * SAMPLES],
    len: usize,
}

impl Pending {
    /// Adds the rejected ones of coordinates `start`..`start` + `len`.
    fn push(&mut self, start: usize, len: usize, accepted: &Accepted) {
        for i in rejected(len, accepted) {
            self.indices[self.len] = start + i;
            self.len += 1;
        }
    }

    /// The last ones: a batch, or all of them if they are fewer.
    fn last(&self) -> &[usize] {
        &self.indices[self.len.saturating_sub(SAMPLES)..self.len]
    }

    /// Of [`Self::last`], retains those that were rejected.
    fn retain_rejected(&mut self, accepted: &Accepted) {
        let len = self.last().len();
        let first = self.len - len;
        self.len = first;
        for i in rejected(len, accepted) {
            self.indices[self.len] = self.indices[first + i];
            self.len += 1;
        }
    }
}
