//! The calls of users: [`Multiplier::product`] and what prepares operands for it.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use zeroize::Zeroizing;

use crate::choose::{How, Problem, Way};
use crate::error::Error;
use crate::instances::Word;
use crate::layout::Side;
use crate::matrix::any::AnyMatrix;
use crate::matrix::{Matrix, MatrixMut};
use crate::matvec;
use crate::multiplier::Multiplier;
use crate::operand::{Left, Right, Source};
use crate::pack::{Form, Store, compact};
use crate::product::Update;
use crate::product::packed::{Packed, PackedLeft, PackedRight};
use crate::product::plan::Plan;
use crate::product::workspace::Workspace;
use crate::ternary::packed_lookup::{self, PackedNarrow};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::ternary::secret_lookup;
use crate::ternary::{self, Ternary};
use crate::width::Width;
use crate::word::Operand;

impl Multiplier {
    /// X Y mod 2^w, X m x k, Y k x n: formed by [`Product::write_to`] or [`Product::add_to`].
    ///
    /// Both may be matrices of any element type, or packed. A kernel is chosen by an estimate of
    /// the cycles that the product takes, for its shape and this family of CPUs. A [`Ternary`] Y is
    /// multiplied without multiplications where that is faster, which it hardly ever is on AMX:
    ///
    /// * A public one by tables in memory, if X is a matrix of words of w bits, best column-major:
    ///   nothing is multiplied and nothing packed.
    /// * A public one by look-ups in registers, if X is a [`PackedNarrow`].
    /// * A secret one by look-ups in registers, if w = 32, X is a matrix of words of w bits, best
    ///   row-major, and there is AVX-512.
    pub fn product<'a, W: Word>(
        &self,
        x: impl Left<W> + 'a,
        y: impl Right<W> + 'a,
    ) -> Product<'a, W> {
        Product {
            multiplier: *self,
            shapes: (x.shape(), y.shape()),
            x: x.source(),
            y: y.source(),
            ternary: y.ternary(),
            workspace: None,
            word: PhantomData,
        }
    }

    /// Z += X_1 Y_1 + X_2 Y_2 + .. mod 2^w, Z m x n column-major: one product whose operands lie
    /// apart. All left operands were packed for right ones of the same width.
    ///
    /// With AMX the sums stay in tiles from pair to pair, so that Z is read and written only once
    /// for several.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::BeyondBits`], [`Error::TooWide`], [`Error::PackedDiffer`] or
    /// [`Error::NeedsPublicTernary`]; all leave Z as it is.
    pub fn add_products<W: Word, T: Operand>(
        &self,
        pairs: &[(&PackedLeft<W>, Matrix<'_, T>)],
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        self.add_products_in(&mut Workspace::new(), pairs, z)
    }

    /// As [`Self::add_products`], with right operands packed in the caller's workspace.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::BeyondBits`], [`Error::TooWide`], [`Error::PackedDiffer`] or
    /// [`Error::NeedsPublicTernary`]; all leave Z as it is.
    pub fn add_products_in<W: Word, T: Operand>(
        &self,
        workspace: &mut Workspace,
        pairs: &[(&PackedLeft<W>, Matrix<'_, T>)],
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        for (x, y) in pairs {
            check_shapes((x.rows(), x.columns()), (y.rows(), y.columns()), &z)?;
        }
        if z.is_row_major() {
            return by_columns(z, Update::Add, |z| self.add_products_in(workspace, pairs, z));
        }
        let pairs: Vec<(&Packed, AnyMatrix<'_>)> =
            pairs.iter().map(|(x, y)| (&x.inner, AnyMatrix::new(*y))).collect();
        W::add_products(self, workspace, &pairs, z)
    }

    /// A workspace that is large enough for a product of these shapes and widths. One that is
    /// smaller may be formed by another kernel, and grow it.
    #[must_use]
    pub fn workspace<W: Word>(
        &self,
        (x_width, y_width): (Width, Width),
        (m, k, n): (usize, usize, usize),
    ) -> Workspace {
        let mut workspace = Workspace::new();
        let problem = self.problem((x_width, y_width), W::BITS, Some([m, k, n]));
        let plan = self.plan(&problem);
        workspace.x.reserve(&plan.layout(Side::Left, x_width, (m, k), false));
        workspace.y.reserve(&plan.layout(Side::Right, y_width, (n, k), false));
        workspace
    }

    /// Packs X for products with right operands of a width. Wider ones may be refused
    /// ([`Error::TooWide`]).
    ///
    /// # Errors
    /// [`Error::BeyondBits`].
    pub fn pack_left<W: Word, T: Operand>(
        &self,
        x: Matrix<'_, T>,
        y: Width,
    ) -> Result<PackedLeft<W>, Error> {
        self.pack_left_as(Form::Digits, x, y)
    }

    /// As [`Self::pack_left`], in the least memory: entries of two bits stay so where AMX
    /// multiplies them, a quarter of the bytes. They become bytes in every product, a strip at a
    /// time, which takes less time than to fetch bytes from beyond the second-level cache.
    ///
    /// # Errors
    /// [`Error::BeyondBits`].
    pub fn pack_left_compact<W: Word, T: Operand>(
        &self,
        x: Matrix<'_, T>,
        y: Width,
    ) -> Result<PackedLeft<W>, Error> {
        self.pack_left_as(Form::TwoBits, x, y)
    }

    fn pack_left_as<W: Word, T: Operand>(
        &self,
        form: Form,
        x: Matrix<'_, T>,
        y: Width,
    ) -> Result<PackedLeft<W>, Error> {
        let plan = self.plan(&self.problem((x.width(), y), W::BITS, None));
        let inner = self.pack(plan, Side::Left, form, AnyMatrix::new(x), y)?;
        Ok(PackedLeft { inner, word: PhantomData })
    }

    /// Packs Y for products with left operands of a width. Wider ones may be refused
    /// ([`Error::TooWide`]).
    ///
    /// # Errors
    /// [`Error::BeyondBits`].
    pub fn pack_right<W: Word, T: Operand>(
        &self,
        y: Matrix<'_, T>,
        x: Width,
    ) -> Result<PackedRight<W>, Error> {
        let plan = self.plan(&self.problem((x, y.width()), W::BITS, None));
        let inner =
            self.pack(plan, Side::Right, Form::Digits, AnyMatrix::new(y.transposed()), x)?;
        Ok(PackedRight { inner, word: PhantomData })
    }

    /// Packs X with |x| <= `bound` <= 5 for products modulo 2^32 with public [`Ternary`] matrices.
    ///
    /// With AVX-512 VBMI up to four entries of a row become one byte (3^4 <= 128), so that `bound`
    /// = 1 takes a quarter of X's memory; elsewhere this is a copy.
    ///
    /// # Errors
    /// [`Error::Bound`] if `bound` is above 5; [`Error::BeyondBound`] if an entry is beyond it.
    ///
    /// # Constant time
    /// In X, but for the verdict.
    pub fn pack_narrow(&self, x: Matrix<'_, i8>, bound: u8) -> Result<PackedNarrow, Error> {
        PackedNarrow::new(self, x, bound)
    }

    /// Whether left operands |x| <= `bound` should be [packed narrow](Self::pack_narrow), and not as
    /// [others](Self::pack_left), for products with public [`Ternary`] matrices of so many columns.
    #[must_use]
    pub fn prefers_narrow(&self, bound: u32, columns: usize) -> bool {
        let Some(terms) = packed_lookup::terms(self.isa(), bound) else { return false };
        let x = Width::signed(u32::BITS - bound.leading_zeros() + 1);
        let problem = self.problem((x, Width::signed(ternary::BITS)), u32::BITS, None);
        problem.prefers_narrow(terms, columns)
    }

    /// Whether the product of a matrix of whole words, m x k, by a secret [`Ternary`] matrix, k x n,
    /// is better formed by look-ups than with a left operand that was packed before.
    #[must_use]
    pub fn prefers_lookups<W: Word>(&self, [m, k, n]: [usize; 3]) -> bool {
        let widths = (Width::of::<W>(), Width::signed(ternary::BITS));
        self.problem(widths, W::BITS, None).prefers_lookups([m, k, n])
    }

    /// Packs a matrix whose rows are the lines, for partners of a width, in a form if it takes it.
    fn pack(
        &self,
        plan: Plan,
        side: Side,
        form: Form,
        lines: AnyMatrix<'_>,
        partner: Width,
    ) -> Result<Packed, Error> {
        let (width, rows, columns) = (lines.width(), lines.rows(), lines.columns());
        let layout = plan.layout(side, width, (rows, columns), false);
        let form = if compact::takes(&layout, width) { form } else { Form::Digits };
        let parallel = self.is_parallel(rows.saturating_mul(columns));
        let (packer, sums) = (plan.kernel.backend.packer(self.isa()), plan.has_sums(side, partner));
        let mut store = Store::default();
        store.pack(packer, &layout, lines, (form, sums), parallel)?;
        Ok(Packed { plan, layout, width, form, store, sums })
    }

    /// Z += X Y mod 2^32 for a secret Y by look-ups in emulated AVX-512 registers, for tools that
    /// do not know them.
    ///
    /// # Errors
    /// [`Error::Shape`].
    #[cfg(any(test, tautochrone_ctgrind))]
    pub fn add_ternary_emulated(
        &self,
        x: Matrix<'_, u32>,
        y: Ternary<'_>,
        z: MatrixMut<'_, u32>,
    ) -> Result<(), Error> {
        check_shapes((x.rows(), x.columns()), y.shape(), &z)?;
        secret_lookup::add_product_emulated(self, x, y, z);
        Ok(())
    }
}

/// A product that is yet to be formed, by [`Multiplier::product`].
#[must_use = "a product is formed by `write_to` or `add_to`"]
pub struct Product<'a, W> {
    multiplier: Multiplier,
    shapes: ((usize, usize), (usize, usize)),
    x: Source<'a>,
    y: Source<'a>,
    /// Y, if it is known to be ternary.
    ternary: Option<Ternary<'a>>,
    workspace: Option<&'a mut Workspace>,
    word: PhantomData<W>,
}

impl<W> fmt::Debug for Product<'_, W> {
    /// The shapes only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((m, k), (rows, n)) = self.shapes;
        write!(f, "Product({m} x {k} by {rows} x {n})")
    }
}

impl<'a, W: Word> Product<'a, W> {
    /// The same, with operands packed in the caller's workspace.
    pub fn in_workspace(self, workspace: &'a mut Workspace) -> Self {
        Self { workspace: Some(workspace), ..self }
    }

    /// Z = X Y mod 2^w, Z m x n; for k = 0, Z becomes zero.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::BeyondBits`], which leaves Z as it is; with packed operands also
    /// [`Error::TooWide`], [`Error::PackedDiffer`] and [`Error::NeedsPublicTernary`].
    pub fn write_to(self, z: MatrixMut<'_, W>) -> Result<(), Error> {
        self.form(z, Update::Overwrite)
    }

    /// Z += X Y mod 2^w, Z m x n.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::BeyondBits`], which leaves Z as it is; with packed operands also
    /// [`Error::TooWide`], [`Error::PackedDiffer`] and [`Error::NeedsPublicTernary`].
    pub fn add_to(self, z: MatrixMut<'_, W>) -> Result<(), Error> {
        self.form(z, Update::Add)
    }

    /// Every way to form it.
    #[doc(hidden)]
    #[must_use]
    pub fn ways(&self) -> Vec<Way> {
        self.problem().ways().map(Way).collect()
    }

    /// The way in which it will be formed, if neither operand is packed or a vector.
    #[doc(hidden)]
    #[must_use]
    pub fn way(&self) -> Way {
        Way(self.multiplier.how(&self.problem()))
    }

    fn problem(&self) -> Problem {
        let ((m, k), (_, n)) = self.shapes;
        let widths = (self.x.width(), self.y.width());
        let problem = self.multiplier.problem(widths, W::BITS, Some([m, k, n]));
        let of_words = matches!(self.x, Source::View(x) if x.typed::<W>().is_some());
        let ternary = self.ternary.filter(|_| of_words).map(|y| y.is_public());
        Problem { ternary, ..problem }
    }

    fn form(self, mut z: MatrixMut<'_, W>, update: Update) -> Result<(), Error> {
        check_shapes(self.shapes.0, self.shapes.1, &z)?;
        if z.is_row_major() {
            return self.form_transposed(z.transposed(), update);
        }
        let (multiplier, x, y) = (&self.multiplier, self.x, self.y);
        if let Source::Narrow(x) = x {
            let public = self.ternary.filter(Ternary::is_public);
            let y = public.ok_or(Error::NeedsPublicTernary)?;
            clear_for(update, &mut z);
            packed_lookup::add_product(multiplier, x, y, z.reborrow().cast());
            reduce(multiplier, &mut z);
            return Ok(());
        }
        if let (Source::View(x), Some(y)) = (x, self.ternary)
            && let how @ (How::Tables(_) | How::Lookups) = multiplier.how(&self.problem())
        {
            clear_for(update, &mut z);
            add_ternary(multiplier, how, x, y, z.reborrow());
            reduce(multiplier, &mut z);
            return Ok(());
        }
        if let (Source::View(x), Source::View(y), None) = (x, y, self.ternary)
            && let Some(product) = by_vector(multiplier, x, y, &z)
        {
            store(&product, z, update);
            return Ok(());
        }
        let mut own = Workspace::new();
        let workspace = self.workspace.unwrap_or(&mut own);
        W::multiply(multiplier, workspace, (x, y), z, update)
    }
}

impl<W: Word> Product<'_, W> {
    /// The transpose of the product: Y^T X^T for views; else by way of a copy.
    fn form_transposed(self, z: MatrixMut<'_, W>, update: Update) -> Result<(), Error> {
        let ((m, k), (_, n)) = self.shapes;
        if let (Source::View(x), Source::View(y), None) = (self.x, self.y, self.ternary) {
            let (x, y) = (Source::View(y.transposed()), Source::View(x.transposed()));
            return Product { shapes: ((n, k), (k, m)), x, y, ..self }.form(z, update);
        }
        by_columns(z.transposed(), update, |z| self.form(z, Update::Overwrite))
    }
}

