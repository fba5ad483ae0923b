//! Round polynomials. In rounds over rows they are sums over columns, any number of which is read at
//! a time.
//!
//! The weights of a pair of rows are a line in X; the weights of most pairs of a term are one line
//! for all of them, (1 - tau) (1 - X) + tau X or 1, times a weight of the pair (Gruen, eprint
//! 2024/108, section 3). So the sum over these is that line times a polynomial of the degree d of
//! P, of which d + 1 values are summed up. They are one less if what the round polynomial is at 0
//! and 1 together is known.

pub(super) mod blocks;
pub(super) mod columns;

use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

use tautochrone_simd::Token;
use zeroize::Zeroizing;

use super::level::{bind_column, transpose};
use super::schedule::{Kind, Term};
use crate::field::{ElementOf, Field, Integers, Lanes, Products, Ring};
use crate::parallel::Shared;
use crate::polynomial::{Points, Product, line_at, point};

/// Most degree of a class, and one that most have: with sums for no more points, exact keys are proved
/// in 3 % less time (benches/record, compile).
const MOST: usize = super::MAX_WIDTH as usize + 1;
const FEW: usize = 4;
/// The degree of P for three integers.
const CUBE: usize = 3;

/// Blocks of 2^t rows of a term, the weights of which are alike.
struct Class<F: Field> {
    product: Product,
    /// Whether P is 0 at all entries.
    vanishes: bool,
    kind: Kind,
    blocks: Range<usize>,
    /// D: the degree of the polynomial of which values are summed up.
    degree: usize,
    /// Of blocks of one kind one for each, or for all; else one for each and each of the points.
    weights: Vec<ElementOf<F>>,
    /// Their sum.
    total: ElementOf<F>,
    /// (D + 1)^(t - 1).
    lines: usize,
}

impl<F: Field> Class<F> {
    /// The classes of a term in some blocks, and of some degree more than none.
    fn of(term: &Term<F>, t: usize, clip: &Range<usize>, classes: &mut Vec<Self>) {
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
            classes.push(Self { product, vanishes, kind, blocks, degree, weights, total, lines });
        }
    }

    /// P where its values are, or their part of the highest degree.
    #[inline(always)]
    fn value<R: Ring>(&self, x: R, is_infinite: bool) -> R {
        if !is_infinite {
            return self.product.at(x);
        }
        self.product.leading(x).mul(x)
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

/// The parts of a round polynomial: each a line times a polynomial of degree D, by its values.
pub(super) struct Sums<F: Field>(Vec<Part<F>>);

/// A line, D, and the values.
type Part<F> = ([ElementOf<F>; 2], usize, Zeroizing<Vec<ElementOf<F>>>);

impl<F: Field> Sums<F> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Its value at x, given the points of each degree.
    pub(super) fn at(&self, points: &[Points<F>], x: ElementOf<F>) -> ElementOf<F> {
        let mut sum = ElementOf::ZERO;
        // Classes of one degree have the same weights.
        let mut last: Option<(usize, Vec<ElementOf<F>>)> = None;
        for ([low, high], degree, values) in &self.0 {
            let weights = match last.take() {
                Some((of, weights)) if of == *degree => weights,
                _ => points[*degree].weights(x),
            };
            let value = crate::sum_check::dot(&weights, values);
            sum += (*low + x * (*high - *low)) * value;
            last = Some((*degree, weights));
        }
        sum
    }

    /// Puts in what was left out of one part at 1, so that the values at 0 and 1 are `claim` together;
    /// or all values, in the place of [slopes](Class::add_slopes): with f the part's polynomial and a_0
    /// to a_3 its coefficients these are l = f'(0) / 3, h = f'(1) / 3 and m = 4 f'(1/2) / 3. So
    /// f(1) - f(0) = (l + h + m) / 2 (Simpson), a_1 = 3 l, 2 a_2 = 3 (m - h - 3 l) and a_3 = 2 (l + h) - m.
    fn complete(&mut self, part: usize, claim: ElementOf<F>) {
        // At both the others' are 0 or 1.
        let mut rest = claim;
        for (index, ([low, high], _, values)) in self.0.iter().enumerate() {
            if index != part {
                rest = rest - *low * values[0] - *high * values[1];
            }
        }
        let ([low, high], degree, values) = &mut self.0[part];
        if *degree != CUBE {
            values[1] = (rest - *low * values[0]) * high.inverse();
            return;
        }
        let (l, h, m) = (values[0], values[1], values[2]);
        let three = ElementOf::from(3);
        let difference = (l + h + m) * ElementOf::from(2).inverse();
        // The line is 1 at 0 and 1 together.
        let at_0 = rest - *high * difference;
        let at_1 = at_0 + difference;
        let curve = three * (m - h - three * l);
        (values[0], values[1], values[3]) = (at_0, at_1, l + l + h + h - m);
        values[2] = at_0 + at_0 + curve - at_1;
    }
}

