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
use crate::multiplier::Multiplier;
use crate::operand::Source;
use crate::pack::{Form, Packer, Store};
use crate::parallel;
use crate::word::Word;
use plan::{Part, Plan, STRIP_LINES};
use workspace::Workspace;

/// Tasks per thread, so that a thread that falls behind leaves work to others.
const TASKS: usize = 4;

/// The effect of a product on Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    Overwrite,
    Add,
}

/// Z = X Y or Z += X Y, or a sum of such products whose left operands were packed, of operands
/// whose shapes agree.
pub(crate) fn multiply<W: Word>(
    multiplier: &Multiplier,
    workspace: &mut Workspace,
    pairs: &[(Source<'_>, Source<'_>)],
    mut z: MatrixMut<'_, W>,
    update: Update,
) -> Result<(), Error> {
    let (m, n) = (z.rows(), z.columns());
    let bits = multiplier.residue_bits(W::BITS);
    let (mut common, mut terms) = (None, 0_usize);
    for &(x, y) in pairs {
        let plan = plan_of(multiplier, x, y, W::BITS)?;
        if plan.word < bits || *common.get_or_insert(plan) != plan {
            return Err(Error::PackedDiffer);
        }
        check_partners(&plan, x, y)?;
        terms = terms.saturating_add(x.shape(Side::Left).1);
    }
    let Some(plan) = common.filter(|_| m > 0 && n > 0 && terms > 0) else {
        if update == Update::Overwrite {
            z.clear();
        }
        if bits < W::BITS {
            z.reduce(bits);
        }
        return Ok(());
    };
    let packer = plan.kernel.backend.packer(multiplier.isa());
    let parallel = multiplier.is_parallel(m.saturating_mul(n).saturating_mul(terms));
    let tasks = if parallel { TASKS * parallel::threads() } else { 1 };
    let form = |operands: &[(Panels<'_>, Panels<'_>)], z: MatrixMut<'_, W>, store: bool| {
        form(&plan, tasks, bits, operands, z, store);
    };
    let store = update == Update::Overwrite;
    if let [(x, y)] = *pairs
        && let Some(view) = x.view()
    {
        let (x_layout, y_layout) = layouts(&plan, x, y);
        let y = right(packer, &mut workspace.y, y, (&x_layout, &y_layout), parallel)?;
        let sums = x_layout.needs_sums(&y_layout);
        // Z is left as it is where packing finds an entry that is refused.
        let whole = view.is_checked();
        let part = if whole || sums || y_layout.needs_sums(&x_layout) {
            Part { blocks: x_layout.blocks(), lines: STRIP_LINES }
        } else {
            Part::new(&x_layout, &y_layout)
        };
        for first in (0..x_layout.blocks()).step_by(part.blocks) {
            let blocks = first..x_layout.blocks().min(first + part.blocks);
            let terms = blocks.start * plan.depth..terms.min(blocks.end * plan.depth);
            let x_layout = Layout { depth: terms.len(), ..x_layout };
            let y = if blocks.len() < y.blocks() { y.blocks_in(&blocks) } else { y };
            let strip = if whole { m } else { plan::strip(&x_layout, part.lines, tasks) };
            for (_, rows) in strips(&x_layout, strip) {
                let layout = Layout { lines: rows.len(), ..x_layout };
                let lines = view.part(rows.clone(), terms.clone());
                workspace.x.pack(packer, &layout, lines, (Form::Digits, sums), parallel)?;
                let x = workspace.x.panels(layout, sums);
                form(&[(x, y)], z.rows_in(rows), store && first == 0);
            }
        }
        return Ok(());
    }

    let (mut digits, mut two_bits) = (Vec::with_capacity(pairs.len()), Vec::new());
    for (&(x, y), (strip, memory)) in pairs.iter().zip(workspace.pairs(pairs.len())) {
        let (x_layout, y_layout) = layouts(&plan, x, y);
        let y = right(packer, memory, y, (&x_layout, &y_layout), parallel)?;
        match x.packed() {
            Some(x) if x.layout.depth == 0 => (),
            Some(x) if x.form == Form::TwoBits => two_bits.push((x, strip, y)),
            Some(x) => digits.push((x.panels(), y)),
            None => unreachable!("left operands of a sum were packed"),
        }
    }
    form(&digits, z.reborrow(), store);
    let store = store && digits.is_empty();
    let Some((first, ..)) = two_bits.first() else { return Ok(()) };
    // A strip of all of them together has to stay in the cache.
    let depth = two_bits.iter().map(|(x, ..)| x.layout.depth).sum();
    let all = Layout { depth, ..first.layout };
    for (panels, rows) in strips(&all, plan::strip(&all, 0, tasks)) {
        let expanded = two_bits.iter_mut().map(|(x, strip, y)| {
            let layout = x.store.expand(packer, &x.layout, panels.clone(), strip, parallel);
            (strip.panels(layout, false), *y)
        });
        form(&expanded.collect::<Vec<_>>(), z.rows_in(rows), store);
    }
    Ok(())
}

