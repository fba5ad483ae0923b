//! [`Lanes::cubes`], plainly, and in registers that multiply 52 bits.
//!
//! Products are by Karatsuba's method, six of words instead of nine, with their factors in memory
//! for a few pairs: so the eighteen parts of one sum at a time lie in registers. Words are reduced
//! only where a product would not fit else.

use tautochrone_simd::vector::Madd52;

use super::super::{Element, ElementOf, Field, P};
use super::wide::{Wide, WideProducts, fold, join, multiply, subtract, times_5};
use super::{Eight, Lanes, Products, Ring};

/// A pair of rows x and y in [`Lanes::cubes`].
#[derive(Clone, Copy, Debug)]
pub struct Pair<F: Field> {
    /// Where x is; y follows it.
    pub row: usize,
    /// What its cubes count.
    pub weight: Weight<F>,
}

/// The weight w of a pair.
#[derive(Clone, Copy, Debug)]
pub enum Weight<F: Field> {
    /// w itself.
    Element(ElementOf<F>),
    /// The rows are multiplied by s already, and w = X^k s^3.
    Scaled {
        /// -s^2.
        minus_square: ElementOf<F>,
        /// k, below the degree of K.
        power: usize,
    },
}

/// [`Lanes::cubes`] in any lanes.
#[inline(always)]
pub(in super::super) fn plain<F: Field, L: Lanes<F>>(
    token: L::Token,
    rows: &[L::Stored],
    pairs: &[Pair<F>],
    [root, third]: [ElementOf<F>; 2],
) -> [L; 3] {
    let mut sums = [L::Products::zero(token); 3];
    for &Pair { row, weight } in pairs {
        let (low, high) = (L::load(token, &rows[row]), L::load(token, &rows[row + 1]));
        let step = high.sub(low);
        let (x, curve) = match weight {
            Weight::Element(weight) => {
                let x = low.sub(L::splat(token, root));
                let weighted = step.mul(L::splat(token, weight));
                sums[0].add(weighted, x.square().sub(L::splat(token, third)));
                (x, weighted.mul(step))
            }
            Weight::Scaled { minus_square, power } => {
                let power = L::splat(token, ElementOf::monomial(F::residue(1), power));
                let even = low.square().add(L::splat(token, minus_square));
                sums[0].add(low, even.mul(power));
                (low, step.square().mul(power))
            }
        };
        sums[1].add(x, curve);
        sums[2].add(step, curve);
    }
    let [first, second, third] = sums;
    [first.reduce(), second.reduce(), third.reduce()]
}

/// Pairs whose factors lie in the first level of a cache.
const CHUNK: usize = 8;

/// Of pairs: both factors of the first sum, y - x, what the last two sums share, and x, if it is
/// not the first.
pub type Factors = [[Eight<3>; 5]; CHUNK];

/// The words of a factor, and sums of two of them.
#[inline(always)]
fn words<V: Madd52>(token: V::Token, factor: &Eight<3>) -> [V; 6] {
    let Wide([a, b, c]) = Wide::load(token, factor);
    [a, b, c, a.add(b), a.add(c), b.add(c)]
}

/// A sum of products.
#[derive(Clone, Copy)]
struct Sum<V>([[V; 3]; 6]);

impl<V: Madd52> Sum<V> {
    /// Adds a product. Words are below 2^64, so that x_1 is below 2^12: a product adds at most 2^52
    /// to l_0, 3 2^52 to l_1 and 2^25 to l_2, of which 256 can be [joined](join).
    #[inline(always)]
    fn add(&mut self, token: V::Token, x: &Eight<3>, y: &Eight<3>) {
        let (x, y): ([V; 6], [V; 6]) = (words(token, x), words(token, y));
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

/// x y, for words of x below 2^63 and nearly reduced ones of y: below 2^62 + 2^58.
#[inline(always)]
fn product<V: Madd52>(token: V::Token, x: [V; 3], y: [V; 3]) -> [V; 3] {
    let mut products = WideProducts::zero(token);
    products.add(Wide(x), Wide(y));
    products.gather()
}

/// x^2 and an element more, of nearly reduced words: below 2^62 + 2^61 + 2^58.
#[inline(always)]
fn square_and<V: Madd52>(x: [V; 3], more: [V; 3]) -> [V; 3] {
    let mut products = WideProducts::beginning_with(Wide(more));
    products.add_square(Wide(x));
    products.gather()
}

/// x X^power, for words below 2^63: below 2^63, too.
#[inline(always)]
fn shift<V: Madd52>([a, b, c]: [V; 3], power: usize) -> [V; 3] {
    match power {
        0 => [a, b, c],
        1 => [fold(times_5(fold(c))), a, b],
        _ => [fold(times_5(fold(b))), fold(times_5(fold(c))), a],
    }
}

/// [`Lanes::cubes`] in registers.
#[inline(always)]
pub(super) fn wide<V: Madd52>(
    token: V::Token,
    factors: &mut Factors,
    rows: &[Eight<3>],
    pairs: &[Pair<super::P61>],
    root: Element,
    third: u64,
) -> [Wide<V>; 3] {
    let zero = V::zero(token);
    let (has_root, root) = (!root.is_zero(), Wide::splat(token, root));
    let mut sums = [Sum([[zero; 3]; 6]); 3];
    let mut of_x = 0;
    for pairs in pairs.chunks(CHUNK) {
        for (index, &Pair { row, weight }) in pairs.iter().enumerate() {
            let (mut x, y) = (Wide::load(token, &rows[row]), Wide::load(token, &rows[row + 1]));
            let Wide(step) = y.sub(x);
            let (first, even, curve);
            match weight {
                Weight::Element(weight) => {
                    if has_root {
                        x = x.sub(root);
                    }
                    let Wide(weight) = Wide::splat(token, weight);
                    first = product(token, step, weight);
                    even = square_and(x.0, [V::splat(token, P - third), zero, zero]);
                    curve = product(token, first, step);
                    of_x = 4;
                    factors[index][of_x] = x.store();
                }
                Weight::Scaled { minus_square, power } => {
                    let Wide(minus_square) = Wide::splat(token, minus_square);
                    first = x.0;
                    even = shift(square_and(x.0, minus_square), power);
                    curve = shift(square_and(step, [zero; 3]), power);
                }
            }
            for (place, words) in [first, even, step, curve].into_iter().enumerate() {
                factors[index][place] = Wide(words).store();
            }
        }
        for (total, [x, y]) in sums.iter_mut().zip([[0, 1], [of_x, 3], [2, 3]]) {
            let mut sum = *total;
            for factors in &factors[..pairs.len()] {
                sum.add(token, &factors[x], &factors[y]);
            }
            *total = sum;
        }
    }
    let [first, second, third] = sums;
    [first.reduce(), second.reduce(), third.reduce()]
}
