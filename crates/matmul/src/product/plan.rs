//! Which kernel forms a product, and in what blocks.
#![expect(clippy::integer_division_remainder_used, reason = "shapes, widths and rates are public")]

use crate::digits::{Encoding, Method};
use crate::kernel::{Kernel, tiles};
use crate::layout::{Layout, Side};
use crate::width::Width;

/// How a product is formed, and the blocks it is formed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) kernel: Kernel,
    /// Bits of the residues.
    pub(crate) word: u32,
    /// Terms of a sum that are taken at a time.
    pub(crate) depth: usize,
}

/// Where entries have several byte digits, longer blocks would push X out of the second-level
/// cache.
pub(crate) const MAX_DEPTH: usize = 1024;
/// Block lengths are multiples of this: the steps of all kernels divide it.
const STEP: usize = tiles::STEP;
/// Bytes of X that are packed at a time, for each task, if it is not packed whole.
const STRIP: usize = 512 << 10;
/// Strips of X that is packed for one product have at least as many rows: Y streams through the
/// cache once a strip.
pub(crate) const STRIP_LINES: usize = 512;
/// Strips are multiples of this many panels, which packers take together.
const GROUP: usize = 4;
/// Shorter exact sums than this cost more in recombination than they save in products.
const MIN_DEPTH: usize = 256;

impl Plan {
    /// The plan with this kernel, if it takes such words and sums stay exact.
    pub(crate) fn with_kernel(kernel: Kernel, x: Width, y: Width, word: u32) -> Option<Self> {
        let digit = kernel.digit;
        let counts = (digit.count(x.bits, word), digit.count(y.bits, word));
        let best = (kernel.resident() / kernel.resident_line(counts, word)).min(MAX_DEPTH);
        let depth = best.min(digit.exact_depth(x, y, word)) / STEP * STEP;
        let possible = kernel.takes(word) && depth >= MIN_DEPTH;
        possible.then_some(Self { kernel, word, depth })
    }

    /// How an operand of this side and width lies that has so many lines of so many terms. For
    /// tiles `offsets` says whether it may have one, for which the other operand needs line sums;
    /// for registers there are always sums.
    pub(crate) fn layout(
        &self,
        side: Side,
        width: Width,
        size: (usize, usize),
        offsets: bool,
    ) -> Layout {
        let Self { kernel, word, depth } = *self;
        let encoding = if kernel.backend.has_tiles() {
            Encoding::either(width, word, offsets)
        } else {
            let (x_signed, y_signed) = kernel.signs();
            let signed = if side == Side::Left { x_signed } else { y_signed };
            Encoding::new(kernel.digit, signed, width, word)
        };
        let step = kernel.backend.has_tiles().then_some(tiles::STEP);
        Layout::new(kernel.shapes(), kernel.method, (depth, step), side, encoding, size)
    }

    /// Whether operands that are packed on this side for partners of a width have line sums: not
    /// for tiles, whose packed operands are multiplied without offsets, nor for partners of one
    /// digit without an offset, as narrower ones then are, too.
    pub(crate) fn has_sums(&self, side: Side, partner: Width) -> bool {
        let other = match side {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        let Encoding { count, offset, signed, .. } =
            self.layout(other, partner, (0, 0), false).encoding;
        let never = count == 1 && offset == 0 && signed;
        !self.kernel.backend.has_tiles() && (self.kernel.method == Method::Winograd || !never)
    }
}

/// The parts of a sum for which strips of X are packed and multiplied: so many blocks, and strips
/// of at least so many lines.
pub(crate) struct Part {
    pub(crate) blocks: usize,
    pub(crate) lines: usize,
}

/// Lines of a strip that are enough where a part of Y stays in the second-level cache: Y is then
/// read from there, and a part of Z once a part of the sum.
const FEW_LINES: usize = 128;

impl Part {
    /// The whole sum, if strips of its terms fit the second-level cache or Y is too large for it;
    /// otherwise as many blocks as do, one at least. For operands for tiles without line sums.
    pub(crate) fn new(x: &Layout, y: &Layout) -> Self {
        let whole = Self { blocks: x.blocks().max(1), lines: STRIP_LINES };
        let line = (x.bytes() / x.padded_lines().max(1)).max(1);
        if x.step.is_none() || line * STRIP_LINES <= STRIP {
            return whole;
        }
        let blocks = (STRIP / FEW_LINES * x.blocks() / line).max(1);
        if y.panel_bytes(0) * y.panels() * blocks > STRIP {
            return whole;
        }
        Self { blocks, lines: FEW_LINES }
    }
}

/// Rows of X, in this layout, that are made digits of and multiplied at a time, at least `least`,
/// for so many tasks: they should still lie in the second-level cache when they are multiplied.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(crate) fn strip(x: &Layout, least: usize, tasks: usize) -> usize {
    let group = x.shape.lines * GROUP;
    let line = (x.bytes() / x.padded_lines().max(1)).max(1);
    let strip = (STRIP * tasks / line).max(least).max(group) / group * group;
    strip.min(x.lines)
}
