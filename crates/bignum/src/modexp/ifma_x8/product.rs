//! Products of digit-sliced numbers, column by column in blocks of eight: 22 accumulators stay in
//! registers for the columns of a block and the eight above it, with 8 digits of one factor and 1
//! of the other. Columns are sums below 2^64.
#![expect(
    clippy::absurd_extreme_comparisons,
    reason = "conditions on the constants of an unrolled loop"
)]
use crate::radix52::Radix52;

/// Eight neighbouring digits or columns.
pub(super) type Block<V> = [V; 8];

/// The columns of the current block and those above them.
type Columns<V> = [V; 16];

/// `$b` for each constant `$i` of a list.
macro_rules! each {
    ($i:ident in [$($value:literal)*] $b:block) => {{
        $({
            const $i: usize = $value;
            $b
        })*
    }};
}
macro_rules! each8 {
    ($i:ident $b:block) => {
        each!($i in [0 1 2 3 4 5 6 7] $b)
    };
}
/// Descending: 17 multiply-adds lie between two of one accumulator, ascending only 15.
macro_rules! down8 {
    ($i:ident $b:block) => {
        each!($i in [7 6 5 4 3 2 1 0] $b)
    };
}

/// The columns that have a second accumulator, for upper halves. A column in the middle takes 16
/// multiply-adds of a block, each of which waits four cycles for the one before: 64 cycles, which
/// is what two ports need for all 128. With six more accumulators 31 registers are in use.
const FIRST_SPLIT: usize = 5;
/// How many these are.
const SPLIT: usize = 6;

/// Zeros for [`advance`], and as columns.
#[inline(always)]
fn no_columns<V: Radix52>(token: V::Token) -> (Block<V>, Columns<V>) {
    ([V::zero(token); 8], [V::zero(token); 16])
}

/// Columns [`LOW`, `HIGH`) of 16: c += x y, upper halves of the columns that are split to `split`.
#[inline(always)]
fn block<V: Radix52, const LOW: usize, const HIGH: usize>(
    c: &mut Columns<V>,
    split: &mut [V; SPLIT],
    x: &Block<V>,
    y: &Block<V>,
) {
    let x = *x;
    each8!(J {
        let b = y[J];
        down8!(I { if I + J >= LOW && I + J < HIGH { c[I + J] = c[I + J].madd_low(x[I], b); } });
        down8!(I { if I + J + 1 >= LOW && I + J + 1 < HIGH {
            let sum = split.get_mut((I + J + 1).wrapping_sub(FIRST_SPLIT));
            let sum = sum.unwrap_or(&mut c[I + J + 1]);
            *sum = sum.madd_high(x[I], b);
        } });
    });
}

/// The same for blocks a_first b_last + .. + a_last b_first.
#[inline(always)]
fn blocks<V: Radix52, const LOW: usize, const HIGH: usize>(
    c: &mut Columns<V>,
    a: &[Block<V>],
    b: &[Block<V>],
) {
    let mut split = [V::zero(c[0].token()); SPLIT];
    for (x, y) in a.iter().zip(b.iter().rev()) {
        block::<V, LOW, HIGH>(c, &mut split, x, y);
    }
    for (c, split) in c[FIRST_SPLIT..].iter_mut().zip(split) {
        *c = c.add(split);
    }
}

/// c += the products of different digits of x.
#[inline(always)]
fn triangle<V: Radix52>(c: &mut Columns<V>, x: &Block<V>) {
    let x = *x;
    each8!(P {
        each8!(Q { if const { Q > P } { c[P + Q] = c[P + Q].madd_low(x[P], x[Q]); } });
        each8!(Q { if const { Q > P } { c[P + Q + 1] = c[P + Q + 1].madd_high(x[P], x[Q]); } });
    });
}

/// The columns of the current block; the accumulators move down to those above, and `t` comes in
/// above them.
#[inline(always)]
fn advance<V: Radix52>(c: &mut Columns<V>, t: &Block<V>) -> Block<V> {
    let done = core::array::from_fn(|i| c[i]);
    for i in 0..8 {
        c[i] = c[i + 8];
        c[i + 8] = t[i];
    }
    done
}

/// The carry of columns that are made digits block by block, from the lowest on.
pub(super) struct Sweep<V>(pub(super) V);

