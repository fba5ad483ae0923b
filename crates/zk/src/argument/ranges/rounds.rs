//! Round polynomials. In rounds over rows they are sums over columns, any number of which is read
//! at a time.
//!
//! The weights of a pair of rows are a line in X; the weights of most pairs of a term are one line
//! for all of them, (1 - tau) (1 - X) + tau X or 1, times a weight of the pair (Gruen, eprint
//! 2024/108, section 3). So the sum over these is that line times a polynomial of the degree d of
//! P, of which d + 1 values are summed up. They are one less if what the round polynomial is at 0
//! and 1 together is known.

pub(super) mod blocks;
mod classes;

use alloc::vec::Vec;
use core::convert::Infallible;

use tautochrone_simd::{Token, vectorize};
use zeroize::Zeroizing;

use classes::{Class, Cubes};

use super::level::{bind_column, transpose};
use super::scales::Scales;
use super::schedule::{Kind, Term};
use crate::field::{ElementOf, Field, Integers, Lanes, Products, Ring};
use crate::polynomial::{Points, Product, evaluate, point};

/// Most degree of a class, and one that most have: with sums for no more points, exact keys are
/// proved in 3 % less time (benches/record, compile).
const MOST: usize = super::MAX_WIDTH as usize + 1;
const FEW: usize = 4;
/// Groups of columns that are summed up one after the other.
const GROUPS: usize = 4;
/// The degree of P for three integers.
pub(super) const CUBE: usize = 3;

/// A round polynomial, or a part of one: its coefficients, that of 1 first.
pub(super) struct Polynomial<F: Field>(Zeroizing<Vec<ElementOf<F>>>);

impl<F: Field> Polynomial<F> {
    /// 0, as a polynomial of this degree.
    pub(super) fn zero(degree: usize) -> Self {
        Self(Zeroizing::new(vec![ElementOf::ZERO; degree + 1]))
    }

    /// Adds a line times the polynomial of these coefficients.
    fn add(&mut self, [low, high]: [ElementOf<F>; 2], factor: &[ElementOf<F>]) {
        let step = high - low;
        self.0.iter_mut().zip(factor).for_each(|(sum, &x)| *sum += low * x);
        // The line of a factor of the highest degree is a constant.
        self.0[1..].iter_mut().zip(factor).for_each(|(sum, &x)| *sum += step * x);
    }

    /// What it is at 0 and 1 together.
    fn at_ends(&self) -> ElementOf<F> {
        self.0.iter().fold(self.0[0], |sum, &x| sum + x)
    }

    pub(super) fn at(&self, x: ElementOf<F>) -> ElementOf<F> {
        evaluate(&self.0, x)
    }

    /// All coefficients but that of X, which follows from what it is at 0 and 1 together.
    pub(super) fn sent(&self) -> Zeroizing<Vec<ElementOf<F>>> {
        Zeroizing::new([&self.0[..1], &self.0[2..]].concat())
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
    /// Its pairs, if it is of three integers.
    cubes: Vec<Cubes<F>>,
    /// Whether rows are [scaled](Scales).
    is_scaled: bool,
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
        classes.iter_mut().for_each(Class::factor);
        let (line, third) = ([ElementOf::one() - tau, tau], ElementOf::from(3).inverse());
        let (cubes, is_scaled) = (Vec::new(), false);
        Self { classes, line, known: None, cubes, is_scaled, height, third }
    }

    /// For a table of two rows, of which the polynomials count with these factors.
    pub(super) fn of_pair(factors: &[(Product, ElementOf<F>)], tau: ElementOf<F>) -> Self {
        let term = |&(product, x): &(Product, ElementOf<F>)| {
            Term::new(product, Kind::Eq, 0, vec![x - tau * x, tau * x])
        };
        Self::new(&factors.iter().map(term).collect::<Vec<_>>(), tau, 0, 2)
    }

