//! Constant-time sampling by Boolean logic and byte look-ups, configured for any sigma.
//!
//! Set-up, on public numbers: the law becomes integers with sum exactly 2^P ([`Pmf`]), those an exact
//! alias table ([`alias`]), and that either a Boolean circuit ([`configure`]) or byte tables. A sample costs P random bits
//! and a sign, whatever its value.
//!
//! ```
//! use tautochrone_ctr::{Label, Seed};
//! use tautochrone_gauss::bitslice::{Bitslice, Kind};
//!
//! let sampler = Bitslice::builder().sigma(3.19).precision(64).kind(Kind::Full).build()?;
//! let mut errors = [0_i32; 1024];
//! sampler.fill(&mut Seed::from_bytes([7; 32]).stream(Label::new("errors"), 0), &mut errors);
//! assert!(errors.iter().all(|e| e.unsigned_abs() <= sampler.bound() as u32));
//! # Ok::<(), tautochrone_gauss::Error>(())
//! ```
//!
//! # Forms
//! | form | a block of 512 lanes consumes | backends |
//! |---|---|---|
//! | [`Form::Planes`] | one bit of each lane at a time | generated code for the [`Preset`]s, an interpreter for the rest: `u64`, AVX2, AVX-512 |
//! | [`Form::Bytes`] | one byte of each lane at a time | byte loops, `vpshufb` (AVX2), `vpermb` (AVX-512 VBMI) |
//!
//! The form follows from the law and never from the CPU: one seed gives one stream of samples on every instruction set.
//!
//! # Laws
//! rho(z) = exp(-z^2 / 2 sigma^2), R = sum of rho over z >= 0. See [`Kind`]. Full Gaussians beyond one table are sums
//! x1 + k x2 of two narrower ones, s_b = sigma / sqrt(1 + k^2) (Micciancio, Walter, CRYPTO 2017, section 4), k the
//! largest with 2 pi^2 (sigma / (1 + k^2))^2 >= P ln 2, so that the sum is within about 2^-P of the Gaussian it should be;
//! [`Bitslice::distance`] computes how far it is.
//!
//! # One at a time
//! [`Bitslice`] is a [`rand::distr::Distribution`] over `i32` and `i64`, as is [`Adjusted::at`] one centre: for programs that
//! draw from a generator of their own. Blocks are tens of times faster.
//!
//! # Constant time
//! In the stream and the samples: no secret-dependent branch or address; the work depends on the number of samples only.
//! The parameters are public. (Adjusted sampling rejects: see [`Adjusted`].)
//!
//! # Source
//! Karmakar, Roy, Reparaz, Vercauteren, Verbauwhede, IEEE TC 2018 and DAC 2019, for bit-sliced Gaussian sampling; the
//! alias-table circuit in place of Knuth-Yao lists is ours.
#![allow(clippy::doc_markdown, reason = "formulas")]

pub mod adjust;
pub mod alias;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod builder;
mod bytes;
pub mod configure;
#[rustfmt::skip]
mod gates;
mod kernel;
mod lanes;
mod planes;
mod presets;
mod program;
mod raw;
mod single;
mod synth;

use alloc::vec::Vec;

use num_bigint::BigUint;
use tautochrone_ctr::Stream;
use tautochrone_simd::Isa;

pub use adjust::{Adjusted, Centred, Width};
pub use builder::Builder;
pub use presets::Preset;
pub use raw::{Sample, WideSample};

use crate::Error;
use crate::exact::{Distance, Half, Ideal, Pmf, Variance};
use alias::AliasTable;
use kernel::{Kernel, Scratch};

/// Which law is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// |X|, X ~ D_sigma: P(0) = 1 / (2R - 1), P(z) = 2 rho(z) / (2R - 1).
    FoldedHalf,
    /// X given X >= 0: P(z) = rho(z) / R.
    UnfoldedHalf,
    /// D_sigma: P(z) = rho(z) / (2R - 1) for every integer z.
    Full,
    /// -z or z + 1 with equal probability, z an unfolded half: symmetric about 1/2, the proposal of [`Adjusted`].
    Bimodal,
}

impl Kind {
    /// The half law that is drawn first.
    #[must_use]
    pub const fn half(self) -> Half {
        match self {
            Self::FoldedHalf | Self::Full => Half::Folded,
            Self::UnfoldedHalf | Self::Bimodal => Half::Unfolded,
        }
    }

    /// Whether a sign bit is drawn.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Full | Self::Bimodal)
    }
}

/// How random bits are laid out. Different forms give different, equally distributed, streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Boolean circuit over bit planes.
    Planes,
    /// Byte look-ups.
    Bytes,
}

