#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
pub mod frodo;
pub mod ml_kem;
mod secret;

pub use error::Error;
pub use secret::Secret;
