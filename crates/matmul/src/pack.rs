//! Packed operands: digits in the order in which a kernel reads them.
//!
//! `[block of the sum][panel of lines][digit][cell][line][bytes of the cell]`: one panel of one digit in one block is a
//! contiguous run. The end of the sum is padded with zero digits, which add nothing; lines past the last are zero too.

use crate::buffer::Buffer;
use crate::digits::Encoding;
use crate::kernel::Shape;
use crate::matrix::Matrix;
use crate::plan::Plan;
use crate::word::Operand;

/// Where the digits of an operand lie. A line is a row of X or a column of Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) encoding: Encoding,
    pub(crate) shape: Shape,
    pub(crate) lines: usize,
    /// Terms of the sum.
    pub(crate) depth: usize,
    /// Terms in a whole block.
    block: usize,
    /// Blocks are padded to a multiple of this.
    align: usize,
}

impl Layout {
    pub(crate) fn new(
        plan: &Plan,
        side: Side,
        encoding: Encoding,
        lines: usize,
        depth: usize,
    ) -> Self {
        let (x, y) = plan.kernel.shapes(plan.digit);
        let align = x.cell.max(y.cell) / plan.digit.bytes();
        let shape = match side {
            Side::Left => x,
            Side::Right => y,
        };
        Self { encoding, shape, lines, depth, block: plan.depth, align }
    }

    /// Blocks of the sum.
    pub(crate) fn blocks(&self) -> usize {
        self.depth.div_ceil(self.block)
    }

    /// Panels of lines.
    pub(crate) fn panels(&self) -> usize {
        self.lines.div_ceil(self.shape.lines)
    }

    /// Terms of a block.
    fn terms(&self, block: usize) -> usize {
        self.block.min(self.depth - block * self.block)
    }

    fn padded(&self, block: usize) -> usize {
        self.terms(block).next_multiple_of(self.align)
    }

    /// Cells of a line of a block.
    pub(crate) fn cells(&self, block: usize) -> usize {
        self.padded(block) * self.encoding.digit.bytes() / self.shape.cell
    }

    /// Bytes of a panel of one digit.
    fn plane_bytes(&self, block: usize) -> usize {
        self.padded(block) * self.encoding.digit.bytes() * self.shape.lines
    }

    /// Bytes of a panel of all digits.
    pub(crate) fn panel_bytes(&self, block: usize) -> usize {
        self.plane_bytes(block) * self.encoding.count
    }

    fn block_start(&self, block: usize) -> usize {
        if block == 0 { 0 } else { block * self.panel_bytes(0) * self.panels() }
    }

    /// Bytes of the whole operand.
    pub(crate) fn bytes(&self) -> usize {
        match self.blocks().checked_sub(1) {
            Some(last) => self.block_start(last) + self.panel_bytes(last) * self.panels(),
            None => 0,
        }
    }
}

/// Which operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A packed operand.
pub(crate) struct Panels<'a> {
    layout: Layout,
    bytes: &'a [u8],
    /// The sum of each line modulo `2^64`, if the other operand has an offset.
    pub(crate) sums: &'a [u64],
}

impl core::ops::Deref for Panels<'_> {
    type Target = Layout;
    fn deref(&self) -> &Layout {
        &self.layout
    }
}

impl Panels<'_> {
    /// Digit `digit` of the lines of a panel, in one block.
    #[inline(always)]
    pub(crate) fn panel(&self, block: usize, panel: usize, digit: usize) -> &[u8] {
        let plane = self.plane_bytes(block);
        let start = self.block_start(block) + (panel * self.encoding.count + digit) * plane;
        &self.bytes[start..start + plane]
    }
}

/// Memory for a packed operand.
#[derive(Default)]
pub(crate) struct Store {
    digits: Buffer,
    sums: Buffer,
}

impl Store {
    /// Overwrites everything with zeros.
    pub(crate) fn erase(&mut self) {
        self.digits.erase();
        self.sums.erase();
    }

    /// Makes room for an operand.
    pub(crate) fn reserve(&mut self, layout: &Layout) {
        self.digits.bytes_mut(layout.bytes());
        self.sums.words_mut(layout.lines);
    }

    /// Packs a matrix whose rows are the lines; `sums` says whether line sums will be needed.
    pub(crate) fn pack<T: Operand>(
        &mut self,
        layout: &Layout,
        view: Matrix<'_, T>,
        sums: bool,
        parallel: bool,
    ) {
        let bytes = self.digits.bytes_mut(layout.bytes());
        for block in 0..layout.blocks() {
            let size = layout.panel_bytes(block);
            let bytes = &mut bytes[layout.block_start(block)..][..size * layout.panels()];
            crate::parallel::for_chunks(bytes, size, parallel, |panel, out| {
                pack_panel(layout, &view, block, panel, out);
            });
        }
        if sums {
            line_sums(&view, self.sums.words_mut(layout.lines));
        }
    }

    /// The operand that was packed, with line sums if they were asked for.
    pub(crate) fn panels(&self, layout: Layout, sums: bool) -> Panels<'_> {
        Panels {
            layout,
            bytes: self.digits.bytes(layout.bytes()),
            sums: self.sums.words(if sums { layout.lines } else { 0 }),
        }
    }
}

/// The sum of each row modulo `2^64`.
fn line_sums<T: Operand>(view: &Matrix<'_, T>, sums: &mut [u64]) {
    sums.fill(0);
    let (row, _) = view.strides();
    if row == 1 {
        for j in 0..view.columns() {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(view.at(i, j).widen());
            }
        }
    } else {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum =
                (0..view.columns()).fold(0, |sum: u64, j| sum.wrapping_add(view.at(i, j).widen()));
        }
    }
}