    /// The same where what the polynomial is at 0 and 1 together is known, of rows that are scaled,
    /// or not.
    pub(super) fn given_claim(mut self, scales: Option<&Scales<F>>) -> Self {
        let regular = self.classes.iter().enumerate().filter(|(_, class)| match class.kind {
            Kind::Eq => !self.line[1].is_zero(),
            Kind::Constant => class.line.is_none(),
            Kind::Other => false,
        });
        let most = regular.max_by_key(|(_, class)| class.blocks.len() * class.degree);
        self.known = most.map(|(index, _)| index);
        let known = self.known.map(|known| &self.classes[known]);
        if let Some(class) = known.filter(|class| class.degree == CUBE) {
            self.cubes = class.cubes(scales);
        }
        if let Some(scales) = scales {
            self.is_scaled = true;
            for class in &mut self.classes {
                class.inverses =
                    class.blocks.clone().map(|pair| scales.of_pair(pair).inverse).collect();
            }
        }
        self
    }

    /// How many values are summed up.
    pub(super) fn values(&self) -> usize {
        self.classes.iter().map(|class| class.degree + 1).sum()
    }

    /// Adds the polynomial to what others are, given all values, and what the sum is at 0 and 1
    /// together if a value is to follow from it.
    pub(super) fn add_to(
        &self,
        sum: &mut Polynomial<F>,
        points: &[Points<F>],
        values: &[ElementOf<F>],
        claim: Option<ElementOf<F>>,
    ) {
        let (mut rest, mut last) = (values, None);
        let one = ElementOf::one();
        for (index, class) in self.classes.iter().enumerate() {
            let (of_class, behind) = rest.split_at(class.degree + 1);
            rest = behind;
            let regular = if class.kind == Kind::Eq { self.line } else { [one, one] };
            let line = class.line.unwrap_or(regular);
            match claim.filter(|_| self.known == Some(index)) {
                Some(claim) => last = Some((line, of_class, claim)),
                None => sum.add(line, &points[class.degree].coefficients(of_class)),
            }
        }
        if let Some((line, values, claim)) = last {
            let rest = claim - sum.at_ends();
            sum.add(line, &self.completed(line, points, values, rest));
        }
    }

    /// The coefficients of a factor whose value at 1 was left out, as a line times it is `rest` at
    /// 0 and 1 together; or of which three [coefficients](Lanes::cubes) are given, which depend on
    /// whether rows are scaled.
    fn completed(
        &self,
        [low, high]: [ElementOf<F>; 2],
        points: &[Points<F>],
        values: &[ElementOf<F>],
        rest: ElementOf<F>,
    ) -> Zeroizing<Vec<ElementOf<F>>> {
        let degree = values.len() - 1;
        if degree != CUBE {
            let mut values = Zeroizing::new(values.to_vec());
            values[1] = (rest - low * values[0]) * high.inverse();
            return points[degree].coefficients(&values);
        }
        let three = ElementOf::from(3);
        let (even, cubic) = (three * values[1], values[2]);
        // The line is 1 at 0 and 1 together.
        let (at_0, odd) = if self.is_scaled {
            (values[0], (rest - values[0]) * high.inverse() - even - cubic)
        } else {
            let odd = three * values[0];
            (rest - high * (odd + even + cubic), odd)
        };
        Zeroizing::new(vec![at_0, odd, even, cubic])
    }

