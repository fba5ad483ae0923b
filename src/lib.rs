//! Facade of the workspace: one name for every part.
#![no_std]
#![forbid(unsafe_code)]

#[doc(inline)]
pub use tautochrone_simd as simd;
