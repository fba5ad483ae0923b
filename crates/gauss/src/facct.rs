//! FACCT-class sampling for any real sigma in [2, 2^32).
//!
//! After Zhao, Steinfeld, Sakzad (FACCT, IEEE TC 2020; eprint 2018/1234), with a dyadic proposal in
//! place of the binary Gaussian. Let K = max(1, ceil(sigma / 2.5)), s = sigma / K,
//! g = log2(e) / (2 s^2). A trial
//!
//! 1. draws a cell x in 0..32 with probability units_x / 2^32, an integer approximation from above
//!    of the weight w_x = 2^(-g x^2), through an integer alias table;
//! 2. draws y uniform in 0..K (Lemire's method, exact);
//! 3. accepts with probability 2^-E, E = t (t + 2 sqrt(g) x) + l_x, t = sqrt(g) y / K, where
//!    l_x >= 0 is the logarithm of units_x over the exact weight: E is g (x + y/K)^2 less what the
//!    proposal has paid already, and nothing cancels;
//! 4. outputs +-(K x + y), the sign uniform, a negative zero rejected.
//!
//! So P(z) is proportional to exp(-z^2 / (2 sigma^2)) for exactly the requested sigma, however the
//! table is rounded. The acceptance probability is about 0.86. Values beyond 32 K (12.8 sigma) have
//! mass below 2^-118 and are cut.
//!
//! # Any centre
//! Centres a real mu, both signs of every magnitude m are needed: c - m and c + 1 + m,
//! c = floor(mu), lie at m + (mu - c) and m + (c + 1 - mu) from mu. That distance beyond m, between
//! 0 and 1, is added to y in step 3; the rest stays as it is. As sigma >= 2, the acceptance
//! probability depends on mu by less than 2^-112.
//!
//! # Precision
//! The acceptance probability P = 2^-E is first computed in `f64`, by a degree-6 polynomial, as a
//! multiple of 2^-64: to an absolute error below 2^-51 and a relative one below 2^-50 max(1, E /
//! 2), besides the rounding to 2^-64. (The rounding errors of E are proportional to E; E passes 2
//! only for |z| above 3 sigma or so.) It is compared with the first 43 bits of a uniform number.
//! Where the others, or an error of 2^-44, could matter, which has probability 3 2^-43 for every
//! value, 85 more bits are drawn and the 128 compared with P to 2^-110. As 2^-51 is less than
//! 2^-44, the first comparison never decides otherwise than the second would have, so the errors of
//! the first do not reach the samples at all: a trial is accepted with probability P to 2^-110,
//! which is a relative 2^-100 for P >= 2^-10 and 2^-50 for P >= 2^-60, and every sample's
//! distribution is within 2^-100 of the ideal one. (Tests compare 10^6 trials over the whole range
//! of sigma: the first probability with the second, and the second with multi-precision
//! arithmetic.) No two trials share a bit.
//!
//! The vector kernels take a polynomial of degree 5 and doubt as much more as that is off by,
//! 2^-47, and wherever an offset is rejected in step 2 (once in 2^21 trials or more). A batch that
//! they doubt is done again by the definition.
//!
//! # Stream
//! Version 2: trials come in groups of 16, of 256 bytes each: 8 words with the cells, 8 with signs
//! and 31 bits of acceptance, low halves for the first eight trials, then two times 8 with 52 bits
//! of y below 12 of acceptance, all little-endian. After a batch of at most 16 groups, every
//! decision in doubt takes two words, in the order of the trials. (Version 1 had 21 bits that eight
//! trials shared, so that a group was not whole registers.)
//!
//! # Constant time
//! In the random words, the centres and the output: no secret-dependent branch or address. The time
//! shows which trials were rejected; a rejection is independent of the accepted values. The exact
//! decision is a branch that is taken with the same probability of 3 2^-43 for every value; that a
//! batch is done again tells that, or that an offset was rejected, on which no value depends.
//!
//! *An assumption, not a guarantee:* that `f64` addition, multiplication, fused multiply-add,
//! rounding and conversion take a time independent of their operands. The variation that was
//! measured on x86 comes from subnormal, infinite and NaN operands and from division and square
//! root (Andrysco, Kohlbrenner, Mowery, Jhala, Lerner, Shacham: On Subnormal Floating Point and
//! Abnormal Timing, IEEE S&P 2015). None occur here: every operand and result is zero or a normal
//! number, provided that centres are zero or at least 2^-500 in absolute value. No vendor vouches
//! for it: Intel's guidance on data operand independent timing covers a list of instructions, and
//! on some processors only while an operating system has set the DOITM bit; AMD publishes no list.
//! `docs/assurance.md` has the sources. Where the assumption is not acceptable,
//! [`bitslice`](crate::bitslice) uses no floating point. Without FMA hardware the portable path's
//! `mul_add` is a library routine with branches.

mod batch;
mod centre;
mod centred;
mod constants;
mod coordinates;
mod exact;
mod fill;
#[cfg(target_arch = "x86_64")]
mod interleave;
mod portable;
mod setup;
mod vector;

use tautochrone_simd::Isa;

pub use centred::Centred;
pub use constants::TrialConstants;

use crate::error::Error;
use crate::sampler::{Sampler, by_own_methods};
use crate::source::{Generator, Source};
use setup::{MIN_SIGMA, SIGMA_LIMIT, Table};

