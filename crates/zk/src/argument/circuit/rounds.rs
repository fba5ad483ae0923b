//! Round polynomials of the sum over the constraints.
//!
//! They are the line eq(tau_t, X) times eq of the variables that are bound times a polynomial h of
//! degree 2 (Gruen, eprint 2024/108). Of h, sums give the values at 0 and at infinity, and the
//! claim the value at 1. A z, B z and C z are in F before a variable is bound.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token as _, vectorize};
use zeroize::Zeroizing;

use super::weights::DUMMIES;
use crate::argument::tables::{bind_to, gather};
use crate::eq::{self, Halves, SPAN};
use crate::field::{ElementOf, Lanes, Products as _, Ring as _, SmallField, with_lanes};

/// The largest number of lanes.
const MAX_LANES: usize = 8;

/// The sum over the constraints of eq(tau, .) (A z B z - C z), as far as variables are bound.
pub(super) struct Outer<F: SmallField> {
    isa: Isa,
    /// A z, B z and C z. Secret.
    tables: [Table<F>; 3],
    /// The variables of tau that are not bound.
    tau: Vec<ElementOf<F>>,
    /// eq(tau, r_x) of those that are.
    factor: ElementOf<F>,
    /// The claim without this factor. Secret.
    claim: Zeroizing<ElementOf<F>>,
    /// h(0), and the coefficient of X^2. Secret.
    sums: Zeroizing<Sums<F>>,
}

/// Values at constraints: an even number of residues, then elements of K.
#[derive(Default)]
struct Table<F: SmallField> {
    residues: Zeroizing<Vec<u64>>,
    elements: Zeroizing<Vec<ElementOf<F>>>,
}

type Sums<F> = [ElementOf<F>; 2];

/// Some pairs of a table and of the next one, of all three matrices, and what their sums are.
struct Chunk<'a, F: SmallField>([&'a mut [ElementOf<F>]; 3], Sums<F>);

impl<F: SmallField> Outer<F> {
    /// Of A z, B z and C z at constraints that hold, and at the dummies, which do.
    pub(super) fn new(
        isa: Isa,
        residues: [Zeroizing<Vec<u64>>; 3],
        dummies: [[ElementOf<F>; DUMMIES]; 3],
        tau: &[ElementOf<F>],
    ) -> Self {
        let mut dummies = dummies.into_iter();
        let tables = residues.map(|mut residues| {
            let mut elements = Zeroizing::new(Vec::with_capacity(1 + DUMMIES));
            if residues.len() & 1 == 1 {
                elements.extend(residues.pop().map(|residue| ElementOf::monomial(residue, 0)));
            }
            elements.extend(dummies.next().expect("three matrices"));
            Table { residues, elements }
        });
        let (tau, factor) = (tau.to_vec(), ElementOf::one());
        let (claim, sums) = (Zeroizing::default(), Zeroizing::default());
        let mut outer = Self { isa, tables, tau, factor, claim, sums };
        outer.sums[1] = outer.first();
        outer
    }

    /// The coefficient of X^2 of the first h, which is 0 at 0 and at 1.
    fn first(&self) -> ElementOf<F> {
        let [a, b, _] = &self.tables;
        let in_residues = a.residues.len() >> 1;
        let eq = Halves::new(&self.tau[1..], in_residues + a.elements.len().div_ceil(2));
        let mut parts = Zeroizing::new(alloc::vec![ElementOf::ZERO; in_residues.div_ceil(SPAN)]);
        crate::parallel::for_chunks(&mut parts, 1, |chunk, out| {
            let places = 2 * SPAN * chunk..(2 * SPAN * (chunk + 1)).min(a.residues.len());
            let [a, b] = [a, b].map(|table| &table.residues[places.clone()]);
            let sum = with_lanes!(self.isa, L<F>, token => vectorize!(
                token,
                squares::<F, L<F>>(token, [a, b], &eq.low),
            ));
            out[0] = eq.high[chunk] * sum;
        });
        let mut sum = parts.iter().fold(ElementOf::ZERO, |sum, &part| sum + part);
        let step = |pair: &[ElementOf<F>]| pair.get(1).copied().unwrap_or_default() - pair[0];
        let pairs = a.elements.chunks(2).zip(b.elements.chunks(2));
        for (index, (a, b)) in (in_residues..).zip(pairs) {
            sum += eq.at(index) * step(a) * step(b);
        }
        sum
    }

    /// h(0), and the coefficients of X and X^2 of h. The claim is (1 - tau_t) h(0) + tau_t h(1),
    /// where tau_t is 0 with probability 2^-183: then the proof is not valid.
    fn polynomial(&self) -> [ElementOf<F>; 3] {
        let ([at_0, square], tau) = (*self.sums, self.tau[0]);
        let at_1 = (*self.claim - at_0 + tau * at_0) * tau.inverse();
        [at_0, at_1 - at_0 - square, square]
    }

    /// The coefficients of 1, X^2 and X^3 of the next round polynomial.
    ///
    /// # Constant time
    /// In the tables.
    pub(super) fn coefficients(&self) -> [ElementOf<F>; 3] {
        let ([at_0, linear, square], tau) = (self.polynomial(), self.tau[0]);
        let one = ElementOf::one();
        let (low, slope) = (self.factor * (one - tau), self.factor * (tau + tau - one));
        [low * at_0, low * square + slope * linear, slope * square]
    }

