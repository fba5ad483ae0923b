//! The block cipher ICE (Kwan, FSE 1997): Thin-ICE (level 0), ICE (level 1) and ICE-n, constant
//! time.
//!
//! [`Ice`] has a level that is chosen at run time; [`ThinIce`], [`Ice1`], [`Ice2`], .. have it in
//! their type. All implement the traits of the [`cipher`] crate, so that modes of operation from
//! other crates work on them. Blocks have 64 bits; level 0 has 8 rounds and a key of 8 bytes, level
//! n >= 1 has 16 n rounds and a key of 8 n bytes.
//!
#![doc = include_str!("../README.md")]
//!
//! ## What it is good for
//! Reading and writing files of programs that use ICE (game engines do, with published keys), and
//! study. It is *not* for new designs: 64-bit blocks collide after some gigabytes under one key
//! (Bhargavan, Leurent 2016), Thin-ICE falls to differential cryptanalysis (Van Rompay, Knudsen,
//! Rijmen 1998), and what this crate calls bulk encryption is ECB, which shows equal blocks as
//! equal.
//!
//! ## How
//! The S-boxes are seventh powers in fields of 256 elements, different ones for each row. All are
//! isomorphic, so they can be computed in one field, between linear maps chosen by the row (`field`
//! derives them at compile time). `gfni` and `circuit` have the kernels of the table above.
//!
//! ## Constant time
//! In key and data, everywhere: no branch, no address, no division depends on them. Level and
//! number of blocks are public. Round keys are erased when the cipher is dropped, copies of blocks
//! when the call ends; what the compiler spills from registers to the stack is not.
#![no_std]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "some shared parts serve vector kernels only")
)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]

extern crate alloc;

mod array;
mod cipher_traits;
mod circuit;
mod engine;
mod error;
mod field;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
mod gfni;
mod ice;
mod scalar;
mod schedule;
mod sliced;

pub use cipher;
pub use cipher_traits::{Ice1, Ice2, Ice3, Ice4, ThinIce};
pub use error::Error;
pub use ice::Ice;
