//! Where the digits of a packed operand lie, in the order in which a kernel reads them.
//!
//! `[block of the sum][panel of lines][step][digit][cell][line][bytes of the cell]`. For registers
//! a step is the whole block, so that one panel of one digit in one block, a *plane*, is a
//! contiguous run. For the tiles of AMX a step is 64 terms and `[cell][line][bytes of the cell]` is
//! one tile: all digits of a step are read before the next step. The end of the sum is padded with
//! zero digits, which add nothing; lines past the last are zero too.
#![expect(clippy::integer_division_remainder_used, reason = "shapes are public")]

use core::ops::Range;

use crate::digits::{Encoding, Method};

/// The register tile of a kernel, and how packed operands must lie for it.
///
/// A packed *panel* holds `lines` lines (rows of X, columns of Y) of one digit: cell after cell
/// along the sum, in each cell one line after another, in each line `cell` bytes, which are `cell /
/// D` consecutive digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) lines: usize,
    pub(crate) cell: usize,
}

/// Where the digits of an operand lie. A line is a row of X or a column of Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) encoding: Encoding,
    pub(crate) method: Method,
    pub(crate) side: Side,
    pub(crate) shape: Shape,
    pub(crate) lines: usize,
    /// Terms of the sum.
    pub(crate) depth: usize,
    /// Terms in a whole block.
    pub(crate) block: usize,
    /// Blocks are padded to a multiple of this.
    pub(crate) align: usize,
    /// Terms after which the next digit follows, if that is not the whole block.
    pub(crate) step: Option<usize>,
}

impl Layout {
    /// The layout of an operand of `lines` lines, for a kernel that wants these shapes of X and Y
    /// and takes `block` terms at a time.
    pub(crate) fn new(
        (x, y): (Shape, Shape),
        method: Method,
        (block, step): (usize, Option<usize>),
        side: Side,
        encoding: Encoding,
        (lines, depth): (usize, usize),
    ) -> Self {
        let cells = match method {
            Method::Direct => 1,
            Method::Winograd => 2,
            Method::TopBit => TOP_BITS,
        };
        let align = cells * x.cell.max(y.cell) / encoding.digit.bytes();
        let shape = match side {
            Side::Left => x,
            Side::Right => y,
        };
        Self { encoding, method, side, shape, lines, depth, block, align, step }
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
    pub(crate) fn terms(&self, block: usize) -> usize {
        self.block.min(self.depth - block * self.block)
    }

    fn padded(&self, block: usize) -> usize {
        self.terms(block).next_multiple_of(self.align)
    }

    /// Cells of a line of a block.
    pub(crate) fn cells(&self, block: usize) -> usize {
        self.padded(block) * self.encoding.digit.bytes() / self.shape.cell
    }

    /// Steps of a block.
    pub(crate) fn steps(&self, block: usize) -> usize {
        self.step.map_or(1, |step| self.padded(block) / step)
    }

    /// Bytes of a panel of one digit, in all steps.
    pub(crate) fn plane_bytes(&self, block: usize) -> usize {
        let bytes = self.padded(block) * self.encoding.digit.bytes() * self.shape.lines;
        if self.method == Method::TopBit { bytes + bytes / TOP_BITS } else { bytes }
    }

    /// Bytes of a panel of all digits.
    pub(crate) fn panel_bytes(&self, block: usize) -> usize {
        self.plane_bytes(block) * self.encoding.count
    }

    /// Lines of all panels, those past the last one included.
    pub(crate) fn padded_lines(&self) -> usize {
        self.panels() * self.shape.lines
    }

    /// Whether sums of lines are needed for products with the other operand.
    pub(crate) fn needs_sums(&self, other: &Self) -> bool {
        self.method == Method::Winograd || other.encoding.offset != 0
    }

    pub(crate) fn block_start(&self, block: usize) -> usize {
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

/// Cells whose top (or lowest) bits, one of each byte, make a cell of [`Method::TopBit`]: a cell is
/// four bytes, 32 bits.
pub(crate) const TOP_BITS: usize = 8;

/// Which operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A packed operand.
#[derive(Clone, Copy)]
pub(crate) struct Panels<'a> {
    pub(crate) layout: Layout,
    pub(crate) bytes: &'a [u8],
    /// A number for each line: for [`Method::Winograd`] the sum of the products of its paired
    /// digits, modulo `2^{8 D}`; otherwise the sum of its entries modulo `2^64`, if the other
    /// operand has an offset.
    pub(crate) sums: &'a [u64],
}

impl core::ops::Deref for Panels<'_> {
    type Target = Layout;
    fn deref(&self) -> &Layout {
        &self.layout
    }
}

impl Panels<'_> {
    /// Some blocks of the sum as an operand by themselves, for what needs no sums of lines.
    pub(crate) fn blocks_in(&self, blocks: &Range<usize>) -> Panels<'_> {
        let terms = blocks.start * self.block..self.depth.min(blocks.end * self.block);
        let layout = Layout { depth: terms.len(), ..self.layout };
        let bytes = &self.bytes[self.block_start(blocks.start)..][..layout.bytes()];
        Panels { layout, bytes, sums: &[] }
    }

    /// Digit `digit` of the lines of a panel, in one block.
    #[inline(always)]
    pub(crate) fn panel(&self, block: usize, panel: usize, digit: usize) -> &[u8] {
        let plane = self.plane_bytes(block);
        let start = self.block_start(block) + (panel * self.encoding.count + digit) * plane;
        &self.bytes[start..start + plane]
    }
}