/// The plan for which operands were packed, or the one that is chosen for views.
fn plan_of(
    multiplier: &Multiplier,
    x: Source<'_>,
    y: Source<'_>,
    word: u32,
) -> Result<Plan, Error> {
    if let Source::Narrow(_) = x {
        return Err(Error::NeedsPublicTernary);
    }
    match (x.packed(), y.packed()) {
        (Some(x), Some(y)) if x.plan != y.plan => Err(Error::PackedDiffer),
        (Some(packed), _) | (None, Some(packed)) => Ok(packed.plan),
        (None, None) => {
            let ((m, k), (_, n)) = (x.shape(Side::Left), y.shape(Side::Right));
            let widths = (x.width(), y.width());
            Ok(multiplier.plan(&multiplier.problem(widths, word, Some([m, k, n]))))
        }
    }
}

/// Whether operands that were packed take their partners, which may be wider than was said.
fn check_partners(plan: &Plan, x: Source<'_>, y: Source<'_>) -> Result<(), Error> {
    let (x_width, y_width) = (x.width(), y.width());
    let (x_layout, y_layout) = layouts(plan, x, y);
    let too_wide = |partner: Source<'_>| Err(Error::TooWide { bits: partner.width().bits });
    if plan.kernel.digit.exact_depth(x_width, y_width, plan.word) < plan.depth {
        return too_wide(if x.packed().is_some() { y } else { x });
    }
    if x.packed().is_some_and(|x| x.lacks_sums(&y_layout)) {
        return too_wide(y);
    }
    if y.packed().is_some_and(|y| y.lacks_sums(&x_layout)) {
        return too_wide(x);
    }
    Ok(())
}

/// How the digits of both operands lie.
fn layouts(plan: &Plan, x: Source<'_>, y: Source<'_>) -> (Layout, Layout) {
    let offsets = x.packed().is_none() && y.packed().is_none();
    let (size, (depth, columns)) = (x.shape(Side::Left), y.shape(Side::Right));
    let x = plan.layout(Side::Left, x.width(), size, offsets);
    (x, plan.layout(Side::Right, y.width(), (columns, depth), offsets))
}

/// A right operand as digits, which are made in `memory` unless it was packed.
fn right<'a>(
    packer: Packer,
    memory: &'a mut Store,
    y: Source<'a>,
    (x_layout, y_layout): (&Layout, &Layout),
    parallel: bool,
) -> Result<Panels<'a>, Error> {
    let Some(view) = y.view() else {
        return Ok(y.packed().expect("a right operand is a view or packed").panels());
    };
    let sums = y_layout.needs_sums(x_layout);
    memory.pack(packer, y_layout, view.transposed(), (Form::Digits, sums), parallel)?;
    Ok(memory.panels(*y_layout, sums))
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

/// Writes, or adds, the sum of products of packed operands modulo `2^bits`, in so many tasks.
fn form<W: Word>(
    plan: &Plan,
    tasks: usize,
    bits: u32,
    operands: &[(Panels<'_>, Panels<'_>)],
    mut z: MatrixMut<'_, W>,
    store: bool,
) {
    let Some((x, y)) = operands.first() else { return };
    let task = Task {
        x,
        y,
        pairs: operands,
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