/// Writes or adds to a row-major Z what `form` makes of zeros, column after column.
fn by_columns<W: Word>(
    z: MatrixMut<'_, W>,
    update: Update,
    form: impl FnOnce(MatrixMut<'_, W>) -> Result<(), Error>,
) -> Result<(), Error> {
    let (m, n) = (z.rows(), z.columns());
    let mut product = Zeroizing::new(vec![W::default(); m * n]);
    form(MatrixMut::column_major(&mut product, m, n)?)?;
    let mut columns = Zeroizing::new(vec![W::default(); m * n]);
    for (i, column) in columns.chunks_exact_mut(n.max(1)).enumerate() {
        for (entry, row) in column.iter_mut().zip(product.chunks_exact(m.max(1))) {
            *entry = row[i];
        }
    }
    store(&columns, z.transposed(), update);
    Ok(())
}

/// X Y where X is a row or Y a column, entry after entry: `None` unless the matrix is dense in one
/// direction, all entries have all bits of their type, and there are loops for that type.
fn by_vector<W: Word>(
    multiplier: &Multiplier,
    x: AnyMatrix<'_>,
    y: AnyMatrix<'_>,
    z: &MatrixMut<'_, W>,
) -> Option<Zeroizing<Vec<W>>> {
    if multiplier.residue_bits(W::BITS) < W::BITS {
        return None;
    }
    let (x, y) = match (z.rows(), z.columns()) {
        (_, 1) => (x, y),
        (1, _) => (y.transposed(), x.transposed()),
        _ => return None,
    };
    // Stated bits are checked by packing.
    if !x.is_dense() || x.is_checked() || y.is_checked() {
        return None;
    }
    let mut product = Zeroizing::new(vec![W::default(); x.rows()]);
    W::multiply_vector(multiplier, x, &matvec::words(y), &mut product).then_some(product)
}

/// Writes or adds entries that lie column after column.
fn store<W: Word>(entries: &[W], mut z: MatrixMut<'_, W>, update: Update) {
    let rows = z.rows();
    for j in 0..z.columns() {
        for (z, &entry) in z.column(j).iter_mut().zip(&entries[j * rows..]) {
            *z = if update == Update::Add { z.wrapping_add(entry) } else { entry };
        }
    }
}

/// The products that follow add.
fn clear_for<W: Word>(update: Update, z: &mut MatrixMut<'_, W>) {
    if update == Update::Overwrite {
        z.clear();
    }
}

/// The last step of products without multiplications, modulo less than `2^w`.
fn reduce<W: Word>(multiplier: &Multiplier, z: &mut MatrixMut<'_, W>) {
    let bits = multiplier.residue_bits(W::BITS);
    if bits < W::BITS {
        z.reduce(bits);
    }
}

/// Z += X Y without multiplications, in a way that [`Problem::takes`].
fn add_ternary<W: Word>(
    multiplier: &Multiplier,
    how: How,
    x: AnyMatrix<'_>,
    y: Ternary<'_>,
    z: MatrixMut<'_, W>,
) {
    match how {
        How::Tables(columns) => {
            let x = x.typed().expect("words");
            W::add_public_ternary(multiplier, x, y, columns, z);
        }
        #[cfg(target_arch = "x86_64")]
        _ => {
            if let (Some(x), Some(token)) = (x.typed(), multiplier.isa().avx512()) {
                secret_lookup::add_product(multiplier, token, x, y, z.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        _ => {}
    }
}

fn check_shapes<W: Word>(
    x: (usize, usize),
    y: (usize, usize),
    z: &MatrixMut<'_, W>,
) -> Result<(), Error> {
    if x.1 == y.0 && x.0 == z.rows() && y.1 == z.columns() {
        return Ok(());
    }
    Err(Error::Shape {
        x_rows: x.0,
        x_columns: x.1,
        y_rows: y.0,
        y_columns: y.1,
        z_rows: z.rows(),
        z_columns: z.columns(),
    })
}
