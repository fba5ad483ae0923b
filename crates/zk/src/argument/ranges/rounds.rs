//! Round polynomials. Those of the rows are sums over columns, of which any number is read at a
//! time.

mod halved;

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::Ranges;
use super::polynomial::Product;
use super::terms::Term;
use crate::argument::field::Element;
use crate::witness::columns::SourceEntry;

/// What a pair of rows counts of the polynomial of a term.
struct Weighted {
    product: Product,
    /// Whether it is 0 at all entries.
    vanishes: bool,
    /// The pairs of rows of which the term has one or both.
    pairs: core::ops::Range<usize>,
    /// The weight of the pair at the points 0, 2, .., e, for each of them.
    weights: Vec<Element>,
    /// The same by coefficients: what small integers are multiplied with.
    coefficients: Vec<[i64; 3]>,
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
        let part = |term: &Term| {
            let mut weights = Vec::new();
            for g in term.pairs() {
                let (low, high) = (term.at(2 * g), term.at(2 * g + 1));
                weights.extend(points(low, high).take(messages));
            }
            let coefficients =
                weights.iter().map(|x| x.coefficients().map(u64::cast_signed)).collect();
            let Term { product, vanishes, .. } = *term;
            Weighted { product, vanishes, pairs: term.pairs(), weights, coefficients }
        };
        Self { parts: terms.iter().map(part).collect(), messages, height }
    }

    /// Adds sum over columns j of eq_j sum over pairs and terms of E P(s^) at the points.
    ///
    /// # Constant time
    /// In the columns.
    pub(super) fn add(&self, columns: &[Element], eq: &[Element], sums: &mut [Element]) {
        self.add_with(eq, sums, |j, out| {
            let column = &columns[j * self.height..(j + 1) * self.height];
            self.add_pairs(column, 0, out);
        });
    }

    /// The same for columns of which no variable is bound. At 0 no value of a range counts, as all
    /// entries are in theirs. Nothing is reduced before the end: see [`Self::fits`].
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(super) fn add_entries<T: SourceEntry>(
        &self,
        entries: &[T],
        beta: &[Element],
        eq: &[Element],
        sums: &mut [Element],
    ) {
        let rows = entries.len() / eq.len();
        self.add_with(eq, sums, |j, out| {
            let column = &entries[j * rows..(j + 1) * rows];
            let mut totals = [[0_i128; 3]; Self::MOST_POINTS];
            for part in &self.parts {
                let weights = part.coefficients.chunks_exact(self.messages);
                for (g, weights) in part.pairs.clone().zip(weights) {
                    let Some(&[low, high]) = column.get(2 * g..2 * g + 2) else { continue };
                    let (low, high): (i64, i64) = (low.into(), high.into());
                    if !part.vanishes {
                        let value = part.product.at_integer(low);
                        for (total, &weight) in totals[0].iter_mut().zip(&weights[0]) {
                            *total += i128::from(value) * i128::from(weight);
                        }
                    }
                    let mut x = high;
                    for (total, weight) in totals[1..self.messages].iter_mut().zip(&weights[1..]) {
                        x += high - low;
                        let value = part.product.at_integer(x);
                        for (total, &weight) in total.iter_mut().zip(weight) {
                            *total += i128::from(value) * i128::from(weight);
                        }
                    }
                }
            }
            if rows % 2 == 1 {
                // The pair of the last row and beta.
                let last = Element::from(Into::<i64>::into(column[rows - 1]));
                self.add_pairs(&[last, beta[j]], rows / 2, out);
            }
            for (out, &total) in out.iter_mut().zip(&totals) {
                *out += Element::from_integers(total);
            }
        });
    }

    /// Most points of [`Self::add_entries`].
    const MOST_POINTS: usize = 8;

    /// Whether no sum of [`Self::add_entries`] overflows: at most 2^20 pairs, P below 2^44 at
    /// integers up to the e-th multiple of a difference away.
    pub(super) fn fits(&self, ranges: &Ranges) -> bool {
        let most = ranges.largest().saturating_mul(2 * (self.messages as u64 + 1));
        let fits = |part: &Weighted| part.product.bound(most).is_some_and(|bound| bound < 1 << 44);
        self.messages <= Self::MOST_POINTS && self.height <= 1 << 20 && self.parts.iter().all(fits)
    }

    /// Adds what the pairs of some rows count, of which the first is pair `first`.
    fn add_pairs(&self, rows: &[Element], first: usize, out: &mut [Element]) {
        for part in &self.parts {
            let weights = part.weights.chunks_exact(self.messages);
            for (g, weights) in part.pairs.clone().zip(weights) {
                let Some(at) = g.checked_sub(first) else { continue };
                let Some(&low) = rows.get(2 * at) else { continue };
                let high = rows.get(2 * at + 1).copied().unwrap_or(Element::ZERO);
                for ((out, &weight), x) in out.iter_mut().zip(weights).zip(points(low, high)) {
                    *out += weight * part.product.at(x);
                }
            }
        }
    }

    fn add_with(
        &self,
        eq: &[Element],
        sums: &mut [Element],
        column: impl Fn(usize, &mut [Element]) + Sync + Send,
    ) {
        let mut parts = Zeroizing::new(vec![Element::ZERO; eq.len() * self.messages]);
        crate::parallel::for_chunks(&mut parts, self.messages, |j, out| {
            column(j, out);
            for x in out {
                *x = *x * eq[j];
            }
        });
        for part in parts.chunks_exact(self.messages) {
            sums.iter_mut().zip(part).for_each(|(sum, &x)| *sum += x);
        }
    }
}

/// The values at 0, 2, 3, .. of the line that is `low` at 0 and `high` at 1.
fn points(low: Element, high: Element) -> impl Iterator<Item = Element> {
    let step = high - low;
    let more = core::iter::successors(Some(high + step), move |&x| Some(x + step));
    core::iter::once(low).chain(more)
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
        for (sum, x) in sums.iter_mut().zip(points(pair[0], high)) {
            let terms = factors.iter().map(|&(product, factor)| factor * product.at(x));
            *sum += eq * terms.fold(Element::ZERO, |sum, term| sum + term);
        }
    }
    let one = Element::monomial(1, 0);
    for (sum, factor) in sums.iter_mut().zip(points(one - tau, tau)) {
        *sum = *sum * factor;
    }
}
