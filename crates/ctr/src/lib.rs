//! AES-CTR randomness: owned streams with a 128-bit counter, split by domain label and index.
//!
//! * A [`Seed`] is 32 bytes, filled whole or not at all; [`Seed::from_os`] is the workspace's only
//!   source of entropy.
//! * [`Seed::stream`] gives the [`Stream`] of a [`Label`] and an index: two different pairs never
//!   share one, so every consumer names its own and nothing depends on the order in which consumers
//!   run.
//! * A [`Stream`] is owned, not `Clone`, seekable, and erased when dropped.
//!
#![doc = include_str!("../README.md")]
//!
//! ## Constant time
//! In seed, key and output: by instructions for AES where the CPU has them (VAES, AES-NI, Armv8's),
//! else bit-sliced by the crate `aes`. Lengths and positions are public.
//!
//! ## Processes
//! A child process made by `fork` has copies of its parent's seeds and streams, and so does a
//! virtual machine that is resumed twice from one snapshot: both sides then draw the same bytes, as
//! from one key stream used twice. Nothing here notices. Make seeds after the fork, with
//! [`Seed::from_os`], or give each side labels or indices of its own.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]

mod engine;
mod error;
mod seed;
mod sizes;
mod stream;

#[cfg(target_arch = "x86_64")]
pub use engine::Interleave;
pub use error::Error;
pub use seed::{Label, Seed};
pub use sizes::KeySize;
pub use stream::Stream;