    /// Binds the next variable.
    ///
    /// # Constant time
    /// In the tables.
    pub(super) fn bind(&mut self, r: ElementOf<F>) {
        let [at_0, linear, square] = self.polynomial();
        *self.claim = at_0 + r * (linear + r * square);
        let tau = self.tau.remove(0);
        self.factor = self.factor * eq::at(&[tau], &[r]);
        let count = |table: &Table<F>| (table.residues.len() + table.elements.len()).div_ceil(2);
        let mut bound = self
            .tables
            .each_ref()
            .map(|table| Zeroizing::new(alloc::vec![ElementOf::ZERO; count(table)]));
        let pairs = bound[0].len().div_ceil(2);
        let eq = Halves::new(self.tau.get(1..).unwrap_or_default(), pairs);
        let [a, b, c] = bound.each_mut().map(|table| table.chunks_mut(2 * SPAN));
        let chunks = a.zip(b).zip(c).map(|((a, b), c)| Chunk([a, b, c], Sums::<F>::default()));
        let mut chunks: Vec<_> = chunks.collect();
        crate::parallel::for_chunks(&mut chunks, 1, |index, chunk| {
            let Chunk(tables, sums) = &mut chunk[0];
            with_lanes!(self.isa, L<F>, token => vectorize!(token, {
                for (out, table) in tables.iter_mut().zip(&self.tables) {
                    table.bind::<L<F>>(token, 2 * SPAN * index, r, out);
                }
                let tables = tables.each_ref().map(|table| &**table);
                *sums = sums_of::<F, L<F>>(token, tables, &eq.low);
            }));
            *sums = sums.map(|sum| eq.high[index] * sum);
        });
        let mut sums = Zeroizing::new(Sums::<F>::default());
        for Chunk(_, part) in &mut chunks {
            sums.iter_mut().zip(*part).for_each(|(sum, part)| *sum += part);
            zeroize::Zeroize::zeroize(part);
        }
        drop(chunks);
        self.sums = sums;
        self.tables = bound.map(|elements| Table { residues: Zeroizing::default(), elements });
    }

    /// A z, B z and C z at r_x, when all variables are bound.
    pub(super) fn values(&self) -> [ElementOf<F>; 3] {
        self.tables.each_ref().map(|table| table.elements[0])
    }
}

impl<F: SmallField> Table<F> {
    /// The pairs from `first` on with their variable bound.
    #[inline(always)]
    fn bind<L: Lanes<F>>(
        &self,
        token: L::Token,
        first: usize,
        r: ElementOf<F>,
        out: &mut [ElementOf<F>],
    ) {
        let in_residues = self.residues.len() >> 1;
        let (residues, elements) =
            out.split_at_mut(in_residues.saturating_sub(first).min(out.len()));
        for (index, out) in residues.chunks_mut(L::LANES).enumerate() {
            let places = &self.residues[2 * (first + index * L::LANES)..];
            let [low, high] = residues_of::<F, L>(token, places);
            let mut products = L::Products::zero(token);
            products.add_residues(high.sub(low), r);
            products.reduce().add(L::of_residues(low)).scatter(out);
        }
        let first = (first + residues.len()).saturating_sub(in_residues);
        bind_to::<F, L>(token, &self.elements[2 * first..], r, elements);
    }
}

/// The lower and the higher residues of some pairs, 0 behind the end.
#[inline(always)]
fn residues_of<F: SmallField, L: Lanes<F>>(token: L::Token, places: &[u64]) -> [L::Residue; 2] {
    let mut words = [[0; MAX_LANES]; 2];
    for (lane, pair) in places.chunks_exact(2).take(L::LANES).enumerate() {
        (words[0][lane], words[1][lane]) = (pair[0], pair[1]);
    }
    words.each_ref().map(|words| L::load_residues(token, words))
}

/// The sum over pairs of weight times the product of the steps, for at most [`SPAN`] pairs.
#[inline(always)]
fn squares<F: SmallField, L: Lanes<F>>(
    token: L::Token,
    [a, b]: [&[u64]; 2],
    weights: &[ElementOf<F>],
) -> ElementOf<F> {
    let mut sum = L::Products::zero(token);
    let (a, b) = (a.chunks(2 * L::LANES), b.chunks(2 * L::LANES));
    for ((a, b), weights) in a.zip(b).zip(weights.chunks(L::LANES)) {
        let ([a0, a1], [b0, b1]) = (residues_of::<F, L>(token, a), residues_of::<F, L>(token, b));
        sum.add_scaled(L::gather(token, weights), a1.sub(a0).mul(b1.sub(b0)));
    }
    sum.reduce().sum()
}

/// The sums over pairs of weight times a b - c at 0, and times the product of the steps, for at
/// most [`SPAN`] pairs.
#[inline(always)]
fn sums_of<F: SmallField, L: Lanes<F>>(
    token: L::Token,
    [a, b, c]: [&[ElementOf<F>]; 3],
    weights: &[ElementOf<F>],
) -> Sums<F> {
    let mut sums = [L::Products::zero(token); 2];
    for first in (0..a.len().div_ceil(2)).step_by(L::LANES) {
        let ([a0, a1], [b0, b1]) =
            (gather::<F, L>(token, a, first), gather::<F, L>(token, b, first));
        let [c0, _] = gather::<F, L>(token, c, first);
        let weight = L::gather(token, &weights[first..]);
        sums[0].add(weight, a0.mul(b0).sub(c0));
        sums[1].add(weight, a1.sub(a0).mul(b1.sub(b0)));
    }
    sums.map(|sum| sum.reduce().sum())
}
