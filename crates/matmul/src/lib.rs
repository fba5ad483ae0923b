//! Exact matrix products over Z_{2^w}, w = 8, 16, 32, 64: Z = X Y mod 2^w and Z += X Y mod 2^w.
//!
//! * Operands may be narrower than the result, signed or unsigned ([`Operand`]); signed entries are sign-extended.
//! * Operands are views with any strides ([`Matrix`]); the result is column-major ([`MatrixMut`]).
//! * [`Multiplier`] holds the instruction set; all of them give the same result, as does any number of threads.
//!
//! ```
//! use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
//!
//! let x = [1_u32, 2, 3, 4, 5, 6]; // 2 x 3, row-major
//! let y = [1_i8, 0, -1]; // 3 x 1
//! let mut z = [0_u32; 2];
//! Multiplier::new().multiply(
//!     Matrix::row_major(&x, 2, 3)?,
//!     Matrix::column_major(&y, 3, 1)?,
//!     MatrixMut::column_major(&mut z, 2, 1)?,
//! )?;
//! assert_eq!(z, [u32::MAX - 1; 2]); // -2 mod 2^32
//! # Ok::<(), tautochrone_matmul::Error>(())
//! ```
//!
//! # Speed
//! Where a digit holds the whole word, two terms cost one multiplication (Winograd 1968). Terms per cycle that the instructions
//! allow on Zen 4, measured from registers by `benches/matmul.rs`, for w = 8 / 16 / 32 / 64: AVX-512 with VNNI 85 / 42 / 16 / 8,
//! AVX2 48 / 32 / 16 / 4.5. Products of 1024 x 1024 matrices, packing included, reach 79 to 84 % of that on AVX-512 and 70 to
//! 75 % on AVX2 (`benches/record`).
//!
//! # Constant time
//! In all entries: shapes, strides and promised bit bounds are public, nothing else influences branches or addresses, and
//! the multiplications used take constant time. Packed copies of operands are erased.

#![no_std]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "some shared parts serve vector kernels only")
)]

extern crate alloc;

mod buffer;
mod digits;
mod error;
mod instances;
mod kernel;
mod layout;
mod lookup;
mod matrix;
mod multiplier;
mod multiply;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod narrow;
mod operand;
mod pack;
mod packed;
mod parallel;
mod plan;
mod product;
pub mod reference;
mod ternary;
mod transpose;
mod word;
mod workspace;

pub use digits::Width;
pub use error::Error;
pub use matrix::{Matrix, MatrixMut};
pub use multiplier::{Multiplier, Threads};
pub use narrow::PackedNarrow;
pub use operand::{Left, Right};
pub use packed::{PackedLeft, PackedRight};
pub use word::{Operand, Word};
pub use workspace::Workspace;
