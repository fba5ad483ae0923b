//! The products that users call: checks of shapes, then the kernels' instances for the word.

use core::marker::PhantomData;

use crate::digits::Width;
use crate::error::Error;
use crate::layout::Side;
use crate::matrix::{AnyMatrix, Matrix, MatrixMut, with_matrix};
use crate::multiplier::{Multiplier, check};
use crate::operand::{Left, Right, Source};
use crate::pack::Store;
use crate::packed::{Packed, PackedLeft, PackedRight};
use crate::plan::Plan;
use crate::product::Sum;
use crate::word::{Operand, Word};
use crate::workspace::Workspace;

impl Multiplier {
    /// Z = X Y mod 2^w.
    ///
    /// X is m x k, Y k x n, Z m x n; for k = 0, Z becomes zero.
    ///
    /// # Errors
    /// [`Error::Shape`]; with packed operands also [`Error::TooWide`] and [`Error::PackedDiffer`].
    pub fn multiply<W: Word>(
        &self,
        x: impl Left<W>,
        y: impl Right<W>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        self.multiply_with(&mut Workspace::new(), x, y, z)
    }

    /// Z += X Y mod 2^w.
    ///
    /// # Errors
    /// As [`Multiplier::multiply`].
    pub fn multiply_add<W: Word>(
        &self,
        x: impl Left<W>,
        y: impl Right<W>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        self.multiply_add_with(&mut Workspace::new(), x, y, z)
    }

    /// [`Multiplier::multiply`] in the caller's workspace.
    ///
    /// # Errors
    /// As [`Multiplier::multiply`].
    pub fn multiply_with<W: Word>(
        &self,
        workspace: &mut Workspace,
        x: impl Left<W>,
        y: impl Right<W>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        check(x.shape(), y.shape(), &z)?;
        self.product_of_words(workspace, x.source(), y.source(), z, Sum::Store)
    }

    /// [`Multiplier::multiply_add`] in the caller's workspace.
    ///
    /// # Errors
    /// As [`Multiplier::multiply`].
    pub fn multiply_add_with<W: Word>(
        &self,
        workspace: &mut Workspace,
        x: impl Left<W>,
        y: impl Right<W>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        check(x.shape(), y.shape(), &z)?;
        self.product_of_words(workspace, x.source(), y.source(), z, Sum::Add)
    }

    /// A workspace that is large enough for a product of these shapes and widths, and any smaller one.
    #[must_use]
    pub fn workspace<W: Word>(
        &self,
        (x_width, y_width): (Width, Width),
        (m, k, n): (usize, usize, usize),
    ) -> Workspace {
        let plan = self.plan(x_width, y_width, W::BITS);
        let mut workspace = Workspace::new();
        workspace.x.reserve(&plan.layout(Side::Left, x_width, (m, k)));
        workspace.y.reserve(&plan.layout(Side::Right, y_width, (n, k)));
        workspace
    }

    /// Packs X for products with right operands of a width. Wider ones may be refused ([`Error::TooWide`]).
    #[must_use]
    pub fn pack_left<W: Word, T: Operand>(&self, x: Matrix<'_, T>, y: Width) -> PackedLeft<W> {
        let plan = self.plan(x.width(), y, W::BITS);
        PackedLeft { inner: self.pack(plan, Side::Left, x.erase()), word: PhantomData }
    }

    /// Packs Y for products with left operands of a width. Wider ones may be refused ([`Error::TooWide`]).
    #[must_use]
    pub fn pack_right<W: Word, T: Operand>(&self, y: Matrix<'_, T>, x: Width) -> PackedRight<W> {
        let plan = self.plan(x, y.width(), W::BITS);
        let lines = y.transposed().erase();
        PackedRight { inner: self.pack(plan, Side::Right, lines), word: PhantomData }
    }

    /// Z += X Y mod 2^w for Y with entries in {-1, 0, 1}.
    ///
    /// X is m x k, best column-major; Y k x n; Z m x n. Much faster than [`Multiplier::multiply_add`] from about 50
    /// columns of Y on, since nothing is multiplied and nothing packed.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::NotTernary`].
    ///
    /// # Constant time
    /// In X and Z; variable time in Y, whose entries index tables. The tables are erased.
    pub fn multiply_add_ternary_vartime<W: Word>(
        &self,
        x: Matrix<'_, W>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        check((x.rows(), x.columns()), (y.rows(), y.columns()), &z)?;
        match W::BITS {
            8 => self.ternary_u8(x.cast(), y, z.cast()),
            16 => self.ternary_u16(x.cast(), y, z.cast()),
            32 => self.ternary_u32(x.cast(), y, z.cast()),
            _ => self.ternary_u64(x.cast(), y, z.cast()),
        }
    }

    fn product_of_words<W: Word>(
        &self,
        workspace: &mut Workspace,
        x: Source<'_>,
        y: Source<'_>,
        z: MatrixMut<'_, W>,
        sum: Sum,
    ) -> Result<(), Error> {
        match W::BITS {
            8 => self.product_u8(workspace, x, y, z.cast(), sum),
            16 => self.product_u16(workspace, x, y, z.cast(), sum),
            32 => self.product_u32(workspace, x, y, z.cast(), sum),
            _ => self.product_u64(workspace, x, y, z.cast(), sum),
        }
    }

    /// Packs a matrix whose rows are the lines.
    fn pack(&self, plan: Plan, side: Side, lines: AnyMatrix<'_>) -> Packed {
        let (width, (rows, columns)) =
            with_matrix!(lines, lines => (lines.width(), (lines.rows(), lines.columns())));
        let layout = plan.layout(side, width, (rows, columns));
        let mut store = Store::default();
        let parallel = self.is_parallel(rows.saturating_mul(columns));
        with_matrix!(lines, lines => store.pack(&layout, lines, true, parallel));
        Packed { plan, layout, width, store }
    }
}