/// A challenge that is not bound in a table yet, the columns of which have so many elements.
#[derive(Clone, Copy)]
pub(super) struct Bound<F: Field> {
    pub(super) r: ElementOf<F>,
    pub(super) height: usize,
}

/// One round for a variable of the rows.
pub(super) struct RowRound<F: Field> {
    classes: Vec<Class<F>>,
    /// The lines of regular classes that have lines.
    line: [ElementOf<F>; 2],
    /// The class of which the value at 1 follows from others.
    known: Option<usize>,
    /// Rows of the table.
    height: usize,
    /// 1/3.
    third: ElementOf<F>,
}

impl<F: Field> RowRound<F> {
    /// For the pairs from `first` on, of a variable for which tau is this.
    pub(super) fn new(terms: &[Term<F>], tau: ElementOf<F>, first: usize, height: usize) -> Self {
        let mut classes = Vec::new();
        let clip = first..height.div_ceil(2);
        for term in terms {
            Class::of(term, 1, &clip, &mut classes);
        }
        let (line, third) = ([ElementOf::one() - tau, tau], ElementOf::from(3).inverse());
        Self { classes, line, known: None, height, third }
    }

    /// The same where what the polynomial is at 0 and 1 together is known.
    pub(super) fn given_claim(mut self) -> Self {
        let regular = self.classes.iter().enumerate().filter(|(_, class)| match class.kind {
            Kind::Eq => !self.line[1].is_zero(),
            Kind::Constant => true,
            Kind::Other => false,
        });
        let most = regular.max_by_key(|(_, class)| class.blocks.len() * class.degree);
        self.known = most.map(|(index, _)| index);
        self
    }

    /// How many values are summed up.
    pub(super) fn values(&self) -> usize {
        self.classes.iter().map(|class| class.degree + 1).sum()
    }

    /// The parts of the polynomial, given all values, and what it is at 0 and 1 together if a
    /// value is to follow from it.
    pub(super) fn parts(
        &self,
        values: &[ElementOf<F>],
        claim: Option<ElementOf<F>>,
        sums: &mut Sums<F>,
    ) {
        let (first, mut rest) = (sums.0.len(), values);
        let one = ElementOf::one();
        for class in &self.classes {
            let (of_class, behind) = rest.split_at(class.degree + 1);
            let line = if class.kind == Kind::Eq { self.line } else { [one, one] };
            sums.0.push((line, class.degree, Zeroizing::new(of_class.to_vec())));
            rest = behind;
        }
        if let (Some(known), Some(claim)) = (self.known, claim) {
            sums.complete(first + known, claim);
        }
    }

    /// Adds sum over columns j of eq_j sum over pairs of P(s^), weighted, at the points of each class.
    /// The table has `stride` elements a column, of which the elements of this round come first,
    /// from row `first` on; if there is an r, it is bound before, in a table of twice as many rows: a
    /// column is read once, and the bound one lies in a cache.
    ///
    /// # Constant time
    /// In the columns.
    pub(super) fn add<L: Lanes<F>>(
        &self,
        token: L::Token,
        (table, stride, first): (&mut [L::Stored], usize, usize),
        bound: Option<Bound<F>>,
        eq: &[ElementOf<F>],
        values: &mut [ElementOf<F>],
    ) {
        let height = self.height - first;
        let of_group = |group: usize, column: &mut [L::Stored]| {
            if let Some(Bound { r, height }) = bound {
                bind_column::<F, L>(token, &mut column[..height], r);
            }
            let mut part = Zeroizing::new(vec![ElementOf::ZERO; self.values()]);
            let eq = &eq[group * L::LANES..];
            token.vectorize(
                #[inline(always)]
                || self.add_group::<L>(token, (&column[..height], first), eq, &mut part),
            );
            Ok::<_, Infallible>(part)
        };
        let Ok(parts) = crate::parallel::try_map_chunks(table, stride, of_group);
        for part in parts {
            values.iter_mut().zip(part.iter()).for_each(|(value, &x)| *value += x);
        }
    }

    #[inline(always)]
    fn add_group<L: Lanes<F>>(
        &self,
        token: L::Token,
        (columns, first): (&[L::Stored], usize),
        eq: &[ElementOf<F>],
        out: &mut [ElementOf<F>],
    ) {
        let (eq, mut rest) = (L::gather(token, eq), out);
        for (index, class) in self.classes.iter().enumerate() {
            let (out, behind) = rest.split_at_mut(class.degree + 1);
            rest = behind;
            let known = self.known == Some(index);
            let columns = (columns, first, known);
            if known && class.degree == CUBE {
                class.add_slopes::<L>(token, (columns.0, first), (eq, self.third), out);
                continue;
            }
            let zero = L::Products::zero(token);
            let (mut few, mut most);
            let sums = if class.degree <= FEW {
                few = [zero; FEW + 1];
                &mut few[..]
            } else {
                most = [zero; MOST + 1];
                &mut most[..]
            };
            class.add_pairs::<L>(columns, eq, &mut sums[..=class.degree], out);
        }
    }
}

