//! The calls of users: [`Multiplier::product`] and what prepares operands for it.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use zeroize::Zeroizing;

use crate::choose::{How, Problem, Way};
use crate::error::Error;
use crate::layout::Side;
use crate::matrix::any::{AnyMatrix, AnyMatrixMut, with_matrix};
use crate::matrix::{Matrix, MatrixMut};
use crate::matvec;
use crate::multiplier::Multiplier;
use crate::operand::{Left, Right, Source};
use crate::pack::{Form, Store, compact};
use crate::product::packed::{Packed, PackedLeft, PackedRight};
use crate::product::plan::Plan;
use crate::product::workspace::Workspace;
use crate::product::{self, Update};
use crate::ternary::packed_lookup::{self, PackedNarrow};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::ternary::secret_lookup;
use crate::ternary::{self, Ternary, public_tables};
use crate::width::Width;
use crate::word::{Operand, Word};

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
        x: impl Into<Left<'a, W>>,
        y: impl Into<Right<'a, W>>,
    ) -> Product<'a, W> {
        let (x, y): (Left<'a, W>, Right<'a, W>) = (x.into(), y.into());
        self.product_of(Pairs::One([(x.source, y.source)]))
    }

    /// X_1 Y_1 + X_2 Y_2 + .. mod 2^w: one product whose operands lie apart. All left operands were
    /// packed for right ones of the same width.
    ///
    /// With AMX the sums stay in tiles from pair to pair, so that Z is read and written only once
    /// for several.
    pub fn sum_of_products<'a, W: Word, T: Operand>(
        &self,
        pairs: &[(&'a PackedLeft<W>, Matrix<'a, T>)],
    ) -> Product<'a, W> {
        let sources = pairs
            .iter()
            .map(|&(x, y)| (Left::<'a, W>::from(x).source, Right::<'a, W>::from(y).source));
        self.product_of(Pairs::Several(sources.collect()))
    }

    fn product_of<'a, W>(&self, pairs: Pairs<'a>) -> Product<'a, W> {
        let call = Call { multiplier: *self, pairs, workspace: None };
        Product { call, word: PhantomData }
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

    /// Whether left operands |x| <= `bound` should be [packed narrow](Self::pack_narrow), and not
    /// as [others](Self::pack_left), for products with public [`Ternary`] matrices of so many
    /// columns.
    #[must_use]
    pub fn prefers_narrow(&self, bound: u32, columns: usize) -> bool {
        let Some(terms) = packed_lookup::terms(self.isa(), bound) else { return false };
        let x = Width::signed(u32::BITS - bound.leading_zeros() + 1);
        let problem = self.problem((x, Width::signed(ternary::BITS)), u32::BITS, None);
        problem.prefers_narrow(terms, columns)
    }

    /// Whether the product of a matrix of whole words, m x k, by a secret [`Ternary`] matrix, k x
    /// n, is better formed by look-ups than with a left operand that was packed before.
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

/// A product that is yet to be formed, by [`Multiplier::product`] or
/// [`Multiplier::sum_of_products`].
#[must_use = "a product is formed by `write_to` or `add_to`"]
#[derive(Debug)]
pub struct Product<'a, W> {
    call: Call<'a>,
    word: PhantomData<W>,
}

impl<'a, W: Word> Product<'a, W> {
    /// The same, with operands packed in the caller's workspace.
    pub fn in_workspace(mut self, workspace: &'a mut Workspace) -> Self {
        self.call.workspace = Some(workspace);
        self
    }

    /// Z = X Y mod 2^w, Z m x n; for k = 0, Z becomes zero.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::BeyondBits`], which leaves Z as it is; with packed operands also
    /// [`Error::TooWide`], [`Error::PackedDiffer`] and [`Error::NeedsPublicTernary`].
    pub fn write_to(self, z: MatrixMut<'_, W>) -> Result<(), Error> {
        self.call.form_any(AnyMatrixMut::new(z), Update::Overwrite)
    }

    /// Z += X Y mod 2^w, Z m x n.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::BeyondBits`], which leaves Z as it is; with packed operands also
    /// [`Error::TooWide`], [`Error::PackedDiffer`] and [`Error::NeedsPublicTernary`].
    pub fn add_to(self, z: MatrixMut<'_, W>) -> Result<(), Error> {
        self.call.form_any(AnyMatrixMut::new(z), Update::Add)
    }

    /// Every way to form it.
    #[doc(hidden)]
    #[must_use]
    pub fn ways(&self) -> Vec<Way> {
        let [(x, y)] = *self.call.pairs.as_slice() else { return Vec::new() };
        self.call.problem::<W>(x, y).ways().map(Way).collect()
    }

    /// The way in which it will be formed, if neither operand is packed or a vector.
    #[doc(hidden)]
    #[must_use]
    pub fn way(&self) -> Option<Way> {
        let [(x, y)] = *self.call.pairs.as_slice() else { return None };
        Some(Way(self.call.multiplier.how(&self.call.problem::<W>(x, y))))
    }
}

