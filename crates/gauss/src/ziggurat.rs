//! The discrete Ziggurat with improved partitions, exact to the last bit. **Not constant time.**
//!
//! After Buchmann, Cabarcas, Göpfert, Hülsing, Weiden (SAC 2013) and the improved partitions of
//! More and Katti (Discrete Gaussian Sampling for Low-Power Devices, 2015), with their errors
//! corrected. rho(x) = exp(-x^2 / (2 sigma^2)) is covered by m rectangles of equal area S
//! ([`Partition`]). A trial
//!
//! 1. chooses a sign, a rectangle i and x in 0..=X_i, uniform and exact (Lemire's rejection);
//! 2. accepts +-x at once if 0 < x <= X_{i-1}: the left rectangle lies under the curve;
//! 3. else draws u in [0, 1) and accepts x if u < p(i, x) = (rho(x) - y_i) / (y_{i-1} - y_i); at
//!    x = 0 one sign is rejected and the same rule applies wherever y_{i-1} > 1.
//!
//! Summed over the rectangles, every integer x of [-X_m, X_m] is accepted with probability
//! rho(x) / (2 m S): the distribution is the discrete Gaussian cut at X_m = ceil(13 sigma), where
//! the mass beyond is below 2^-125, and nothing is rounded. u < p is decided lazily: chords (if
//! stored), `f64` with a proved bound, then as many bits as it takes. Which of them decides depends
//! on the machine, the factor and the set-up; the output does not.
//!
//! # Memory against speed
//! Chords between extra points of the curve replace exponentials. [`Ziggurat::set_factor`] changes
//! how many points there are, or frees all of them. The partition, which takes far longer to
//! compute, stays, and the output is byte for byte the same for every factor.
//!
//! # Not constant time
//! The table index, the rejections and the comparisons depend on the value drawn. Do not use it
//! where timing can be seen and samples are secret; [`crate::facct::Facct`] is for that.
#![expect(clippy::integer_division_remainder_used, reason = "not constant time, as stated above")]

mod area;
mod chords;
mod compare;
mod curve;
mod draw;
mod layout;
mod partition;
mod vector;

use alloc::vec::Vec;

use tautochrone_simd::Isa;

use crate::error::Error;
use crate::sampler::by_own_methods;
use crate::source::{Generator, Source};
use chords::Chords;
use compare::Digits;
use layout::{Layout, Side};

pub use partition::Partition;

/// Minimum bits of a fixed-precision comparison.
const MIN_OMEGA: u32 = 53;
/// Maximum bits of a fixed-precision comparison.
const MAX_OMEGA: u32 = 128;

/// Parameters of a ziggurat; the default is fast, with 16 KiB of table for the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// m: 1 to 65536 rectangles. Powers of two are fastest; more than 1024 gain little.
    pub rectangles: usize,
    /// Extra points to store in each right rectangle away from the inflection point, at most 255;
    /// `None` stores no chords. Chords pay where an exponential costs more than a mispredicted
    /// branch; measured in `benches/record`.
    pub factor: Option<u32>,
    /// omega: compare this many bits, 53 to 128, as the thesis does (with 106); `None` compares
    /// exactly. A probability is rounded down by less than 2^-omega, so that the distribution errs
    /// by about m 2^-omega.
    pub omega: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { rectangles: 1024, factor: None, omega: None }
    }
}

/// A sampler of the discrete Gaussian D_{Z, sigma}, exact and variable time. See the [module
/// documentation](self).
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
/// use tautochrone_gauss::ziggurat::Ziggurat;
///
/// // Exact to the last bit, and variable time: for samples that are no secret.
/// let mut samples = [0; 1000];
/// let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("simulation"), 0);
/// Ziggurat::new(0.75)?.fill(&mut stream, &mut samples);
/// # Ok::<(), tautochrone_gauss::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ziggurat {
    isa: Isa,
    partition: Partition,
    sides: Vec<Side>,
    /// (C, B) = ((1 + X_i) / S, T_i (1 + X_i)): p = C rho - B.
    lines: Vec<(f64, f64)>,
    /// Rectangles 1..=capped reach above rho(0) = 1.
    capped: usize,
    chords: Option<Chords>,
    digits: Digits,
    layout: Layout,
}

