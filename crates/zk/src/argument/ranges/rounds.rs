//! Round polynomials. Rounds of the rows are sums over columns, which are read in groups of any
//! size.

mod halved;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::Token;
use zeroize::Zeroizing;

use super::Ranges;
use super::level::transpose;
use super::terms::Term;
use crate::field::{Element, Integer, Integers, Lanes, Products};
use crate::polynomial::Product;
use crate::witness::columns::SourceEntry;

/// The contribution of a pair of rows to the polynomial of a term.
struct Weighted {
    product: Product,
    /// Whether it is 0 at all entries.
    vanishes: bool,
    /// The pairs of rows with one or both in the term.
    pairs: Range<usize>,
    /// How many of these are in front of the pair that has the last row of the table.
    whole: usize,
    /// The weight of the pair at the points 0, 2, .., e, for each of them.
    weights: Vec<Element>,
}

impl Weighted {
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn new(term: &Term, messages: usize, height: usize) -> Self {
        let mut weights = Vec::new();
        for g in term.pairs() {
            let (low, high) = (term.at(2 * g), term.at(2 * g + 1));
            let step = high - low;
            let mut x = low;
            for point in 0..messages {
                x = at_next_point(point, x, high, step);
                weights.push(x);
            }
        }
        let Term { product, vanishes, .. } = *term;
        let pairs = term.pairs();
        let whole = pairs.end.min((height - 1) / 2).saturating_sub(pairs.start);
        Self { product, vanishes, pairs, whole, weights }
    }

    /// The pairs in front of the last row as far as they are summed up before anything is reduced:
    /// the first, their weights, and the sums of these at the points.
    fn chunks(&self, most: usize, messages: usize) -> Vec<(usize, &[Element], Vec<Element>)> {
        let weights = self.weights[..self.whole * messages].chunks(most.saturating_mul(messages));
        let sums = |weights: &[Element]| {
            let mut sums = vec![Element::ZERO; messages];
            for weights in weights.chunks_exact(messages) {
                sums.iter_mut().zip(weights).for_each(|(sum, &x)| *sum += x);
            }
            sums
        };
        let first = (self.pairs.start..).step_by(most);
        first.zip(weights).map(|(first, weights)| (first, weights, sums(weights))).collect()
    }
}

/// Pairs of some part, their weights, and the sums of these.
type Chunk<'a> = (usize, &'a [Element], Vec<Element>);

/// The value at point number `point` of 0, 2, 3, .. of a line, which is `high` at 1 and `x` at the
/// point before, or, for the first point, at 0.
#[inline(always)]
fn at_next_point<L: Lanes>(point: usize, x: L, high: L, step: L) -> L {
    match point {
        0 => x,
        1 => high.add(step),
        _ => x.add(step),
    }
}

/// One round for a variable of the rows.
pub(super) struct RowRound {
    parts: Vec<Weighted>,
    /// e: the points are 0, 2, .., e.
    messages: usize,
    /// Rows of the table.
    height: usize,
}

impl RowRound {
    pub(super) fn new(terms: &[Term], messages: usize, height: usize) -> Self {
        let part = |term: &Term| Weighted::new(term, messages, height);
        Self { parts: terms.iter().map(part).collect(), messages, height }
    }

    /// Adds sum over columns j of eq_j sum over pairs and terms of E P(s^) at the points.
    ///
    /// # Constant time
    /// In the columns.
    pub(super) fn add<L: Lanes>(
        &self,
        token: L::Token,
        columns: &[L::Stored],
        eq: &[Element],
        sums: &mut [Element],
    ) {
        self.add_with::<L>(
            token,
            eq,
            sums,
            #[inline(always)]
            |group, out| {
                let columns = &columns[group * self.height..(group + 1) * self.height];
                self.add_pairs(token, columns, 0, out);
            },
        );
    }

    /// The same for columns with no bound variable. At 0 no value of a range counts, as all
    /// entries are in theirs. Nothing is reduced before the end: see [`Self::fits`].
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn add_entries<T: SourceEntry, L: Lanes>(
        &self,
        token: L::Token,
        (entries, beta): (&[T], &[Element]),
        eq: &[Element],
        sums: &mut [Element],
    ) {
        let rows = entries.len() / eq.len();
        let chunks = self.chunks(L::MAX_INTEGERS);
        self.add_with::<L>(
            token,
            eq,
            sums,
            #[inline(always)]
            |group, out| {
                let entries = transpose::<T, L>(entries, rows, group);
                for (part, chunks) in self.parts.iter().zip(&chunks) {
                    for chunk in chunks {
                        self.add_integers(token, part, chunk, &entries, out);
                    }
                }
                if rows % 2 == 1 {
                    // The pair of the last row and beta.
                    let last = L::integers(token, &entries[(rows - 1) * L::LANES..]);
                    let beta = L::gather(token, &beta[group * L::LANES..]);
                    let pair = Zeroizing::new([L::of_integers(last).store(), beta.store()]);
                    self.add_pairs(token, &*pair, rows / 2, out);
                }
            },
        );
    }

