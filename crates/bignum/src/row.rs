//! One exponentiation at a time, for any modulus: registers hold eight digits of one number (AVX-512 IFMA).
//!
//! beta = 2^52; D digits, a multiple of 8; L = 52 D - 32 >= 64 n bits. The reduction is Barrett's with the bound of
//! [`lanes`](crate::lanes): its three products of a step (a square, the upper half of one, the lower half of another) cost
//! what Montgomery's two do, and no digit of the quotient waits for another.
//!
//! # Constant time
//! In base, exponent and modulus: straight loops over public widths; shifts and table reads by masks; carries ripple in
//! the adder of general registers.
use zeroize::Zeroize;

use crate::modexp::window;
use crate::vector::{LANES, RADIX, Vector, digit, join};
use crate::{fz, shift};

mod carry;
mod product;

use carry::normalise;
use product::{Moved, high_product, low_product, product, square};

/// Widest modulus, in words, by the bound of [`lanes`](crate::lanes).
pub(crate) const MAX_WORDS: usize = 512;
/// Bits of a window: 32 entries, one product for five squarings.
const WINDOW: usize = 5;

/// Digits or columns, wiped when dropped.
struct Digits<V: Vector>(Vec<V>);

impl<V: Vector> Digits<V> {
    #[inline(always)]
    fn zero(vectors: usize) -> Self {
        Self(vec![V::splat(0); vectors])
    }

    /// Digits of a number.
    #[inline(always)]
    fn of(x: &[u64], vectors: usize) -> Self {
        let mut digits = Self::zero(vectors);
        split(&mut digits.0, x);
        digits
    }
}

impl<V: Vector> Drop for Digits<V> {
    fn drop(&mut self) {
        V::wipe(&mut self.0);
    }
}

/// out := digits of x.
#[inline(always)]
fn split<V: Vector>(out: &mut [V], x: &[u64]) {
    for (k, v) in out.iter_mut().enumerate() {
        *v = V::from_words(core::array::from_fn(|l| digit(x, LANES * k + l)));
    }
}

/// Words of normalised digits, `out` of any width that holds them.
#[inline(always)]
fn words_of<V: Vector>(out: &mut [u64], digits: &[V]) {
    out.fill(0);
    join(out, digits.iter().flat_map(|v| v.to_words()));
}

/// A prepared modulus.
struct Ring<V: Vector> {
    token: V::Token,
    /// Vectors of D digits.
    nv: usize,
    /// m' = m 2^count in words, 2^(L-1) <= m' < 2^L.
    scaled: Vec<u64>,
    count: u64,
    /// beta^D - m'.
    complement: Moved<V>,
    mu: Moved<V>,
    /// The digits of mu from the highest to the lowest, and from the second highest.
    reversed: [Digits<V>; 2],
}

impl<V: Vector> Drop for Ring<V> {
    fn drop(&mut self) {
        self.scaled.zeroize();
        self.count.zeroize();
    }
}

/// Room for a product and its reduction.
struct Scratch<V: Vector> {
    moved: Moved<V>,
    columns: Digits<V>,
    q1: Digits<V>,
    q: Digits<V>,
}

impl<V: Vector> Ring<V> {
    /// The modulus `m`, which is not zero.
    #[inline(always)]
    fn new(token: V::Token, m: &[u64]) -> Self {
        let nv = (64 * m.len() + 32).div_ceil(RADIX).div_ceil(LANES);
        let bits = RADIX * LANES * nv;
        let mut scaled = m.to_vec();
        scaled.resize(bits.div_ceil(64), 0);
        let count = bits as u64 - 32 - shift::measure(m);
        shift::quiet_shl(&mut scaled, count);
        let divisor = Digits::<V>::of(&scaled, nv);
        let mut complement = Digits::zero(nv);
        for (c, &m) in complement.0.iter_mut().zip(&divisor.0) {
            *c = m.complement();
        }
        // beta^D - m' = (beta^D - 1 - m') + 1.
        normalise(&mut complement.0, 1);
        let mu = V::enter(
            token,
            #[inline(always)]
            || reciprocal(&divisor),
        );
        let mut digits: Vec<u64> = mu.0.iter().flat_map(|v| v.to_words()).rev().collect();
        let backwards = |from: usize| {
            let word = |j: usize| digits.get(from + j).copied().unwrap_or(0);
            let vector = |k| V::from_words(core::array::from_fn(|l| word(LANES * k + l)));
            Digits((0..nv).map(vector).collect())
        };
        let reversed = [backwards(0), backwards(1)];
        digits.zeroize();
        let moved = |x: &Digits<V>| {
            let mut moved = Moved::room(nv);
            moved.set(&x.0);
            moved
        };
        let (complement, mu) = (moved(&complement), moved(&mu));
        Self { token, nv, scaled, count, complement, mu, reversed }
    }

