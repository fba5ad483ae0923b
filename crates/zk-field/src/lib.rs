//! The field K that arguments compute in, and what sum-checks over it need. Nothing here knows what
//! is proved.
//!
//! Internal to `tautochrone-zk`, with no promises: any version may change anything. Depend on
//! `tautochrone-zk`, which depends on exactly its own version of this crate. What is hidden from the
//! documentation of its types is for that crate, too.
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