/// A product without its type of words, whose code is compiled once, in this crate, and not in
/// every crate that multiplies.
#[derive(Debug)]
struct Call<'a> {
    multiplier: Multiplier,
    pairs: Pairs<'a>,
    workspace: Option<&'a mut Workspace>,
}

/// The operands of one product, or of several that are added up.
#[derive(Debug)]
enum Pairs<'a> {
    One([(Source<'a>, Source<'a>); 1]),
    Several(Vec<(Source<'a>, Source<'a>)>),
}

impl<'a> Pairs<'a> {
    const fn as_slice(&self) -> &[(Source<'a>, Source<'a>)] {
        match self {
            Self::One(pair) => pair,
            Self::Several(pairs) => pairs.as_slice(),
        }
    }
}

impl Call<'_> {
    fn form_any(self, z: AnyMatrixMut<'_>, update: Update) -> Result<(), Error> {
        match z {
            AnyMatrixMut::U8(z) => self.form(z, update),
            AnyMatrixMut::U16(z) => self.form(z, update),
            AnyMatrixMut::U32(z) => self.form(z, update),
            AnyMatrixMut::U64(z) => self.form(z, update),
        }
    }

    fn form<W: Word>(self, mut z: MatrixMut<'_, W>, update: Update) -> Result<(), Error> {
        for (x, y) in self.pairs.as_slice() {
            check_shapes(x.shape(Side::Left), y.shape(Side::Right), &z)?;
        }
        if z.is_row_major() {
            return self.form_transposed(z.transposed(), update);
        }
        let multiplier = &self.multiplier;
        match *self.pairs.as_slice() {
            [(Source::Narrow(x), Source::Ternary(y))] if y.is_public() => {
                clear_for(update, &mut z);
                packed_lookup::add_product(multiplier, x, y, z.reborrow().cast());
                reduce(multiplier, &mut z);
                return Ok(());
            }
            [(x @ Source::View(words), y @ Source::Ternary(ternary))] => {
                let how = multiplier.how(&self.problem::<W>(x, y));
                if !Way(how).multiplies() {
                    clear_for(update, &mut z);
                    add_ternary(multiplier, how, words, ternary, z.reborrow());
                    reduce(multiplier, &mut z);
                    return Ok(());
                }
            }
            [(Source::View(x), Source::View(y))] => {
                if let Some(product) = by_vector(multiplier, x, y, &z) {
                    let rows = z.rows();
                    store(&mut z, update, |i, j| product[i + j * rows]);
                    return Ok(());
                }
            }
            _ => {}
        }
        let mut own = Workspace::new();
        let workspace = self.workspace.unwrap_or(&mut own);
        product::multiply(multiplier, workspace, self.pairs.as_slice(), z, update)
    }

    /// The transpose of the product: Y^T X^T for views; else by way of a copy.
    fn form_transposed<W: Word>(
        self,
        mut z: MatrixMut<'_, W>,
        update: Update,
    ) -> Result<(), Error> {
        if let [(Source::View(x), Source::View(y))] = *self.pairs.as_slice() {
            let pair = (Source::View(y.transposed()), Source::View(x.transposed()));
            return Self { pairs: Pairs::One([pair]), ..self }.form(z, update);
        }
        let (multiplier, m, n) = (self.multiplier, z.columns(), z.rows());
        let mut product = Zeroizing::new(vec![W::default(); m * n]);
        self.form(MatrixMut::column_major(&mut product, m, n)?, Update::Overwrite)?;
        store(&mut z, update, |i, j| product[j + i * m]);
        reduce(&multiplier, &mut z);
        Ok(())
    }

    /// The problem of a pair.
    fn problem<W: Word>(&self, x: Source<'_>, y: Source<'_>) -> Problem {
        let ((m, k), (_, n)) = (x.shape(Side::Left), y.shape(Side::Right));
        let problem = self.multiplier.problem((x.width(), y.width()), W::BITS, Some([m, k, n]));
        let ternary = match (x, y) {
            (Source::View(x), Source::Ternary(y)) if x.typed::<W>().is_some() => {
                Some(y.is_public())
            }
            _ => None,
        };
        Problem { ternary, ..problem }
    }
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
    let y = matvec::words::<W>(y);
    with_matrix!(x, x => matvec::multiply(multiplier, x, &y, &mut product)).then_some(product)
}

/// Writes or adds entries.
fn store<W: Word>(z: &mut MatrixMut<'_, W>, update: Update, entry: impl Fn(usize, usize) -> W) {
    for j in 0..z.columns() {
        for (i, z) in z.column(j).iter_mut().enumerate() {
            let entry = entry(i, j);
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
            public_tables::add_product(multiplier, x, y, columns, AnyMatrixMut::new(z));
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
