//! Parameters of statements and proofs, their security, and the encodings and errors of
//! `tautochrone-zk`: everything about a proof that needs no product.
//!
//! Items that are hidden from the documentation of their types are for `tautochrone-zk`, too.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "oracles of tests"))]
#![forbid(unsafe_code)]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "one crate uses it, whose own items these were"
)]

extern crate alloc;

pub mod codec;
pub mod erase;
pub mod error;
pub mod estimate;
pub mod format;
pub mod io;
pub mod keys;
pub mod matrix_id;
pub mod params;
pub mod rejection;
pub mod rounding;
pub mod rows;
pub mod suite;
pub mod supported;
pub mod words;
