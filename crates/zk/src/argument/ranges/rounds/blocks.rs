//! The first rounds from one reading of S: 2^t rows of it are a block, and P at a block is a
//! polynomial in t variables, of degree d in each, whose weighted sum over all blocks has
//! (d + 1)^t values to be summed up, of which those at the 2^t entries themselves are 0. They are
//! small integers (Bagad, Domb, Thaler, eprint 2024/1046; Bagad, Dao, Domb, Thaler, eprint
//! 2025/1117, section 4), or, for wide ranges, residues modulo p.

use tautochrone_simd::{Isa, vectorize};

use super::*;
use crate::argument::ranges::{Ranges, Shape};
use crate::entry::WitnessEntry;
use crate::polynomial::line_at;

pub(in crate::argument::ranges) mod short;

/// Rounds that are played from one reading of S, how, and the sums that they need.
pub(in crate::argument::ranges) struct Blocks<F: Field> {
    classes: Vec<Class<F>>,
    /// Of each class whose sums may be [`short`], the digits of its weights.
    digits: Vec<Option<short::Weights>>,
    /// t, less one for each variable that is bound.
    pub(in crate::argument::ranges) variables: usize,
    /// Whether values are integers below 2^42.
    small: bool,
    /// The sums over all columns at all points, class after class: zeros at first. Secret.
    values: Zeroizing<Vec<ElementOf<F>>>,
}

impl<F: Field> Blocks<F> {
    /// Blocks of the rows of S alone, if there are any that values can be summed up of.
    pub(in crate::argument::ranges) fn new(
        terms: &[Term<F>],
        ranges: &Ranges,
        shape: Shape,
    ) -> Option<Self> {
        // More are more values an entry than the rounds that they save.
        let most = match shape.messages {
            ..=5 => 3,
            6 => 2,
            _ => 1,
        };
        let most = most.min(shape.rows.checked_ilog2()? as usize);
        let of = |variables| {
            let mut classes = Vec::new();
            let clip = 0..shape.rows >> variables;
            for term in terms {
                Class::of(term, variables, &clip, &mut classes);
            }
            classes
        };
        let small = (1..=most).rev().find(|&variables| {
            let fits = |class: &Class<F>| class.fits(ranges.largest(), variables);
            of(variables).iter().all(fits)
        });
        let variables = small.unwrap_or(1);
        let classes = of(variables);
        // Values modulo p are integers here.
        let most = classes.iter().map(|class| class.largest(ranges.largest(), variables)).max()?;
        let small = small.is_some();
        let digits = |class: &Class<F>| {
            class.is_short(variables).then(|| short::Weights::new(&class.weights))
        };
        let digits = classes.iter().map(digits).collect();
        let count = classes.iter().map(|class| class.values(variables)).sum();
        let values = Zeroizing::new(vec![ElementOf::ZERO; count]);
        (small || most < 1 << 42).then_some(Self { classes, digits, variables, small, values })
    }

    /// Adds sum over columns j of eq_j sum over blocks of P, weighted, at all points of each class.
    /// Entries are in their ranges.
    ///
    /// # Constant time
    /// In the entries.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(in crate::argument::ranges) fn add<T: WitnessEntry, L: Lanes<F>>(
        &mut self,
        (isa, token): (Isa, L::Token),
        entries: &[T],
        eq: &[ElementOf<F>],
    ) {
        let rows = entries.len() / eq.len();
        let offered = short::is_offered(isa);
        let is_short: Vec<bool> =
            self.digits.iter().map(|digits| offered && digits.is_some()).collect();
        let mut values = core::mem::take(&mut self.values);
        let mut rest = &mut values[..];
        for (class, digits) in self.classes.iter().zip(&self.digits) {
            let (of_class, behind) = rest.split_at_mut(class.values(self.variables));
            rest = behind;
            if let Some(digits) = digits.as_ref().filter(|_| offered) {
                class.add_short::<T, L>((isa, token), digits, (entries, rows), eq, of_class);
            }
        }
        if !is_short.iter().all(|&is_short| is_short) {
            add_in_groups(L::LANES, eq, &mut values, |group, eq, out| {
                let entries = transpose::<F, T, L>(entries, rows, group);
                self.add_group::<L>(token, &entries, &is_short, eq, out);
            });
        }
        self.values = values;
    }

    /// The same of a group of columns as wide as registers are, but for the classes of which the
    /// sums are short.
    #[inline(never)]
    fn add_group<L: Lanes<F>>(
        &self,
        token: L::Token,
        entries: &[i64],
        is_short: &[bool],
        eq: &[ElementOf<F>],
        out: &mut [ElementOf<F>],
    ) {
        vectorize!(token, {
            let (eq, mut rest) = (L::gather(token, eq), &mut *out);
            for (class, &is_short) in self.classes.iter().zip(is_short) {
                let (of_class, behind) = rest.split_at_mut(class.values(self.variables));
                rest = behind;
                if is_short {
                    continue;
                }
                if self.small {
                    class.add_blocks::<L>(self.variables, eq, entries, of_class);
                } else {
                    class.add_residues::<L>(eq, entries, of_class);
                }
            }
        });
    }

    /// The next round polynomial, given tau of its variable and of those that are left behind it.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(in crate::argument::ranges) fn polynomial(
        &self,
        tau: ElementOf<F>,
        behind: &[ElementOf<F>],
        points: &[Points<F>],
    ) -> Polynomial<F> {
        let mut sum = Polynomial::zero(points.len() - 1);
        let mut rest = &self.values[..];
        for class in &self.classes {
            let (of_class, next) = rest.split_at(class.values(self.variables));
            rest = next;
            let mut values = Zeroizing::new(of_class.to_vec());
            // All variables behind the first at 0 and 1, from the last one on.
            for &tau in behind.iter().rev() {
                let [low, high] = line(class.kind, tau);
                let inner = values.len() / (class.degree + 1);
                let (at_0, others) = values.split_at(inner);
                let pairs = at_0.iter().zip(others);
                let next: Vec<ElementOf<F>> = pairs.map(|(&x, &y)| low * x + high * y).collect();
                values = Zeroizing::new(next);
            }
            sum.add(line(class.kind, tau), &points[class.degree].coefficients(&values));
        }
        sum
    }

    /// Binds the first variable.
    pub(in crate::argument::ranges) fn bind(
        &mut self,
        points: &[Points<F>],
        tau: ElementOf<F>,
        r: ElementOf<F>,
    ) {
        let mut rest = &self.values[..];
        let mut bound = Zeroizing::new(Vec::with_capacity(self.values.len()));
        for class in &self.classes {
            let (of_class, next) = rest.split_at(class.values(self.variables));
            rest = next;
            let [low, high] = line(class.kind, tau);
            let scale = low + r * (high - low);
            let weights = points[class.degree].weights(r);
            let values = of_class.chunks_exact(class.degree + 1);
            bound.extend(values.map(|values| scale * crate::sum_check::dot(&weights, values)));
        }
        self.values = bound;
        self.variables -= 1;
    }
}