/// Packs one panel of one block, all digits.
fn pack_panel<T: Operand>(
    layout: &Layout,
    view: &Matrix<'_, T>,
    block: usize,
    panel: usize,
    out: &mut [u8],
) {
    let place = Place {
        layout,
        line: panel * layout.shape.lines,
        term: block * layout.block,
        terms: layout.terms(block),
        plane: layout.plane_bytes(block),
    };
    match (layout.encoding.digit.bytes(), layout.shape.cell) {
        (1, 4) => place.pack::<T, 1, 4>(view, out),
        (1, _) => place.pack::<T, 1, 64>(view, out),
        (2, _) => place.pack::<T, 2, 2>(view, out),
        (4, _) => place.pack::<T, 4, 1>(view, out),
        _ => place.pack::<T, 8, 1>(view, out),
    }
}

/// Where a panel comes from.
struct Place<'a> {
    layout: &'a Layout,
    line: usize,
    term: usize,
    terms: usize,
    plane: usize,
}

impl Place<'_> {
    /// `D` bytes per digit, `C` digits per cell.
    fn pack<T: Operand, const D: usize, const C: usize>(
        &self,
        view: &Matrix<'_, T>,
        out: &mut [u8],
    ) {
        let height = self.layout.shape.lines;
        let lines = height.min(self.layout.lines - self.line);
        if lines < height || !self.terms.is_multiple_of(self.layout.align) {
            out.fill(0);
        }
        let Encoding { add, flip, .. } = self.layout.encoding;
        let digits = |entry: T| entry.widen().wrapping_add(add) ^ flip;
        let (row, column) = view.strides();
        if column == 1 {
            for i in 0..lines {
                let run = view.row_run(self.line + i, self.term, self.terms);
                let (cells, rest) = run.as_chunks::<C>();
                for (cell, entries) in cells.iter().enumerate() {
                    self.put::<D, C>(out, cell * height + i, &entries.map(digits));
                }
                if !rest.is_empty() {
                    self.put_rest::<D, C>(out, cells.len() * height + i, rest.len(), |c| {
                        digits(rest[c])
                    });
                }
            }
        } else {
            let data = &view.data()[self.line * row + self.term * column..];
            let first = if (D, C, row, self.layout.encoding.count) == (1, 4, 1, 1) {
                self.interleave(data, column, lines, out)
            } else {
                0
            };
            for cell in first..self.terms / C {
                for i in 0..lines {
                    let mut entries = [0; C];
                    for (c, entry) in entries.iter_mut().enumerate() {
                        *entry = digits(data[i * row + (cell * C + c) * column]);
                    }
                    self.put::<D, C>(out, cell * height + i, &entries);
                }
            }
            let whole = self.terms / C * C;
            if whole < self.terms {
                for i in 0..lines {
                    self.put_rest::<D, C>(out, whole / C * height + i, self.terms - whole, |c| {
                        digits(data[i * row + (whole + c) * column])
                    });
                }
            }
        }
    }

    /// Whole cells of four entries of one byte each, of lines that lie side by side in memory: four columns are woven
    /// together, sixteen lines at a time, which compilers turn into byte shuffles. Returns how many cells are done: all,
    /// or none if the lines are not a multiple of sixteen.
    fn interleave<T: Operand>(
        &self,
        data: &[T],
        column: usize,
        lines: usize,
        out: &mut [u8],
    ) -> usize {
        const LINES: usize = 16;
        const CELL: usize = 4;
        if !lines.is_multiple_of(LINES) {
            return 0;
        }
        let Encoding { add, flip, .. } = self.layout.encoding;
        let digit = |entry: T| (entry.widen() as u8).wrapping_add(add as u8) ^ flip as u8;
        let cells = self.terms / CELL;
        let out = out.chunks_exact_mut(CELL * self.layout.shape.lines);
        for (cell, out) in out.take(cells).enumerate() {
            let [a, b, c, d]: [&[[T; LINES]]; CELL] =
                core::array::from_fn(|c| data[(cell * CELL + c) * column..][..lines].as_chunks().0);
            let out = out.as_chunks_mut::<{ CELL * LINES }>().0;
            for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                for (i, out) in out.as_chunks_mut::<CELL>().0.iter_mut().enumerate() {
                    *out = [digit(a[i]), digit(b[i]), digit(c[i]), digit(d[i])];
                }
            }
        }
        cells
    }

    /// Writes the cell at `index` of each digit.
    #[inline(always)]
    fn put<const D: usize, const C: usize>(
        &self,
        out: &mut [u8],
        index: usize,
        entries: &[u64; C],
    ) {
        let mut shift = 0;
        for plane in out.chunks_exact_mut(self.plane) {
            let cell = &mut plane[index * D * C..][..D * C];
            for (to, entry) in cell.as_chunks_mut::<D>().0.iter_mut().zip(entries) {
                let bytes = (entry >> shift).to_le_bytes();
                for (to, from) in to.iter_mut().zip(bytes) {
                    *to = from;
                }
            }
            shift += 8 * D as u32;
        }
    }

    /// The same for a cell of fewer entries; the others stay zero.
    #[inline(always)]
    fn put_rest<const D: usize, const C: usize>(
        &self,
        out: &mut [u8],
        index: usize,
        count: usize,
        entry: impl Fn(usize) -> u64,
    ) {
        for (digit, plane) in out.chunks_exact_mut(self.plane).enumerate() {
            let cell = &mut plane[index * D * C..][..D * C];
            for (c, to) in cell.as_chunks_mut::<D>().0.iter_mut().take(count).enumerate() {
                let bytes = (entry(c) >> (8 * D * digit)).to_le_bytes();
                for (to, from) in to.iter_mut().zip(bytes) {
                    *to = from;
                }
            }
        }
    }
}