impl Ziggurat {
    /// The sampler for this sigma with the default options, on the best instruction set.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 1/2 <= sigma <= 2^40.
    pub fn new(sigma: f64) -> Result<Self, Error> {
        Self::new_on(Isa::detect_vectors(), sigma, Options::default())
    }

    /// The sampler with chosen options, on a chosen instruction set; the output is the same on all
    /// of them.
    ///
    /// # Errors
    /// [`Error::Sigma`], [`Error::Rectangles`], [`Error::Omega`] or [`Error::Points`], each saying
    /// what is allowed.
    pub fn new_on(isa: Isa, sigma: f64, options: Options) -> Result<Self, Error> {
        Self::from_partition(isa, Partition::new(sigma, options.rectangles)?, options)
    }

    /// The sampler over a partition made before; `options.rectangles` is ignored.
    ///
    /// # Errors
    /// [`Error::Omega`] or [`Error::Points`].
    pub fn from_partition(isa: Isa, partition: Partition, options: Options) -> Result<Self, Error> {
        if let Some(got) = options.omega
            && !(MIN_OMEGA..=MAX_OMEGA).contains(&got)
        {
            return Err(Error::Omega { got, least: MIN_OMEGA, limit: MAX_OMEGA });
        }
        let m = partition.rectangles();
        let corners = partition.corners();
        let sides: Vec<Side> =
            corners.windows(2).map(|pair| Side { n: pair[1] + 1, left: pair[0] }).collect();
        let lines = (1..=m).map(|i| partition.line(i)).collect();
        let in_doubt: f64 = sides.iter().map(|s| (s.n - s.left) as f64 / s.n as f64).sum();
        let layout = Layout::new(m, partition.bound(), partition.acceptance(), in_doubt / m as f64);
        let mut ziggurat = Self {
            isa,
            sides,
            lines,
            capped: partition.capped(),
            chords: None,
            digits: Digits::new(options.omega),
            layout,
            partition,
        };
        ziggurat.set_factor(options.factor)?;
        Ok(ziggurat)
    }

    /// sigma.
    #[must_use]
    pub const fn sigma(&self) -> f64 {
        self.partition.sigma()
    }

    /// The rectangles.
    #[must_use]
    pub const fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The largest absolute value of a sample: ceil(13 sigma).
    #[must_use]
    pub fn bound(&self) -> u64 {
        self.partition.bound()
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Extra points per rectangle; `None` without chords.
    #[must_use]
    pub fn factor(&self) -> Option<u32> {
        self.chords.as_ref().map(Chords::factor)
    }

    /// Changes the extra points per rectangle, memory against speed, and keeps the partition;
    /// `None` frees them. The samples are the same for every factor.
    ///
    /// # Errors
    /// [`Error::Points`] above 255; the factor then stays as it was.
    pub fn set_factor(&mut self, factor: Option<u32>) -> Result<(), Error> {
        self.chords = factor.map(|factor| Chords::new(&self.partition, factor)).transpose()?;
        Ok(())
    }

    /// T = (m + 1) + factor (m - count): points of the curve, where count rectangles near
    /// the inflection point have no extra ones (More and Katti, section IV).
    #[must_use]
    pub fn points(&self) -> usize {
        let m = self.partition.rectangles();
        let extra = self.chords.as_ref().map_or(0, |c| c.factor() as usize * (m - c.plain()));
        m + 1 + extra
    }

    /// Bytes of tables on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.sides.capacity() * size_of::<Side>()
            + self.lines.capacity() * size_of::<(f64, f64)>()
            + self.partition.memory()
            + self.chords.as_ref().map_or(0, Chords::memory)
    }

    /// Fills `out` with independent samples of absolute value at most [`Self::bound`].
    ///
    /// The words read depend on the source, sigma, m, omega and the length, and on nothing else.
    /// Two short fills do not give the samples of a long one.
    ///
    /// # Constant time
    /// No: variable in the samples.
    pub fn fill(&self, source: &mut dyn Source, out: &mut [i64]) {
        self.fill_words(source, out);
    }
}

by_own_methods!(Ziggurat);

impl rand::distr::Distribution<i64> for Ziggurat {
    /// One sample straight from `rng`: as exact as [`Ziggurat::fill`], which is several times
    /// faster, as is a [`Buffered`](crate::Buffered) sampler.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.one(&mut Generator(rng))
    }
}

#[cfg(test)]
mod tests;
