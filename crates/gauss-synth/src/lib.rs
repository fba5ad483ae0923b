//! Circuit synthesis: from a discrete Gaussian to a network of three-input look-up tables (LUT3,
//! one `vpternlog` each), and to its source.
//!
//! `tautochrone-gauss` holds generated circuits for a few widths ([`Preset`]); this crate made
//! them, and its tests compare them with what it makes today. The example `configure` writes
//! circuits of other widths as stand-alone source.
//!
//! ```
//! use tautochrone_gauss::exact::{Half, Variance};
//! use tautochrone_gauss_synth::Configuration;
//!
//! let half = Configuration::new(&Variance::from_sigma(1.5)?, Half::Folded, 64, 1)?;
//! assert_eq!(half.circuit().inputs(), 64);
//! assert!(half.distance().log2_statistical < -60.0);
//! # Ok::<(), tautochrone_gauss_synth::Error>(())
//! ```
//!
//! [`Preset`]: tautochrone_gauss::bitslice::Preset
#![forbid(unsafe_code)]

mod circuit;
mod configuration;
mod emit;
#[cfg(test)]
mod gates;
mod mapper;
mod network;
mod synthesis;

pub use circuit::{Circuit, Op};
pub use configuration::{Configuration, Error};

#[cfg(test)]
mod tests;
