//! Products of numbers whose digits are neighbouring lanes. Digit i of one factor, in all lanes,
//! meets eight digits of the other, moved up so that the product falls into its column; a load
//! serves the lower halves of row i and the upper halves of row i - 1. Columns are sums below 2^64,
//! not yet normalised.
use crate::vector::{Digits, LANES, Vector, zeros};

/// Vectors of columns that stay in registers, twice each: lower and upper halves are summed
/// separately.
const MAX_COLUMNS: usize = 11;

/// A number moved up by 0 to 7 digits: aligned loads are four times as fast as others (Zen 4). Row
/// u is a vector of zeros and one vector more than the number has.
pub(super) struct Moved<V: Vector>(Digits<V>);

impl<V: Vector> Moved<V> {
    /// Zero, in `nv` vectors.
    #[inline(always)]
    pub(super) fn zeros(nv: usize) -> Self {
        Self(zeros(LANES * (nv + 2)))
    }

    /// self := x.
    #[inline(always)]
    pub(super) fn set(&mut self, x: &[V]) {
        let stride = x.len() + 2;
        let table = &mut self.0[..LANES * stride];
        let mut below = V::splat(0);
        for k in 0..=x.len() {
            let here = x.get(k).copied().unwrap_or(V::splat(0));
            for u in 0..LANES {
                table[u * stride + 1 + k] = here.up(below, u);
            }
            below = here;
        }
    }

    /// Digits of the number in the columns of vector `first` and the next ones, moved up by
    /// `u` <= 8.
    #[inline(always)]
    fn window<const T: usize>(&self, u: usize, first: usize) -> &[V; T] {
        let stride = self.0.len() / LANES;
        let at = if u < LANES { u * stride + 1 } else { 0 } + first;
        self.0[at..].first_chunk().expect("columns of the number")
    }
}

/// Eight rows: acc += digits of `a` times digits of `b`, where vector `first` of `b` belongs to the
/// first column.
///
/// `TRIANGLE`: only digits of `b` above the row's, if `a` is vector `first` of b.
#[inline(always)]
fn rows<V: Vector, const T: usize, const TRIANGLE: bool>(
    acc: &mut [V],
    a: &V,
    b: &Moved<V>,
    first: usize,
) {
    let acc: &mut [V; T] = acc.try_into().expect("as many columns");
    // Not from acc: rows of different digits do not wait for each other.
    let (mut low, mut high) = ([V::splat(0); T], [V::splat(0); T]);
    // Column 8 t + l of row u: digit 8 t + l - u of b, counted from digit 8 first; it is above
    // digit u of a if 8 t + l > 2 u, and above digit u - 1 if 8 t + l >= 2 u.
    let above = |t: usize, u: usize| ((0xffff_fffe_u64 << (2 * u)) >> (8 * t)) as u8;
    let above_last = |t: usize, u: usize| ((0xffff_ffff_u64 << (2 * u)) >> (8 * t)) as u8;
    let digits = core::slice::from_ref(a);
    let mut last = V::splat(0);
    for u in 0..=LANES {
        let x = V::splat_element(digits, u & (LANES - 1));
        let moved: &[V; T] = b.window(u, first);
        for t in 0..T {
            let y = moved[t];
            if u < LANES {
                low[t] = if TRIANGLE && t < 2 {
                    low[t].madd_low_in(above(t, u), x, y)
                } else {
                    low[t].madd_low(x, y)
                };
            }
            if u > 0 {
                high[t] = if TRIANGLE && t < 2 {
                    high[t].madd_high_in(above_last(t, u), last, y)
                } else {
                    high[t].madd_high(last, y)
                };
            }
        }
        last = x;
    }
    for (acc, (low, high)) in acc.iter_mut().zip(low.into_iter().zip(high)) {
        *acc = acc.add(low.add(high));
    }
}

/// [`rows`] for any number of columns.
#[inline(always)]
fn all_rows<V: Vector, const TRIANGLE: bool>(
    mut acc: &mut [V],
    a: &V,
    b: &Moved<V>,
    mut first: usize,
) {
    let mut triangle = TRIANGLE;
    while !acc.is_empty() {
        let width = match acc.len() {
            n if n <= MAX_COLUMNS => n,
            n if n < 2 * MAX_COLUMNS => n.div_ceil(2),
            _ => MAX_COLUMNS,
        };
        let (part, rest) = acc.split_at_mut(width);
        macro_rules! of_width {
            ($($t:literal)*) => {
                match width {
                    $($t => if TRIANGLE && triangle {
                        rows::<V, $t, TRIANGLE>(part, a, b, first);
                    } else {
                        rows::<V, $t, false>(part, a, b, first);
                    })*
                    _ => unreachable!("parts are not wider"),
                }
            };
        }
        of_width!(1 2 3 4 5 6 7 8 9 10 11);
        triangle = false;
        acc = rest;
        first += width;
    }
}

/// t := a b.
#[inline(always)]
pub(super) fn product<V: Vector>(t: &mut [V], a: &[V], b: &Moved<V>) {
    t.fill(V::splat(0));
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, false>(&mut t[i..=i + a.len()], x, b, 0);
    }
}

/// t := a^2, `moved` being a: products of different digits once, doubled, and the squares of the
/// digits.
#[inline(always)]
pub(super) fn square<V: Vector>(t: &mut [V], a: &[V], moved: &Moved<V>) {
    t.fill(V::splat(0));
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, true>(&mut t[2 * i..=i + a.len()], x, moved, i);
    }
    let zero = V::splat(0);
    for (t, &x) in t.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        let (low, high) = zero.madd_low(x, x).interleave(zero.madd_high(x, x));
        *t = [t[0].add(t[0]).add(low), t[1].add(t[1]).add(high)];
    }
}

/// q += columns D and above of a b, from what falls into these columns alone.
#[inline(always)]
pub(super) fn high_product<V: Vector>(q: &mut [V], a: &[V], b: &Moved<V>) {
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, false>(&mut q[..=i], x, b, a.len() - i);
    }
}

/// r += columns below D of a b.
#[inline(always)]
pub(super) fn low_product<V: Vector>(r: &mut [V], a: &[V], b: &Moved<V>) {
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, false>(&mut r[i..], x, b, 0);
    }
}
