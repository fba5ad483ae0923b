//! [`Lanes::slopes`], plainly, and in registers that multiply 52 bits.
//!
//! In these all three sums have the factor u. Products are by Karatsuba's method, six of words
//! instead of nine, with their factors' words and sums of two of these in memory for a few pairs:
//! so the eighteen parts of one sum at a time lie in registers. Words are reduced only where a
//! product would not fit else.

use tautochrone_simd::vector::Madd52;
use tautochrone_simd::wipe;

use super::super::{Element, ElementOf, Field, P};
use super::wide::{Wide, WideProducts, fold, join, multiply, subtract, times_5};
use super::{Eight, Lanes, Products, Ring};

/// [`Lanes::slopes`] in any lanes.
#[inline(always)]
pub(in super::super) fn plain<F: Field, L: Lanes<F>>(
    token: L::Token,
    rows: &[L::Stored],
    weights: &[ElementOf<F>],
    [root, third]: [ElementOf<F>; 2],
) -> [L; 3] {
    let mut sums = [L::Products::zero(token); 3];
    let (root, zero) = (L::splat(token, root), L::splat(token, ElementOf::ZERO));
    let four_thirds = L::splat(token, third + ElementOf::one());
    let third = L::splat(token, third);
    for (index, &weight) in weights.iter().enumerate() {
        let high = match rows.get(2 * index + 1) {
            Some(high) => L::load(token, high),
            None => zero,
        };
        let (low, high) = (L::load(token, &rows[2 * index]).sub(root), high.sub(root));
        let step = high.sub(low).mul(L::splat(token, weight));
        sums[0].add(step, low.square().sub(third));
        sums[1].add(step, high.square().sub(third));
        sums[2].add(step, low.add(high).square().sub(four_thirds));
    }
    let [low, high, middle] = sums;
    [low.reduce(), high.reduce(), middle.reduce()]
}

/// Pairs whose factors lie in the first level of a cache.
const CHUNK: usize = 8;

/// The words of an element, and sums of two of them.
type Factor<V> = [V; 6];

#[inline(always)]
fn factor<V: Madd52>([a, b, c]: [V; 3]) -> Factor<V> {
    [a, b, c, a.add(b), a.add(c), b.add(c)]
}

/// A sum of products.
#[derive(Clone, Copy)]
struct Sum<V>([[V; 3]; 6]);

impl<V: Madd52> Sum<V> {
    /// Adds a product. Words are below 2^64, so that x_1 is below 2^12: a product adds at most 2^52 to
    /// l_0, 3 2^52 to l_1 and 2^25 to l_2, of which 256 can be [joined](join).
    #[inline(always)]
    fn add(&mut self, x: &Factor<V>, y: &Factor<V>) {
        for (i, sum) in self.0.iter_mut().enumerate() {
            multiply(sum, x[i], y[i]);
        }
    }

    #[inline(always)]
    fn reduce(self) -> Wide<V> {
        let [a, b, c, ab, ac, bc] = self.0;
        let [a, b, c, ab, ac, bc] = [join(a), join(b), join(c), join(ab), join(ac), join(bc)];
        let above = subtract(subtract(bc, b), c);
        let first = subtract(subtract(ab, a), b);
        let second = subtract(subtract(ac, a), c);
        Wide([fold(a.add(times_5(above))), fold(first.add(times_5(c))), fold(second.add(b))])
    }
}

/// x y, for words of x below 2^63 and reduced ones of y: below 2^62 + 2^58.
#[inline(always)]
fn product<V: Madd52>(token: V::Token, x: [V; 3], y: [V; 3]) -> [V; 3] {
    let mut products = WideProducts::zero(token);
    products.add(Wide(x), Wide(y));
    products.gather()
}

/// x^2 and a reduced word more, for words of x below 2^62 + 2^6, the last one nearly reduced: below
/// 2^62 + 2^58, and the first below 2^62 + 2^61 + 2^58.
#[inline(always)]
fn square_and<V: Madd52>(token: V::Token, x: [V; 3], more: V) -> [V; 3] {
    let zero = V::zero(token);
    let mut products = WideProducts::beginning_with(Wide([more, zero, zero]));
    products.add_square(Wide(x));
    products.gather()
}

/// [`Lanes::slopes`] in registers.
#[inline(always)]
pub(super) fn wide<V: Madd52>(
    token: V::Token,
    rows: &[Eight<3>],
    weights: &[Element],
    root: Element,
    third: u64,
) -> [Wide<V>; 3] {
    let zero = V::zero(token);
    let (third, four_thirds) = (V::splat(token, P - third), V::splat(token, P - 1 - third));
    let (has_root, root) = (!root.is_zero(), Wide::splat(token, root));
    let mut sums = [Sum([[zero; 3]; 6]); 3];
    let mut factors = [[[zero; 6]; 4]; CHUNK];
    for (rows, weights) in rows.chunks(2 * CHUNK).zip(weights.chunks(CHUNK)) {
        for (index, &weight) in weights.iter().enumerate() {
            let mut low = Wide::load(token, &rows[2 * index]);
            let mut high = match rows.get(2 * index + 1) {
                Some(high) => Wide::load(token, high),
                None => Wide([zero; 3]),
            };
            if has_root {
                (low, high) = (low.sub(root), high.sub(root));
            }
            let (Wide(low), Wide(high), Wide(weight)) = (low, high, Wide::splat(token, weight));
            let more = V::splat(token, 2 * P);
            let (mut step, mut sum) = ([more; 3], low);
            for i in 0..3 {
                (step[i], sum[i]) = (high[i].add(more).sub(low[i]), low[i].add(high[i]));
            }
            sum[2] = fold(sum[2]);
            factors[index] = [
                factor(product(token, step, weight)),
                factor(square_and(token, low, third)),
                factor(square_and(token, high, third)),
                factor(square_and(token, sum, four_thirds)),
            ];
        }
        for (place, total) in sums.iter_mut().enumerate() {
            let mut sum = *total;
            for factors in &factors[..weights.len()] {
                sum.add(&factors[0], &factors[place + 1]);
            }
            *total = sum;
        }
    }
    let used = weights.len().min(CHUNK);
    wipe(&mut factors[..used], [[zero; 6]; 4]);
    let [low, high, middle] = sums;
    [low.reduce(), high.reduce(), middle.reduce()]
}