    /// Adds sum over columns j of eq_j sum over pairs of P(s^), weighted, at the points of each
    /// class. The table has `stride` elements a column, of which the elements of this round come
    /// first, from row `first` on; if there is an r, it is bound before, in a table of twice as
    /// many rows: a column is read once, and the bound one lies in a cache; and divided by its
    /// scales, if there are any.
    ///
    /// # Constant time
    /// In the columns.
    pub(super) fn add<L: Lanes<F>>(
        &self,
        token: L::Token,
        (table, stride, first): (&mut [L::Stored], usize, usize),
        (bound, divisors): (Option<Bound<F>>, Option<&Scales<F>>),
        eq: &[ElementOf<F>],
        values: &mut [ElementOf<F>],
    ) {
        let height = self.height - first;
        let of_groups = |chunk: usize, columns: &mut [L::Stored]| {
            let mut factors = Zeroizing::new(L::Factors::default());
            let mut sums = Zeroizing::new(vec![L::Stored::default(); self.values()]);
            for (index, column) in columns.chunks_mut(stride).enumerate() {
                if let Some(Bound { r, height }) = bound {
                    bind_column::<F, L>(token, &mut column[..height], (r, divisors));
                }
                let eq = &eq[(chunk * GROUPS + index) * L::LANES..];
                // The last row of a column without a partner may be missing.
                let column = (&column[..height.min(column.len())], first);
                vectorize!(token, self.add_group::<L>(token, &mut factors, column, eq, &mut sums),);
            }
            let mut part = Zeroizing::new(vec![ElementOf::ZERO; sums.len()]);
            for (out, sum) in part.iter_mut().zip(&*sums) {
                *out = L::load(token, sum).sum();
            }
            Ok::<_, Infallible>(part)
        };
        let Ok(parts) = crate::parallel::try_map_chunks(table, GROUPS * stride, of_groups);
        for part in parts {
            values.iter_mut().zip(part.iter()).for_each(|(value, &x)| *value += x);
        }
    }

    /// Adds eq times the sums of [`Lanes::cubes`] of the pairs.
    #[inline(always)]
    fn add_cubes<L: Lanes<F>>(
        &self,
        token: L::Token,
        factors: &mut L::Factors,
        rows: &[L::Stored],
        product: Product,
        eq: L,
        out: &mut [L::Stored],
    ) {
        let constants = [product.root().into(), self.third];
        for Cubes { weight, pairs } in &self.cubes {
            let eq = eq.mul(L::splat(token, *weight));
            for pairs in pairs.chunks(L::MAX_PRODUCTS) {
                let sums = L::cubes(token, factors, rows, pairs, constants);
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = L::load(token, out).add(sum.mul(eq)).store();
                }
            }
        }
    }

    #[inline(always)]
    fn add_group<L: Lanes<F>>(
        &self,
        token: L::Token,
        factors: &mut L::Factors,
        (columns, first): (&[L::Stored], usize),
        eq: &[ElementOf<F>],
        out: &mut [L::Stored],
    ) {
        let (eq, mut rest) = (L::gather(token, eq), out);
        for (index, class) in self.classes.iter().enumerate() {
            let (out, behind) = rest.split_at_mut(class.degree + 1);
            rest = behind;
            let known = self.known == Some(index);
            let columns = (columns, first, known);
            if known && class.degree == CUBE {
                self.add_cubes::<L>(token, factors, columns.0, class.product, eq, out);
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
    /// Adds eq times the sums of the pairs at the points, but at 1 if that is known; `sums` are
    /// zeros, one for each point. One loop for all points and kinds: products of lanes are long
    /// code.
    #[inline(always)]
    fn add_pairs<L: Lanes<F>>(
        &self,
        (rows, first, known): (&[L::Stored], usize, bool),
        eq: L,
        sums: &mut [L::Products],
        out: &mut [L::Stored],
    ) {
        let (degree, product, token) = (self.degree, self.product, eq.token());
        let zero = L::splat(token, ElementOf::ZERO);
        let root = zero.number(product.root());
        let mut pairs = self.blocks.clone();
        while !pairs.is_empty() {
            for g in pairs.by_ref().take(L::MAX_PRODUCTS) {
                let at = 2 * g - first;
                let mut low = L::load(token, &rows[at]);
                let mut high = match rows.get(at + 1) {
                    Some(high) => L::load(token, high),
                    None => zero,
                };
                if let Some(&inverse) = self.inverses.get(g - self.blocks.start) {
                    let inverse = L::splat(token, inverse);
                    (low, high) = (low.mul(inverse), high.mul(inverse));
                }
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
                *out = L::load(token, out).add(sum.reduce().mul(factor)).store();
                *sum = L::Products::zero(token);
            }
        }
    }
}

/// Adds up what `columns` makes of each group of so many columns, given its eq_j.
fn add_in_groups<F: Field>(
    width: usize,
    eq: &[ElementOf<F>],
    values: &mut [ElementOf<F>],
    columns: impl Fn(usize, &[ElementOf<F>], &mut [ElementOf<F>]) + Sync + Send,
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
