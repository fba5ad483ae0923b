//! Tables of elements of K of which variables are bound, and sums of products over them.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};
use zeroize::{Zeroize, Zeroizing};

use crate::field::{ElementOf, Field, Lanes, Products, with_lanes};

/// Columns that one thread works on together.
const COLUMNS: usize = 8;
/// The largest number of lanes.
const MAX_LANES: usize = 8;

/// Two tables of as many columns, of which the sum of products is bound variable by variable, in
/// place: the lowest of every column first. Columns of the second are at least as high as columns
/// of the first, which are 0 behind their ends.
pub(super) struct Pairs<'a, F: Field>(Vec<Pair<'a, F>>);

/// A column of both tables.
struct Pair<'a, F: Field>([&'a mut [ElementOf<F>]; 2], Sums<F>);

/// The coefficients of 1 and X^2 of a round polynomial, and what it is at 1: sums over the pairs of
/// places of columns of the products at 0, of the steps, and of the products at 1.
type Sums<F> = [ElementOf<F>; 3];

impl<'a, F: Field> Pairs<'a, F> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// More columns of both tables, each with its height.
    pub(super) fn extend(&mut self, [a, b]: [(&'a mut [ElementOf<F>], usize); 2]) {
        debug_assert!(a.1 <= b.1, "products end with the first table");
        let pairs = a.0.chunks_exact_mut(a.1).zip(b.0.chunks_exact_mut(b.1));
        self.0.extend(pairs.map(|(a, b)| Pair([a, b], Sums::<F>::default())));
    }

    /// The sums of all columns, after a variable was bound, if there is one.
    ///
    /// # Constant time
    /// In both tables.
    pub(super) fn bind(&mut self, r: Option<ElementOf<F>>) -> Zeroizing<Sums<F>> {
        let isa = Isa::detect_vectors();
        crate::parallel::for_chunks(&mut self.0, COLUMNS, |_, columns| {
            with_lanes!(isa, L<F>, token => vectorize!(token, {
                for Pair(tables, sums) in columns {
                    if let Some(r) = r {
                        for column in &mut *tables {
                            *column = bind_column::<F, L<F>>(token, core::mem::take(column), r);
                        }
                    }
                    let [a, b] = tables;
                    *sums = sums_of::<F, L<F>>(token, [a, b]);
                }
            }));
        });
        let mut total = Zeroizing::new(Sums::<F>::default());
        for Pair(_, sums) in &mut self.0 {
            total.iter_mut().zip(*sums).for_each(|(total, sum)| *total += sum);
            sums.zeroize();
        }
        total
    }
}

/// The sum over i of a_i b_i, as far as there are both: at most as many as a sum of products has.
#[inline(always)]
pub(super) fn dot<F: Field, L: Lanes<F>>(
    token: L::Token,
    a: &[ElementOf<F>],
    b: &[ElementOf<F>],
) -> ElementOf<F> {
    let mut products = L::Products::zero(token);
    let (a, b) = (a.chunks(L::LANES), b.chunks(L::LANES));
    for (a, b) in a.zip(b) {
        products.add(L::gather(token, a), L::gather(token, b));
    }
    products.reduce().sum()
}

/// The first entries of `a` times `factor`, as many as there are in `out`.
#[inline(always)]
pub(super) fn scale<F: Field, L: Lanes<F>>(
    token: L::Token,
    a: &[ElementOf<F>],
    factor: ElementOf<F>,
    out: &mut [ElementOf<F>],
) {
    let factor = L::splat(token, factor);
    for (a, out) in a.chunks(L::LANES).zip(out.chunks_mut(L::LANES)) {
        L::gather(token, a).mul(factor).scatter(out);
    }
}

/// The lower and the higher places of some pairs from `first` on, 0 behind the end.
#[inline(always)]
pub(super) fn gather<F: Field, L: Lanes<F>>(
    token: L::Token,
    column: &[ElementOf<F>],
    first: usize,
) -> [L; 2] {
    let mut places = [[ElementOf::ZERO; MAX_LANES]; 2];
    for (lane, pair) in column[2 * first..].chunks(2).take(L::LANES).enumerate() {
        places[0][lane] = pair[0];
        places[1][lane] = pair.get(1).copied().unwrap_or(ElementOf::ZERO);
    }
    let [low, high] = &places;
    [L::gather(token, &low[..L::LANES]), L::gather(token, &high[..L::LANES])]
}

/// Binds the lowest variable of a column, in place: what is left of it.
#[inline(always)]
fn bind_column<F: Field, L: Lanes<F>>(
    token: L::Token,
    column: &mut [ElementOf<F>],
    r: ElementOf<F>,
) -> &mut [ElementOf<F>] {
    let half = column.len().div_ceil(2);
    let r = L::splat(token, r);
    for first in (0..half).step_by(L::LANES) {
        let [low, high] = gather::<F, L>(token, column, first);
        low.line_at(high, r).scatter(&mut column[first..half]);
    }
    &mut column[..half]
}

/// The same of a table from an even place on, to another one.
#[inline(always)]
pub(super) fn bind_to<F: Field, L: Lanes<F>>(
    token: L::Token,
    table: &[ElementOf<F>],
    r: ElementOf<F>,
    out: &mut [ElementOf<F>],
) {
    let r = L::splat(token, r);
    for (index, out) in out.chunks_mut(L::LANES).enumerate() {
        let [low, high] = gather::<F, L>(token, table, index * L::LANES);
        low.line_at(high, r).scatter(out);
    }
}

#[inline(always)]
fn sums_of<F: Field, L: Lanes<F>>(token: L::Token, [a, b]: [&[ElementOf<F>]; 2]) -> Sums<F> {
    let mut sums = [L::splat(token, ElementOf::ZERO); 3];
    let mut groups = (0..a.len().div_ceil(2)).step_by(L::LANES);
    while groups.len() > 0 {
        let mut products = [L::Products::zero(token); 3];
        for first in groups.by_ref().take(L::MAX_PRODUCTS) {
            let ([a0, a1], [b0, b1]) =
                (gather::<F, L>(token, a, first), gather::<F, L>(token, b, first));
            products[0].add(a0, b0);
            products[1].add(a1.sub(a0), b1.sub(b0));
            products[2].add(a1, b1);
        }
        for (sum, products) in sums.iter_mut().zip(products) {
            *sum = sum.add(products.reduce());
        }
    }
    let [low, square, high] = sums;
    [low.sum(), square.sum(), high.sum()]
}
