//! FACCT-class sampling for any real sigma in [2, 2^32).
//!
//! After Zhao, Steinfeld, Sakzad (FACCT, IEEE TC 2020; eprint 2018/1234), with a dyadic proposal in place of the
//! binary Gaussian. Let K = max(1, ceil(sigma / 2.5)), s = sigma / K, g = log2(e) / (2 s^2). A trial
//!
//! 1. draws a cell x in 0..32 with probability units_x / 2^32, an integer approximation from above of the weight
//!    w_x = 2^(-g x^2), through an integer alias table;
//! 2. draws y uniform in 0..K (Lemire's method, exact);
//! 3. accepts with probability 2^-E, E = t (t + 2 sqrt(g) x) + l_x, t = sqrt(g) y / K, where l_x >= 0 is the logarithm of
//!    units_x over the exact weight: E is g (x + y/K)^2 less what the proposal has paid already, and nothing cancels;
//! 4. outputs +-(K x + y), the sign uniform, a negative zero rejected.
//!
//! So P(z) is proportional to exp(-z^2 / (2 sigma^2)) for the sigma that was asked for, whatever the table rounds to. The
//! acceptance probability is about 0.86. Values beyond 32 K (12.8 sigma) have mass below 2^-118 and are cut.
//!
//! # Precision
//! The acceptance probability is an integer multiple of 2^-64 computed in `f64` by a degree-6 polynomial; its relative
//! error is below 2^-50 (tested against a multi-precision oracle over the whole range), which gives R_2 - 1 near 2^-100
//! a sample. The 64-bit uniform that is compared with it shares 21 of its bits among eight trials: each sample's law is
//! exact, joint independence is off by 2^-81 per eight.
//!
//! # Constant time
//! In the random words and the output: no secret-dependent branch or address. The time shows which trials were
//! rejected; a rejection is independent of the values kept. The arithmetic relies on `f64` addition, multiplication, fused
//! multiply-add and conversion of normal numbers taking constant time: true of the data-operand-independent-timing
//! instructions that Intel lists for AVX2 and AVX-512 forms, and of the scalar SSE2 forms.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod setup;

use tautochrone_ctr::Stream;
use tautochrone_simd::Isa;
use zeroize::Zeroize;

use crate::error::Error;
use setup::Table;

/// Smallest sigma.
const LEAST: f64 = 2.0;
/// First sigma that is too large.
const LIMIT: f64 = 4_294_967_296.0;

/// Trials in a group: the vector paths run two registers of eight side by side.
const GROUP: usize = 16;
/// 64-bit words of randomness a group consumes: cells, acceptance and signs, offsets, and two shared words.
const GROUP_WORDS: usize = 8 + 8 + 16 + 2;
/// Groups drawn at a time.
const MAX_GROUPS: usize = 16;

/// A sampler of the discrete Gaussian D_{Z, sigma}, constant time. See the [module documentation](self).
pub struct Facct {
    sigma: f64,
    isa: Isa,
    table: Table,
}

impl Facct {
    /// The sampler for this sigma, on the best instruction set.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 2 <= sigma < 2^32.
    pub fn try_new(sigma: f64) -> Result<Self, Error> {
        Self::new_on(Isa::detect(), sigma)
    }

    /// As [`Self::try_new`], on a chosen instruction set; the output is the same on all of them.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 2 <= sigma < 2^32.
    pub fn new_on(isa: Isa, sigma: f64) -> Result<Self, Error> {
        if !(LEAST..LIMIT).contains(&sigma) {
            return Err(Error::Sigma { got: sigma, least: LEAST, limit: LIMIT });
        }
        Ok(Self { sigma, isa, table: Table::new(sigma) })
    }

    /// The sampler for the width s = sigma sqrt(2 pi).
    ///
    /// # Errors
    /// As [`Self::try_new`], for sigma.
    pub fn from_s(s: f64) -> Result<Self, Error> {
        Self::try_new(s / (2.0 * core::f64::consts::PI).sqrt())
    }

    /// The standard deviation parameter.
    #[must_use]
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The largest absolute value of a sample: 32 K - 1, at least 12.8 sigma - 1.
    #[must_use]
    pub const fn bound(&self) -> u64 {
        32 * self.table.k - 1
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Whether the running time is independent of the samples: yes.
    #[must_use]
    pub const fn is_constant_time(&self) -> bool {
        true
    }

    /// Probability that a trial is accepted: the weight of all integers over that of the proposal.
    #[must_use]
    pub const fn acceptance(&self) -> f64 {
        self.table.acceptance
    }

    /// Fills `out` with independent samples.
    ///
    /// # Constant time
    /// In the stream and `out`; the number of trials, hence the time, is random and independent of the samples.
    pub fn fill(&self, stream: &mut Stream, out: &mut [i64]) {
        let mut words = [0; GROUP_WORDS * MAX_GROUPS];
        let mut samples = [0; GROUP * MAX_GROUPS];
        let mut done = 0;
        while done < out.len() {
            // A group yields 13.8 samples on average; asking by what is missing keeps short fills cheap.
            let groups = (out.len() - done).div_ceil(13).min(MAX_GROUPS);
            let words = &mut words[..GROUP_WORDS * groups];
            stream.fill_u64(words);
            let count = self.trials(words, &mut samples);
            let take = count.min(out.len() - done);
            out[done..done + take].copy_from_slice(&samples[..take]);
            done += take;
        }
        words.zeroize();
        samples.zeroize();
    }

    /// As [`Self::fill`], for 32-bit output.
    ///
    /// # Errors
    /// [`Error::Output`] if [`Self::bound`] does not fit.
    pub fn fill_i32(&self, stream: &mut Stream, out: &mut [i32]) -> Result<(), Error> {
        let limit = i32::MAX.unsigned_abs().into();
        if self.bound() > limit {
            return Err(Error::Output { sigma: self.sigma, bound: self.bound(), limit });
        }
        let mut wide = [0; 512];
        for out in out.chunks_mut(wide.len()) {
            let wide = &mut wide[..out.len()];
            self.fill(stream, wide);
            for (out, &wide) in out.iter_mut().zip(wide.iter()) {
                *out = wide as i32;
            }
        }
        wide.zeroize();
        Ok(())
    }

    /// Runs the trials of whole groups; returns how many samples were accepted.
    fn trials(&self, words: &[u64], samples: &mut [i64; GROUP * MAX_GROUPS]) -> usize {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.isa.avx512() {
            return avx512::trials(token, &self.table, words, samples);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.isa.avx2() {
            return avx2::trials(token, &self.table, words, samples);
        }
        portable::trials(&self.table, words, samples)
    }
}

impl core::fmt::Debug for Facct {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Facct")
            .field("sigma", &self.sigma)
            .field("isa", &self.isa)
            .finish_non_exhaustive()
    }
}

impl rand::distr::Distribution<i64> for Facct {
    /// One sample, from 32 bytes of `rng` that seed a stream of its own. [`Facct::fill`] is many times faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        let seed = tautochrone_ctr::Seed::from_bytes(bytes);
        bytes.zeroize();
        let mut out = [0];
        self.fill(&mut seed.stream(tautochrone_ctr::Label::new("facct sample"), 0), &mut out);
        out[0]
    }
}

#[cfg(test)]
mod tests;
