//! [`Adjusted`]: any centre and any width up to the table's, by rejection from the bimodal
//! distribution.
//!
//! Let r = mu - floor(mu) and z' = b + (2b - 1) z with z an unfolded half of width s, b a fair bit.
//! Accepted with probability exp(-((z' - r)^2 / 2 s'^2 - z^2 / 2 s^2)), s' <= s, the sample
//! floor(mu) + z' has distribution D_{mu, s'}. With c = r for b = 0 and c = 1 - r for b = 1,
//! |z' - r| = z + c, and the exponent is a sum of terms that are not negative:
//!
//! x = z^2 A + 2 z c B + c^2 B,  B = 1 / 2 s'^2,  A = B - 1 / 2 s^2 >= 0:
//!
//! the acceptance is at most one, and nothing cancels. Its mean is sum_z rho_{s'}(z - r) / (2 R).
//!
//! # Precision
//! The acceptance probability is an integer multiple of 2^-63 from `f64` arithmetic with fused
//! multiply-add, the same bits on every instruction set; its relative error is below (x + 4) 2^-51
//! (tested against big numbers).
//!
//! # Constant time
//! In centres, widths, samples and the stream, except for the number and place of the rejections:
//! those reveal the acceptance rate, which depends on s' (and hardly on mu). [`Width::scaled`]
//! makes it independent of a secret s' by accepting s_min / s' as often. The arithmetic relies on
//! `f64` addition, multiplication and fused multiply-add of normal numbers taking constant time
//! (see [`crate::facct`]); there is no division. Without FMA hardware the portable path's `mul_add`
//! is a library routine with branches.
//!
//! # Source
//! Howe, Prest, Ricosset, Rossi, PQCrypto 2020 (Falcon's `SamplerZ`; the factor is its `ccs`), with
//! an exact base.

use alloc::vec::Vec;

use rand::CryptoRng;
use tautochrone_ctr::Stream;
use tautochrone_simd::{Isa, declassify, wipe};
use zeroize::Zeroize;

use super::builder::Builder;
use super::kernel::Scratch;
use super::kind::Kind;
use super::lanes::BLOCK;
use super::raw::WideSample;
use super::sampler::Bitslice;
use crate::error::Error;
use crate::source::{Generator, Source};

mod accept;
mod centre;
mod compact;
mod single;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod thresholds;

use accept::Exponent;
use centre::Batch;
pub use single::Centred;
#[cfg(target_arch = "x86_64")]
use thresholds::Thresholds;

/// Smallest s' / s: the acceptance rate is about the ratio, so that this bounds the work.
const MIN_RATIO: f64 = 1.0 / 16.0;
/// Smallest s': below, a centre between two integers is hardly ever accepted.
const MIN_WIDTH: f64 = 0.4;
/// A target width s', as its inverse and the scale of the acceptance. [`Adjusted::new`] checks
/// both; erased on drop.
pub struct Width {
    inverse: f64,
    /// s_min / s', or 1.
    scale: f64,
}

impl Width {
    /// A public s', which is divided by.
    #[must_use]
    pub fn public(sigma: f64) -> Self {
        Self { inverse: 1.0 / sigma, scale: 1.0 }
    }

    /// A secret s', given as `inverse` = 1 / s' (so that no division sees it), not below the public
    /// `s_min`: the acceptance rate becomes that of `s_min`, which is at least s / 16.
    #[must_use]
    pub fn scaled(inverse: f64, s_min: f64) -> Self {
        Self { inverse, scale: s_min * inverse }
    }
}

impl Drop for Width {
    fn drop(&mut self) {
        self.inverse.zeroize();
        self.scale.zeroize();
    }
}

/// Secret widths are not printed.
impl core::fmt::Debug for Width {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Width([REDACTED])")
    }
}

/// A sampler of D_{mu, s'} for one width and any centres.
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
/// use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Width};
///
/// // D_{0.5, 1.9} from a base of width 2.
/// let sampler = Adjusted::new(&Bitslice::builder().sigma(2.0), Width::public(1.9))?;
/// let mut samples = [0_i64; 100];
/// let mut stream = Seed::from_os()?.stream(Label::new("adjusted"), 0);
/// sampler.fill(0.5, &mut stream, &mut samples)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Adjusted {
    base: Bitslice,
    width: Width,
    exponent: Exponent,
}

impl core::fmt::Debug for Adjusted {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Adjusted").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Adjusted {
    /// The sampler of this target width from a base of width s, sigma of `base`; its kind is set to
    /// [`Kind::Bimodal`].
    ///
    /// # Errors
    /// [`Error::Adjust`] unless max(0.4, s / 16) <= s' <= s and s / 16 <= `s_min` <= s'; as
    /// [`Builder::build`] for the base. One comparison tells whether a secret width is in range,
    /// nothing more.
    pub fn new(base: &Builder, width: Width) -> Result<Self, Error> {
        let base = base.clone().kind(Kind::Bimodal).build()?;
        let s = base.sigma();
        let least = MIN_WIDTH.max(s * MIN_RATIO);
        // One part in 2^40 of slack for inverses that were rounded.
        let slack = 1.0 + 1.0 / (1_u64 << 40) as f64;
        let inside = (width.inverse * least <= slack) & (width.inverse * s * slack >= 1.0);
        // s_min >= s / 16: fewer would be accepted than the ratio of widths bounds, down to none.
        let often = width.scale * slack >= MIN_RATIO * s * width.inverse;
        if !declassify(inside & often & (width.scale <= slack)) {
            return Err(Error::Adjust { least, limit: s });
        }
        let exponent = Exponent::new(s, width.inverse, width.scale.min(1.0));
        Ok(Self { base, width, exponent })
    }

