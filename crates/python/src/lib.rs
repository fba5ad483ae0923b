//! The extension module `tautochrone._native`: the workspace's crates on numpy arrays and bytes.
//!
//! Each file calls one of our crates and no other file does: `gauss`, `matmul`, `bignum`, `ice`,
//! `zk`, and `random` for `ctr`. Code for Python alone is in `arguments`, `arrays`, `errors`,
//! `signals` and `threads`. Shapes, dtypes and options of samplers and products, and ints, are the
//! business of the package's files in Python, which call this module. The documentation for users
//! is the docstrings, which `help()` shows.
#![deny(unsafe_code)]

mod arguments;
mod arrays;
mod bignum;
mod errors;
mod gauss;
mod ice;
mod matmul;
mod operands;
mod random;
mod sampling;
mod signals;
mod threads;
mod zk;

use pyo3::pymodule;

/// Constant-time lattice cryptography on numpy arrays and bytes.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::bignum::powers;
    #[pymodule_export]
    use super::gauss::fill::Sampler;
    #[pymodule_export]
    use super::gauss::pmf::Table;
    #[pymodule_export]
    use super::gauss::uniform::uniform;
    #[pymodule_export]
    use super::gauss::{bitslice, facct, ziggurat};
    #[pymodule_export]
    use super::ice::Ice;
    #[pymodule_export]
    use super::matmul::multiply;
    #[pymodule_export]
    use super::random::Stream;
    #[pymodule_export]
    use super::zk::circuits::{prove_circuit, r1cs, verify_circuit};
    #[pymodule_export]
    use super::zk::hardness::{estimate, optimise};
    #[pymodule_export]
    use super::zk::keys::{prove_keys, verify_keys};
    #[pymodule_export]
    use super::zk::messages::{prove_messages, verify_messages};
    #[pymodule_export]
    use super::zk::params::Params;
    #[pymodule_export]
    use super::zk::{commit, prove, random_witness, verify};

    #[pymodule_export]
    const PRESETS: &[&str] = super::zk::params::PRESETS;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