impl<V: Radix52> Sweep<V> {
    #[inline(always)]
    pub(super) fn digits(&mut self, columns: &Block<V>) -> Block<V> {
        let mut digits = *columns;
        for d in &mut digits {
            let x = d.add(self.0);
            *d = x.and(V::digit_mask(x.token()));
            self.0 = x.carry();
        }
        digits
    }
}

/// Columns become digits; `carry` comes in at the lowest.
#[inline(always)]
pub(super) fn normalise<V: Radix52>(x: &mut [V], carry: V) {
    let mut sweep = Sweep(carry);
    for block in x.as_chunks_mut().0 {
        *block = sweep.digits(block);
    }
}

/// a b, from the lowest block of columns on, to `put` with its index.
#[inline(always)]
pub(super) fn product<V: Radix52>(
    token: V::Token,
    a: &[Block<V>],
    b: &[Block<V>],
    mut put: impl FnMut(usize, &Block<V>),
) {
    let nb = a.len();
    let (zero, mut c) = no_columns::<V>(token);
    for k in 0..nb {
        blocks::<V, 0, 16>(&mut c, &a[..=k], &b[..=k]);
        put(k, &advance(&mut c, &zero));
    }
    for k in 1..=nb {
        blocks::<V, 0, 16>(&mut c, &a[k..], &b[k..]);
        put(nb + k - 1, &advance(&mut c, &zero));
    }
}

/// a^2, as [`product`]: products of different digits once, doubled, and the squares of the digits.
#[inline(always)]
pub(super) fn square<V: Radix52>(
    token: V::Token,
    a: &[Block<V>],
    mut put: impl FnMut(usize, &Block<V>),
) {
    let nb = a.len();
    let (zero, mut c) = no_columns::<V>(token);
    for (k, x) in a.as_flattened().as_chunks::<4>().0.iter().enumerate() {
        // Pairs of different blocks with indices that sum to k, the first below the second.
        let first = k.saturating_sub(nb - 1);
        let half = k.div_ceil(2);
        blocks::<V, 0, 16>(&mut c, &a[first..half], &a[k + 1 - half..=k - first]);
        if k & 1 == 0 {
            triangle(&mut c, &a[k >> 1]);
        }
        let mut columns = advance(&mut c, &zero);
        for (c, &x) in columns.as_chunks_mut::<2>().0.iter_mut().zip(x) {
            *c = [c[0].add(c[0]).madd_low(x, x), c[1].add(c[1]).madd_high(x, x)];
        }
        put(k, &columns);
    }
}

/// q := floor(a b / beta^D) from the columns D - 1 and above.
#[inline(always)]
pub(super) fn high_product<V: Radix52>(
    token: V::Token,
    q: &mut [Block<V>],
    a: &[Block<V>],
    b: &[Block<V>],
) {
    let nb = a.len();
    let (zero, mut c) = no_columns::<V>(token);
    // Column D - 1, the highest one below the result, also takes upper halves of column D - 2.
    for (x, y) in a[..nb - 1].iter().zip(b[..nb - 1].iter().rev()) {
        c[7] = c[7].madd_high(x[7], y[7]);
    }
    blocks::<V, 7, 16>(&mut c, a, b);
    let [.., guard] = advance(&mut c, &zero);
    let mut sweep = Sweep(guard.carry());
    for (k, q) in (1..).zip(q) {
        blocks::<V, 0, 16>(&mut c, &a[k..], &b[k..]);
        *q = sweep.digits(&advance(&mut c, &zero));
    }
}

/// r := (t + q b) mod beta^D, of columns `t`.
#[inline(always)]
pub(super) fn add_low_product<V: Radix52>(
    token: V::Token,
    r: &mut [Block<V>],
    t: &[Block<V>],
    q: &[Block<V>],
    b: &[Block<V>],
) {
    let Some((top, rest)) = r.split_last_mut() else { return };
    let (zero, mut c) = no_columns::<V>(token);
    c[..8].copy_from_slice(&t[0]);
    let mut sweep = Sweep(V::zero(token));
    for (k, r) in rest.iter_mut().enumerate() {
        c[8..].copy_from_slice(&t[k + 1]);
        blocks::<V, 0, 16>(&mut c, &q[..=k], &b[..=k]);
        *r = sweep.digits(&advance(&mut c, &zero));
    }
    blocks::<V, 0, 8>(&mut c, q, b);
    *top = sweep.digits(&advance(&mut c, &zero));
}
