//! The block algorithm for tiles: over sections of the sum, strips of X that stay in the
//! second-level cache, groups of panels of Y, groups of panels of X; for each pair of groups all
//! weights, which are then joined to words.
//!
//! A section is some blocks of the operands, or of several pairs of operands whose products are
//! added up. Its sums stay in tiles from the first block to the last, so that Z is read and written
//! once a section.
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

use core::mem::MaybeUninit;
use core::ops::Range;

use tautochrone_simd::wipe;

use super::block::{Task, offset_factors};
use crate::digits::Digit;
use crate::layout::{Panels, Shape};
use crate::word::Word;
use schedule::{CELLS, Entry, SUMS, TILE, Window, windows};

pub(crate) use schedule::{Form, LINES, STEP};

/// Four tiles of sums, each 16 columns of 16 rows.
type Sums = [[u32; CELLS]; SUMS];

/// A block of the sum.
#[derive(Clone, Copy)]
#[repr(C)]
struct Segment {
    /// One or two panels, or digits, of X, and of Y.
    x: [*const u8; 2],
    y: [*const u8; 2],
    /// At least one.
    steps: usize,
}

/// Most blocks of a section.
const MAX_SEGMENTS: usize = 16;

/// The blocks of a section, one after another; one without steps ends them.
#[derive(Clone, Copy)]
struct Segments([Segment; MAX_SEGMENTS + 1]);

impl Segments {
    const fn new() -> Self {
        let none = [core::ptr::null(); 2];
        Self([Segment { x: none, y: none, steps: 0 }; MAX_SEGMENTS + 1])
    }

    /// Every step of every segment.
    #[cfg(test)]
    fn steps(&self) -> impl Iterator<Item = (&Segment, usize)> {
        let segments = self.0.iter().take_while(|segment| segment.steps > 0);
        segments.flat_map(|segment| (0..segment.steps).map(move |step| (segment, step)))
    }
}

/// The operands of a loop over the steps of a section. The same tile of the next step lies `x_step`
/// or `y_step` bytes further.
struct Operands {
    segments: Segments,
    x_step: usize,
    y_step: usize,
    /// Whether digits are signed.
    x_signed: bool,
    y_signed: bool,
}

impl Operands {
    /// Without segments.
    fn new<W>(task: &Task<'_, W>, digits: (usize, usize)) -> Self {
        Self {
            segments: Segments::new(),
            x_step: digits.0 * TILE,
            y_step: digits.1 * TILE,
            x_signed: task.x.encoding.signed,
            y_signed: task.y.encoding.signed,
        }
    }
}

/// Loops that multiply tiles.
trait Tiles: Copy {
    /// `sums[2 i + j] = sum over steps of y[i] x[j]`; without `two`, `x[1]` is not read, and sums 1
    /// and 3 are any.
    ///
    /// # Safety
    /// The tiles of all steps are readable, at the four addresses of each segment and as many steps
    /// further. There is a segment.
    unsafe fn quad(self, operands: &Operands, two: bool, sums: &mut Sums);

    /// With digits 0 and 1 of `y[0]`, and of `x[i]`, a tile apart:
    /// `sums[2 i] = sum of y_0 x_0, sums[2 i + 1] = sum of y_0 x_1 + y_1 x_0`.
    ///
    /// # Safety
    /// The tiles of all steps are readable.
    unsafe fn double(self, operands: &Operands, sums: &mut Sums);

    /// The entries' instructions, in every step; other sums may have any value.
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
    /// Further summands.
    further: Option<&'a [W; LINES]>,
}

/// How X and Y must be packed: in each row of a tile of X 4 terms of 16 lines, in each row of a
/// tile of Y 64 terms of a line.
pub(crate) const SHAPES: (Shape, Shape) =
    (Shape { lines: LINES, cell: 4 }, Shape { lines: LINES, cell: STEP });

/// Bytes of X that stay in the second-level cache: half of the 2 MiB that CPUs with AMX have.
const RESIDENT: usize = 1 << 20;

