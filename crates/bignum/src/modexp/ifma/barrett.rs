//! Barrett's arithmetic, for any modulus.
//!
//! D digits, a multiple of 8; L = 52 D - 32 >= 64 n bits. The bound is that of
//! [`ifma_x8`](crate::modexp::ifma_x8): the three products of a step (a square, the upper half of
//! one, the lower half of another) cost what Montgomery's two do, and no digit of the quotient
//! waits for another.
use zeroize::Zeroizing;

use super::carry::normalise;
use super::product::{Moved, high_product, low_product, product, square};
use super::{WINDOW, digits_of, limbs_of, split};
use crate::power::{Ring, Table, windows};
use crate::vector::{self, Digits, LANES, RADIX, Vector, zeros};
use crate::{fz, shift};

/// Widest modulus, in limbs, by the bound of [`ifma_x8`](crate::modexp::ifma_x8).
pub(crate) const MAX_LIMBS: usize = 512;

/// A prepared modulus.
struct Modulus<V: Vector> {
    token: V::Token,
    /// Vectors of D digits.
    nv: usize,
    /// m' = m 2^count in limbs, 2^(L-1) <= m' < 2^L.
    scaled: Zeroizing<Vec<u64>>,
    count: Zeroizing<u64>,
    /// beta^D - m'.
    complement: Moved<V>,
    mu: Moved<V>,
    /// The digits of mu from the highest to the lowest, and from the second highest.
    reversed: [Digits<V>; 2],
}

/// Scratch space for a product and its reduction.
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
        let mut scaled = Zeroizing::new(vec![0; bits.div_ceil(64)]);
        scaled[..m.len()].copy_from_slice(m);
        let count = bits as u64 - 32 - shift::measure(m);
        shift::quiet_shl(&mut scaled, count);
        let divisor = digits_of::<V>(&scaled, nv);
        let mut complement = divisor.clone();
        for c in complement.iter_mut() {
            *c = c.complement();
        }
        // beta^D - m' = (beta^D - 1 - m') + 1.
        normalise(&mut complement, 1);
        let mu = V::enter(
            token,
            #[inline(always)]
            || reciprocal(&divisor),
        );
        let digits: Vec<u64> = mu.iter().flat_map(|v| v.to_array()).rev().collect();
        let digits = Zeroizing::new(digits);
        let backwards = |from: usize| {
            let digit = |j: usize| digits.get(from + j).copied().unwrap_or(0);
            let vector = |k| V::from_array(core::array::from_fn(|l| digit(LANES * k + l)));
            Digits::new((0..nv).map(vector).collect())
        };
        let reversed = [backwards(0), backwards(1)];
        let moved = |x: &Digits<V>| {
            let mut moved = Moved::zeros(nv);
            moved.set(x);
            moved
        };
        let (complement, mu) = (moved(&complement), moved(&mu));
        Self { token, nv, scaled, count: Zeroizing::new(count), complement, mu, reversed }
    }

    #[inline(always)]
    fn scratch(&self) -> Scratch<V> {
        Scratch {
            moved: Moved::zeros(self.nv),
            columns: zeros(2 * self.nv),
            q1: zeros(self.nv),
            q: zeros(self.nv),
        }
    }

    /// r := columns mod m', below (1 + 2^-9) m'.
    #[inline(always)]
    fn reduce(&self, r: &mut [V], s: &mut Scratch<V>) {
        let nv = self.nv;
        let (low, high) = s.columns.split_at(nv);
        // Columns D-1 to 2D-2, and the carry of column D-2.
        let mut below = low[nv - 1];
        for (q, &c) in s.q1.iter_mut().zip(high) {
            *q = c.up(below, 1);
            below = c;
        }
        normalise(&mut s.q1, low[nv - 1].to_array()[6] >> RADIX);
        // Column D-1 of q1 mu alone: a scalar product with mu backwards.
        let (mut guard, mut upper) = (V::splat(0), V::splat(0));
        let [first, second] = &self.reversed;
        for ((&q, &x), &y) in s.q1.iter().zip(first.iter()).zip(second.iter()) {
            guard = guard.madd_low(q, x);
            upper = upper.madd_high(q, y);
        }
        let guard = guard.add(upper).sum() >> RADIX;
        s.q.fill(V::splat(0));
        high_product(&mut s.q, &s.q1, &self.mu);
        normalise(&mut s.q, guard);
        r.copy_from_slice(low);
        low_product(r, &s.q, &self.complement);
        normalise(r, 0);
    }

    /// r := x mod m, from x < 2 m' modulo m': (x 2^count mod m') 2^-count.
    #[inline(always)]
    fn leave(&self, r: &mut [u64], x: &mut [V], s: &mut Scratch<V>) {
        let w = self.scaled.len();
        let mut wide = Zeroizing::new(vec![0; 2 * w]);
        let mut spare = Zeroizing::new(vec![0; w]);
        limbs_of(&mut wide[..w], x);
        fz::reduce_once(&mut wide[..w], 0, &self.scaled, &mut spare);
        shift::quiet_shl(&mut wide, *self.count);
        split(&mut s.columns, &wide);
        V::enter(
            self.token,
            #[inline(always)]
            || self.reduce(x, s),
        );
        limbs_of(&mut wide[..w], x);
        fz::reduce_once(&mut wide[..w], 0, &self.scaled, &mut spare);
        shift::quiet_shr(&mut wide[..w], *self.count);
        r.copy_from_slice(&wide[..r.len()]);
    }
}

