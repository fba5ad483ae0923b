//! [`Adjusted::fill_centres`]: a centre for each coordinate.

use alloc::vec::Vec;

use rand::CryptoRng;
use tautochrone_ctr::Stream;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::Avx512;
#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::U64x8;
use tautochrone_simd::wipe;

use super::super::lanes::BLOCK;
use super::super::raw::WideSample;
use super::accept::{self, Accepted};
use super::centre::Parts;
use super::trials::{Block, Other, Trials};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use super::vector;
use super::{Adjusted, centre};
use crate::element::Element;
use crate::error::Error;
#[cfg(target_arch = "x86_64")]
use crate::keystream::Both;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::meanwhile::Nothing;
use crate::rejected::rejected;
use crate::source::{Generator, Source};

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
        stream: &mut Stream,
        out: &mut [T],
    ) -> Result<u64, Error> {
        self.fill_around(centres, stream, out)
    }

    /// As [`Self::fill_centres`], from any generator.
    ///
    /// # Errors
    /// As [`Self::fill_centres`].
    pub fn fill_centres_from<R: CryptoRng + ?Sized, T: WideSample>(
        &self,
        centres: &[f64],
        rng: &mut R,
        out: &mut [T],
    ) -> Result<u64, Error> {
        self.fill_around(centres, &mut Generator(rng), out)
    }

    fn fill_around<T: Element>(
        &self,
        centres: &[f64],
        source: &mut (impl Source + ?Sized),
        out: &mut [T],
    ) -> Result<u64, Error> {
        if centres.len() != out.len() {
            return Err(Error::Length { centres: centres.len(), out: out.len() });
        }
        centre::check(self.isa(), centres)?;
        let mut trials = Trials::new();
        let mut apart = Apart::new();
        // Every coordinate once, in place; then the rejected ones until there are none.
        let mut pending = Vec::new();
        let mut start = 0;
        trials.blocks(&self.base, source, out.len().div_ceil(BLOCK), &mut |block, other| {
            let (centres, out) = (&centres[start..], &mut out[start..]);
            let len = out.len().min(BLOCK);
            let accepted = if let (Some(centres), Some(out)) =
                (centres.first_chunk(), out.first_chunk_mut())
            {
                self.around(centres, block, other, out)
            } else {
                apart.centres[..len].copy_from_slice(centres);
                let accepted = self.around(&apart.centres, block, other, &mut apart.samples);
                out.copy_from_slice(&apart.samples[..len]);
                accepted
            };
            pending.extend(rejected(len, &accepted).map(|i| start + i));
            start += len;
        });
        let mut count = out.len();
        while !pending.is_empty() {
            count += pending.len();
            let blocks = pending.len().div_ceil(BLOCK);
            let (mut start, mut again) = (0, 0);
            trials.blocks(&self.base, source, blocks, &mut |block, other| {
                let len = BLOCK.min(pending.len() - start);
                let indices = &pending[start..start + len];
                for (centre, &i) in apart.centres.iter_mut().zip(indices) {
                    *centre = centres[i];
                }
                let accepted = self.around(&apart.centres, block, other, &mut apart.samples);
                // A rejected value is overwritten when its coordinate is retried.
                for (&sample, &i) in apart.samples.iter().zip(indices) {
                    out[i] = sample;
                }
                for i in rejected(len, &accepted) {
                    pending[again] = pending[start + i];
                    again += 1;
                }
                start += len;
            });
            pending.truncate(again);
        }
        Ok(count as u64)
    }

    /// A sample around each centre, and which of them are accepted.
    fn around<T: Element>(
        &self,
        centres: &[f64; BLOCK],
        block: Block<'_>,
        other: Other<'_, '_, '_>,
        out: &mut [T; BLOCK],
    ) -> Accepted {
        if let Some(accepted) = self.around_fast(centres, block, other, out) {
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
    fn around_fast<T: Element>(
        &self,
        centres: &[f64; BLOCK],
        block: Block<'_>,
        other: Other<'_, '_, '_>,
        out: &mut [T; BLOCK],
    ) -> Option<Accepted> {
        #[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
        let e = &self.exponent;
        #[cfg(any(test, tautochrone_ctgrind))]
        if self.emulated {
            type V = Emulated<8>;
            return vector::centres::<V, T>((), e, centres, block, &mut Nothing, out);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(next) = other {
            type V = U64x8<Both>;
            return vector::centres::<V, T>(next.token, e, centres, block, next, out);
        } else if let Some(token) = self.isa().avx512() {
            type V = U64x8<Avx512>;
            return vector::centres::<V, T>(token, e, centres, block, &mut Nothing, out);
        }
        None
    }
}

/// Some coordinates that lie apart from each other; erased on drop.
struct Apart<T: Element> {
    centres: [f64; BLOCK],
    samples: [T; BLOCK],
}

impl<T: Element> Apart<T> {
    fn new() -> Self {
        Self { centres: [0.0; BLOCK], samples: [T::default(); BLOCK] }
    }
}

impl<T: Element> Drop for Apart<T> {
    fn drop(&mut self) {
        wipe(&mut self.centres, 0.0);
        wipe(&mut self.samples, T::default());
    }
}
