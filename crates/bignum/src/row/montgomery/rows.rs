//! Product and reduction row by row: a row adds a digit of one factor times the other factor, takes the lowest column for
//! a digit of the quotient, and moves the columns down by one. N columns of registers are all that there is in between.
use zeroize::Zeroizing;

use super::super::carry::normalise;
use crate::vector::{DIGIT, Digits, LANES, RADIX, Vector};

/// m, (m K + 1) / beta, and K in all lanes.
pub(super) struct Modulus<V: Vector, const N: usize> {
    pub(super) digits: Digits<V>,
    pub(super) multiple: Digits<V>,
    pub(super) inverse: Zeroizing<V>,
}

/// The N vectors of a number.
#[inline(always)]
fn vectors<V: Vector, const N: usize>(x: &[V]) -> &[V; N] {
    x.first_chunk().expect("a number of N vectors")
}

/// The columns, from that of the row on.
struct Columns<'a, V: Vector, const N: usize> {
    sums: [V; N],
    /// The digit of the quotient of the row before: the upper halves of its products are still to be added.
    quotient: V,
    /// Shifts that leave the carry of lane 0 alone.
    carry: V,
    modulus: &'a Modulus<V, N>,
}

/// 52 in lane 0, and all bits in the others.
static CARRY: [u64; LANES] = {
    let mut counts = [64; LANES];
    counts[0] = RADIX as u64;
    counts
};

impl<'a, V: Vector, const N: usize> Columns<'a, V, N> {
    #[inline(always)]
    fn new(modulus: &'a Modulus<V, N>) -> Self {
        // Opaque: for known counts the compiler makes two instructions of each shift.
        let carry = V::from_words(*core::hint::black_box(&CARRY));
        Self { sums: [V::splat(0); N], quotient: V::splat(0), carry, modulus }
    }

    /// Lower halves: columns += x y, from vector `first` on.
    #[inline(always)]
    fn add_low(&mut self, first: usize, x: V, y: impl Fn(usize) -> V) {
        for t in first..N {
            self.sums[t] = self.sums[t].madd_low(x, y(t));
        }
    }

    /// The columns move down by one; the carry of the lowest stays, and vector t, moved, becomes `add`(t, it).
    #[inline(always)]
    fn advance(&mut self, add: impl Fn(usize, V) -> V) {
        let carry = self.sums[0].shr(self.carry);
        for t in 0..N {
            let above = if t + 1 < N { self.sums[t + 1] } else { V::splat(0) };
            self.sums[t] = add(t, above.up(self.sums[t], LANES - 1));
        }
        self.sums[0] = self.sums[0].add(carry);
    }

    /// A row: digit x, and y from vector `first` on.
    ///
    /// Vector 0 gives the next digit of the quotient, so its terms are summed apart, that of the quotient last. The other
    /// vectors can wait: what goes into the column itself saves an addition, which would take a multiplier's slot. Of the
    /// orders tried, these are the fastest on Zen 4 for few and for many vectors.
    #[inline(always)]
    fn row(&mut self, first: usize, x: V, y: impl Fn(usize) -> V) {
        let multiple: &[V; N] = vectors(&self.modulus.multiple);
        self.add_low(first, x, &y);
        let quotient = self.sums[0].splat_first();
        let last = core::mem::replace(&mut self.quotient, quotient);
        self.advance(
            #[inline(always)]
            |t, column| {
                if t > 0 && t < first {
                    return column.madd_low(quotient, multiple[t]).madd_high(last, multiple[t]);
                }
                if t > 0 && N > 6 {
                    let high = V::splat(0).madd_high(last, multiple[t]).madd_high(x, y(t));
                    return column.madd_low(quotient, multiple[t]).add(high);
                }
                let sum = V::splat(0).madd_high(last, multiple[t]);
                let sum = if t < first { sum } else { sum.madd_high(x, y(t)) };
                column.add(sum.madd_low(quotient, multiple[t]))
            },
        );
    }

    /// The last row: the quotient's digit times m; digits of the result.
    #[inline(always)]
    fn last_row(mut self, first: usize, x: V, y: impl Fn(usize) -> V) -> [V; N] {
        let m: &[V; N] = vectors(&self.modulus.digits);
        let multiple: &[V; N] = vectors(&self.modulus.multiple);
        self.add_low(first, x, &y);
        let quotient = V::splat(0).madd_low(self.sums[0].splat_first(), *self.modulus.inverse);
        self.add_low(
            0,
            quotient,
            #[inline(always)]
            |t| m[t],
        );
        let last = self.quotient;
        self.advance(
            #[inline(always)]
            |t, column| {
                let sum = V::splat(0).madd_high(last, multiple[t]);
                let sum = if t < first { sum } else { sum.madd_high(x, y(t)) };
                column.add(sum.madd_high(quotient, m[t]))
            },
        );
        normalise(&mut self.sums, 0);
        self.sums
    }
}