impl<F: Field> Class<F> {
    /// (D + 1)^t.
    const fn values(&self, variables: usize) -> usize {
        (self.degree + 1).pow(variables as u32)
    }

    /// The largest absolute value at a point, of entries up to some bound.
    fn largest(&self, bound: u64, variables: usize) -> u64 {
        // Of |1 - x| + |x| at finite points x, and of 2 at infinity.
        let factor = (self.degree as u64 - 1 | 1).max(2);
        bound.saturating_mul(factor.saturating_pow(variables as u32))
    }

    /// Whether P is small at all points.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn fits(&self, bound: u64, variables: usize) -> bool {
        let bound = self.product.bound(self.largest(bound, variables));
        let sums = self.blocks.len() as u64;
        // Of blocks with one weight the values are summed up.
        let most = if self.kind == Kind::Constant { (1 << 42) / sums } else { 1 << 42 };
        self.degree <= ANY && bound.is_some_and(|bound| bound < most)
    }

    /// Adds eq times the sums at all points, as far as they are not 0. A line of points, in the
    /// direction of the first variable, is summed up at a time, so that sums stay in registers.
    #[inline(always)]
    fn add_blocks<L: Lanes<F>>(&self, t: usize, eq: L, entries: &[i64], out: &mut [ElementOf<F>]) {
        let points = self.degree + 1;
        for (line, out) in out.chunks_exact_mut(points).enumerate() {
            // The points of the second and third variable.
            #[expect(clippy::integer_division_remainder_used, reason = "indices of points")]
            let others = [line % points, line / points];
            // At 0 and 1 in all variables are the entries.
            let zero = self.vanishes && others.iter().all(|&point| point < 2);
            let line = (others, line, if zero { 2 } else { 0 }, eq);
            match (t, self.kind, self.degree) {
                (3, Kind::Eq, 2) => self.add_line::<L, 2, true>(3, line, entries, out),
                (3, Kind::Eq, 3) => self.add_line::<L, 3, true>(3, line, entries, out),
                (3, Kind::Eq, 4) => self.add_line::<L, 4, true>(3, line, entries, out),
                (2, Kind::Eq, 5) => self.add_line::<L, 5, true>(2, line, entries, out),
                (3, Kind::Constant, 2) => self.add_line::<L, 2, false>(3, line, entries, out),
                _ => self.add_line::<L, ANY, false>(t, line, entries, out),
            }
        }
    }

    /// For a polynomial of degree D, or any up to [`ANY`]; at points from number `first` on; if EQ,
    /// for weights of that kind.
    #[inline(always)]
    fn add_line<L: Lanes<F>, const D: usize, const EQ: bool>(
        &self,
        t: usize,
        (others, line, first, eq): ([usize; 2], usize, usize, L),
        entries: &[i64],
        out: &mut [ElementOf<F>],
    ) {
        let token = eq.token();
        let (degree, product) = match (D, EQ) {
            (ANY, _) => (self.degree, self.product),
            (_, true) => (D, self.product.of_degree::<D>()),
            (_, false) => (D, Product::SQUARE),
        };
        let infinite = others.contains(&degree);
        let mut blocks = self.blocks.clone();
        while !blocks.is_empty() {
            let start = blocks.start - self.blocks.start;
            let count = blocks.len().min(L::MAX_INTEGERS);
            let mut integers = [L::integers(token, entries).number(0); ANY + 1];
            let mut sums = [L::Integers::zero(token); ANY + 1];
            for (place, block) in (start..).zip(blocks.by_ref().take(count)) {
                let [low, high] = ends::<F, L>(token, t, entries, block, (others, degree));
                let weight = if EQ { self.weights[place] } else { ElementOf::ZERO };
                for index in 0..=D {
                    if index < first {
                        continue;
                    }
                    if D == ANY && index > degree {
                        break;
                    }
                    let x = line_at(index, degree, low, high);
                    let value = if infinite || index == degree {
                        product.leading(x).mul(x)
                    } else {
                        product.at(x)
                    };
                    if EQ {
                        sums[index].add(value, weight);
                    } else if self.kind == Kind::Constant {
                        integers[index] = integers[index].add(value);
                    } else {
                        sums[index].add(value, self.weights[self.weight(place, line, index)]);
                    }
                }
            }
            for (index, out) in out.iter_mut().enumerate().skip(first) {
                let total = if self.kind == Kind::Constant {
                    sums[index].add(integers[index], self.weights[0]);
                    self.weights[0]
                } else if self.kind == Kind::Eq && count == self.weights.len() {
                    self.total
                } else {
                    let places = start..start + count;
                    let weights = places.map(|p| self.weights[self.weight(p, line, index)]);
                    weights.fold(ElementOf::ZERO, |sum, weight| sum + weight)
                };
                *out += sums[index].reduce(total).mul(eq).sum();
            }
        }
    }

    /// Which weight a block has at a point of a line.
    #[inline(always)]
    fn weight(&self, place: usize, line: usize, index: usize) -> usize {
        match self.kind {
            Kind::Constant => 0,
            Kind::Eq => place,
            Kind::Other => {
                let lines = self.lines;
                (place * lines + line) * (self.degree + 1) + index
            }
        }
    }

    /// The same for pairs of rows, modulo p.
    #[inline(always)]
    fn add_residues<L: Lanes<F>>(&self, eq: L, entries: &[i64], out: &mut [ElementOf<F>]) {
        let token = eq.token();
        let degree = self.degree;
        let first = if self.vanishes { 2 } else { 0 };
        for (index, out) in out.iter_mut().enumerate().skip(first) {
            let mut blocks = self.blocks.clone();
            while !blocks.is_empty() {
                let mut sum = L::Products::zero(token);
                for block in blocks.by_ref().take(L::MAX_PRODUCTS) {
                    let [low, high] = ends::<F, L>(token, 1, entries, block, ([0; 2], degree));
                    let step = L::residues(high.sub(low));
                    let value = if index == degree {
                        self.value(step, true)
                    } else {
                        self.value(step.times_plus(point(index), L::residues(low), 0), false)
                    };
                    let place = block - self.blocks.start;
                    sum.add_residues(value, self.weights[self.weight(place, 0, index)]);
                }
                *out += sum.reduce().mul(eq).sum();
            }
        }
    }
}

