//! [`Facct::fill_centres`]: a centre for each coordinate.

use super::batch::{Batch, Coordinates, GROUP, GROUP_WORDS, Pending, SAMPLES, Words};
use super::centre::{Centre, LIMIT};
use super::{Facct, portable, vector};
use crate::centres::{self, Scratch};
use crate::error::Error;
use crate::source::Source;

impl Facct {
    /// Fills `out[i]` with an independent sample around `centres[i]`, as [`Self::fill_centred`]. A
    /// rejected coordinate is retried in its place, so that no value influences the position of
    /// another.
    ///
    /// # Constant time
    /// In centres, source and `out`, as [`Self::fill_centred`]; which coordinates were retried is
    /// visible and independent of all of them.
    ///
    /// # Errors
    /// [`Error::Length`] if the lengths differ; [`Error::Centre`] unless every |mu| < 2^51.
    pub fn fill_centres(
        &self,
        centres: &[f64],
        source: &mut dyn Source,
        out: &mut [i64],
    ) -> Result<(), Error> {
        if centres.len() != out.len() {
            return Err(Error::Length { centres: centres.len(), out: out.len() });
        }
        centres::check(self.isa, centres, LIMIT)?;
        let mut words = Words::new();
        let mut scratch = Scratch::<i64, SAMPLES>::new();
        // Coordinates from `start` on have not been tried yet.
        let (mut start, mut pending, mut again) = (0, Pending::new(), [0; SAMPLES]);
        loop {
            if start < out.len() && pending.len < SAMPLES {
                let some = start..out.len().min(start + SAMPLES);
                let words = words.draw(source, GROUP_WORDS * some.len().div_ceil(GROUP));
                let which = Coordinates::From(start);
                let batch =
                    |mu: &_, z: &mut _| self.batch(which, mu, words, source, z, &mut pending);
                start = some.end;
                scratch.first(&centres[some.clone()], &mut out[some], batch);
            } else if pending.len > 0 {
                let count = pending.take(&mut again);
                let words = words.draw(source, GROUP_WORDS * count.div_ceil(GROUP));
                let which = Coordinates::Listed(&again);
                let batch =
                    |mu: &_, z: &mut _| self.batch(which, mu, words, source, z, &mut pending);
                scratch.again(centres, &again[..count], out, batch);
            } else {
                return Ok(());
            }
            pending.drop_beyond(out.len());
        }
    }

    /// A trial of each of these coordinates, around its centre; the rejected ones are pending.
    fn batch(
        &self,
        which: Coordinates<'_>,
        centres: &Batch<f64>,
        words: &[u64],
        source: &mut dyn Source,
        values: &mut Batch<i64>,
        pending: &mut Pending,
    ) {
        let len = pending.len;
        if self.fast_coordinates(which, centres, words, values, pending) {
            pending.len = len;
            self.coordinates(which, centres, words, Some(source), values, pending);
        }
    }

    /// The fast trials; whether any decision was in doubt.
    fn fast_coordinates(
        &self,
        which: Coordinates<'_>,
        centres: &Batch<f64>,
        words: &[u64],
        values: &mut Batch<i64>,
        pending: &mut Pending,
    ) -> bool {
        let table = &self.table;
        vector::on_registers!(self, token, V, {
            return vector::coordinates::coordinates::<V>(
                token, table, which, centres, words, values, pending,
            );
        });
        let _ = table;
        self.coordinates(which, centres, words, None, values, pending)
    }

    /// The portable trials, each in its place.
    fn coordinates(
        &self,
        which: Coordinates<'_>,
        centres: &Batch<f64>,
        words: &[u64],
        exact: Option<&mut dyn Source>,
        values: &mut Batch<i64>,
        pending: &mut Pending,
    ) -> bool {
        portable::trials(
            &self.table,
            |i| Some(Centre::new(centres[i])),
            words,
            exact,
            |i, z, accepted| {
                values[i] = z;
                let index = match which {
                    Coordinates::From(start) => (start + i) as u64,
                    Coordinates::Listed(indices) => indices[i],
                };
                pending.push(index, accepted);
            },
        )
    }
}
