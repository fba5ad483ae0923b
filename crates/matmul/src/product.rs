//! One product: its plan, packing, and threads around a kernel.

pub(crate) mod packed;
pub(crate) mod plan;
pub(crate) mod workspace;

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::Error;
use crate::kernel::{Target, Task};
use crate::layout::{Layout, Panels, Side};
use crate::matrix::MatrixMut;
use crate::matrix::any::AnyMatrix;
use crate::multiplier::Multiplier;
use crate::operand::Source;
use crate::pack::Form;
use crate::parallel;
use crate::word::Residue;
use packed::Packed;
use plan::{Part, Plan, STRIP_LINES};
use workspace::Workspace;

/// Tasks per thread, so that a thread that falls behind leaves work to others.
const TASKS: usize = 4;

/// The effect of a product on Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    Overwrite,
    Add,
}

/// Z = X Y or Z += X Y, of operands whose shapes agree.
pub(crate) fn multiply<W: Residue>(
    multiplier: &Multiplier,
    workspace: &mut Workspace,
    (x, y): (Source<'_>, Source<'_>),
    mut z: MatrixMut<'_, W>,
    update: Update,
) -> Result<(), Error> {
    let (m, n) = (z.rows(), z.columns());
    let (x_width, y_width) = (x.width(), y.width());
    let plan = match (x, y) {
        (Source::View(x), Source::View(_)) => {
            let size = [m, x.columns(), n];
            multiplier.plan(&multiplier.problem((x_width, y_width), W::BITS, Some(size)))
        }
        (Source::Packed(x), Source::View(_)) => x.plan,
        (Source::View(_), Source::Packed(y)) => y.plan,
        (Source::Packed(x), Source::Packed(y)) if x.plan == y.plan => x.plan,
        (Source::Narrow(_), _) | (_, Source::Narrow(_)) => return Err(Error::NeedsPublicTernary),
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
        Source::View(x) => x.columns(),
        Source::Packed(x) => x.layout.depth,
        Source::Narrow(_) => unreachable!("refused above"),
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
    match (x, y) {
        (Source::Packed(x), _) if x.lacks_sums(&y_layout) => {
            return Err(Error::TooWide { bits: y_width.bits });
        }
        (_, Source::Packed(y)) if y.lacks_sums(&x_layout) => {
            return Err(Error::TooWide { bits: x_width.bits });
        }
        _ => (),
    }
    let packer = plan.kernel.backend.packer(multiplier.isa());
    let parallel = multiplier.is_parallel(m.saturating_mul(n).saturating_mul(k));
    let y_panels = match y {
        Source::Packed(y) => y.panels(),
        Source::View(y) => {
            let sums = y_layout.needs_sums(&x_layout);
            workspace.y.pack(packer, &y_layout, y.transposed(), (Form::Digits, sums), parallel)?;
            workspace.y.panels(y_layout, sums)
        }
        Source::Narrow(_) => unreachable!("refused above"),
    };
    let tasks = if parallel { TASKS * parallel::threads() } else { 1 };
    let form = |x: &Panels<'_>, y: &Panels<'_>, z: MatrixMut<'_, W>, store: bool| {
        form(&plan, tasks, bits, (x, y, &[]), z, store);
    };
    let store = update == Update::Overwrite;
    match x {
        Source::Packed(Packed { layout, form: Form::TwoBits, store: bits, .. }) => {
            let strip = plan::strip(layout, 0, tasks);
            for (panels, rows) in strips(layout, strip) {
                let strip = bits.expand(packer, layout, panels, &mut workspace.x, parallel);
                form(&workspace.x.panels(strip, false), &y_panels, z.rows_in(rows), store);
            }
        }
        Source::Packed(x) => form(&x.panels(), &y_panels, z, store),
        Source::View(x) => {
            let sums = x_layout.needs_sums(&y_layout);
            // Z is left as it is where packing finds an entry that is refused.
            let whole = x.is_checked();
            let part = if whole || sums || y_layout.needs_sums(&x_layout) {
                Part { blocks: x_layout.blocks(), lines: STRIP_LINES }
            } else {
                Part::new(&x_layout, &y_layout)
            };
            for first in (0..x_layout.blocks()).step_by(part.blocks) {
                let blocks = first..x_layout.blocks().min(first + part.blocks);
                let terms = blocks.start * plan.depth..k.min(blocks.end * plan.depth);
                let x_layout = Layout { depth: terms.len(), ..x_layout };
                let some = (blocks.len() < y_panels.blocks()).then(|| y_panels.blocks_in(&blocks));
                let y_panels = some.as_ref().unwrap_or(&y_panels);
                let strip = if whole { m } else { plan::strip(&x_layout, part.lines, tasks) };
                for (_, rows) in strips(&x_layout, strip) {
                    let layout = Layout { lines: rows.len(), ..x_layout };
                    let x = x.part(rows.clone(), terms.clone());
                    workspace.x.pack(packer, &layout, x, (Form::Digits, sums), parallel)?;
                    let x_panels = workspace.x.panels(layout, sums);
                    form(&x_panels, y_panels, z.rows_in(rows), store && first == 0);
                }
            }
        }
        Source::Narrow(_) => unreachable!("refused above"),
    }
    Ok(())
}

