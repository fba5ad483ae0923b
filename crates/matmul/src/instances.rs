//! [`Word`]: the code that is compiled for each of the four words once, in this crate, and not in
//! every crate that multiplies.

use crate::error::Error;
use crate::matrix::any::AnyMatrix;
use crate::matrix::{Matrix, MatrixMut};
use crate::matvec;
use crate::multiplier::Multiplier;
use crate::operand::Source;
use crate::product::packed::Packed;
use crate::product::workspace::Workspace;
use crate::product::{self, Update};
use crate::ternary::{Ternary, public_tables};
use crate::word::Residue;

/// A residue modulo 2^w, and the products of matrices of such: u8, u16, u32, u64.
pub trait Word: Residue {
    /// `product::multiply`.
    #[doc(hidden)]
    fn multiply(
        multiplier: &Multiplier,
        workspace: &mut Workspace,
        operands: (Source<'_>, Source<'_>),
        z: MatrixMut<'_, Self>,
        update: Update,
    ) -> Result<(), Error>;
    /// `product::add_products`.
    #[doc(hidden)]
    fn add_products(
        multiplier: &Multiplier,
        workspace: &mut Workspace,
        pairs: &[(&Packed, AnyMatrix<'_>)],
        z: MatrixMut<'_, Self>,
    ) -> Result<(), Error>;
    /// `public_tables::add_product`.
    #[doc(hidden)]
    fn add_public_ternary(
        multiplier: &Multiplier,
        x: Matrix<'_, Self>,
        y: Ternary<'_>,
        group: usize,
        z: MatrixMut<'_, Self>,
    );
    /// `matvec::multiply`, for the types that matrices of such a ring have; false for others.
    #[doc(hidden)]
    fn multiply_vector(
        multiplier: &Multiplier,
        x: AnyMatrix<'_>,
        y: &[Self],
        z: &mut [Self],
    ) -> bool;
}

/// A word, how many are 64 bytes, and the entries of [`Word::multiply_vector`].
macro_rules! instances {
    ($($word:ty, $lanes:literal: $($entry:ty)*;)*) => { $(
        impl Word for $word {
            fn multiply(
                multiplier: &Multiplier,
                workspace: &mut Workspace,
                operands: (Source<'_>, Source<'_>),
                z: MatrixMut<'_, Self>,
                update: Update,
            ) -> Result<(), Error> {
                product::multiply(multiplier, workspace, operands, z, update)
            }

            fn add_products(
                multiplier: &Multiplier,
                workspace: &mut Workspace,
                pairs: &[(&Packed, AnyMatrix<'_>)],
                z: MatrixMut<'_, Self>,
            ) -> Result<(), Error> {
                product::add_products(multiplier, workspace, pairs, z)
            }

            fn add_public_ternary(
                multiplier: &Multiplier,
                x: Matrix<'_, Self>,
                y: Ternary<'_>,
                group: usize,
                z: MatrixMut<'_, Self>,
            ) {
                public_tables::add_product::<Self, $lanes>(multiplier, x, y, group, z);
            }

            fn multiply_vector(
                multiplier: &Multiplier,
                x: AnyMatrix<'_>,
                y: &[Self],
                z: &mut [Self],
            ) -> bool {
                $(if let Some(x) = x.typed::<$entry>() {
                    matvec::multiply(multiplier, x, y, z);
                    return true;
                })*
                false
            }
        }
    )* };
}

instances! {
    u8, 64: u8 i8;
    u16, 32: u16 i16 i8;
    u32, 16: u32 i32 u8 i8;
    u64, 8: u64 i64 i8;
}
