//! Facade of the workspace: one name for every part.
#![no_std]
#![forbid(unsafe_code)]

#[doc(inline)]
pub use tautochrone_bignum as bignum;
#[doc(inline)]
pub use tautochrone_ctr as ctr;
#[doc(inline)]
pub use tautochrone_gauss as gauss;
#[doc(inline)]
pub use tautochrone_ice as ice;
#[doc(inline)]
pub use tautochrone_kernels as kernels;
#[doc(inline)]
pub use tautochrone_matmul as matmul;
#[doc(inline)]
pub use tautochrone_simd as simd;
#[doc(inline)]
pub use tautochrone_zk as zk;
