//! Lines, and the cube on them, of single elements: words of factors are reduced as far as products
//! need alone.

use super::{P, P61, ProductSum, fold_each, fold_each_nearly, products, squares, times_5};
use crate::field::{Element, Pair, Products, Weight};

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

/// x^2 and an element more, nearly reduced, for such words of x.
#[inline(always)]
fn square_and(x: [u64; 3], [u, v, w]: [u64; 3]) -> [u64; 3] {
    let [a, b, c] = squares(x);
    fold_each_nearly([a + u128::from(u), b + u128::from(v), c + u128::from(w)])
}

/// x X^power of nearly reduced words.
#[inline(always)]
const fn shift([a, b, c]: [u64; 3], power: usize) -> [u64; 3] {
    match power {
        0 => [a, b, c],
        1 => [times_5(c), a, b],
        _ => [times_5(b), times_5(c), a],
    }
}

/// [`Lanes::cubes`](crate::field::Lanes::cubes).
#[inline(always)]
pub(super) fn cubes(
    rows: &[Element],
    pairs: &[Pair<P61>],
    [root, third]: [Element; 2],
) -> [Element; 3] {
    let mut sums = [ProductSum::zero(()); 3];
    let minus_third = [P - third.0[0], 0, 0];
    for &Pair { row, weight } in pairs {
        let (low, high) = (rows[row], rows[row + 1]);
        let step = (high - low).0;
        let (x, curve) = match weight {
            Weight::Element(weight) => {
                let x = (low - root).0;
                let weighted = fold_each_nearly(products(step, weight.0));
                sums[0].add_each(products(weighted, square_and(x, minus_third)));
                (x, fold_each_nearly(products(weighted, step)))
            }
            Weight::Scaled { minus_square, power } => {
                let x = low.0;
                let even = shift(square_and(x, minus_square.0), power);
                sums[0].add_each(products(x, even));
                (x, shift(square_and(step, [0; 3]), power))
            }
        };
        sums[1].add_each(products(x, curve));
        sums[2].add_each(products(step, curve));
    }
    let [first, second, third] = sums;
    [first.reduce(), second.reduce(), third.reduce()]
}
