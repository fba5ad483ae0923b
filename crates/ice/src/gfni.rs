//! Kernels for CPUs with GFNI, whose instructions multiply and invert in GF(2^8): the seventh power of an S-box is two of
//! them, and a linear map of bytes is one.
//!
//! * [`wide`]: AVX-512 with VBMI, 64 or 128 blocks at a time; the linear maps of an S-box, chosen by its row, are look-ups in
//!   tables that lie in registers.
//! * [`narrow`]: AVX2, 32 blocks at a time; they are sums of masked affine instructions.
//! * [`lanes`]: one or two blocks, each in 128 bits; the affine instructions take matrices that the row bits choose.
//!
//! Each is written once over the traits of `vector`, for registers of the CPU (`x86`) and for arrays of bytes (`emulated`), which
//! run anywhere, valgrind included.
//!
//! # Constant time
//! In key and blocks: no address and no branch depends on them. A look-up permutes the bytes of a register.

mod boxes;
#[cfg(any(test, tautochrone_ctgrind))]
pub(crate) mod emulated;
mod keys;
pub(crate) mod lanes;
mod layout;
pub(crate) mod narrow;
mod vector;
pub(crate) mod wide;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;
