//! Products of digit-sliced numbers, by register blocks of 8 x 8 digits: 16 accumulators, 8 digits of one factor, 1 of
//! the other. Columns of a product are sums below 2^64, not yet swept of their carries.
#![expect(
    clippy::absurd_extreme_comparisons,
    reason = "conditions on the constants of an unrolled loop"
)]
use super::Block;
use crate::vector::{DIGIT, Vector};

macro_rules! each8 {
    ($i:ident $b:block) => {{
        const $i: usize = 0;
        $b
    }
    {
        const $i: usize = 1;
        $b
    }
    {
        const $i: usize = 2;
        $b
    }
    {
        const $i: usize = 3;
        $b
    }
    {
        const $i: usize = 4;
        $b
    }
    {
        const $i: usize = 5;
        $b
    }
    {
        const $i: usize = 6;
        $b
    }
    {
        const $i: usize = 7;
        $b
    }};
}
/// Descending: 17 multiply-adds lie between two of one accumulator, ascending only 15.
macro_rules! down8 {
    ($i:ident $b:block) => {{
        const $i: usize = 7;
        $b
    }
    {
        const $i: usize = 6;
        $b
    }
    {
        const $i: usize = 5;
        $b
    }
    {
        const $i: usize = 4;
        $b
    }
    {
        const $i: usize = 3;
        $b
    }
    {
        const $i: usize = 2;
        $b
    }
    {
        const $i: usize = 1;
        $b
    }
    {
        const $i: usize = 0;
        $b
    }};
}

/// Columns [`LOW`, `HIGH`) of 16: c += x y.
#[inline(always)]
fn block<V: Vector, const LOW: usize, const HIGH: usize>(
    c: &mut [V; 16],
    x: &Block<V>,
    y: &Block<V>,
) {
    each8!(J {
        let b = y[J];
        down8!(I { if I + J >= LOW && I + J < HIGH { c[I + J] = c[I + J].madd_low(x[I], b); } });
        down8!(I { if I + J + 1 >= LOW && I + J + 1 < HIGH { c[I + J + 1] = c[I + J + 1].madd_high(x[I], b); } });
    });
}

/// The lower eight accumulators.
#[inline(always)]
fn low<V: Vector>(c: &[V; 16]) -> Block<V> {
    core::array::from_fn(|i| c[i])
}

/// The upper eight accumulators.
#[inline(always)]
fn high<V: Vector>(c: &[V; 16]) -> Block<V> {
    core::array::from_fn(|i| c[i + 8])
}

/// The accumulators move down by eight columns; `t` comes in above.
#[inline(always)]
fn advance<V: Vector>(c: &mut [V; 16], t: &Block<V>) {
    for i in 0..8 {
        c[i] = c[i + 8];
        c[i + 8] = t[i];
    }
}

#[inline(always)]
fn zero<V: Vector>() -> Block<V> {
    [V::splat(0); 8]
}

/// t += a b for one block `a`; the top block of `t` is overwritten, so it must be zero or not in use.
#[inline(always)]
fn row<V: Vector>(t: &mut [Block<V>], a: &Block<V>, b: &[Block<V>]) {
    let Some((top, t)) = t.split_last_mut() else { return };
    let mut c = [V::splat(0); 16];
    let x = *a;
    for (t, y) in t.iter_mut().zip(b) {
        for i in 0..8 {
            c[i] = c[i].add(t[i]);
        }
        block::<V, 0, 16>(&mut c, &x, y);
        *t = low(&c);
        advance(&mut c, &zero());
    }
    *top = low(&c);
}

/// t := a b in 2 D columns.
#[inline(always)]
pub(super) fn product<V: Vector>(t: &mut [Block<V>], a: &[Block<V>], b: &[Block<V>]) {
    t.fill(zero());
    for (i, a) in a.iter().enumerate() {
        row(&mut t[i..=i + b.len()], a, b);
    }
}

