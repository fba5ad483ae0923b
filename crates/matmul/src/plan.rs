//! Which kernel forms a product, and in what blocks.

use tautochrone_simd::Isa;

use crate::digits::{Encoding, Width};
use crate::kernel::Way;
use crate::layout::{Layout, Side};

/// How a product is formed, and the blocks it is formed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) way: Way,
    /// Bits of the word.
    pub(crate) word: u32,
    /// Terms of a sum that are taken at a time.
    pub(crate) depth: usize,
}

/// Where entries have several byte digits, longer blocks would push X out of the second-level cache.
const MOST_DEPTH: usize = 1024;
/// Block lengths are multiples of this: an AMX tile holds 64 bytes of a line.
const STEP: usize = 64;
/// Shorter exact sums than this cost more in recombination than they save in products.
const LEAST_DEPTH: usize = 256;

impl Plan {
    /// The cheapest plan for entries of widths `x` and `y` modulo `2^word`.
    pub(crate) fn new(isa: Isa, x: Width, y: Width, word: u32) -> Self {
        let mut best: Option<(u32, Self)> = None;
        for (way, rate) in Way::all(isa) {
            let Some(plan) = Self::with(way, x, y, word) else { continue };
            // Time for a term, in units of 100 / 2^16 cycles.
            let cost = (way.digit.products(x, y, word) << 16) as u32 / rate;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, plan));
            }
        }
        // Every instruction set has a kernel without a limit for words of at most 32 bits, and one for 64.
        best.expect("some kernel takes every word").1
    }

    /// The plan that goes this way, if it can and sums stay exact.
    pub(crate) fn with(way: Way, x: Width, y: Width, word: u32) -> Option<Self> {
        let digit = way.digit;
        let (_, y_shape) = way.shapes();
        let best = (way.kernel.resident() / y_shape.lines / digit.bytes()).min(MOST_DEPTH);
        let depth = best.min(digit.exact_depth(x, y, word)) / STEP * STEP;
        let possible = way.method.takes(digit, word) && depth >= LEAST_DEPTH;
        possible.then_some(Self { way, word, depth })
    }

    /// How an operand of this side and width lies that has so many lines of so many terms.
    pub(crate) fn layout(&self, side: Side, width: Width, size: (usize, usize)) -> Layout {
        let Self { way, word, depth } = *self;
        let (x_signed, y_signed) = way.signs();
        let signed = if side == Side::Left { x_signed } else { y_signed };
        let encoding = Encoding::new(way.digit, signed, width, word);
        Layout::new(way.shapes(), way.method, depth, side, encoding, size)
    }
}