    /// The sampler that is adjusted.
    #[must_use]
    pub const fn base(&self) -> &Bitslice {
        &self.base
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.base.isa()
    }

    /// Random bytes of a trial.
    #[must_use]
    pub fn random_bytes_per_trial(&self) -> f64 {
        self.base.random_bytes() + 8.0
    }

    /// Fills `out` with independent samples of one centre; returns how many trials that took.
    ///
    /// # Errors
    /// [`Error::Centre`] unless |mu| < 2^30.
    pub fn fill<T: WideSample>(
        &self,
        centre: f64,
        stream: &mut Stream,
        out: &mut [T],
    ) -> Result<u64, Error> {
        centre::check(&[centre])?;
        Ok(self.fill_one(centre::parts(centre), stream, out))
    }

    /// As [`Self::fill`], from any generator: one that gives the bytes of a stream gives its
    /// samples.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub fn fill_from<R: CryptoRng + ?Sized, T: WideSample>(
        &self,
        centre: f64,
        rng: &mut R,
        out: &mut [T],
    ) -> Result<u64, Error> {
        centre::check(&[centre])?;
        Ok(self.fill_one(centre::parts(centre), &mut Generator(rng), out))
    }

    /// Samples around floor + fraction; returns how many trials that took.
    fn fill_one<T: WideSample>(
        &self,
        (floor, fraction): (i32, f64),
        source: &mut (impl Source + ?Sized),
        out: &mut [T],
    ) -> u64 {
        let mut trials = 0;
        let mut draw = Trials::new();
        let mut compacted = [0; BLOCK];
        let mut fractions = [fraction; BLOCK];
        let isa = self.isa();
        #[cfg(target_arch = "x86_64")]
        let table = isa.avx512().and_then(|token| {
            let table = Thresholds::new(token, self.base.bound(), &self.exponent, fraction)?;
            Some((token, table))
        });
        let mut rest = out;
        while !rest.is_empty() {
            let accepted = draw.next(&self.base, source, |values, uniform, accepted| {
                #[cfg(target_arch = "x86_64")]
                if let Some((token, table)) = &table {
                    return table.lanes(*token, values, uniform, accepted);
                }
                accept::lanes(isa, &self.exponent, values, &fractions, uniform, accepted);
            });
            trials += BLOCK as u64;
            // The positions of the rejections are public.
            let count = compact::lanes(isa, &draw.values, &accepted, &mut compacted);
            let (out, later) = rest.split_at_mut(count.min(rest.len()));
            for (out, &value) in out.iter_mut().zip(&compacted) {
                *out = T::from_i64((floor + value).into());
            }
            rest = later;
        }
        wipe(&mut compacted, 0);
        wipe(&mut fractions, 0.0);
        trials
    }

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

    fn fill_around<T: WideSample>(
        &self,
        centres: &[f64],
        source: &mut (impl Source + ?Sized),
        out: &mut [T],
    ) -> Result<u64, Error> {
        if centres.len() != out.len() {
            return Err(Error::Length { centres: centres.len(), out: out.len() });
        }
        centre::check(centres)?;
        let mut pending: Vec<usize> = (0..out.len()).collect();
        let mut draw = Trials::new();
        let mut batch = Batch::new();
        let mut trials = 0;
        while !pending.is_empty() {
            let mut rejected = 0;
            for at in (0..pending.len()).step_by(BLOCK) {
                let len = BLOCK.min(pending.len() - at);
                for (centre, &i) in batch.centres.iter_mut().zip(&pending[at..at + len]) {
                    *centre = centres[i];
                }
                batch.split(self.isa());
                let fractions = &batch.fractions;
                let accepted = draw.next(&self.base, source, |values, uniform, accepted| {
                    let (isa, exponent) = (self.isa(), &self.exponent);
                    accept::lanes(isa, exponent, values, fractions, uniform, accepted);
                });
                trials += len as u64;
                for lane in 0..len {
                    let i = pending[at + lane];
                    // A rejected value is overwritten when its coordinate is retried.
                    out[i] = T::from_i64((batch.floors[lane] + draw.values[lane]).into());
                    pending[rejected] = i;
                    rejected += usize::from(accepted[lane] == 0);
                }
            }
            pending.truncate(rejected);
        }
        Ok(trials)
    }
}

/// A block of trials: the base's block of candidates, then one 64-bit word of each lane.
struct Trials {
    values: [i32; BLOCK],
    /// Little-endian words.
    uniform: [u8; 8 * BLOCK],
    scratch: Scratch,
}

impl Trials {
    fn new() -> Self {
        Self { values: [0; BLOCK], uniform: [0; 8 * BLOCK], scratch: Scratch::new() }
    }

    /// Draws candidates into `values` and words into `uniform`; of these, `decide` makes 1 for each
    /// accepted lane, 0 for the others.
    fn next(
        &mut self,
        base: &Bitslice,
        source: &mut (impl Source + ?Sized),
        decide: impl FnOnce(&[i32; BLOCK], &[u8; 8 * BLOCK], &mut [u8; BLOCK]),
    ) -> [u8; BLOCK] {
        base.fill_with(source, &mut self.scratch, &mut self.values);
        source.fill(&mut self.uniform);
        let mut accepted = [0; BLOCK];
        decide(&self.values, &self.uniform, &mut accepted);
        declassify(accepted)
    }
}

impl Drop for Trials {
    fn drop(&mut self) {
        wipe(&mut self.values, 0);
        wipe(&mut self.uniform, 0);
    }
}