/// Most calls of a loop that a group needs: eight digits of one operand, two at a time.
const CALLS: usize = 4;

/// Space for the sums of a group.
#[repr(align(64))]
struct Group([MaybeUninit<Sums>; CALLS]);

impl Group {
    const fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; CALLS])
    }

    /// Sums of so many calls, zero: to clear and to erase the others would cost more than a small
    /// product.
    fn calls(&mut self, count: usize) -> &mut [Sums] {
        let calls = &mut self.0[..count];
        for sums in &mut *calls {
            sums.write([[0; CELLS]; SUMS]);
        }
        // SAFETY: each of them was written.
        unsafe { core::slice::from_raw_parts_mut(calls.as_mut_ptr().cast(), count) }
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
    let (mut current, mut former) = (even.calls(plan.calls()), odd.calls(plan.calls()));
    let mut pending: Option<Position> = None;
    let mut operands = Operands::new(task, digits);
    let mut cursor = Cursor { pair: 0, block: 0, most: section_terms(task, digits, plan.form) };
    while let Some(section) = cursor.next(task) {
        operands.segments.0[section.count].steps = 0;
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let strip = (RESIDENT / section.x_bytes()).next_multiple_of(row_step);
        let mut first = task.rows.start;
        while first < task.rows.end {
            let end = task.rows.end.min(first + strip);
            let groups = (end - first).div_ceil(row_step);
            for column in task.columns.clone().step_by(column_step) {
                let next = (column + column_step).min(task.columns.end);
                let next = next..task.columns.end.min(next + column_step);
                let mut ahead = Ahead { columns: next, groups, done: 0 };
                for row in (first..end).step_by(row_step) {
                    let first = section.first;
                    let position = Position { first, row, column, end: (end, task.columns.end) };
                    ahead.prefetch(tiles, &section);
                    if W::BITS == 64 {
                        position.prefetch(tiles, task, &plan);
                    }
                    // SAFETY: guaranteed by the caller.
                    unsafe {
                        plan.form_sums(tiles, &section, &position, &mut operands, current);
                        if let Some(position) = pending.replace(position) {
                            position.write(tiles, task, &plan, former);
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
        unsafe { position.write(tiles, task, &plan, former) }
    }
    // They contain sums of what may be secret.
    for calls in [current, former] {
        wipe(calls.as_flattened_mut(), [0; CELLS]);
    }
}

/// Bytes of Y, of a group of panels, that a section has at most where both operands have one digit:
/// then the second-level cache keeps up, and Z is read and written less often.
const LONG_SECTION: usize = 128 << 10;
/// The same where there are more digits: two thirds of the first-level cache of 48 KiB. Longer ones
/// make A S 1.15 times as slow.
const SHORT_SECTION: usize = 32 << 10;

/// Terms that a section may have: its sums are exact in 32 bits where words have more, and the
/// panels of a group are not too long.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn section_terms<W>(task: &Task<'_, W>, (x, y): (usize, usize), form: Form) -> usize {
    let exact = Digit::exact_terms_of_bytes(x.min(y), task.word);
    let bytes = if form == Form::Single { LONG_SECTION } else { SHORT_SECTION };
    exact.min(bytes / (form.panels().1 * LINES * y))
}

/// Where the next section begins: a pair of operands and a block of theirs.
struct Cursor {
    pair: usize,
    block: usize,
    /// Terms of a section, unless one block has more.
    most: usize,
}

impl Cursor {
    /// The next section.
    fn next<'a, W>(&mut self, task: &Task<'a, W>) -> Option<Section<'a>> {
        let first = self.pair + self.block == 0;
        let mut section = Section { blocks: [Block::NONE; MAX_SEGMENTS], count: 0, first };
        let mut terms = 0;
        while self.pair < task.pairs.len() && section.count < MAX_SEGMENTS {
            let (x, y) = &task.pairs[self.pair];
            if self.block == x.blocks() {
                (self.pair, self.block) = (self.pair + 1, 0);
                continue;
            }
            terms += x.terms(self.block);
            if section.count > 0 && terms > self.most {
                break;
            }
            section.blocks[section.count] = Block::new(x, y, self.block);
            section.count += 1;
            self.block += 1;
        }
        (section.count > 0).then_some(section)
    }
}

/// Blocks of the sum that are formed together.
struct Section<'a> {
    blocks: [Block<'a>; MAX_SEGMENTS],
    count: usize,
    /// Whether it is the first one: Z may be overwritten, and offsets are added.
    first: bool,
}

impl<'a> Section<'a> {
    fn blocks(&self) -> &[Block<'a>] {
        &self.blocks[..self.count]
    }

    /// Bytes of a panel of X.
    fn x_bytes(&self) -> usize {
        self.blocks().iter().map(|block| block.x_size).sum()
    }
}

/// A block of the sum: all panels of X and of Y, and the sizes of theirs.
#[derive(Clone, Copy)]
struct Block<'a> {
    x: &'a [u8],
    x_size: usize,
    y: &'a [u8],
    y_size: usize,
    steps: usize,
}

impl<'a> Block<'a> {
    const NONE: Self = Self { x: &[], x_size: 0, y: &[], y_size: 0, steps: 0 };

    fn new(x: &'a Panels<'a>, y: &'a Panels<'a>, block: usize) -> Self {
        let bytes = |operand: &'a Panels<'a>| {
            let size = operand.panel_bytes(block);
            (&operand.bytes[operand.block_start(block)..][..size * operand.panels()], size)
        };
        let ((x_bytes, x_size), (y, y_size)) = (bytes(x), bytes(y));
        Self { x: x_bytes, x_size, y, y_size, steps: x.steps(block) }
    }

    /// Panels of X and Y, the first two of a group. One past the end is the one before it once
    /// more, whose sums nobody reads.
    #[inline(always)]
    fn segment(&self, position: &Position, (rows, columns): (usize, usize)) -> Segment {
        let panel = |bytes: &[u8], size, panel| bytes[panel * size..][..size].as_ptr();
        Segment {
            x: [0, rows - 1].map(|i| panel(self.x, self.x_size, position.row + i)),
            y: [0, columns - 1].map(|i| panel(self.y, self.y_size, position.column + i)),
            steps: self.steps,
        }
    }
}

/// The next group of panels of Y, which comes from far away: a part of it is brought into the
/// second-level cache before each group of panels of X.
struct Ahead {
    columns: Range<usize>,
    /// Parts that there are, and how many are done.
    groups: usize,
    done: usize,
}

impl Ahead {
    /// Prefetches a part.
    #[inline(always)]
    fn prefetch<T: Tiles>(&mut self, tiles: T, section: &Section<'_>) {
        for block in section.blocks() {
            let panels = self.columns.start * block.y_size..self.columns.end * block.y_size;
            let bytes = &block.y[panels];
            let share = bytes.len().div_ceil(self.groups).next_multiple_of(LINE);
            let (start, end) = (self.done * share, (self.done + 1) * share);
            let part = &bytes[start.min(bytes.len())..end.min(bytes.len())];
            tiles.prefetch(part.as_ptr(), part.len(), Level::Second);
        }
        self.done += 1;
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
    /// Sums before the sum of weight 0.
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

    /// Calls of a loop that a group needs.
    fn calls(&self) -> usize {
        match self.form {
            Form::Single | Form::Double => 1,
            Form::NarrowY | Form::NarrowX => self.weights.div_ceil(2),
            Form::Windows => self.windows.iter().flatten().count(),
        }
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
    unsafe fn form_sums<T: Tiles>(
        &self,
        tiles: T,
        section: &Section<'_>,
        position: &Position,
        operands: &mut Operands,
        calls: &mut [Sums],
    ) {
        let (rows, columns) = position.panels(self.form);
        for (segment, block) in operands.segments.0.iter_mut().zip(section.blocks()) {
            *segment = block.segment(position, (rows, columns));
        }
        // The tiles of digits `2 i` and `2 i + 1` of a panel, or of the last digit twice, where the
        // address is the one of digit `2 i - 2`, or of digit 0 for i = 0.
        let digits = |at: *const u8, i: usize, digits: usize| {
            let at = if i == 0 { at } else { at.wrapping_add(2 * TILE) };
            [at, if 2 * i + 1 < digits { at.wrapping_add(TILE) } else { at }]
        };
        // SAFETY: whole panels of these blocks; the rest by the caller.
        unsafe {
            match self.form {
                Form::Single => tiles.quad(operands, rows == 2, &mut calls[0]),
                Form::NarrowY => {
                    for (i, sums) in calls.iter_mut().enumerate() {
                        for segment in &mut operands.segments.0[..section.count] {
                            segment.x = digits(segment.x[0], i, self.digits.0);
                        }
                        // Without the second digit nothing is read there.
                        tiles.quad(operands, 2 * i + 1 < self.digits.0, sums);
                    }
                }
                Form::NarrowX => {
                    for (i, sums) in calls.iter_mut().enumerate() {
                        for segment in &mut operands.segments.0[..section.count] {
                            segment.y = digits(segment.y[0], i, self.digits.1);
                        }
                        tiles.quad(operands, rows == 2, sums);
                    }
                }
                Form::Double => tiles.double(operands, &mut calls[0]),
                Form::Windows => {
                    for (window, sums) in self.windows.iter().flatten().zip(calls) {
                        tiles.window(operands, window.entries(), sums);
                    }
                }
            }
        }
    }
}

/// A group of panels in a section of the sum.
#[derive(Clone, Copy)]
struct Position {
    /// Whether the section is the first.
    first: bool,
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
        calls: &[Sums],
    ) {
        let (rows, columns) = self.panels(plan.form);
        for column in 0..columns {
            for row in 0..rows {
                let part = Self { row: self.row + row, column: self.column + column, ..*self };
                let sums = |weight| {
                    let (call, sum) = plan.find((row, column), weight);
                    &calls[call][sum]
                };
                // SAFETY: guaranteed by the caller.
                unsafe {
                    match plan.weights {
                        1 => part.write_panels::<T, W, 1>(tiles, task, core::array::from_fn(sums)),
                        2 => part.write_panels::<T, W, 2>(tiles, task, core::array::from_fn(sums)),
                        3 => part.write_panels::<T, W, 3>(tiles, task, core::array::from_fn(sums)),
                        4 => part.write_panels::<T, W, 4>(tiles, task, core::array::from_fn(sums)),
                        5 => part.write_panels::<T, W, 5>(tiles, task, core::array::from_fn(sums)),
                        6 => part.write_panels::<T, W, 6>(tiles, task, core::array::from_fn(sums)),
                        7 => part.write_panels::<T, W, 7>(tiles, task, core::array::from_fn(sums)),
                        _ => part.write_panels::<T, W, 8>(tiles, task, core::array::from_fn(sums)),
                    }
                }
            }
        }
    }

    /// Writes, or adds to, 16 x 16 entries of Z, of the first panels,
    /// `sum over k of sums[k] 2^{8 k}` plus what offsets leave.
    ///
    /// # Safety
    /// The target is valid for writes of the entries, and nobody else uses them.
    #[inline(always)]
    unsafe fn write_panels<T: Tiles, W: Word, const N: usize>(
        &self,
        tiles: T,
        task: &Task<'_, W>,
        sums: [&[u32; CELLS]; N],
    ) {
        // Nor is the rest compiled for them.
        if const { 8 * (N as u32 - 1) >= W::BITS } {
            unreachable!("a word has no more weights than bytes");
        }
        let (row, column) = (self.row * LINES, self.column * LINES);
        let rows = LINES.min(task.x.lines - row);
        let columns = LINES.min(task.y.lines - column);
        let (row_factor, column_factor, constant) = offset_factors(task, self.first);
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
                store: self.first && task.store,
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
