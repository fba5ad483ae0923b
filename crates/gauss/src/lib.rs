//! Discrete Gaussian samplers over the integers: P(z) proportional to exp(-z^2 / (2 sigma^2)).
//!
//! * [`exact`]: integer tables of any rational sigma^2, with their exact distance from the ideal law.
//! * [`facct::Facct`]: every real sigma in [2, 2^32), constant time, the same output on every instruction set.
//! * [`uniform`]: uniform integers of k bits or below n.
//! * [`ziggurat::Ziggurat`]: every sigma in [1/2, 2^40], exact to the last bit, *not* constant time.
//!
//! sigma is the standard deviation parameter; some papers use s = sigma sqrt(2 pi) instead (`from_s`).

extern crate alloc;

pub mod bitslice;
mod error;
pub mod exact;
pub mod facct;
pub mod fixed;
pub mod uniform;
pub mod ziggurat;

pub use error::Error;
