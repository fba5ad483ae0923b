//! Exact matrix products over Z_{2^w}, w = 8, 16, 32, 64: Z = X Y mod 2^w and Z += X Y mod 2^w.
//!
//! | type | what it is |
//! |---|---|
//! | [`Multiplier`] | the instruction set and threads; [`Multiplier::product`] forms a product |
//! | [`Matrix`], [`MatrixMut`] | views of entries with any strides; results are column-major or row-major |
//! | [`PackedLeft`], [`PackedRight`] | an operand that is packed once for many products |
//! | [`Ternary`] | an operand of entries -1, 0, 1 |
//! | [`Operand`] | the integers that entries may be: narrower than the result, signed (sign-extended) or not |
//!
//! A product with a vector is formed without packing, and bound by memory more than by arithmetic.
//!
#![doc = include_str!("../README.md")]
//!
//! ## Speed
//! Where a digit holds the whole word, two terms cost one multiplication (Winograd 1968). Terms per
//! cycle that the instructions allow on Zen 4, measured from registers by `benches/matmul.rs`, for
//! w = 8 / 16 / 32 / 64: AVX-512 with VNNI 85 / 42 / 16 / 8, AVX2 48 / 32 / 16 / 4.5. Products of
//! 1024 x 1024 matrices, packing included, reach 79 to 84 % of that on AVX-512 and 70 to 75 % on
//! AVX2 (`benches/record`).
//!
//! ## Constant time
//! In all entries: shapes, strides and stated bit bounds are public, nothing else influences
//! branches or addresses, and the multiplications used take constant time. Whether all entries are
//! within stated bounds is revealed. Matrices that are said to be public
//! ([`Ternary::public_vartime`]) index tables. Packed copies of operands are erased.
//!
//! ## Layers
//! Each knows those above it in this table only.
//!
//! | layer | files | knows |
//! |---|---|---|
//! | words | `word`, `width`, `error`, `buffer`, `parallel` | integers, memory and threads |
//! | matrices | `matrix` | views of memory, with shapes and stated widths |
//! | digits | `digits`, `layout` | how entries become digits, and where digits lie |
//! | packing | `pack` | the digits of a matrix, in that order |
//! | kernels | `kernel` | register tiles for each instruction set, and the loops around them |
//! | products | `product`, `choose`, `multiplier`, `ternary`, `matvec` | choice of kernel and threads; ternary products; products with vectors |
//! | calls | `operand`, `multiply` | what users pass, and checks of it |

#![no_std]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        dead_code,
        unused_variables,
        clippy::needless_pass_by_value,
        reason = "some shared parts serve vector kernels only"
    )
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
pub use choose::Way;
pub use error::Error;
pub use matrix::{Matrix, MatrixMut};
pub use multiplier::{Multiplier, Threads};
pub use multiply::Product;
pub use operand::{Left, Right};
pub use product::packed::{PackedLeft, PackedRight};
pub use product::workspace::Workspace;
pub use ternary::Ternary;
pub use ternary::packed_lookup::PackedNarrow;
pub use width::Width;
pub use word::{Operand, Word};
