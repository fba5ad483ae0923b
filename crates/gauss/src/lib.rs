//! Discrete Gaussian samplers over the integers: P(z) proportional to exp(-z^2 / (2 sigma^2)).
//!
//! * [`exact`]: integer tables of any rational sigma^2, with their exact distance from the ideal
//!   distribution.
//! * [`bitslice::Bitslice`]: small and medium sigma by Boolean circuits, constant time; full, half,
//!   bimodal and adjusted distributions.
//! * [`facct::Facct`]: every real sigma in [2, 2^32), constant time, the same output on every
//!   instruction set.
//! * [`uniform`]: uniform integers of k bits or below n.
//! * [`ziggurat::Ziggurat`]: every sigma in [1/2, 2^40], exact to the last bit, *not* constant
//!   time.
//!
//! The three Gaussian samplers share the trait [`Sampler`], fill arrays from a
//! [`Stream`](tautochrone_ctr::Stream) or any [`rand::CryptoRng`], and are distributions of `rand`:
//! [`Buffered`] is the fast one.
//!
//! ```
//! use tautochrone_ctr::{Label, Seed};
//! use tautochrone_gauss::bitslice::Bitslice;
//! use tautochrone_gauss::facct::Facct;
//!
//! // One secret seed, an independent stream for each label and index.
//! let mut stream = Seed::from_os()?.stream(Label::new("my protocol: errors"), 0);
//! let mut wide = vec![0_i64; 1000];
//! Facct::new(1e6)?.fill(&mut stream, &mut wide);
//! let mut narrow = vec![0_i8; 1000];
//! Bitslice::builder().sigma(3.19).precision(64).build()?.try_fill(&mut stream, &mut narrow)?;
//! assert!(narrow.iter().all(|x| x.abs() < 45));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! sigma is the standard deviation parameter; some papers use s = sigma sqrt(2 pi) instead
//! (`from_s`).
//!
//! Without the feature `std`, a default one, the crate is `no_std` with `alloc`.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "some shared parts serve vector kernels only")
)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "oracles of tests"))]

extern crate alloc;

mod acceptance;
pub mod bitslice;
mod buffered;
mod centres;
mod element;
mod error;
pub mod exact;
pub mod facct;
pub mod fixed;
pub mod float;
mod rejected;
mod sampler;
mod source;
pub mod uniform;
pub mod ziggurat;

pub use buffered::{Buffered, Item};
pub use error::Error;
pub use sampler::Sampler;
