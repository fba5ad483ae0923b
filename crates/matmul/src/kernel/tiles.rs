//! The block algorithm for tiles: over blocks of the sum, strips of X that stay in the second-level
//! cache, groups of panels of Y that stay in the first, groups of panels of X; for each pair of
//! groups all weights, which are then joined to words.
//!
//! `Z^T = Y^T X^T`, so that a row of a tile of sums is 16 adjacent entries of a column of Z. The
//! sums of a group are joined while the next group's are formed: the CPU has both at hand, and
//! tiles never wait for vectors.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
pub(super) mod amx;
#[cfg(test)]
pub(super) mod emulated;
mod schedule;

use tautochrone_simd::wipe;

use super::block::{Task, offset_factors};
use crate::layout::Shape;
use crate::word::Word;
use schedule::{CELLS, Entry, SUMS, TILE, Window, windows};

pub(crate) use schedule::{Form, LINES, STEP};

/// Four tiles of sums, each 16 columns of 16 rows.
type Sums = [[u32; CELLS]; SUMS];

/// What a loop over the steps of a block reads. The same tile of the next step lies `x_step` or
/// `y_step` bytes further.
#[derive(Clone, Copy)]
struct Operands {
    /// One or two panels, or digits, of X, and of Y.
    x: [*const u8; 2],
    y: [*const u8; 2],
    x_step: usize,
    y_step: usize,
    /// At least one.
    steps: usize,
    /// Whether digits are signed.
    x_signed: bool,
    y_signed: bool,
}

/// Loops that multiply tiles.
trait Tiles: Copy {
    /// `sums[2 i + j] = sum over steps of y[i] x[j]`; without `two`, `x[1]` is not read, and sums 1
    /// and 3 are any.
    ///
    /// # Safety
    /// The tiles of all steps are readable, at the four addresses and as many steps further.
    unsafe fn quad(self, operands: &Operands, two: bool, sums: &mut Sums);

    /// With digits 0 and 1 of `y[0]`, and of `x[i]`, a tile apart:
    /// `sums[2 i] = sum of y_0 x_0, sums[2 i + 1] = sum of y_0 x_1 + y_1 x_0`.
    ///
    /// # Safety
    /// The tiles of all steps are readable.
    unsafe fn double(self, operands: &Operands, sums: &mut Sums);

    /// What the entries say, in every step; sums that they do not name are any.
    ///
    /// # Safety
    /// The tiles that the entries name are readable in all steps, from `x[0]` and `y[0]` on; the
    /// last entry says so, and no other.
    unsafe fn window(self, operands: &Operands, entries: &[Entry], sums: &mut Sums);

    /// Brings `bytes` bytes from `start` on towards the first-level cache, or the second. A hint:
    /// the address need not be readable.
    fn prefetch(self, start: *const u8, bytes: usize, level: Level);

    /// `z (+)= sum over k of lanes[k] 2^{8 k}`, the first as many as `z` has.
    fn join<W: Word, const N: usize>(
        self,
        lanes: [&[u32; LINES]; N],
        update: &Update<'_, W>,
        z: &mut [W],
    );
}

/// Where to prefetch to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    First,
    Second,
}

/// How sums become entries of Z.
struct Update<'a, W> {
    /// Whether Z is overwritten (or added to).
    store: bool,
    /// The bits of a residue: others become 0.
    residues: W,
    /// What is added besides.
    further: Option<&'a [W; LINES]>,
}

/// How X and Y must be packed: in each row of a tile of X 4 terms of 16 lines, in each row of a tile
/// of Y 64 terms of a line.
pub(crate) const SHAPES: (Shape, Shape) =
    (Shape { lines: LINES, cell: 4 }, Shape { lines: LINES, cell: STEP });

/// Bytes of X that stay in the second-level cache: half of the 2 MiB that CPUs with AMX have.
const RESIDENT: usize = 1 << 20;

/// Most calls of a loop that a group needs: eight digits of one operand, two at a time.
const CALLS: usize = 4;

/// The sums of a group.
#[repr(align(64))]
struct Group([Sums; CALLS]);

