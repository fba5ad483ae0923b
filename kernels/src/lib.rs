//! GPU kernels as PTX text, the definition of what they compute, and the host code that runs them.
//!
//! [`Gpu::open`] opens a device; it samples ([`Gpu::sample_facct`], [`Gpu::uniform`]) and
//! multiplies matrices over Z_2^w ([`Gpu::matmul`]) in its own memory. [`Method`] tells how
//! products are computed, and how fast. [`mod@reference`] defines every kernel in plain Rust: a
//! device gives the same words.
//!
#![doc = include_str!("../README.md")]
//!
//! ## About some features
//! - `cust`: [`Gpu::open_by`] takes [`Interface::Cust`] as well, which calls the driver through the
//!   crate [`cust`](https://docs.rs/cust) 0.3.2; results are the same. **It needs a CUDA toolkit,
//!   or a patch**: the build scripts of `cust` and `cust_raw` end the build where
//!   `find_cuda_helper` finds no toolkit, which a feature cannot prevent. A program that wants this
//!   without a toolkit takes this repository's stand-in for that crate into the manifest of its own
//!   workspace: `[patch.crates-io] find_cuda_helper = { path =
//!   "../tautochrone/kernels/vendor/find_cuda_helper" }`.
//! - `emulation`: builds `emulation::MOCK_DRIVER`, a driver library that runs the kernels' own
//!   sources on the host, every GPU thread a fiber. Needs a C++17 compiler.
//!
//! ## Constant time
//! In keys and samples (the time shows which trials of the Gaussian sampler were rejected, which is
//! independent of the accepted values) and in the entries of matrices. Device memory is erased when
//! dropped. The driver keeps a kernel's parameters, which include the key, in buffers of its own,
//! where it cannot be erased.
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]

#[cfg(feature = "zk")]
mod device;
mod driver;
#[cfg(feature = "emulation")]
pub mod emulation;
mod error;
mod gpu;
mod kernel;
mod memory;
mod method;
mod product;
pub mod reference;
mod workspace;

#[cfg(feature = "zk")]
pub use device::Reference;
pub use driver::Interface;
pub use error::Error;
pub use gpu::Gpu;
pub use kernel::{Entry, Product};
pub use memory::{DeviceMatrix, DeviceVec};
pub use method::Method;

/// Kernels `facct` and `uniform`; sm_75 and later.
pub const SAMPLE_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/sample.ptx"));
/// Kernels `imad_Z_X_Y` for the types of [`Product`]; sm_75 and later.
pub const IMAD_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/imad.ptx"));
/// Kernels `direct_Z_X_Y`, on tensor cores; sm_80 and later.
pub const DIRECT_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/direct.ptx"));
/// Kernels `split_E`, which cut operands for the kernels of [`TILED_PTX`]; sm_80 and later.
pub const SPLIT_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/split.ptx"));
/// Kernels `tiled_Z_X_Y`, on tensor cores; sm_80 and later.
pub const TILED_PTX: &str = include_str!(concat!(env!("OUT_DIR"), "/tiled.ptx"));
