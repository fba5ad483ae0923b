//! Products for each of the four words, as functions without type parameters: the kernels are
//! compiled once, in this crate, and not in every crate that multiplies.

use crate::error::Error;
use crate::matrix::any::AnyMatrix;
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use crate::product::packed::Packed;
use crate::product::workspace::Workspace;
use crate::product::{Source, Update, add_products, multiply};
use crate::ternary::{Ternary, public_tables};

macro_rules! instances {
    ($($word:ty, $multiply:ident, $add_products:ident, $add_public_ternary:ident;)*) => { $(
        pub(crate) fn $multiply(
            multiplier: &Multiplier,
            workspace: &mut Workspace,
            operands: (Source<'_>, Source<'_>),
            z: MatrixMut<'_, $word>,
            update: Update,
        ) -> Result<(), Error> {
            multiply(multiplier, workspace, operands, z, update)
        }

        pub(crate) fn $add_products(
            multiplier: &Multiplier,
            workspace: &mut Workspace,
            pairs: &[(&Packed, AnyMatrix<'_>)],
            z: MatrixMut<'_, $word>,
        ) -> Result<(), Error> {
            add_products(multiplier, workspace, pairs, z)
        }

        pub(crate) fn $add_public_ternary(
            multiplier: &Multiplier,
            x: Matrix<'_, $word>,
            y: Ternary<'_>,
            group: usize,
            z: MatrixMut<'_, $word>,
        ) {
            public_tables::add_product(multiplier, x, y, group, z);
        }
    )* };
}

instances! {
    u8, multiply_u8, add_products_u8, add_public_ternary_u8;
    u16, multiply_u16, add_products_u16, add_public_ternary_u16;
    u32, multiply_u32, add_products_u32, add_public_ternary_u32;
    u64, multiply_u64, add_products_u64, add_public_ternary_u64;
}