/// A prepared modulus, and scratch space.
struct Engine<V: Vector>(Modulus<V>, Scratch<V>);

impl<V: Vector> Ring for Engine<V> {
    type Digit = V;
    type Index = u64;

    #[inline(always)]
    fn multiply(&mut self, r: &mut [V], y: &[V]) {
        let Self(modulus, s) = self;
        V::enter(
            modulus.token,
            #[inline(always)]
            || {
                s.moved.set(y);
                product(&mut s.columns, r, &s.moved);
                modulus.reduce(r, s);
            },
        );
    }

    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        let Self(modulus, s) = self;
        V::enter(
            modulus.token,
            #[inline(always)]
            || {
                s.moved.set(r);
                square(&mut s.columns, r, &s.moved);
                modulus.reduce(r, s);
            },
        );
    }

    #[inline(always)]
    fn select(&self, entry: &mut [V], table: &Table<V>, index: u64) {
        V::enter(
            self.0.token,
            #[inline(always)]
            || vector::select(entry, table, V::splat(index)),
        );
    }
}

/// mu with 0 <= beta^(2D-1) / m' - mu < 1 + 2^-18, by Newton's iteration from below, as in
/// `ifma_x8`: it starts at 2^(52D-20), at least half of it, and every step squares the relative
/// error.
#[inline(always)]
fn reciprocal<V: Vector>(divisor: &Digits<V>) -> Digits<V> {
    let nv = divisor.len();
    let (mut z, mut h) = (zeros(nv), zeros(nv));
    let (mut t, mut moved) = (zeros(2 * nv), Moved::zeros(nv));
    z[nv - 1] = V::from_array([0, 0, 0, 0, 0, 0, 0, 1 << 32]);
    let mut bits = 1;
    while bits < RADIX * LANES * nv + 8 {
        bits *= 2;
        moved.set(&z);
        product(&mut t, divisor, &moved);
        normalise(&mut t, 0);
        // e - 1 = beta^(2D-1) - 1 - m' z: complement of the digits below 2 D - 1.
        let mut below = t[nv - 1];
        for (h, &t) in h.iter_mut().zip(&t[nv..]) {
            *h = V::complement(t.up(below, 1));
            below = t;
        }
        product(&mut t, &h, &moved);
        normalise(&mut t, 0);
        for (z, &t) in z.iter_mut().zip(&t[nv..]) {
            *z = z.add(t);
        }
        normalise(&mut z, 0);
    }
    z
}

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_LIMBS`], m not zero.
pub(crate) fn modexp<V: Vector>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: &[u64],
    m: &[u64],
) {
    assert!(r.len() == m.len() && base.len() == m.len() && m.len() <= MAX_LIMBS, "one width");
    V::enter(
        token,
        #[inline(always)]
        || {
            let modulus = Modulus::<V>::new(token, m);
            let nv = modulus.nv;
            let scratch = modulus.scratch();
            let mut engine = Engine(modulus, scratch);
            // base < 2^L <= 2 m'.
            let (mut x, base) = (digits_of(&[1], nv), digits_of(base, nv));
            windows(&mut engine, &mut x, &base, exponent, WINDOW);
            let Engine(modulus, scratch) = &mut engine;
            modulus.leave(r, &mut x, scratch);
        },
    );
}