/// A constant-time sampler of a discrete Gaussian law. See the [module documentation](self).
#[derive(Debug)]
pub struct Bitslice {
    isa: Isa,
    kind: Kind,
    variance: Variance,
    /// The table's law; the base of the sum if there is a factor.
    pmf: Pmf,
    /// k of the sum x1 + k x2.
    factor: Option<u32>,
    /// The table of single samples, and of byte look-ups; circuits have their own.
    table: AliasTable,
    kernel: Kernel,
}

impl Bitslice {
    /// A full Gaussian of 64 bits unless told otherwise.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The full Gaussian of this sigma at 64 bits.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn try_new(sigma: f64) -> Result<Self, Error> {
        Self::builder().sigma(sigma).build()
    }

    /// The full Gaussian of width s = sigma sqrt(2 pi), the convention of some papers, at 64 bits.
    ///
    /// # Errors
    /// As [`Builder::build`], for sigma.
    pub fn from_s(s: f64) -> Result<Self, Error> {
        Self::try_new(s / (2.0 * core::f64::consts::PI).sqrt())
    }

    /// sigma, rounded.
    #[must_use]
    pub fn sigma(&self) -> f64 {
        self.variance.sigma()
    }

    /// Which law.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// P of the table: at least what was asked for.
    #[must_use]
    pub fn precision(&self) -> u32 {
        self.pmf.precision()
    }

    /// Layout of the random bits.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.kernel.form()
    }

    /// The generated code in use, if any.
    #[must_use]
    pub const fn preset(&self) -> Option<Preset> {
        self.kernel.preset()
    }

    /// k if samples are sums x1 + k x2.
    #[must_use]
    pub const fn factor(&self) -> Option<u32> {
        self.factor
    }

    /// The integer table (of the base, if samples are sums).
    #[must_use]
    pub const fn pmf(&self) -> &Pmf {
        &self.pmf
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

    /// Random bytes of a sample.
    #[must_use]
    pub fn random_bytes(&self) -> f64 {
        let draws = if self.factor.is_some() { 2.0 } else { 1.0 };
        draws * self.kernel.block_bytes() as f64 / lanes::BLOCK as f64
    }

    /// Largest absolute value of a sample.
    #[must_use]
    pub fn bound(&self) -> u64 {
        let z = self.pmf.masses().len() as u64 - 1;
        let k = self.factor.map_or(0, u64::from);
        z * (1 + k) + u64::from(self.kind == Kind::Bimodal)
    }

    /// Distance of the sampled law from the ideal one, computed exactly. Seconds for a sum of large tables.
    ///
    /// For signed kinds this is the distance of the law itself: signs are exact.
    #[must_use]
    pub fn distance(&self) -> Distance {
        let Some(k) = self.factor else { return self.pmf.distance() };
        // Masses of x1 + k x2 in units of 2^-(2P + 2), the full law's units being 2^-(P + 1); then folded.
        let p = self.pmf.masses();
        let n = p.len() as i64;
        let full = |z: i64| BigUint::from(p[z.unsigned_abs() as usize]) << u32::from(z == 0);
        let full: Vec<BigUint> = (1 - n..n).map(full).collect();
        let mut sum = alloc::vec![BigUint::ZERO; self.bound() as usize + 1];
        for (x1, p1) in (1 - n..n).zip(&full) {
            for (x2, p2) in (1 - n..n).zip(&full) {
                sum[(x1 + i64::from(k) * x2).unsigned_abs() as usize] += p1 * p2;
            }
        }
        let bits = 2 * self.precision() + 2;
        let ideal = Ideal::new(&self.variance, Half::Folded, 2 * bits + 80);
        Distance::between(&sum, bits, &ideal)
    }

    /// Fills `out` with independent samples: whole blocks of 512 are drawn, the last one cut.
    ///
    /// # Constant time
    /// In the stream and `out`. Variable in `out.len()` and the parameters, which are public.
    pub fn fill<T: WideSample>(&self, stream: &mut Stream, out: &mut [T]) {
        self.fill_with(stream, &mut Scratch::new(), out);
    }

    /// [`Self::fill`] for those who fill often and little.
    fn fill_with<T: Sample>(&self, stream: &mut Stream, scratch: &mut Scratch, out: &mut [T]) {
        self.kernel.fill(self.isa, self.factor, stream, scratch, out);
    }

    /// As [`Self::fill`], also into `i8` and `i16`.
    ///
    /// # Errors
    /// [`Error::Output`] if [`Self::bound`] does not fit; nothing is drawn then.
    pub fn try_fill<T: Sample>(&self, stream: &mut Stream, out: &mut [T]) -> Result<(), Error> {
        if self.bound() > T::LIMIT {
            return Err(Error::Output {
                sigma: self.sigma(),
                bound: self.bound(),
                limit: T::LIMIT,
            });
        }
        self.fill_with(stream, &mut Scratch::new(), out);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