impl Group {
    const fn new() -> Self {
        Self([[[0; CELLS]; SUMS]; CALLS])
    }
}

/// # Safety
/// The instructions of `tiles` exist, and the panels have their layout. Panels of `task` lie in X
/// and Y, its target is valid for writes of every entry of these panels, and nobody else uses them.
#[inline(always)]
unsafe fn multiply<T: Tiles, W: Word>(tiles: T, task: &Task<'_, W>) {
    let (x, y) = (task.x, task.y);
    let digits = (x.encoding.count, y.encoding.count);
    let weights = x.encoding.digit.count(task.word, task.word).min(digits.0 + digits.1 - 1);
    let plan = Plan::new(digits, weights);
    let (row_step, column_step) = plan.form.panels();
    let (mut even, mut odd) = (Group::new(), Group::new());
    let (mut current, mut former) = (&mut even, &mut odd);
    let mut pending: Option<Position> = None;
    for block in 0..x.blocks() {
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let strip = (RESIDENT / x.panel_bytes(block)).next_multiple_of(row_step);
        let mut first = task.rows.start;
        while first < task.rows.end {
            let end = task.rows.end.min(first + strip);
            let groups = (end - first).div_ceil(row_step);
            for column in task.columns.clone().step_by(column_step) {
                let mut next = Next::new(task, block, column + column_step, column_step, groups);
                for row in (first..end).step_by(row_step) {
                    let position = Position { block, row, column, end: (end, task.columns.end) };
                    next.prefetch(tiles);
                    if W::BITS == 64 {
                        position.prefetch(tiles, task, &plan);
                    }
                    // SAFETY: guaranteed by the caller.
                    unsafe {
                        plan.form_sums(tiles, task, &position, &mut current.0);
                        if let Some(position) = pending.replace(position) {
                            position.write(tiles, task, &plan, &former.0);
                        }
                    }
                    core::mem::swap(&mut current, &mut former);
                }
            }
            first = end;
        }
    }
    if let Some(position) = pending {
        // SAFETY: guaranteed by the caller.
        unsafe { position.write(tiles, task, &plan, &former.0) }
    }
    // They contain sums of what may be secret.
    for Group(calls) in [&mut even, &mut odd] {
        wipe(calls.as_flattened_mut(), [0; CELLS]);
    }
}

/// The next group of panels of Y, which comes from far away: a part of it is brought into the
/// second-level cache before each group of panels of X.
struct Next<'a> {
    bytes: &'a [u8],
    share: usize,
}

impl<'a> Next<'a> {
    /// The `columns` panels from `column` on, if there are any, in `groups` parts.
    #[inline(always)]
    fn new<W>(
        task: &Task<'a, W>,
        block: usize,
        column: usize,
        columns: usize,
        groups: usize,
    ) -> Self {
        let (size, start) = (task.y.panel_bytes(block), task.y.block_start(block));
        let columns = column.min(task.columns.end)..task.columns.end.min(column + columns);
        let bytes = &task.y.bytes[start + columns.start * size..start + columns.end * size];
        Self { bytes, share: bytes.len().div_ceil(groups).next_multiple_of(LINE) }
    }

