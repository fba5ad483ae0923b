//! GPU kernels as PTX text, the definition of what they compute, and their emulation on the host.
//!
//! The sources in `cuda/` are compiled by clang-19 without CUDA headers; the PTX is checked in, so that building needs no
//! CUDA toolkit and no clang. [`mod@reference`] defines every kernel in plain Rust; with the feature `emulation` the same
//! `.cu` files run on the host, every GPU thread a fiber, and the tests demand equality bit for bit.
//!
//! This crate does not open a device: loading the PTX is up to the caller. The launch shapes and parameters of each
//! kernel are documented where its reference is.
//!
//! # Status
//! The kernels have been emulated and assembled by `ptxas`; they have not run on a device.

#[cfg(feature = "emulation")]
pub mod emulation;
pub mod reference;

/// Kernels `facct` and `uniform`; sm_75 and later.
pub const SAMPLE_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/sample.ptx"));
/// Kernels `matmul8`, `matmul16`, `matmul32`, `matmul64` on tensor cores; sm_80 and later.
pub const MATMUL_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/matmul.ptx"));
/// Kernels `imad8`, `imad16`, `imad32`, `imad64` for older chips; sm_75 and later.
pub const IMAD_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/imad.ptx"));