    #[inline(always)]
    fn add_integers<L: Lanes>(
        &self,
        token: L::Token,
        part: &Weighted,
        (first, weights, sums): &Chunk<'_>,
        entries: &[i64],
        out: &mut [L],
    ) {
        let mut totals = [L::Integers::zero(token); Self::MAX_POINTS];
        for (g, weights) in (*first..).zip(weights.chunks_exact(self.messages)) {
            let low = L::integers(token, &entries[2 * g * L::LANES..]);
            let high = L::integers(token, &entries[(2 * g + 1) * L::LANES..]);
            if !part.vanishes {
                totals[0].add(part.product.at_integer(low), weights[0]);
            }
            let step = high.sub(low);
            let mut x = high;
            for (total, &weight) in totals[1..self.messages].iter_mut().zip(&weights[1..]) {
                x = x.add(step);
                total.add(part.product.at_integer(x), weight);
            }
        }
        let points = usize::from(part.vanishes)..self.messages;
        for ((out, total), &sum) in out.iter_mut().zip(totals).zip(sums).skip(points.start) {
            *out = out.add(total.reduce(sum));
        }
    }

    fn chunks(&self, most: usize) -> Vec<Vec<Chunk<'_>>> {
        self.parts.iter().map(|part| part.chunks(most, self.messages)).collect()
    }

    /// Most points of [`Self::add_entries`].
    const MAX_POINTS: usize = 8;

    /// Whether no sum of [`Self::add_entries`] overflows: P below 2^42 at integers up to the e-th
    /// multiple of a difference away.
    pub(super) fn fits(&self, ranges: &Ranges) -> bool {
        let most = ranges.largest().saturating_mul(2 * (self.messages as u64 + 1));
        let fits = |part: &Weighted| part.product.bound(most).is_some_and(|bound| bound < 1 << 42);
        self.messages <= Self::MAX_POINTS && self.parts.iter().all(fits)
    }

    /// Adds the contributions of the pairs of some rows; the first is pair `first`.
    #[inline(always)]
    fn add_pairs<L: Lanes>(
        &self,
        token: L::Token,
        rows: &[L::Stored],
        first: usize,
        out: &mut [L],
    ) {
        let end = first + rows.len().div_ceil(2);
        for part in &self.parts {
            let mut pairs = part.pairs.start.max(first)..part.pairs.end.min(end);
            while !pairs.is_empty() {
                let mut sums = [L::Products::zero(token); super::MAX_WIDTH as usize + 1];
                for g in pairs.by_ref().take(L::MAX_PRODUCTS) {
                    let weights = &part.weights[(g - part.pairs.start) * self.messages..];
                    let at = 2 * (g - first);
                    let low = L::load(token, &rows[at]);
                    let high = match rows.get(at + 1) {
                        Some(high) => L::load(token, high),
                        None => L::splat(token, Element::ZERO),
                    };
                    let step = high.sub(low);
                    let mut x = low;
                    for (point, sum) in sums[..self.messages].iter_mut().enumerate() {
                        x = at_next_point(point, x, high, step);
                        sum.add(part.product.at(x), L::splat(token, weights[point]));
                    }
                }
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = out.add(sum.reduce());
                }
            }
        }
    }

    fn add_with<L: Lanes>(
        &self,
        token: L::Token,
        eq: &[Element],
        sums: &mut [Element],
        columns: impl Fn(usize, &mut [L]) + Sync + Send,
    ) {
        let groups = eq.len().div_ceil(L::LANES);
        let mut parts = Zeroizing::new(vec![Element::ZERO; groups * self.messages]);
        crate::parallel::for_chunks(&mut parts, self.messages, |group, parts| {
            token.vectorize(
                #[inline(always)]
                || {
                    let zero = L::splat(token, Element::ZERO);
                    let mut out = [zero; super::MAX_WIDTH as usize + 1];
                    let out = &mut out[..self.messages];
                    columns(group, out);
                    let eq = L::gather(token, &eq[group * L::LANES..]);
                    for (part, x) in parts.iter_mut().zip(out) {
                        *part = x.mul(eq).sum();
                    }
                },
            );
        });
        for part in parts.chunks_exact(self.messages) {
            sums.iter_mut().zip(part).for_each(|(sum, &x)| *sum += x);
        }
    }
}

/// Sums at the points 0, 2, .., e of a round for a variable of the columns: `table` is s^ with all
/// rows and the columns before bound, `eq` eq(tau, .) of the variables behind, and `factor` what
/// the bound ones and the claim's rows make of each range's polynomial.
///
/// # Constant time
/// In the table.
pub(super) fn column_round(
    table: &[Element],
    eq: &[Element],
    factors: &[(Product, Element)],
    tau: Element,
    sums: &mut [Element],
) {
    for (pair, &eq) in table.chunks(2).zip(eq) {
        let high = pair.get(1).copied().unwrap_or(Element::ZERO);
        let step = high - pair[0];
        let mut x = pair[0];
        for (point, sum) in sums.iter_mut().enumerate() {
            x = at_next_point(point, x, high, step);
            let terms = factors.iter().map(|&(product, factor)| factor * product.at(x));
            *sum += eq * terms.fold(Element::ZERO, |sum, term| sum + term);
        }
    }
    let one = Element::monomial(1, 0);
    let (low, high) = (one - tau, tau);
    let mut factor = low;
    for (point, sum) in sums.iter_mut().enumerate() {
        factor = at_next_point(point, factor, high, high - low);
        *sum = *sum * factor;
    }
}
