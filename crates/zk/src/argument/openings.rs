//! For tests: whether pads hide what is sent beside columns that are opened (docs/protocol.md,
//! section 18).

use super::field::{Element, P};
use super::scalar::Scalar;

/// What pads make of what is sent, for fixed challenges.
///
/// Message k less gamma_k depends on entries and betas, so with gamma_k closed it is uniform,
/// whatever else is; the ends and the values are linear in the pads, and are uniform up to the
/// verifier's two equations if and only if they have full rank.
pub(super) struct Pads<'a> {
    /// Messages; message k is masked by gamma of column `first` + k.
    pub(super) messages: usize,
    pub(super) first: usize,
    /// eq(r_2, j), and w_k.
    pub(super) eq: &'a [Element],
    pub(super) w: &'a [Element],
    /// What beta counts in phi_1.
    pub(super) of_beta: Element,
    /// Whether beta is in F, or in K.
    pub(super) beta_in_f: bool,
    /// What else is sent and masked by betas: weights of columns from `first` on.
    pub(super) masked_by_beta: Vec<Vec<Element>>,
}

impl Pads<'_> {
    /// Dimensions over F of what is sent that are not uniform where these columns are opened: 0 if
    /// the pads of all others hide everything.
    pub(super) fn missing(&self, opened: impl Fn(usize) -> bool) -> usize {
        let (columns, one) = (self.eq.len(), Element::monomial(1, 0));
        let closed: Vec<usize> = (0..columns).filter(|&j| !opened(j)).collect();
        let rho = Element::from_integers([5, -7, 11]);
        let w = |j: usize| {
            let k = j.checked_sub(self.first);
            k.and_then(|k| self.w.get(k)).copied().unwrap_or(Element::ZERO)
        };
        // gamma, beta and kappa of each closed column, in this order: what one unit changes.
        let outputs = self.messages + self.masked_by_beta.len() + 5 + closed.len();
        let mut rows = Vec::new();
        for (place, &j) in closed.iter().enumerate() {
            let ends = self.messages + self.masked_by_beta.len();
            let value = ends + 5 + place;
            let mut gamma = vec![Element::ZERO; outputs];
            if let Some(k) = j.checked_sub(self.first).filter(|&k| k < self.messages) {
                gamma[k] = one;
            }
            gamma[ends + 2] = self.eq[j];
            gamma[value] = rho * rho;
            let mut beta = vec![Element::ZERO; outputs];
            for (at, weights) in (self.messages..).zip(&self.masked_by_beta) {
                let weight = j.checked_sub(self.first).and_then(|k| weights.get(k));
                beta[at] = weight.copied().unwrap_or(Element::ZERO);
            }
            beta[ends] = self.of_beta * self.eq[j];
            beta[ends + 1] = self.of_beta * w(j);
            beta[value] = rho * self.of_beta;
            let mut kappa = vec![Element::ZERO; outputs];
            (kappa[ends + 3], kappa[ends + 4], kappa[value]) = (w(j), self.eq[j], one);
            for (pad, in_f) in [(gamma, false), (beta, self.beta_in_f), (kappa, false)] {
                // A unit of each coefficient.
                for i in 0..if in_f { 1 } else { 3 } {
                    let unit = Element::monomial(1, i);
                    rows.push(pad.iter().flat_map(|&x| (x * unit).coefficients()).collect());
                }
            }
        }
        // Two equations in K hold of what is sent.
        3 * (outputs - 2) - rank(rows)
    }
}

/// The rank of a matrix over F.
fn rank(mut rows: Vec<Vec<u64>>) -> usize {
    let width = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..width {
        let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        let pivot = &done[rank];
        let inverse = Scalar::new(pivot[column]).expect("a residue").inverse().value();
        for row in rest.iter_mut().filter(|row| row[column] != 0) {
            let factor = multiply(row[column], inverse);
            for (x, &y) in row[column..].iter_mut().zip(&pivot[column..]) {
                *x = (*x + P - multiply(factor, y)) % P;
            }
        }
        rank += 1;
    }
    rank
}

#[expect(clippy::integer_division_remainder_used, reason = "a test")]
fn multiply(x: u64, y: u64) -> u64 {
    (u128::from(x) * u128::from(y) % u128::from(P)) as u64
}

#[test]
fn ranks_are_ranks() {
    let two = vec![vec![1, 2, 3], vec![2, 4, 6], vec![0, P - 1, 5]];
    assert_eq!((rank(two), rank(vec![vec![0; 4]; 2]), rank(Vec::new())), (2, 0, 0));
    assert_eq!(rank(vec![vec![0, 1], vec![1, 0], vec![1, 1]]), 2);
}
