//! Constant-time lattice cryptography and the arithmetic under it: one name for every part of the
//! workspace.
//!
//! ```
//! use tautochrone::ctr::{Label, Seed};
//! use tautochrone::gauss::facct::Facct;
//! use tautochrone::matmul::{Matrix, MatrixMut, Multiplier};
//!
//! // E = A S mod 2^32 with a Gaussian S, the beginning of many protocols.
//! let seed = Seed::from_os()?;
//! let mut a = [0_u32; 4 * 8];
//! tautochrone::gauss::uniform::fill_bits(&mut seed.stream(Label::new("A"), 0), 32, &mut a)?;
//! let mut s = [0_i32; 8 * 2];
//! Facct::new(3.2)?.fill_i32(&mut seed.stream(Label::new("S"), 0), &mut s)?;
//! let mut e = [0_u32; 4 * 2];
//! let (a, s) = (Matrix::row_major(&a, 4, 8)?, Matrix::column_major(&s, 8, 2)?);
//! Multiplier::new().product(a, s).write_to(MatrixMut::column_major(&mut e, 4, 2)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The proof system is [`zk`]; its documentation has the whole way from a witness to a verified
//! proof.
//!
//! # Features
//! - `os-rng` (default): `Seed::from_os` in [`ctr`], and with it proofs in [`zk`] that are not to be
//!   reproducible. Verifiers need no entropy.
//! - `rayon` (default): [`ice`], [`matmul`] and [`zk`] spread long computations over the ambient
//!   thread pool; results do not depend on it.
//! - `nalgebra`, `ndarray`: [`matmul`] views the matrices of these libraries without copies.
//! - `serde`: the parameters of [`zk`] can be read and written.
//! - `cuda`: the module `kernels`, which computes on NVIDIA GPUs where there is a driver (Linux);
//!   building needs neither a CUDA toolkit nor a driver.
//! - `emulation`: for tests of `kernels`; needs a C++17 compiler.
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
