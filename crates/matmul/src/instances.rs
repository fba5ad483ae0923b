//! Products for each of the four words, as functions without type parameters: the kernels are compiled once, in this
//! crate, and not in every crate that multiplies.

use crate::error::Error;
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use crate::operand::Source;
use crate::product::Sum;
use crate::workspace::Workspace;

macro_rules! instances {
    ($($word:ty, $product:ident, $ternary:ident;)*) => {
        impl Multiplier { $(
            pub(crate) fn $product(
                &self,
                workspace: &mut Workspace,
                x: Source<'_>,
                y: Source<'_>,
                z: MatrixMut<'_, $word>,
                sum: Sum,
            ) -> Result<(), Error> {
                self.product(workspace, x, y, z, sum)
            }

            pub(crate) fn $ternary(
                &self,
                x: Matrix<'_, $word>,
                y: Matrix<'_, i8>,
                z: MatrixMut<'_, $word>,
            ) -> Result<(), Error> {
                self.ternary_product(x, y, z)
            }
        )* }
    };
}

instances! {
    u8, product_u8, ternary_u8;
    u16, product_u16, ternary_u16;
    u32, product_u32, ternary_u32;
    u64, product_u64, ternary_u64;
}