    #[inline(always)]
    fn scratch(&self) -> Scratch<V> {
        Scratch {
            moved: Moved::room(self.nv),
            columns: Digits::zero(2 * self.nv),
            q1: Digits::zero(self.nv),
            q: Digits::zero(self.nv),
        }
    }

    /// r := columns mod m', below (1 + 2^-9) m'.
    #[inline(always)]
    fn reduce(&self, r: &mut Digits<V>, s: &mut Scratch<V>) {
        let nv = self.nv;
        let (low, high) = s.columns.0.split_at(nv);
        // Columns D-1 to 2D-2, and the carry of column D-2.
        let mut below = low[nv - 1];
        for (q, &c) in s.q1.0.iter_mut().zip(high) {
            *q = c.up(below, 1);
            below = c;
        }
        normalise(&mut s.q1.0, low[nv - 1].to_words()[6] >> RADIX);
        // Column D-1 of q1 mu alone: a scalar product with mu backwards.
        let (mut guard, mut upper) = (V::splat(0), V::splat(0));
        let [first, second] = &self.reversed;
        for ((&q, &x), &y) in s.q1.0.iter().zip(&first.0).zip(&second.0) {
            guard = guard.madd_low(q, x);
            upper = upper.madd_high(q, y);
        }
        let guard = guard.add(upper).sum() >> RADIX;
        s.q.0.fill(V::splat(0));
        high_product(&mut s.q.0, &s.q1.0, &self.mu);
        normalise(&mut s.q.0, guard);
        r.0.copy_from_slice(low);
        low_product(&mut r.0, &s.q.0, &self.complement);
        normalise(&mut r.0, 0);
    }

    #[inline(always)]
    fn mul(&self, r: &mut Digits<V>, x: &Digits<V>, s: &mut Scratch<V>) {
        V::enter(
            self.token,
            #[inline(always)]
            || {
                s.moved.set(&x.0);
                product(&mut s.columns.0, &r.0, &s.moved);
                self.reduce(r, s);
            },
        );
    }

    #[inline(always)]
    fn square(&self, r: &mut Digits<V>, s: &mut Scratch<V>) {
        V::enter(
            self.token,
            #[inline(always)]
            || {
                s.moved.set(&r.0);
                square(&mut s.columns.0, &r.0, &s.moved);
                self.reduce(r, s);
            },
        );
    }

    /// r := base^exponent mod m, in words.
    #[inline(always)]
    fn pow(&self, r: &mut [u64], base: &[u64], exponent: &[u64]) {
        let nv = self.nv;
        let mut s = self.scratch();
        // base < 2^L <= 2 m'.
        let base = Digits::of(base, nv);
        let mut power = Digits::of(&[1], nv);
        let mut table = Digits::zero(nv << WINDOW);
        for (i, entry) in table.0.chunks_exact_mut(nv).enumerate() {
            if i > 0 {
                self.mul(&mut power, &base, &mut s);
            }
            entry.copy_from_slice(&power.0);
        }
        let mut entry = Digits::zero(nv);
        power.0.copy_from_slice(&table.0[..nv]);
        for k in (0..(64 * exponent.len()).div_ceil(WINDOW)).rev() {
            for _ in 0..WINDOW {
                self.square(&mut power, &mut s);
            }
            let index = window(exponent, k * WINDOW, WINDOW);
            V::enter(
                self.token,
                #[inline(always)]
                || select(&mut entry.0, &table.0, index),
            );
            self.mul(&mut power, &entry, &mut s);
        }
        self.leave(r, &mut power, &mut s);
    }

    /// r := x mod m, from x < 2 m' modulo m': (x 2^count mod m') 2^-count.
    #[inline(always)]
    fn leave(&self, r: &mut [u64], x: &mut Digits<V>, s: &mut Scratch<V>) {
        let w = self.scaled.len();
        let (mut wide, mut spare) = (vec![0; 2 * w], vec![0; w]);
        words_of(&mut wide[..w], &x.0);
        fz::reduce_once(&mut wide[..w], 0, &self.scaled, &mut spare);
        shift::quiet_shl(&mut wide, self.count);
        split(&mut s.columns.0, &wide);
        V::enter(
            self.token,
            #[inline(always)]
            || self.reduce(x, s),
        );
        words_of(&mut wide[..w], &x.0);
        fz::reduce_once(&mut wide[..w], 0, &self.scaled, &mut spare);
        shift::quiet_shr(&mut wide[..w], self.count);
        r.copy_from_slice(&wide[..r.len()]);
        wide.zeroize();
        spare.zeroize();
    }
}

