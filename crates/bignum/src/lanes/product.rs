//! Products of digit-sliced numbers, by register blocks of 8 x 8 digits: 16 accumulators, 8 digits of one factor, 1 of
//! the other. Columns of a product are sums below 2^64, not yet swept of their carries.
#![expect(
    clippy::absurd_extreme_comparisons,
    reason = "conditions on the constants of an unrolled loop"
)]
use core::arch::x86_64::*;

use super::{Block, V, splat};

/// Digits lie below 2^52.
pub(super) const DIGIT: u64 = (1 << 52) - 1;

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
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
fn block<const LOW: usize, const HIGH: usize>(c: &mut [V; 16], x: &Block, y: &Block) {
    each8!(J {
        let b = y[J];
        down8!(I { if I + J >= LOW && I + J < HIGH { c[I + J] = _mm512_madd52lo_epu64(c[I + J], x[I], b); } });
        down8!(I { if I + J + 1 >= LOW && I + J + 1 < HIGH { c[I + J + 1] = _mm512_madd52hi_epu64(c[I + J + 1], x[I], b); } });
    });
}

/// The lower eight accumulators.
fn low(c: &[V; 16]) -> Block {
    core::array::from_fn(|i| c[i])
}

/// The upper eight accumulators.
fn high(c: &[V; 16]) -> Block {
    core::array::from_fn(|i| c[i + 8])
}

/// The accumulators move down by eight columns; `t` comes in above.
fn advance(c: &mut [V; 16], t: &Block) {
    for i in 0..8 {
        c[i] = c[i + 8];
        c[i + 8] = t[i];
    }
}

#[target_feature(enable = "avx512f")]
fn zero() -> Block {
    [_mm512_setzero_si512(); 8]
}

/// t += a b for one block `a`; the top block of `t` is overwritten, so it must be zero or not in use.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn row(t: &mut [Block], a: &Block, b: &[Block]) {
    let Some((top, t)) = t.split_last_mut() else { return };
    let mut c = [_mm512_setzero_si512(); 16];
    let x = *a;
    for (t, y) in t.iter_mut().zip(b) {
        for i in 0..8 {
            c[i] = _mm512_add_epi64(c[i], t[i]);
        }
        block::<0, 16>(&mut c, &x, y);
        *t = low(&c);
        advance(&mut c, &zero());
    }
    *top = low(&c);
}

/// t := a b in 2 D columns.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn product(t: &mut [Block], a: &[Block], b: &[Block]) {
    t.fill(zero());
    for (i, a) in a.iter().enumerate() {
        row(&mut t[i..=i + b.len()], a, b);
    }
}

/// t := a^2: the blocks off the diagonal once, doubled, and the diagonal.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn square(t: &mut [Block], a: &[Block]) {
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
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn diagonal(t: &mut [Block; 2], a: &Block) {
    let x = *a;
    let mut c: [V; 16] = core::array::from_fn(|i| t[i >> 3][i & 7]);
    each8!(P {
        each8!(Q { if Q > P { c[P + Q] = _mm512_madd52lo_epu64(c[P + Q], x[P], x[Q]); } });
        // Q > P bounds P + Q + 1 by 14; the mask is for the branches that are never taken.
        each8!(Q { if Q > P { c[(P + Q + 1) & 15] = _mm512_madd52hi_epu64(c[(P + Q + 1) & 15], x[P], x[Q]); } });
    });
    for v in &mut c {
        *v = _mm512_add_epi64(*v, *v);
    }
    each8!(P {
        c[2 * P] = _mm512_madd52lo_epu64(c[2 * P], x[P], x[P]);
        c[2 * P + 1] = _mm512_madd52hi_epu64(c[2 * P + 1], x[P], x[P]);
    });
    *t = [low(&c), high(&c)];
}

/// Carries: r := digits of the columns `t`, starting from `carry`.
#[target_feature(enable = "avx512f")]
pub(super) fn sweep(r: &mut [V], t: &[V], mut carry: V) {
    let mask = splat(DIGIT);
    for (r, &t) in r.iter_mut().zip(t) {
        let x = _mm512_add_epi64(t, carry);
        *r = _mm512_and_si512(x, mask);
        carry = _mm512_srli_epi64::<52>(x);
    }
}

/// q := floor(a b / beta^D) from the columns D - 1 and above; `t` of D columns is overwritten.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
pub(super) fn high_product(q: &mut [Block], t: &mut [Block], a: &[Block], b: &[Block]) {
    let nb = a.len();
    // Column D - 1, the highest one below the result.
    let mut guard = _mm512_setzero_si512();
    for (i, x) in a.iter().enumerate() {
        let (x, first) = (*x, nb - 1 - i);
        let mut c = [_mm512_setzero_si512(); 16];
        c[7] = guard;
        if first > 0 {
            // Digit 7 of x times the digit below this block of b: its upper half falls into column D - 1.
            c[7] = _mm512_madd52hi_epu64(c[7], x[7], b[first - 1][7]);
        }
        if i > 0 {
            c[8..].copy_from_slice(&t[0]);
        }
        block::<7, 16>(&mut c, &x, &b[first]);
        guard = c[7];
        for k in 1..=i {
            advance(&mut c, &if k < i { t[k] } else { zero() });
            block::<0, 16>(&mut c, &x, &b[first + k]);
            t[k - 1] = low(&c);
        }
        t[i] = high(&c);
    }
    sweep(q.as_flattened_mut(), t.as_flattened(), _mm512_srli_epi64::<52>(guard));
}

/// r := (t + q b) mod beta^D; `t` of D columns is overwritten.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
pub(super) fn add_low_product(r: &mut [Block], t: &mut [Block], q: &[Block], b: &[Block]) {
    let nb = q.len();
    for (i, x) in q.iter().enumerate() {
        let (x, last) = (*x, nb - 1 - i);
        let mut c = [_mm512_setzero_si512(); 16];
        for k in 0..last {
            for j in 0..8 {
                c[j] = _mm512_add_epi64(c[j], t[i + k][j]);
            }
            block::<0, 16>(&mut c, &x, &b[k]);
            t[i + k] = low(&c);
            advance(&mut c, &zero());
        }
        for j in 0..8 {
            c[j] = _mm512_add_epi64(c[j], t[nb - 1][j]);
        }
        block::<0, 8>(&mut c, &x, &b[last]);
        t[nb - 1] = low(&c);
    }
    sweep(r.as_flattened_mut(), t.as_flattened(), _mm512_setzero_si512());
}
