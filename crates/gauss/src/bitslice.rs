//! Constant-time sampling by Boolean logic and byte look-ups, configured for any sigma.
//!
//! Set-up, on public numbers: the distribution becomes integers with sum exactly 2^P
//! ([`Pmf`](crate::exact::Pmf)), those an exact alias table ([`alias`]), and that either a
//! generated Boolean circuit ([`Preset`]) or byte tables. A sample costs P random bits and a sign,
//! independent of its value.
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
//! | [`Form::Planes`] | one bit of each lane at a time | code for the [`Preset`]s: `u64`, AVX2, AVX-512 |
//! | [`Form::Bytes`] | one byte of each lane at a time | byte loops, `vpshufb` (AVX2), `vpermb` (AVX-512 VBMI) |
//!
//! The form follows from the distribution and never from the CPU: one seed gives one stream of
//! samples on every instruction set.
//!
//! # Distributions
//! rho(z) = exp(-z^2 / 2 sigma^2), R = sum of rho over z >= 0. See [`Kind`]. Full Gaussians beyond
//! one table are sums x1 + k x2 of two narrower ones, s_b = sigma / sqrt(1 + k^2) (Micciancio,
//! Walter, CRYPTO 2017, section 4), k the largest with 2 pi^2 (sigma / (1 + k^2))^2 >= P ln 2, so
//! that the sum is within about 2^-P of the Gaussian it should be; [`Bitslice::distance`] computes
//! how far it is.
//!
//! # One at a time
//! [`Bitslice`] is a [`rand::distr::Distribution`] over `i32` and `i64`, as is [`Adjusted::at`] one
//! centre: for programs that draw from a generator of their own. Blocks are several times faster,
//! also the blocks of [`Buffered`](crate::Buffered).
//!
//! # Constant time
//! In the stream and the samples: no secret-dependent branch or address; the work depends on the
//! number of samples only. The parameters are public. (Adjusted sampling rejects: see
//! [`Adjusted`].)
//!
//! # Source
//! Karmakar, Roy, Reparaz, Vercauteren, Verbauwhede, IEEE TC 2018 and DAC 2019, for bit-sliced
//! Gaussian sampling; the alias-table circuit in place of Knuth-Yao lists is ours.
#![allow(clippy::doc_markdown, reason = "formulas")]

pub mod adjust;
pub mod alias;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod builder;
mod bytes;
mod cumulative;
#[cfg(target_arch = "x86_64")]
mod interleave;
mod kernel;
mod kind;
mod lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod planes;
mod presets;
mod raw;
mod sampler;
mod single;

pub use adjust::{Adjusted, Centred, Width};
pub use builder::Builder;
pub use kind::{Form, Kind};
pub use presets::Preset;
pub use sampler::Bitslice;

pub use crate::element::{Sample, WideSample};

#[cfg(test)]
mod tests;
