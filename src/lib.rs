//! Constant-time lattice cryptography and the arithmetic under it: one name for every part of the
//! workspace. The proof system is [`zk`]; its documentation has the way from a witness to a
//! verified proof.
//!
#![doc = include_str!("README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(doctest)]
mod readmes;

#[doc(inline)]
pub use tautochrone_bignum as bignum;
#[doc(inline)]
pub use tautochrone_ctr as ctr;
#[doc(inline)]
pub use tautochrone_gauss as gauss;
#[doc(inline)]
pub use tautochrone_ice as ice;
#[cfg(feature = "cuda")]
#[doc(inline)]
pub use tautochrone_kernels as kernels;
#[doc(inline)]
pub use tautochrone_matmul as matmul;
#[doc(inline)]
pub use tautochrone_simd as simd;
#[doc(inline)]
pub use tautochrone_zk as zk;
