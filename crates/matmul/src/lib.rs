//! Exact matrix products over Z_{2^w}, w = 8, 16, 32, 64: Z = X Y mod 2^w and Z += X Y mod 2^w.
//!
//! * Operands may be narrower than the result, signed or unsigned ([`Operand`]); signed entries are
//!   sign-extended.
//! * Operands are views with any strides ([`Matrix`]), packed once for many products
//!   ([`PackedLeft`], [`PackedRight`]), or matrices of entries -1, 0, 1 ([`Ternary`]); the result
//!   is column-major or row-major ([`MatrixMut`]). The features `nalgebra` and `ndarray` view the
//!   matrices of those libraries.
//! * A product with a vector is formed without packing, and bound by memory more than by arithmetic.
//! * [`Multiplier`] holds the instruction set; all of them give the same result, as does any number
//!   of threads.
//!
//! ```
//! use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
//!
//! let x = [1_u32, 2, 3, 4, 5, 6]; // 2 x 3, row-major
//! let y = [1_i8, 0, -1]; // 3 x 1
//! let mut z = [0_u32; 2];
//! let (x, y) = (Matrix::row_major(&x, 2, 3)?, Matrix::column_major(&y, 3, 1)?);
//! Multiplier::new().product(x, y).write_to(MatrixMut::column_major(&mut z, 2, 1)?)?;
//! assert_eq!(z, [u32::MAX - 1; 2]); // -2 mod 2^32
//! # Ok::<(), tautochrone_matmul::Error>(())
//! ```
//!
//! # Speed
//! Where a digit holds the whole word, two terms cost one multiplication (Winograd 1968). Terms per
//! cycle that the instructions allow on Zen 4, measured from registers by `benches/matmul.rs`, for
//! w = 8 / 16 / 32 / 64: AVX-512 with VNNI 85 / 42 / 16 / 8, AVX2 48 / 32 / 16 / 4.5. Products of
//! 1024 x 1024 matrices, packing included, reach 79 to 84 % of that on AVX-512 and 70 to 75 % on
//! AVX2 (`benches/record`).
//!
//! # Constant time
//! In all entries: shapes, strides and stated bit bounds are public, nothing else influences
//! branches or addresses, and the multiplications used take constant time. Whether all entries are
//! within stated bounds is revealed. Matrices that are said to be public ([`Ternary::public_vartime`])
//! index tables. Packed copies of operands are erased.
//!
//! # Layers
//! Each knows those above it in this table only.
//!
//! | layer | files | knows |
//! |---|---|---|
//! | words | `word`, `width`, `error`, `buffer`, `parallel` | integers, memory and threads |
//! | matrices | `matrix` | views of memory, with shapes and stated widths |
//! | digits | `digits`, `layout` | how entries become digits, and where digits lie |
//! | packing | `pack` | the digits of a matrix, in that order |
//! | kernels | `kernel` | register tiles for each instruction set, and the loops around them |
//! | products | `product`, `choose`, `multiplier`, `ternary`, `matvec`, `instances` | choice of kernel and threads; ternary products; products with vectors |
//! | calls | `operand`, `multiply` | what users pass, and checks of it |

#![no_std]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "some shared parts serve vector kernels only")
)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]

extern crate alloc;
#[cfg(feature = "rayon")]
extern crate std;

mod buffer;
mod choose;
mod digits;
mod error;
mod instances;
mod kernel;
mod layout;
mod matrix;
mod matvec;
mod multiplier;
mod multiply;
mod operand;
mod pack;
mod parallel;
mod product;
pub mod reference;
mod ternary;
mod width;
mod word;

#[doc(hidden)]
pub use choose::{Way, Work};
pub use error::Error;
pub use instances::Word;
pub use matrix::{Matrix, MatrixMut};
pub use multiplier::{Multiplier, Threads};
pub use multiply::Product;
pub use operand::{Left, Right};
pub use product::packed::{PackedLeft, PackedRight};
pub use product::workspace::Workspace;
pub use ternary::Ternary;
pub use ternary::packed_lookup::PackedNarrow;
pub use width::Width;
pub use word::{Operand, Residue};
