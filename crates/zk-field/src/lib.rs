//! The field K of 2^183 elements that arguments compute in, and what sum-checks over it need; and
//! the field of 2^192 elements for circuits over Goldilocks.
//!
//! Items that are hidden from the documentation of their types are for `tautochrone-zk`, too.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
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

pub mod eq;
pub mod field;
pub mod polynomial;
pub mod scalar;
pub mod sum_check;