impl<F: Field> Class<F> {
    /// Adds eq times the sums of [`Lanes::slopes`] of the pairs, for three integers of which the root
    /// is in the middle, so that P is z^3 - z.
    #[inline(always)]
    fn add_slopes<L: Lanes<F>>(
        &self,
        token: L::Token,
        (rows, first): (&[L::Stored], usize),
        (eq, third): (L, ElementOf<F>),
        out: &mut [ElementOf<F>],
    ) {
        let root = self.product.root().into();
        let rows = rows[2 * self.blocks.start - first..].chunks(L::MAX_PRODUCTS.saturating_mul(2));
        for (rows, weights) in rows.zip(self.weights.chunks(L::MAX_PRODUCTS)) {
            let sums = L::slopes(token, rows, weights, [root, third]);
            for (out, sum) in out.iter_mut().zip(sums) {
                *out += sum.mul(eq).sum();
            }
        }
    }

    /// Adds eq times the sums of the pairs at the points, but at 1 if that is known; `sums` are zeros,
    /// one for each point. One loop for all points and kinds: products of lanes are long code.
    #[inline(always)]
    fn add_pairs<L: Lanes<F>>(
        &self,
        (rows, first, known): (&[L::Stored], usize, bool),
        eq: L,
        sums: &mut [L::Products],
        out: &mut [ElementOf<F>],
    ) {
        let (degree, product, token) = (self.degree, self.product, eq.token());
        let zero = L::splat(token, ElementOf::ZERO);
        let root = zero.number(product.root());
        let mut pairs = self.blocks.clone();
        while !pairs.is_empty() {
            for g in pairs.by_ref().take(L::MAX_PRODUCTS) {
                let at = 2 * g - first;
                let low = L::load(token, &rows[at]);
                let high = match rows.get(at + 1) {
                    Some(high) => L::load(token, high),
                    None => zero,
                };
                // The first factor of P, weighted: it is linear, too.
                let step = high.sub(low);
                let below = if product.root() == 0 { low } else { low.sub(root) };
                let (mut below, mut weighted_step) = (below, step);
                if self.kind == Kind::Eq {
                    let weight = L::splat(token, self.weights[g - self.blocks.start]);
                    (below, weighted_step) = (below.mul(weight), step.mul(weight));
                }
                let (mut down, mut up, mut above) = (low, high, below.add(weighted_step));
                for (index, sum) in sums.iter_mut().enumerate() {
                    let (x, mut factor) = match index {
                        _ if index == degree => (step, weighted_step),
                        _ if index & 1 == 0 => (down, below),
                        _ => (up, above),
                    };
                    if self.kind == Kind::Other {
                        let start = (g - self.blocks.start) * (degree + 1);
                        factor = factor.mul(L::splat(token, self.weights[start + index]));
                    }
                    if index == degree {
                        sum.add(factor, product.leading(x));
                    } else if index != 1 || !known {
                        sum.add(factor, product.cofactor(x));
                    }
                    match index & 1 {
                        _ if index + 2 >= degree => {}
                        0 => (down, below) = (down.sub(step), below.sub(weighted_step)),
                        _ => (up, above) = (up.add(step), above.add(weighted_step)),
                    }
                }
            }
            let factor = match self.kind {
                Kind::Constant => eq.mul(L::splat(token, self.weights[0])),
                _ => eq,
            };
            for (out, sum) in out.iter_mut().zip(&mut *sums) {
                *out += sum.reduce().mul(factor).sum();
                *sum = L::Products::zero(token);
            }
        }
    }
}

/// Adds up what `columns` makes of each group of columns as wide as registers are, given its eq_j.
fn add_with<F: Field, L: Lanes<F>>(
    eq: &[ElementOf<F>],
    values: &mut [ElementOf<F>],
    columns: impl Fn(usize, &[ElementOf<F>], &mut [ElementOf<F>]) + Shared,
) {
    add_in_groups(L::LANES, eq, values, columns);
}

/// The same for groups of so many columns.
fn add_in_groups<F: Field>(
    width: usize,
    eq: &[ElementOf<F>],
    values: &mut [ElementOf<F>],
    columns: impl Fn(usize, &[ElementOf<F>], &mut [ElementOf<F>]) + Shared,
) {
    let groups = eq.len().div_ceil(width);
    let mut parts = Zeroizing::new(vec![ElementOf::ZERO; groups * values.len()]);
    crate::parallel::for_chunks(&mut parts, values.len(), |group, part| {
        columns(group, &eq[group * width..], part);
    });
    for part in parts.chunks_exact(values.len()) {
        values.iter_mut().zip(part).for_each(|(value, &x)| *value += x);
    }
}
