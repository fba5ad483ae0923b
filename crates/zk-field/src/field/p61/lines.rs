//! Lines, and slopes of the cube, of single elements: words of factors are reduced as far as products
//! need alone.

use super::{P, ProductSum, fold_each, fold_each_nearly, products, squares};
use crate::field::{Element, Products};

/// y - x of reduced words, not reduced: up to 2 p.
#[inline(always)]
const fn step([a, b, c]: [u64; 3], [x, y, z]: [u64; 3]) -> [u64; 3] {
    [x + P - a, y + P - b, z + P - c]
}

/// [`Lanes::line_at`](crate::field::Lanes::line_at).
#[inline(always)]
pub(super) fn line_at(low: Element, high: Element, r: Element) -> Element {
    let [x, y, z] = products(step(low.0, high.0), r.0);
    let [a, b, c] = low.0;
    Element::from_residues(fold_each([x + u128::from(a), y + u128::from(b), z + u128::from(c)]))
}

/// x^2 and a word more, nearly reduced, for such words of x.
#[inline(always)]
fn square_and(x: [u64; 3], more: u64) -> [u64; 3] {
    let [a, b, c] = squares(x);
    fold_each_nearly([a + u128::from(more), b, c])
}

/// x + y of reduced words, up to p + 1.
#[inline(always)]
const fn sum([a, b, c]: [u64; 3], [x, y, z]: [u64; 3]) -> [u64; 3] {
    const fn fold(x: u64) -> u64 {
        (x & P) + (x >> 61)
    }
    [fold(a + x), fold(b + y), fold(c + z)]
}

/// [`Lanes::slopes`](crate::field::Lanes::slopes).
#[inline(always)]
pub(super) fn slopes(
    rows: &[Element],
    weights: &[Element],
    [root, third]: [Element; 2],
) -> [Element; 3] {
    let mut sums = [ProductSum::zero(()); 3];
    let has_root = !root.is_zero();
    let [third, four_thirds] = [P - third.0[0], P - 1 - third.0[0]];
    for (index, weight) in weights.iter().enumerate() {
        let mut low = rows[2 * index];
        let mut high = rows.get(2 * index + 1).copied().unwrap_or_default();
        if has_root {
            (low, high) = (low - root, high - root);
        }
        let (low, high) = (low.0, high.0);
        let factor = fold_each_nearly(products(step(low, high), weight.0));
        sums[0].add_each(products(square_and(low, third), factor));
        sums[1].add_each(products(square_and(high, third), factor));
        sums[2].add_each(products(square_and(sum(low, high), four_thirds), factor));
    }
    let [low, high, middle] = sums;
    [low.reduce(), high.reduce(), middle.reduce()]
}