/// Most degree of what is summed up in integers.
const ANY: usize = 9;

/// The values of a block at 0 and 1 in the first variable, and points of the others.
#[inline(always)]
fn ends<F: Field, L: Lanes<F>>(
    token: L::Token,
    t: usize,
    entries: &[i64],
    block: usize,
    (others, degree): ([usize; 2], usize),
) -> [L::Integer; 2] {
    // No closures: vector kernels inline what is marked alone.
    let entries = &entries[(block << t) * L::LANES..((block + 1) << t) * L::LANES];
    let mut ends = [L::integers(token, entries); 2];
    for (end, out) in ends.iter_mut().enumerate() {
        *out = match t {
            1 => L::integers(token, &entries[end * L::LANES..]),
            2 => line_of::<F, L>(token, entries, end, others[0], degree),
            _ => {
                let low = line_of::<F, L>(token, entries, end, others[0], degree);
                let high = line_of::<F, L>(token, entries, end + 4, others[0], degree);
                line_at(others[1], degree, low, high)
            }
        };
    }
    ends
}

/// The value of rows `row` and `row` + 2 at a point of their line.
#[inline(always)]
fn line_of<F: Field, L: Lanes<F>>(
    token: L::Token,
    entries: &[i64],
    row: usize,
    point: usize,
    degree: usize,
) -> L::Integer {
    let low = L::integers(token, &entries[row * L::LANES..]);
    let high = L::integers(token, &entries[(row + 2) * L::LANES..]);
    line_at(point, degree, low, high)
}

/// The line of the weights in one variable.
fn line<F: Field>(kind: Kind, tau: ElementOf<F>) -> [ElementOf<F>; 2] {
    let one = ElementOf::one();
    if kind == Kind::Eq { [one - tau, tau] } else { [one, one] }
}