/// r := r y / R modulo m.
#[inline(always)]
pub(super) fn product<V: Vector, const N: usize>(r: &mut [V], y: &[V], modulus: &Modulus<V, N>) {
    let y: &[V; N] = vectors(y);
    let mut columns = Columns::new(modulus);
    for i in 0..LANES * N - 1 {
        columns.row(
            0,
            V::splat_word(r, i),
            #[inline(always)]
            |t| y[t],
        );
    }
    let last = V::splat_word(r, LANES * N - 1);
    let digits = columns.last_row(
        0,
        last,
        #[inline(always)]
        |t| y[t],
    );
    r.copy_from_slice(&digits);
}

/// Lanes of a digit in row u of eight: those equal to u, all ones.
const SAME: [[u64; LANES]; LANES] = {
    let mut masks = [[0; LANES]; LANES];
    let mut u = 0;
    while u < LANES {
        masks[u][u] = u64::MAX;
        u += 1;
    }
    masks
};

/// Those above u, but for the lowest bit of lane u + 1, which comes from digit u.
const ABOVE: [[u64; LANES]; LANES] = {
    let mut masks = [[0; LANES]; LANES];
    let mut u = 0;
    while u < LANES {
        let mut l = u + 1;
        while l < LANES {
            masks[u][l] = if l == u + 1 { !1 } else { u64::MAX };
            l += 1;
        }
        u += 1;
    }
    masks
};

/// The same in the vector after that of digit u = 7.
const AFTER: [u64; LANES] = {
    let mut mask = [u64::MAX; LANES];
    mask[0] = !1;
    mask
};

/// What digit u of a vector meets in its own vector: itself, and the doubled digits above it.
#[inline(always)]
fn own<V: Vector>(a: V, double: V, u: usize) -> V {
    a.and(V::from_words(SAME[u])).or(double.and(V::from_words(ABOVE[u])))
}

/// r := r^2 / R modulo m.
///
/// Row i takes a_i times a_i beta^i + 2 (a_{i+1} beta^{i+1} + ..): the digits of 2 a above i, without the bit that comes
/// from digit i. So vectors below that of digit i need no products: 2 N (N + 1) / 2 of 2 N^2 for each of eight rows.
#[inline(always)]
pub(super) fn square<V: Vector, const N: usize>(r: &mut [V], modulus: &Modulus<V, N>) {
    let a: [V; N] = *vectors(r);
    let mut double = [V::splat(0); N];
    let mut below = V::splat(0);
    for (w, &x) in double.iter_mut().zip(&a) {
        let top = x.shr(V::splat(RADIX as u64 - 1));
        *w = x.add(x).and(V::splat(DIGIT)).or(top.up(below, 1));
        below = top;
    }
    let mut columns = Columns::new(modulus);
    macro_rules! rows_of_vectors {
        ($($vector:literal)*) => {
            $(
                if $vector < N {
                    const K: usize = $vector;
                    // Not unrolled: the code of all rows is larger than the cache of instructions.
                    for u in 0..core::hint::black_box(LANES - 1) {
                        let u = u & (LANES - 1);
                        let diagonal = own(a[K], double[K], u);
                        columns.row(
                            K,
                            V::splat_word(r, LANES * K + u),
                            #[inline(always)]
                            |t| if t == K { diagonal } else { double[t] },
                        );
                    }
                    // The digit after that of the last lane is in the next vector.
                    if K + 1 < N {
                        let diagonal = own(a[K], double[K], LANES - 1);
                        let next = double[K + 1].and(V::from_words(AFTER));
                        columns.row(
                            K,
                            V::splat_word(r, LANES * K + LANES - 1),
                            #[inline(always)]
                            |t| match t - K {
                                0 => diagonal,
                                1 => next,
                                _ => double[t],
                            },
                        );
                    }
                }
            )*
        };
    }
    rows_of_vectors!(0 1 2 3 4 5 6 7 8 9);
    let diagonal = own(a[N - 1], double[N - 1], LANES - 1);
    let digits = columns.last_row(
        N - 1,
        V::splat_word(r, LANES * N - 1),
        #[inline(always)]
        |_| diagonal,
    );
    r.copy_from_slice(&digits);
}
