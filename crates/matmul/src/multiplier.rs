//! [`Multiplier`]: plans, packing and threads around the kernels.

use core::marker::PhantomData;

use tautochrone_simd::Isa;

use crate::digits::{Encoding, Width};
use crate::error::Error;
use crate::kernel::{Job, Way};
use crate::matrix::{AnyMatrix, Matrix, MatrixMut, with_matrix};
use crate::operand::{Left, Right, Source};
use crate::pack::{Layout, Side, Store};
use crate::packed::{Packed, PackedLeft, PackedRight};
use crate::parallel;
use crate::plan::Plan;
use crate::word::{Operand, Word};
use crate::workspace::Workspace;

/// Which threads a product may use. The result never depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread.
    One,
    /// The rayon pool that the caller runs in, the global one by default; without the feature `rayon`, as `One`.
    #[default]
    Ambient,
}

/// Products of fewer terms than this stay on the calling thread: about 50 microseconds of work.
const PARALLEL_TERMS: usize = 1 << 20;
/// Tasks per thread, so that a thread that falls behind leaves work to others.
const TASKS: usize = 4;

/// Forms products on one instruction set. Cheap to make, holds no memory.
///
/// # Constant time
/// In all entries of all operands. Variable in shapes, strides, element types and promised widths, which are public.
#[derive(Clone, Copy, Debug)]
pub struct Multiplier {
    isa: Isa,
    threads: Threads,
    forced: Option<Way>,
}

impl Default for Multiplier {
    fn default() -> Self {
        Self::new()
    }
}

impl Multiplier {
    /// On the best instruction set and the ambient threads.
    #[must_use]
    pub fn new() -> Self {
        Self::new_on(Isa::detect())
    }

    /// On a chosen instruction set and the ambient threads.
    #[must_use]
    pub const fn new_on(isa: Isa) -> Self {
        Self { isa, threads: Threads::Ambient, forced: None }
    }

