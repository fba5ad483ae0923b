//! Products of numbers whose digits are neighbouring lanes. Digit i of one factor, in all lanes,
//! meets eight digits of the other, moved up so that the product falls into its column; a load
//! serves the lower halves of row i and the upper halves of row i - 1. Columns are sums below 2^64,
//! not yet normalised.
use crate::radix52::{Digits, LANES, Radix52, zeros};

/// Registers of columns that are not spilled, twice each: lower and upper halves are summed
/// separately.
const MAX_COLUMNS: usize = 11;

/// From so many registers of columns on, eight rows are a loop.
const MIN_LOOP: usize = 10;

/// A number moved up by 0 to 7 digits: aligned loads are four times as fast as others (Zen 4). Row
/// u is a register of zeros and one register more than the number has.
pub(super) struct Moved<V: Radix52>(Digits<V>);

impl<V: Radix52> Moved<V> {
    /// Zero, in `nv` registers.
    #[inline(always)]
    pub(super) fn zeros(token: V::Token, nv: usize) -> Self {
        Self(zeros(token, LANES * (nv + 2)))
    }

    /// x.
    #[inline(always)]
    pub(super) fn of(token: V::Token, x: &[V]) -> Self {
        let mut moved = Self::zeros(token, x.len());
        moved.set(x);
        moved
    }

    /// self := x.
    #[inline(always)]
    pub(super) fn set(&mut self, x: &[V]) {
        let stride = x.len() + 2;
        let table = &mut self.0[..LANES * stride];
        let zero = V::zero(table[0].token());
        let mut below = zero;
        for k in 0..=x.len() {
            let here = x.get(k).copied().unwrap_or(zero);
            for u in 0..LANES {
                table[u * stride + 1 + k] = here.up(below, u);
            }
            below = here;
        }
    }

    /// Digits of the number in the columns of register `first` and the next ones, moved up by
    /// `u` <= 8.
    #[inline(always)]
    fn window<const T: usize>(&self, u: usize, first: usize) -> &[V; T] {
        let stride = self.0.len() / LANES;
        let at = if u < LANES { u * stride + 1 } else { 0 } + first;
        self.0[at..].first_chunk().expect("columns of the number")
    }
}

/// The mask of register `t`, of a mask for all columns.
#[inline(always)]
fn part<V: Radix52>(token: V::Token, columns: u64, t: usize) -> V::Mask {
    V::mask_from_bits(token, (columns >> (LANES * t)) as u32)
}

/// The sums of eight rows, in T registers each: rows of different digits do not wait for each
/// other.
struct Sums<V, const T: usize> {
    low: [V; T],
    high: [V; T],
    /// The digit of the row before.
    last: V,
}

impl<V: Radix52, const T: usize> Sums<V, T> {
    /// The lower halves of row `u` < 8, and the upper halves of row `u` - 1.
    #[inline(always)]
    fn add<const TRIANGLE: bool>(&mut self, u: usize, a: &V, b: &Moved<V>, first: usize) {
        let token = a.token();
        // Column 8 t + l of row u: digit 8 t + l - u of b, counted from digit 8 first; it is above
        // digit u of a if 8 t + l > 2 u, and above digit u - 1 if 8 t + l >= 2 u.
        let (above, above_last) = (0xffff_fffe << (2 * u), 0xffff_ffff << (2 * u));
        let x = V::splat_element(token, core::slice::from_ref(a), u & (LANES - 1));
        let moved: &[V; T] = b.window(u, first);
        let Self { low, high, last } = self;
        for t in 0..T {
            let y = moved[t];
            if u < LANES {
                low[t] = if TRIANGLE && t < 2 {
                    low[t].madd_low_masked(part::<V>(token, above, t), x, y)
                } else {
                    low[t].madd_low(x, y)
                };
            }
            if u > 0 {
                high[t] = if TRIANGLE && t < 2 {
                    high[t].madd_high_masked(part::<V>(token, above_last, t), *last, y)
                } else {
                    high[t].madd_high(*last, y)
                };
            }
        }
        *last = x;
    }
}

/// Eight rows: acc += digits of `a` times digits of `b`, where register `first` of `b` belongs to
/// the first column.
///
/// `TRIANGLE`: only digits of `b` above the row's, if `a` is register `first` of b.
#[inline(always)]
fn rows<V: Radix52, const T: usize, const TRIANGLE: bool>(
    acc: &mut [V],
    a: &V,
    b: &Moved<V>,
    first: usize,
) {
    let acc: &mut [V; T] = acc.try_into().expect("as many columns");
    let zero = V::zero(a.token());
    let mut sums = Sums { low: [zero; T], high: [zero; T], last: zero };
    // Compilers do not always unroll the loop, and need not where a row is long.
    if T < MIN_LOOP {
        macro_rules! unrolled {
            ($($u:literal)*) => {
                $(sums.add::<TRIANGLE>($u, a, b, first);)*
            };
        }
        unrolled!(0 1 2 3 4 5 6 7 8);
    } else {
        for u in 0..=LANES {
            sums.add::<TRIANGLE>(u, a, b, first);
        }
    }
    for (acc, (low, high)) in acc.iter_mut().zip(sums.low.into_iter().zip(sums.high)) {
        *acc = acc.add(low.add(high));
    }
}

/// [`rows`] for any number of columns.
#[inline(always)]
fn all_rows<V: Radix52, const TRIANGLE: bool>(
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
pub(super) fn product<V: Radix52>(token: V::Token, t: &mut [V], a: &[V], b: &Moved<V>) {
    t.fill(V::zero(token));
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, false>(&mut t[i..=i + a.len()], x, b, 0);
    }
}

/// t := a^2, `moved` being a: products of different digits once, doubled, and the squares of the
/// digits.
#[inline(always)]
pub(super) fn square<V: Radix52>(token: V::Token, t: &mut [V], a: &[V], moved: &Moved<V>) {
    let zero = V::zero(token);
    t.fill(zero);
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, true>(&mut t[2 * i..=i + a.len()], x, moved, i);
    }
    for (t, &x) in t.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        let (low, high) = zero.madd_low(x, x).interleave(zero.madd_high(x, x));
        *t = [t[0].add(t[0]).add(low), t[1].add(t[1]).add(high)];
    }
}

/// q += columns D and above of a b, from what falls into these columns alone.
#[inline(always)]
pub(super) fn high_product<V: Radix52>(q: &mut [V], a: &[V], b: &Moved<V>) {
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, false>(&mut q[..=i], x, b, a.len() - i);
    }
}

/// r += columns below D of a b.
#[inline(always)]
pub(super) fn low_product<V: Radix52>(r: &mut [V], a: &[V], b: &Moved<V>) {
    for (i, x) in a.iter().enumerate() {
        all_rows::<V, false>(&mut r[i..], x, b, 0);
    }
}
