//! Barrett's arithmetic, for any modulus.
//!
//! D digits, a multiple of 8; L = 52 D - 32 >= 64 n bits. The bound is that of [`lanes`](crate::lanes): the three products of
//! a step (a square, the upper half of one, the lower half of another) cost what Montgomery's two do, and no digit of
//! the quotient waits for another.
use zeroize::Zeroize;

use super::carry::normalise;
use super::product::{Moved, high_product, low_product, product, square};
use super::{Digits, power, split, words_of};
use crate::vector::{LANES, RADIX, Vector};
use crate::{fz, shift};

/// Whether to use it for moduli of `n` words: 512 is the widest by the bound of [`lanes`](crate::lanes); general registers
/// are faster for one word, and as fast for two (measured on Zen 4).
pub(crate) fn fits(n: usize) -> bool {
    (3..=MAX_WORDS).contains(&n)
}

/// Widest modulus, in words.
const MAX_WORDS: usize = 512;

/// A prepared modulus.
struct Modulus<V: Vector> {
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

impl<V: Vector> Drop for Modulus<V> {
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

impl<V: Vector> Modulus<V> {
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

/// A prepared modulus, and room to compute.
struct Engine<V: Vector>(Modulus<V>, Scratch<V>);

impl<V: Vector> super::Ring<V> for Engine<V> {
    #[inline(always)]
    fn token(&self) -> V::Token {
        self.0.token
    }

    #[inline(always)]
    fn mul(&mut self, r: &mut Digits<V>, x: &[V]) {
        let Self(modulus, s) = self;
        V::enter(
            modulus.token,
            #[inline(always)]
            || {
                s.moved.set(x);
                product(&mut s.columns.0, &r.0, &s.moved);
                modulus.reduce(r, s);
            },
        );
    }

    #[inline(always)]
    fn square(&mut self, r: &mut Digits<V>) {
        let Self(modulus, s) = self;
        V::enter(
            modulus.token,
            #[inline(always)]
            || {
                s.moved.set(&r.0);
                square(&mut s.columns.0, &r.0, &s.moved);
                modulus.reduce(r, s);
            },
        );
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
        || {
            let modulus = Modulus::<V>::new(token, m);
            let nv = modulus.nv;
            let scratch = modulus.scratch();
            let mut engine = Engine(modulus, scratch);
            // base < 2^L <= 2 m'.
            let (one, base) = (Digits::of(&[1], nv), Digits::of(base, nv));
            let mut power = power(&mut engine, &one, &base, exponent);
            let Engine(modulus, scratch) = &mut engine;
            modulus.leave(r, &mut power, scratch);
        },
    );
}