    /// The same, on these threads.
    #[must_use]
    pub const fn with_threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// The instruction set.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

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
        W::product(self, workspace, x.source(), y.source(), z, Sum::Store)
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
        W::product(self, workspace, x.source(), y.source(), z, Sum::Add)
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
        workspace.x.reserve(&layout(&plan, Side::Left, x_width, (m, k)));
        workspace.y.reserve(&layout(&plan, Side::Right, y_width, (n, k)));
        workspace
    }

    /// Packs X for products with right operands of a width. Wider ones may be refused ([`Error::TooWide`]).
    #[must_use]
    pub fn pack_left<W: Word, T: Operand>(&self, x: Matrix<'_, T>, y: Width) -> PackedLeft<W> {
        let plan = self.plan(x.width(), y, W::BITS);
        PackedLeft { inner: self.pack(plan, Side::Left, T::erase(x)), word: PhantomData }
    }

    /// Packs Y for products with left operands of a width. Wider ones may be refused ([`Error::TooWide`]).
    #[must_use]
    pub fn pack_right<W: Word, T: Operand>(&self, y: Matrix<'_, T>, x: Width) -> PackedRight<W> {
        let plan = self.plan(x, y.width(), W::BITS);
        let lines = T::erase(y.transposed());
        PackedRight { inner: self.pack(plan, Side::Right, lines), word: PhantomData }
    }

    /// Packs a matrix whose rows are the lines.
    fn pack(&self, plan: Plan, side: Side, lines: AnyMatrix<'_>) -> Packed {
        let (width, (rows, columns)) =
            with_matrix!(lines, lines => (lines.width(), (lines.rows(), lines.columns())));
        let layout = layout(&plan, side, width, (rows, columns));
        let mut store = Store::default();
        let parallel = self.is_parallel(rows.saturating_mul(columns));
        with_matrix!(lines, lines => store.pack(&layout, lines, true, parallel));
        Packed { plan, layout, width, store }
    }

    fn plan(&self, x: Width, y: Width, word: u32) -> Plan {
        match self.forced {
            Some(way) => Plan::with(way, x, y, word),
            None => None,
        }
        .unwrap_or_else(|| Plan::new(self.isa, x, y, word))
    }

    pub(crate) fn is_parallel(&self, terms: usize) -> bool {
        self.threads == Threads::Ambient && terms >= PARALLEL_TERMS && parallel::threads() > 1
    }

    pub(crate) fn product<W: Word>(
        &self,
        workspace: &mut Workspace,
        x: Source<'_>,
        y: Source<'_>,
        mut z: MatrixMut<'_, W>,
        sum: Sum,
    ) -> Result<(), Error> {
        let (m, n) = (z.rows(), z.columns());
        let (x_width, y_width) = (x.width(), y.width());
        let plan = match (x, y) {
            (Source::View(_), Source::View(_)) => self.plan(x_width, y_width, W::BITS),
            (Source::Packed(x), Source::View(_)) => x.plan,
            (Source::View(_), Source::Packed(y)) => y.plan,
            (Source::Packed(x), Source::Packed(y)) if x.plan == y.plan => x.plan,
            _ => return Err(Error::PackedDiffer),
        };
        if plan.way.digit.exact_depth(x_width, y_width, W::BITS) < plan.depth {
            let view = if matches!(x, Source::View(_)) { x_width } else { y_width };
            return Err(Error::TooWide { bits: view.bits });
        }
        let k = match x {
            Source::View(x) => with_matrix!(x, x => x.columns()),
            Source::Packed(x) => x.layout.depth,
        };
        if k == 0 && sum == Sum::Store {
            z.clear();
        }
        if m == 0 || n == 0 || k == 0 {
            return Ok(());
        }

        let x_layout = layout(&plan, Side::Left, x_width, (m, k));
        let y_layout = layout(&plan, Side::Right, y_width, (n, k));
        let parallel = self.is_parallel(m.saturating_mul(n).saturating_mul(k));
        let x_panels = match x {
            Source::Packed(x) => x.store.panels(x.layout, true),
            Source::View(x) => {
                let sums = x_layout.needs_sums(&y_layout);
                with_matrix!(x, x => workspace.x.pack(&x_layout, x, sums, parallel));
                workspace.x.panels(x_layout, sums)
            }
        };
        let y_panels = match y {
            Source::Packed(y) => y.store.panels(y.layout, true),
            Source::View(y) => {
                let sums = y_layout.needs_sums(&x_layout);
                with_matrix!(y, y => workspace.y.pack(&y_layout, y.transposed(), sums, parallel));
                workspace.y.panels(y_layout, sums)
            }
        };
        let job = Job {
            x: &x_panels,
            y: &y_panels,
            z: z.target(),
            rows: 0..x_panels.panels(),
            columns: 0..y_panels.panels(),
            store: sum == Sum::Store,
        };
        let tasks = if parallel { TASKS * parallel::threads() } else { 1 };
        spread(&plan, job, tasks);
        Ok(())
    }
}

#[cfg(test)]
impl Multiplier {
    /// The same, going this way wherever it gives exact sums.
    pub(crate) const fn forced(self, way: Way) -> Self {
        Self { forced: Some(way), ..self }
    }
}

/// What happens to Z.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    Store,
    Add,
}

impl Source<'_> {
    fn width(self) -> Width {
        match self {
            Self::View(view) => with_matrix!(view, view => view.width()),
            Self::Packed(packed) => packed.width,
        }
    }
}

pub(crate) fn check<W: Word>(
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

fn layout(plan: &Plan, side: Side, width: Width, (lines, depth): (usize, usize)) -> Layout {
    let (x_signed, y_signed) = plan.way.signs();
    let signed = if side == Side::Left { x_signed } else { y_signed };
    let encoding = Encoding::new(plan.way.digit, signed, width, plan.word);
    Layout::new(plan, side, encoding, lines, depth)
}

/// Halves a job along its longer side until there is a piece for every task.
fn spread<W: Word>(plan: &Plan, job: Job<'_, W>, tasks: usize) {
    let (rows, columns) = (job.rows.len(), job.columns.len());
    if tasks <= 1 || rows.max(columns) <= 1 {
        return plan.way.run(&job);
    }
    let (mut left, mut right) = (job.clone(), job);
    if columns >= rows {
        let middle = left.columns.start + columns / 2;
        left.columns.end = middle;
        right.columns.start = middle;
    } else {
        let middle = left.rows.start + rows / 2;
        left.rows.end = middle;
        right.rows.start = middle;
    }
    let half = tasks / 2;
    parallel::join(|| spread(plan, left, half), || spread(plan, right, tasks - half));
}