/// mu with 0 <= beta^(2D-1) / m' - mu < 1 + 2^-18, by Newton's iteration from below, as in `lanes`: it starts at
/// 2^(52D-20), at least half of it, and every step squares the relative error.
#[inline(always)]
fn reciprocal<V: Vector>(divisor: &Digits<V>) -> Digits<V> {
    let nv = divisor.0.len();
    let (mut z, mut h) = (Digits::zero(nv), Digits::zero(nv));
    let (mut t, mut moved) = (Digits::zero(2 * nv), Moved::room(nv));
    z.0[nv - 1] = V::from_words([0, 0, 0, 0, 0, 0, 0, 1 << 32]);
    let mut bits = 1;
    while bits < RADIX * LANES * nv + 8 {
        bits *= 2;
        moved.set(&z.0);
        product(&mut t.0, &divisor.0, &moved);
        normalise(&mut t.0, 0);
        // e - 1 = beta^(2D-1) - 1 - m' z: complement of the digits below 2 D - 1.
        let mut below = t.0[nv - 1];
        for (h, &t) in h.0.iter_mut().zip(&t.0[nv..]) {
            *h = V::complement(t.up(below, 1));
            below = t;
        }
        product(&mut t.0, &h.0, &moved);
        normalise(&mut t.0, 0);
        for (z, &t) in z.0.iter_mut().zip(&t.0[nv..]) {
            *z = z.add(t);
        }
        normalise(&mut z.0, 0);
    }
    z
}

/// entry := table[index]: all entries are read, and a mask picks.
#[inline(always)]
fn select<V: Vector>(entry: &mut [V], table: &[V], index: u64) {
    let nv = entry.len();
    let index = V::splat(index);
    let masks: [u8; 1 << WINDOW] = core::array::from_fn(|i| index.eq_mask(V::splat(i as u64)));
    for (j, out) in entry.iter_mut().enumerate() {
        let mut c = V::splat(0);
        for (i, &mask) in masks.iter().enumerate() {
            c = c.blend(mask, table[i * nv + j]);
        }
        *out = c;
    }
}

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_WORDS`], m not zero.
pub(crate) fn modexp<V: Vector>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: &[u64],
    m: &[u64],
) {
    assert!(r.len() == m.len() && base.len() == m.len() && m.len() <= MAX_WORDS, "one width");
    V::enter(
        token,
        #[inline(always)]
        || Ring::<V>::new(token, m).pow(r, base, exponent),
    );
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::vector::emulated::Emulated;

    fn big(x: &[u64]) -> BigUint {
        x.iter().rev().fold(BigUint::ZERO, |a, &w| a << 64 | BigUint::from(w))
    }

    /// The definition of the vectors: widths of one part, of several, of several parts of columns; moduli at the ends of
    /// their range, even ones, 1.
    #[test]
    fn emulated() {
        for n in [1, 5, 6, 7, 12, 32, 130] {
            let mut one = vec![0; n];
            one[0] = 1;
            let mut top = vec![0; n];
            top[n - 1] = 1 << 63;
            let ones = vec![u64::MAX; n];
            let mixed: Vec<u64> = (0..n as u64)
                .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32))
                .collect();
            let mut odd = mixed.clone();
            odd[0] |= 1;
            for m in [&one, &top, &ones, &odd] {
                for base in [&ones, &mixed] {
                    let exponent = if n > 32 { &[u64::MAX - 1] } else { &mixed[..n.min(3)] };
                    let mut r = vec![0; n];
                    modexp::<Emulated>((), &mut r, base, exponent, m);
                    assert_eq!(big(&r), big(base).modpow(&big(exponent), &big(m)), "{n}");
                }
            }
        }
    }

    #[test]
    fn carries_ripple() {
        let digit = crate::vector::DIGIT;
        // (columns of the first lanes, what comes in, digits): the rest is zero; a run of all ones passes a carry across
        // vectors and across groups of eight vectors.
        for (run, start) in [(3, 0), (20, 1), (90, 5), (150, 60)] {
            let columns: Vec<u64> = (0..160)
                .map(|j| {
                    if j == start {
                        digit + 1
                    } else if j > start && j <= start + run {
                        digit
                    } else {
                        0
                    }
                })
                .collect();
            let mut x: Vec<Emulated> = columns
                .chunks(8)
                .map(|c| Emulated::from_words(c.try_into().expect("eight")))
                .collect();
            normalise(&mut x, 0);
            let end = start + run + 1;
            let got: Vec<u64> = x.iter().flat_map(|v| v.to_words()).collect();
            let want: Vec<u64> = (0..160).map(|j| u64::from(j == end)).collect();
            assert_eq!(got, want, "{run} {start}");
        }
    }
}
