//! Products of narrow entries by entries -1, 0, 1, looked up in registers of bytes.
//!
//! t entries of a row of X, |x| <= b, are the digits of a number below (2 b + 1)^t. For each of the 3^t choices of t entries
//! of Y, which are public, a table says what every number adds, a byte each. `vpermi2b` looks up one of 128 bytes for a register
//! of rows, in a time that does not depend on X.

#[cfg(any(test, tautochrone_ctgrind))]
mod emulated;
mod generic;
mod x86;

use alloc::vec::Vec;

use tautochrone_simd::Vbmi;

use crate::matrix::Matrix;

pub(crate) use generic::{Bytes, COLUMNS, Digits, Job, MOST_TERMS, ROWS};

/// What looks up; its variant carries the proof.
#[derive(Clone, Copy)]
pub(crate) enum Kernel {
    Vbmi(Vbmi),
    /// Plain Rust, for tests and for tools that do not know AVX-512.
    #[cfg(any(test, tautochrone_ctgrind))]
    Emulated,
}

impl Kernel {
    /// The numbers of X: for every `ROWS` lines of rows, for every group of terms, sum_i (x_i + b) (2 b + 1)^i.
    pub(crate) fn pack(self, digits: Digits, x: Matrix<'_, u8>) -> Vec<[Bytes; ROWS]> {
        match self {
            Self::Vbmi(token) => x86::pack(token, digits, x),
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::Emulated => generic::pack::<Bytes>(digits, x),
        }
    }

    /// Adds a product to Z.
    pub(crate) fn multiply(self, job: Job<'_, '_>) {
        match self {
            Self::Vbmi(token) => x86::multiply(token, job),
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::Emulated => generic::multiply::<Bytes>(job),
        }
    }
}
