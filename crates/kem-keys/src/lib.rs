#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
mod frodo;
mod key;
mod ml_kem;
mod secret;
mod set;

pub use error::Error;
pub use key::PublicKey;
pub use ml_kem::SEED_LEN;
pub use secret::Secret;
pub use set::{NoSet, Set};
