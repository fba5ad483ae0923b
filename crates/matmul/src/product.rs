//! One product: its plan, packing, and threads around a kernel.

pub(crate) mod packed;
pub(crate) mod plan;
pub(crate) mod workspace;

use crate::error::Error;
use crate::kernel::{Target, Task};
use crate::layout::Side;
use crate::matrix::MatrixMut;
use crate::matrix::any::{AnyMatrix, with_matrix};
use crate::multiplier::Multiplier;
use crate::parallel;
use crate::width::Width;
use crate::word::Word;
use packed::Packed;
use plan::Plan;
use workspace::Workspace;

/// Tasks per thread, so that a thread that falls behind leaves work to others.
const TASKS: usize = 4;

/// An operand without its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    View(AnyMatrix<'a>),
    Packed(&'a Packed),
}

impl Source<'_> {
    /// The values that entries may take.
    pub(crate) fn width(self) -> Width {
        match self {
            Self::View(view) => with_matrix!(view, view => view.width()),
            Self::Packed(packed) => packed.width,
        }
    }
}

/// What a product does to Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    Overwrite,
    Add,
}

/// Z = X Y or Z += X Y, of operands whose shapes agree.
pub(crate) fn multiply<W: Word>(
    multiplier: &Multiplier,
    workspace: &mut Workspace,
    (x, y): (Source<'_>, Source<'_>),
    mut z: MatrixMut<'_, W>,
    update: Update,
) -> Result<(), Error> {
    let (m, n) = (z.rows(), z.columns());
    let (x_width, y_width) = (x.width(), y.width());
    let plan = match (x, y) {
        (Source::View(_), Source::View(_)) => multiplier.plan(x_width, y_width, W::BITS),
        (Source::Packed(x), Source::View(_)) => x.plan,
        (Source::View(_), Source::Packed(y)) => y.plan,
        (Source::Packed(x), Source::Packed(y)) if x.plan == y.plan => x.plan,
        _ => return Err(Error::PackedDiffer),
    };
    let bits = multiplier.residue_bits(W::BITS);
    if plan.word < bits {
        return Err(Error::PackedDiffer);
    }
    if plan.kernel.digit.exact_depth(x_width, y_width, plan.word) < plan.depth {
        let view = if matches!(x, Source::View(_)) { x_width } else { y_width };
        return Err(Error::TooWide { bits: view.bits });
    }
    let k = match x {
        Source::View(x) => with_matrix!(x, x => x.columns()),
        Source::Packed(x) => x.layout.depth,
    };
    if k == 0 && update == Update::Overwrite {
        z.clear();
    }
    if m == 0 || n == 0 || k == 0 {
        if bits < W::BITS {
            z.reduce(bits);
        }
        return Ok(());
    }

    let offsets = matches!((x, y), (Source::View(_), Source::View(_)));
    let x_layout = plan.layout(Side::Left, x_width, (m, k), offsets);
    let y_layout = plan.layout(Side::Right, y_width, (n, k), offsets);
    let packer = plan.kernel.backend.packer();
    let parallel = multiplier.is_parallel(m.saturating_mul(n).saturating_mul(k));
    let x_panels = match x {
        Source::Packed(x) => x.panels(),
        Source::View(x) => {
            let sums = x_layout.needs_sums(&y_layout);
            with_matrix!(x, x => workspace.x.pack(packer, &x_layout, x, sums, parallel))?;
            workspace.x.panels(x_layout, sums)
        }
    };
    let y_panels = match y {
        Source::Packed(y) => y.panels(),
        Source::View(y) => {
            let sums = y_layout.needs_sums(&x_layout);
            with_matrix!(y, y => workspace.y.pack(packer, &y_layout, y.transposed(), sums, parallel))?;
            workspace.y.panels(y_layout, sums)
        }
    };
    let task = Task {
        x: &x_panels,
        y: &y_panels,
        z: Target::new(&mut z),
        rows: 0..x_panels.panels(),
        columns: 0..y_panels.panels(),
        store: update == Update::Overwrite,
        residues: W::truncate(u64::MAX >> (64 - bits)),
        word: plan.word,
    };
    let tasks = if parallel { TASKS * parallel::threads() } else { 1 };
    spread(&plan, task, tasks);
    Ok(())
}

/// Half of some panels, in pairs where there are some: the kernel for tiles takes them so.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn half(panels: usize) -> usize {
    if panels < 4 { panels / 2 } else { (panels / 2).next_multiple_of(2) }
}

/// Halves a task along its longer side until there is a piece for every task.
fn spread<W: Word>(plan: &Plan, task: Task<'_, W>, tasks: usize) {
    let (rows, columns) = (task.rows.len(), task.columns.len());
    if tasks <= 1 || rows.max(columns) <= 1 {
        return plan.kernel.run(&task);
    }
    let (mut left, mut right) = (task.clone(), task);
    if columns >= rows {
        let middle = left.columns.start + half(columns);
        left.columns.end = middle;
        right.columns.start = middle;
    } else {
        let middle = left.rows.start + half(rows);
        left.rows.end = middle;
        right.rows.start = middle;
    }
    let share = tasks >> 1;
    parallel::join(|| spread(plan, left, share), || spread(plan, right, tasks - share));
}
