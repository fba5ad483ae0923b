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
    use super::{
        bignum::powers,
        gauss::{bitslice, facct, fill::Sampler, pmf::Table, uniform::uniform, ziggurat},
        ice::Ice,
        matmul::multiply,
        random::Stream,
        zk::{
            circuits::{prove_circuit, r1cs, verify_circuit},
            commit,
            hardness::{estimate, optimise},
            keys::{prove_keys, verify_keys},
            messages::{prove_messages, verify_messages},
            params::Params,
            prove, random_witness, verify,
        },
    };

    #[pymodule_export]
    const PRESETS: &[&str] = super::zk::params::PRESETS;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