/// t := a^2: the blocks off the diagonal once, doubled, and the diagonal.
#[inline(always)]
pub(super) fn square<V: Vector>(t: &mut [Block<V>], a: &[Block<V>]) {
    let nb = a.len();
    t.fill(zero());
    for i in 0..nb - 1 {
        row(&mut t[2 * i + 1..=i + nb], &a[i], &a[i + 1..]);
    }
    for (t, a) in t.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        diagonal(t, a);
    }
}

/// t := 2 (t + the products of different digits of `a`) + the squares of its digits.
#[inline(always)]
fn diagonal<V: Vector>(t: &mut [Block<V>; 2], a: &Block<V>) {
    let x = *a;
    let mut c: [V; 16] = core::array::from_fn(|i| t[i >> 3][i & 7]);
    each8!(P {
        each8!(Q { if Q > P { c[P + Q] = c[P + Q].madd_low(x[P], x[Q]); } });
        // Q > P bounds P + Q + 1 by 14; the mask is for the branches that are never taken.
        each8!(Q { if Q > P { c[(P + Q + 1) & 15] = c[(P + Q + 1) & 15].madd_high(x[P], x[Q]); } });
    });
    for v in &mut c {
        *v = v.add(*v);
    }
    each8!(P {
        c[2 * P] = c[2 * P].madd_low(x[P], x[P]);
        c[2 * P + 1] = c[2 * P + 1].madd_high(x[P], x[P]);
    });
    *t = [low(&c), high(&c)];
}

/// Carries: r := digits of the columns `t`, starting from `carry`.
#[inline(always)]
pub(super) fn sweep<V: Vector>(r: &mut [V], t: &[V], mut carry: V) {
    let mask = V::splat(DIGIT);
    for (r, &t) in r.iter_mut().zip(t) {
        let x = t.add(carry);
        *r = x.and(mask);
        carry = x.carry();
    }
}

/// q := floor(a b / beta^D) from the columns D - 1 and above; `t` of D columns is overwritten.
#[inline(always)]
pub(super) fn high_product<V: Vector>(
    q: &mut [Block<V>],
    t: &mut [Block<V>],
    a: &[Block<V>],
    b: &[Block<V>],
) {
    let nb = a.len();
    // Column D - 1, the highest one below the result.
    let mut guard = V::splat(0);
    for (i, x) in a.iter().enumerate() {
        let (x, first) = (*x, nb - 1 - i);
        let mut c = [V::splat(0); 16];
        c[7] = guard;
        if first > 0 {
            // Digit 7 of x times the digit below this block of b: its upper half falls into column D - 1.
            c[7] = c[7].madd_high(x[7], b[first - 1][7]);
        }
        if i > 0 {
            c[8..].copy_from_slice(&t[0]);
        }
        block::<V, 7, 16>(&mut c, &x, &b[first]);
        guard = c[7];
        for k in 1..=i {
            advance(&mut c, &if k < i { t[k] } else { zero() });
            block::<V, 0, 16>(&mut c, &x, &b[first + k]);
            t[k - 1] = low(&c);
        }
        t[i] = high(&c);
    }
    sweep(q.as_flattened_mut(), t.as_flattened(), guard.carry());
}

/// r := (t + q b) mod beta^D; `t` of D columns is overwritten.
#[inline(always)]
pub(super) fn add_low_product<V: Vector>(
    r: &mut [Block<V>],
    t: &mut [Block<V>],
    q: &[Block<V>],
    b: &[Block<V>],
) {
    let nb = q.len();
    for (i, x) in q.iter().enumerate() {
        let (x, last) = (*x, nb - 1 - i);
        let mut c = [V::splat(0); 16];
        for k in 0..last {
            for j in 0..8 {
                c[j] = c[j].add(t[i + k][j]);
            }
            block::<V, 0, 16>(&mut c, &x, &b[k]);
            t[i + k] = low(&c);
            advance(&mut c, &zero());
        }
        for j in 0..8 {
            c[j] = c[j].add(t[nb - 1][j]);
        }
        block::<V, 0, 8>(&mut c, &x, &b[last]);
        t[nb - 1] = low(&c);
    }
    sweep(r.as_flattened_mut(), t.as_flattened(), V::splat(0));
}
