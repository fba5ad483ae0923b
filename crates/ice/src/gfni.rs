//! Kernels for CPUs with GFNI, whose instructions multiply and invert in GF(2^8): the seventh power
//! of an S-box is two of them, and a linear map of bytes is one.
//!
//! * [`wide`]: AVX-512 with VBMI, 64 or 128 blocks at a time; the linear maps of an S-box, chosen
//!   by its row, are look-ups in tables that lie in registers.
//! * [`narrow`]: AVX2, 32 blocks at a time; they are sums of masked affine instructions.
//! * [`lanes`]: one to four blocks, each in 128 bits; the row bits choose the matrices of the
//!   affine instructions.
//!
//! Each is written once over the traits of [`tautochrone_simd::vector`], for registers of the CPU
//! and for emulated ones, which run anywhere, valgrind included.
//!
//! # Constant time
//! In key and blocks: no address and no branch depends on them. A look-up permutes the bytes of a
//! register.

mod boxes;
mod columns;
mod dispatch;
mod groups;
mod keys;
mod lanes;
mod layout;
mod narrow;
mod register;
mod wide;

pub(crate) use dispatch::{Narrow, Wide};