/// A sampler of the discrete Gaussian D_{Z, sigma}, constant time. See the [module
/// documentation](self).
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
/// use tautochrone_gauss::facct::Facct;
///
/// let mut stream = Seed::from_os()?.stream(Label::new("my noise"), 0);
/// let mut noise = [0; 1000];
/// Facct::new(215.0)?.fill(&mut stream, &mut noise);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Facct {
    sigma: f64,
    isa: Isa,
    table: Table,
    /// Whether the trials run on lanes in memory.
    #[cfg(any(test, tautochrone_ctgrind))]
    emulated: bool,
}

impl Facct {
    /// The sampler for this sigma, on the best instruction set.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 2 <= sigma < 2^32.
    pub fn new(sigma: f64) -> Result<Self, Error> {
        Self::new_on(Isa::detect_vectors(), sigma)
    }

    /// As [`Self::new`], on a chosen instruction set; the output is the same on all of them.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 2 <= sigma < 2^32.
    pub fn new_on(isa: Isa, sigma: f64) -> Result<Self, Error> {
        if !(MIN_SIGMA..SIGMA_LIMIT).contains(&sigma) {
            return Err(Error::Sigma { got: sigma, least: MIN_SIGMA, limit: SIGMA_LIMIT });
        }
        Ok(Self {
            sigma,
            isa,
            table: Table::new(sigma),
            #[cfg(any(test, tautochrone_ctgrind))]
            emulated: false,
        })
    }

    /// The sampler with the vector kernel on [`Emulated`] registers: for valgrind, which cannot run
    /// AVX-512 instructions. Very slow.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 2 <= sigma < 2^32.
    #[cfg(any(test, tautochrone_ctgrind))]
    pub fn new_emulated(sigma: f64) -> Result<Self, Error> {
        Ok(Self { emulated: true, ..Self::new_on(Isa::PORTABLE, sigma)? })
    }

    /// The standard deviation parameter.
    #[must_use]
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The largest absolute value of a sample: 32 K - 1, at least 12.8 sigma - 1.
    #[must_use]
    pub const fn bound(&self) -> u64 {
        32 * self.table.trial.k - 1
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Probability that a trial is accepted: the weight of all integers over the proposal's.
    #[must_use]
    pub const fn acceptance(&self) -> f64 {
        self.table.acceptance
    }

    /// Fills `out` with independent samples.
    ///
    /// # Constant time
    /// In the source and `out`; the number of trials, hence the time, is random and independent of
    /// the samples.
    pub fn fill(&self, source: &mut dyn Source, out: &mut [i64]) {
        self.fill_any(None, source, out);
    }

    /// As [`Self::fill`], for 32-bit output; the samples are the same.
    ///
    /// # Errors
    /// [`Error::Output`] if [`Self::bound`] does not fit.
    pub fn fill_i32(&self, source: &mut dyn Source, out: &mut [i32]) -> Result<(), Error> {
        Sampler::check_i32(self)?;
        self.fill_any(None, source, out);
        Ok(())
    }

    /// Fills `out` with independent samples around the real number mu: P(z) is proportional to
    /// exp(-(z - mu)^2 / (2 sigma^2)) for |z - mu| <= [`Self::bound`] + 1.
    ///
    /// # Constant time
    /// In mu, the source and `out`: the acceptance probability depends on mu by less than 2^-112.
    ///
    /// # Errors
    /// [`Error::Centre`] unless |mu| < 2^51.
    pub fn fill_centred(
        &self,
        mu: f64,
        source: &mut dyn Source,
        out: &mut [i64],
    ) -> Result<(), Error> {
        Sampler::fill(&self.at(mu)?, source, out);
        Ok(())
    }

    /// The constants of this sampler's trials.
    #[must_use]
    pub fn trial_constants(&self) -> TrialConstants {
        self.table.trial.clone()
    }

    /// One trial around 0 from 149 random bits: (value, accepted), by the fast decision alone: the
    /// error of the acceptance probability 2^-E is below 2^-51, and below 2^-50 max(1, E / 2) of it
    /// besides a rounding to 2^-64.
    ///
    /// `cell`: 32 bits; `accept`: 31 bits of acceptance above the sign bit; `offset`: 52 bits of
    /// the offset below 12 of acceptance; `shared`: 21 bits of acceptance.
    ///
    /// # Constant time
    /// In all arguments and the value.
    #[must_use]
    pub fn trial(&self, cell: u32, accept: u32, offset: u64, shared: u64) -> (i64, bool) {
        portable::trial(&self.table, cell, accept, offset, shared)
    }
}

by_own_methods!(Facct);

impl core::fmt::Debug for Facct {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Facct")
            .field("sigma", &self.sigma)
            .field("isa", &self.isa)
            .finish_non_exhaustive()
    }
}

impl rand::distr::Distribution<i64> for Facct {
    /// One sample straight from `rng`, two words a trial, in constant time. [`Facct::fill`] and
    /// [`Buffered`](crate::Buffered) are many times faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.one(None, &mut Generator(rng))
    }
}

impl rand::distr::Distribution<i32> for Facct {
    /// The same in 32 bits.
    ///
    /// # Panics
    /// If [`Facct::bound`] does not fit: for sigma above 2^27 or so.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i32 {
        assert!(Sampler::check_i32(self).is_ok(), "samples that fit 32 bits");
        self.one(None, &mut Generator(rng)) as i32
    }
}

#[cfg(test)]
mod tests;