/// The panels and the lines of an operand in strips of so many lines.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn strips(layout: &Layout, strip: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let (height, lines) = (layout.shape.lines, layout.lines);
    (0..lines).step_by(strip.max(1)).map(move |first| {
        let end = lines.min(first + strip);
        (first / height..end.div_ceil(height), first..end)
    })
}

/// Z += X_1 Y_1 + X_2 Y_2 + .., of operands whose shapes agree.
pub(crate) fn add_products<W: Residue>(
    multiplier: &Multiplier,
    workspace: &mut Workspace,
    pairs: &[(&Packed, AnyMatrix<'_>)],
    mut z: MatrixMut<'_, W>,
) -> Result<(), Error> {
    let Some((first, _)) = pairs.first() else { return Ok(()) };
    let plan = first.plan;
    let terms: usize = pairs.iter().map(|(x, _)| x.layout.depth).sum();
    let bits = multiplier.residue_bits(W::BITS);
    let (m, n) = (z.rows(), z.columns());
    let parallel = multiplier.is_parallel(m.saturating_mul(n).saturating_mul(terms));
    let packer = plan.kernel.backend.packer(multiplier.isa());
    let (mut strips_of_x, mut stores) = (Vec::new(), Vec::with_capacity(pairs.len()));
    for ((x, y), (strip, store)) in pairs.iter().zip(workspace.pairs(pairs.len())) {
        let width = y.width();
        if x.plan != plan || plan.word < bits {
            return Err(Error::PackedDiffer);
        }
        if plan.kernel.digit.exact_depth(x.width, width, plan.word) < plan.depth {
            return Err(Error::TooWide { bits: width.bits });
        }
        let layout = plan.layout(Side::Right, width, (n, x.layout.depth), false);
        if x.lacks_sums(&layout) {
            return Err(Error::TooWide { bits: width.bits });
        }
        let sums = layout.needs_sums(&x.layout);
        store.pack(packer, &layout, y.transposed(), (Form::Digits, sums), parallel)?;
        strips_of_x.push(strip);
        stores.push((&*store, layout, sums));
    }
    let tasks = if parallel { TASKS * parallel::threads() } else { 1 };
    let add = |panels: &[(Panels<'_>, Panels<'_>)], z: MatrixMut<'_, W>| {
        let Some(((x, y), more)) = panels.split_first() else { return };
        form(&plan, tasks, bits, (x, y, more), z, false);
    };
    let operands = || pairs.iter().map(|(x, _)| *x).zip(&stores);
    let operands = || operands().filter(|(x, _)| x.layout.depth > 0 && m > 0 && n > 0);
    let digits = operands()
        .filter(|(x, _)| x.form == Form::Digits)
        .map(|(x, (store, layout, sums))| (x.panels(), store.panels(*layout, *sums)));
    add(&digits.collect::<Vec<_>>(), z.reborrow());

    let two_bits: Vec<_> = operands()
        .filter(|(x, _)| x.form == Form::TwoBits)
        .map(|(x, y)| (&x.store, &x.layout, y))
        .collect();
    let Some((_, first, _)) = two_bits.first() else { return Ok(()) };
    // A strip of all of them together has to stay in the cache.
    let all = Layout { depth: two_bits.iter().map(|(_, layout, _)| layout.depth).sum(), ..**first };
    for (panels, rows) in strips(first, plan::strip(&all, 0, tasks)) {
        let expanded = two_bits.iter().zip(&mut strips_of_x);
        let expanded = expanded.map(|((bits, layout, (y, y_layout, sums)), store)| {
            let strip = bits.expand(packer, layout, panels.clone(), store, parallel);
            (store.panels(strip, false), y.panels(*y_layout, *sums))
        });
        add(&expanded.collect::<Vec<_>>(), z.rows_in(rows));
    }
    Ok(())
}

/// X, Y, and further pairs of operands whose products are added.
type Operands<'a> = (&'a Panels<'a>, &'a Panels<'a>, &'a [(Panels<'a>, Panels<'a>)]);

/// Writes, or adds, a product of packed operands modulo `2^bits`, in so many tasks.
fn form<W: Residue>(
    plan: &Plan,
    tasks: usize,
    bits: u32,
    (x, y, more): Operands<'_>,
    mut z: MatrixMut<'_, W>,
    store: bool,
) {
    let task = Task {
        x,
        y,
        more,
        z: Target::new(&mut z),
        rows: 0..x.panels(),
        columns: 0..y.panels(),
        store,
        residues: W::truncate(u64::MAX >> (64 - bits)),
        word: plan.word,
    };
    spread(plan, task, tasks);
}

/// Half of some panels, in pairs where there are some: the kernel for tiles takes them so.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn half(panels: usize) -> usize {
    if panels < 4 { panels / 2 } else { (panels / 2).next_multiple_of(2) }
}

/// Halves a task along its longer side until there is a piece for every task.
fn spread<W: Residue>(plan: &Plan, task: Task<'_, W>, tasks: usize) {
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
