//! Discrete Gaussian samplers over the integers.
//!
//! | type | sigma | time |
//! |---|---|---|
//! | [`bitslice::Bitslice`] | small and medium, any rational sigma^2; full, half, bimodal and adjusted distributions | constant |
//! | [`facct::Facct`] | every real number in [2, 2^32), every centre | constant |
//! | [`ziggurat::Ziggurat`] | [1/2, 2^40], exact to the last bit | *varies with the sample* |
//!
//! [`uniform`] has uniform integers of k bits or below n, [`exact`] integer tables of any rational
//! sigma^2 with their exact distance from the ideal distribution. The three samplers share the
//! trait [`Sampler`], fill arrays from a [`Source`], which is a [`Stream`](tautochrone_ctr::Stream)
//! or any [`rand::CryptoRng`], and are distributions of `rand`: [`Buffered`] is the fast one. sigma
//! is the standard deviation parameter; some papers use s = sigma sqrt(2 pi) instead.
//!
#![doc = include_str!("../README.md")]
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
#[cfg(test)]
mod big;
pub mod bitslice;
mod buffer;
mod buffered;
mod centres;
mod element;
mod error;
pub mod exact;
pub mod facct;
pub mod fixed;
pub mod float;
mod sampler;
mod source;
pub mod uniform;
pub mod ziggurat;

pub use buffered::Buffered;
pub use error::Error;
pub use sampler::Sampler;
pub use source::{Generator, Source};
