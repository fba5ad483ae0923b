//! Classes of blocks of rows that have weights of one kind, and of pairs that are summed up
//! together.

use alloc::vec::Vec;
use core::ops::Range;

use crate::argument::ranges::scales::Scales;
use crate::argument::ranges::schedule::{Kind, Term};
use crate::field::{ElementOf, Field, Pair, Ring, Weight};
use crate::polynomial::{Product, line_at};

/// Blocks of 2^t rows of a term, the weights of which are alike.
pub(super) struct Class<F: Field> {
    pub(super) product: Product,
    /// Whether P is 0 at all entries.
    pub(super) vanishes: bool,
    pub(super) kind: Kind,
    pub(super) blocks: Range<usize>,
    /// D: the degree of the polynomial of which values are summed up.
    pub(super) degree: usize,
    /// Of blocks of one kind one for each, or for all; else one for each and each of the points.
    pub(super) weights: Vec<ElementOf<F>>,
    /// Their sum.
    pub(super) total: ElementOf<F>,
    /// The line that is a factor of the weights, if it is no other class's.
    pub(super) line: Option<[ElementOf<F>; 2]>,
    /// Of rows that are scaled, 1 / s of each block.
    pub(super) inverses: Vec<ElementOf<F>>,
    /// (D + 1)^(t - 1).
    pub(super) lines: usize,
}

impl<F: Field> Class<F> {
    /// The classes of a term in some blocks, and of some degree more than none.
    pub(super) fn of(term: &Term<F>, t: usize, clip: &Range<usize>, classes: &mut Vec<Self>) {
        let [all, regular] = term.blocks(t).map(|blocks| {
            let start = blocks.start.clamp(clip.start, clip.end);
            start..blocks.end.clamp(start, clip.end)
        });
        let Term { product, vanishes, kind, .. } = *term;
        for (kind, blocks) in [
            (Kind::Other, all.start..regular.start.min(all.end)),
            (kind, regular.clone()),
            (Kind::Other, regular.end.max(all.start)..all.end),
        ] {
            if blocks.is_empty() {
                continue;
            }
            let rows = |block: usize| (block << t..(block + 1) << t).map(|row| term.at(row));
            let degree = product.degree() + usize::from(kind == Kind::Other);
            let weights: Vec<ElementOf<F>> = match kind {
                Kind::Constant => vec![term.at(blocks.start << t)],
                Kind::Eq => {
                    let sum = |block| rows(block).fold(ElementOf::ZERO, |sum, x| sum + x);
                    blocks.clone().map(sum).collect()
                }
                Kind::Other => {
                    let mut all = Vec::new();
                    for block in blocks.clone() {
                        all.extend(extend(rows(block).collect(), degree));
                    }
                    all
                }
            };
            let total = weights.iter().fold(ElementOf::ZERO, |sum, &x| sum + x);
            let lines = (degree + 1).pow(t as u32 - 1);
            let (line, inverses) = (None, Vec::new());
            classes.push(Self {
                product,
                vanishes,
                kind,
                blocks,
                degree,
                weights,
                total,
                line,
                inverses,
                lines,
            });
        }
    }

    /// Factors the weights out of the sum over a pair, if that is the only one: they are a line.
    /// The other factor has a value at 1, which polynomials of degree 1 do not.
    pub(super) fn factor(&mut self) {
        if (self.kind, self.blocks.len()) == (Kind::Other, 1) && self.product.degree() > 1 {
            self.line = Some([self.weights[0], self.weights[1]]);
            (self.kind, self.weights) = (Kind::Constant, vec![ElementOf::one()]);
            self.degree -= 1;
        }
    }

    /// P where its values are, or their part of the highest degree.
    #[inline(always)]
    pub(super) fn value<R: Ring>(&self, x: R, is_infinite: bool) -> R {
        if !is_infinite {
            return self.product.at(x);
        }
        self.product.leading(x).mul(x)
    }

    /// All pairs, by their weight but for their scales. Public.
    pub(super) fn cubes(&self, scales: Option<&Scales<F>>) -> Vec<Cubes<F>> {
        let (start, weights) = (self.blocks.start, &self.weights);
        let pair = |index: usize, weight| Pair { row: 2 * (start + index), weight };
        let Some(scales) = scales else {
            let pairs = weights.iter().enumerate();
            let pairs = pairs.map(|(index, &weight)| pair(index, Weight::Element(weight)));
            return vec![Cubes { weight: ElementOf::one(), pairs: pairs.collect() }];
        };
        debug_assert_eq!(start, 0, "the first pairs have the scale 1");
        let alike = |first: usize| {
            let indices = (first..weights.len()).step_by(scales.stride());
            let mut indices: Vec<usize> = indices.collect();
            // Branches on a power are predicted where it is the same again.
            indices.sort_by_key(|&index| scales.of_pair(index).power);
            let pairs = indices.into_iter().map(|index| pair(index, scales.weight(index)));
            Cubes { weight: weights[first], pairs: pairs.collect() }
        };
        (0..scales.stride().min(weights.len())).map(alike).collect()
    }
}

/// The values of a multilinear polynomial at the points of [`line_at`] in each variable, the first
/// running fastest, given those at 0 and 1.
fn extend<F: Field>(mut values: Vec<ElementOf<F>>, degree: usize) -> Vec<ElementOf<F>> {
    let mut inner = 1;
    while inner < values.len() {
        let mut next = Vec::new();
        for pair in values.chunks_exact(2 * inner) {
            for index in 0..=degree {
                for i in 0..inner {
                    next.push(line_at(index, degree, pair[i], pair[inner + i]));
                }
            }
        }
        values = next;
        inner *= degree + 1;
    }
    values
}

/// Pairs of rows that are summed up together, and the weight of their sum.
pub(super) struct Cubes<F: Field> {
    pub(super) weight: ElementOf<F>,
    pub(super) pairs: Vec<Pair<F>>,
}