    /// Prefetches a part.
    #[inline(always)]
    fn prefetch<T: Tiles>(&mut self, tiles: T) {
        let (part, rest) = self.bytes.split_at(self.share.min(self.bytes.len()));
        tiles.prefetch(part.as_ptr(), part.len(), Level::Second);
        self.bytes = rest;
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// How the sums of any group are formed.
struct Plan {
    form: Form,
    /// Digits of X and Y.
    digits: (usize, usize),
    weights: usize,
    windows: [Option<Window>; 2],
    /// Sums before that of weight 0.
    skipped: usize,
}

impl Plan {
    fn new(digits: (usize, usize), weights: usize) -> Self {
        let form = Form::new(digits, weights);
        let (count, skipped) = windows(weights);
        let window = |index: usize| {
            let last = SUMS * index + SUMS - 1 - skipped;
            Window::new(digits, (SUMS * index).saturating_sub(skipped), last)
        };
        let window = |index| (form == Form::Windows && index < count).then(|| window(index));
        Self { form, digits, weights, windows: [window(0), window(1)], skipped }
    }

    /// Which call and which of its sums have a weight, for panels (of X, of Y) of a group.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "weights are public")]
    fn find(&self, (row, column): (usize, usize), weight: usize) -> (usize, usize) {
        match self.form {
            Form::Single => (0, 2 * column + row),
            Form::NarrowY => (weight / 2, 2 * column + weight % 2),
            Form::NarrowX => (weight / 2, 2 * (weight % 2) + row),
            Form::Double => (0, 2 * row + weight),
            Form::Windows => ((weight + self.skipped) / SUMS, (weight + self.skipped) % SUMS),
        }
    }

    /// # Safety
    /// As [`multiply`], for a group at `position`.
    #[inline(always)]
    unsafe fn form_sums<T: Tiles, W>(
        &self,
        tiles: T,
        task: &Task<'_, W>,
        position: &Position,
        calls: &mut [Sums; CALLS],
    ) {
        let (x, y) = (task.x, task.y);
        let (rows, columns) = position.panels(self.form);
        // A panel past the end is the one before it once more, whose sums nobody reads.
        let x_panels = [0, rows - 1].map(|i| x.digits(position.block, position.row + i).as_ptr());
        let y_panels =
            [0, columns - 1].map(|i| y.digits(position.block, position.column + i).as_ptr());
        let operands = Operands {
            x: x_panels,
            y: y_panels,
            x_step: self.digits.0 * TILE,
            y_step: self.digits.1 * TILE,
            steps: x.steps(position.block),
            x_signed: x.encoding.signed,
            y_signed: y.encoding.signed,
        };
        // The tiles of digits `2 i` and `2 i + 1` of a panel, or of the last digit twice.
        let pair = |panel: *const u8, i: usize, digits: usize| {
            [2 * i, (2 * i + 1).min(digits - 1)].map(|digit| panel.wrapping_add(digit * TILE))
        };
        // SAFETY: whole panels of this block, of `steps` steps; the rest by the caller.
        unsafe {
            match self.form {
                Form::Single => tiles.quad(&operands, rows == 2, &mut calls[0]),
                Form::NarrowY => {
                    for (i, sums) in calls.iter_mut().take(self.weights.div_ceil(2)).enumerate() {
                        let x = pair(x_panels[0], i, self.digits.0);
                        tiles.quad(&Operands { x, ..operands }, x[0] != x[1], sums);
                    }
                }
                Form::NarrowX => {
                    for (i, sums) in calls.iter_mut().take(self.weights.div_ceil(2)).enumerate() {
                        let y = pair(y_panels[0], i, self.digits.1);
                        tiles.quad(&Operands { y, ..operands }, rows == 2, sums);
                    }
                }
                Form::Double => tiles.double(&operands, &mut calls[0]),
                Form::Windows => {
                    for (window, sums) in self.windows.iter().flatten().zip(calls) {
                        tiles.window(&operands, window.entries(), sums);
                    }
                }
            }
        }
    }
}

/// A group of panels in a block of the sum.
struct Position {
    block: usize,
    /// The first panels.
    row: usize,
    column: usize,
    /// Panels of X and Y that there are.
    end: (usize, usize),
}

impl Position {
    /// Panels of X and Y in the group.
    #[inline(always)]
    fn panels(&self, form: Form) -> (usize, usize) {
        let (rows, columns) = form.panels();
        (rows.min(self.end.0 - self.row), columns.min(self.end.1 - self.column))
    }

    /// Prefetches the entries of Z, which are written after the next group's sums are formed. It
    /// pays for words of 64 bits (a fifth of the time of 1024^3); for bytes it costs 5 %.
    #[inline(always)]
    fn prefetch<T: Tiles, W>(&self, tiles: T, task: &Task<'_, W>, plan: &Plan) {
        let (rows, columns) = self.panels(plan.form);
        let (row, column) = (self.row * LINES, self.column * LINES);
        for j in column..(column + columns * LINES).min(task.y.lines) {
            let start = task.z.start.wrapping_add(j * task.z.stride + row);
            tiles.prefetch(start.cast(), rows * LINES * size_of::<W>(), Level::First);
        }
    }

    /// Joins the weights and writes, or adds to, Z.
    ///
    /// # Safety
    /// The target is valid for writes of the group's entries, and nobody else uses them.
    #[inline(always)]
    unsafe fn write<T: Tiles, W: Word>(
        &self,
        tiles: T,
        task: &Task<'_, W>,
        plan: &Plan,
        calls: &[Sums; CALLS],
    ) {
        let (rows, columns) = self.panels(plan.form);
        for column in 0..columns {
            for row in 0..rows {
                let part =
                    Part { block: self.block, row: self.row + row, column: self.column + column };
                let sums = |weight| {
                    let (call, sum) = plan.find((row, column), weight);
                    &calls[call][sum]
                };
                // SAFETY: guaranteed by the caller.
                unsafe {
                    match plan.weights {
                        1 => part.write::<T, W, 1>(tiles, task, core::array::from_fn(sums)),
                        2 => part.write::<T, W, 2>(tiles, task, core::array::from_fn(sums)),
                        3 => part.write::<T, W, 3>(tiles, task, core::array::from_fn(sums)),
                        4 => part.write::<T, W, 4>(tiles, task, core::array::from_fn(sums)),
                        5 => part.write::<T, W, 5>(tiles, task, core::array::from_fn(sums)),
                        6 => part.write::<T, W, 6>(tiles, task, core::array::from_fn(sums)),
                        7 => part.write::<T, W, 7>(tiles, task, core::array::from_fn(sums)),
                        _ => part.write::<T, W, 8>(tiles, task, core::array::from_fn(sums)),
                    }
                }
            }
        }
    }
}

/// One panel of X and one of Y, in a block of the sum.
struct Part {
    block: usize,
    row: usize,
    column: usize,
}

impl Part {
    /// Writes, or adds to, 16 x 16 entries of Z, `sum over k of sums[k] 2^{8 k}` plus what offsets
    /// leave.
    ///
    /// # Safety
    /// The target is valid for writes of the entries, and nobody else uses them.
    #[inline(always)]
    unsafe fn write<T: Tiles, W: Word, const N: usize>(
        &self,
        tiles: T,
        task: &Task<'_, W>,
        sums: [&[u32; CELLS]; N],
    ) {
        if 8 * (N as u32 - 1) >= W::BITS {
            unreachable!("a word has no more weights than bytes");
        }
        let (row, column) = (self.row * LINES, self.column * LINES);
        let rows = LINES.min(task.x.lines - row);
        let columns = LINES.min(task.y.lines - column);
        let (row_factor, column_factor, constant) = offset_factors(task, self.block);
        let mut terms = [W::default(); LINES];
        for (i, term) in terms.iter_mut().enumerate().take(rows) {
            let sum = if row_factor == 0 { 0 } else { task.x.sums[row + i] };
            *term = W::truncate(sum.wrapping_mul(row_factor).wrapping_add(constant));
        }
        let offsets = row_factor != 0 || column_factor != 0;
        for j in 0..columns {
            let own = if column_factor == 0 { 0 } else { task.y.sums[column + j] };
            let own = W::truncate(own.wrapping_mul(column_factor));
            let further = terms.map(|term| term.wrapping_add(own));
            let update = Update {
                store: self.block == 0 && task.store,
                residues: task.residues,
                further: offsets.then_some(&further),
            };
            let lanes = sums.map(|sums| &sums.as_chunks().0[j]);
            // SAFETY: guaranteed by the caller: `rows` entries of a column.
            unsafe {
                let start = task.z.start.add((column + j) * task.z.stride + row);
                tiles.join(lanes, &update, core::slice::from_raw_parts_mut(start, rows));
            }
        }
        wipe(&mut terms, W::default());
    }
}
