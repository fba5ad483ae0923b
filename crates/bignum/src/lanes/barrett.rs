//! Eight moduli, prepared; products modulo each, and powers by fixed windows.
use super::product::{add_low_product, high_product, product, square, sweep};
use super::{Block, Digits, shift};
use crate::vector::{DIGIT, RADIX, Vector};

/// Bits of a window: 32 entries, one product for five squarings.
const WINDOW: usize = 5;

/// The scaled moduli m', beta^D - m', mu, and the counts of the scaling.
pub(super) struct Ring<V: Vector> {
    token: V::Token,
    scaled: Digits<V>,
    complement: Digits<V>,
    mu: Digits<V>,
    count: V,
}

impl<V: Vector> Drop for Ring<V> {
    fn drop(&mut self) {
        V::wipe(core::slice::from_mut(&mut self.count));
    }
}

/// Room for a product and its reduction.
struct Scratch<V: Vector> {
    columns: Digits<V>,
    spare: Digits<V>,
    q1: Digits<V>,
    q: Digits<V>,
}

impl<V: Vector> Scratch<V> {
    #[inline(always)]
    fn new(nb: usize) -> Self {
        Self {
            columns: Digits::zero(2 * nb),
            spare: Digits::zero(nb),
            q1: Digits::zero(nb),
            q: Digits::zero(nb),
        }
    }
}

impl<V: Vector> Ring<V> {
    /// The moduli, none zero, below 2^L.
    #[inline(always)]
    pub(super) fn new(token: V::Token, modulus: &Digits<V>) -> Self {
        let nb = modulus.0.len();
        let mut scaled = Digits::zero(nb);
        scaled.0.copy_from_slice(&modulus.0);
        let count = shift::normalise(&mut scaled);
        let mut complement = Digits::zero(nb);
        for (c, &m) in complement.0.as_flattened_mut().iter_mut().zip(scaled.0.as_flattened()) {
            *c = m.xor(V::splat(DIGIT));
        }
        // beta^D - m' = (beta^D - 1 - m') + 1.
        let mut carry = V::splat(1);
        for c in complement.0.as_flattened_mut() {
            let x = c.add(carry);
            *c = x.and(V::splat(DIGIT));
            carry = x.carry();
        }
        let mu = V::enter(
            token,
            #[inline(always)]
            || reciprocal(&scaled),
        );
        Self { token, scaled, complement, mu, count }
    }

    /// r := columns mod m', below (1 + 2^-9) m'. The columns are overwritten.
    #[inline(always)]
    fn reduce(&self, r: &mut [Block<V>], s: &mut Scratch<V>) {
        let nb = r.len();
        let flat = s.columns.0.as_flattened();
        let carry = flat[8 * nb - 2].carry();
        sweep(s.q1.0.as_flattened_mut(), &flat[8 * nb - 1..], carry);
        high_product(&mut s.q.0, &mut s.spare.0, &s.q1.0, &self.mu.0);
        add_low_product(r, &mut s.columns.0[..nb], &s.q.0, &self.complement.0);
    }

    #[inline(always)]
    fn mul(&self, r: &mut [Block<V>], x: &[Block<V>], s: &mut Scratch<V>) {
        V::enter(
            self.token,
            #[inline(always)]
            || {
                product(&mut s.columns.0, r, x);
                self.reduce(r, s);
            },
        );
    }

    #[inline(always)]
    fn square(&self, r: &mut [Block<V>], s: &mut Scratch<V>) {
        V::enter(
            self.token,
            #[inline(always)]
            || {
                square(&mut s.columns.0, r);
                self.reduce(r, s);
            },
        );
    }

    /// base^exponent mod m; `base` below 2^L <= 2 m', the exponents as words from the lowest.
    #[inline(always)]
    pub(super) fn pow(&self, base: &Digits<V>, exponent: &[V]) -> Digits<V> {
        let nb = base.0.len();
        let mut s = Scratch::new(nb);
        let mut table = Digits::zero(nb << WINDOW);
        table.0[0][0] = V::splat(1);
        for i in 1..1 << WINDOW {
            let (done, rest) = table.0.split_at_mut(i * nb);
            rest[..nb].copy_from_slice(&done[(i - 1) * nb..]);
            self.mul(&mut rest[..nb], &base.0, &mut s);
        }
        let (mut power, mut entry) = (Digits::zero(nb), Digits::zero(nb));
        power.0.copy_from_slice(&table.0[..nb]);
        for k in (0..(64 * exponent.len()).div_ceil(WINDOW)).rev() {
            for _ in 0..WINDOW {
                self.square(&mut power.0, &mut s);
            }
            let digit = window(exponent, k * WINDOW);
            V::enter(
                self.token,
                #[inline(always)]
                || select(&mut entry.0, &table.0, digit),
            );
            self.mul(&mut power.0, &entry.0, &mut s);
        }
        V::enter(
            self.token,
            #[inline(always)]
            || self.leave(&mut power, &mut s),
        );
        power
    }

    /// x := x mod m, from x < 2 m' modulo m': (x 2^s mod m') 2^-s.
    #[inline(always)]
    fn leave(&self, x: &mut Digits<V>, s: &mut Scratch<V>) {
        let nb = x.0.len();
        self.subtract_once(x, s);
        let mut wide = Digits::zero(2 * nb);
        wide.0[..nb].copy_from_slice(&x.0);
        shift::quiet::<V, true>(&mut wide, self.count);
        s.columns.0.copy_from_slice(&wide.0);
        self.reduce(&mut x.0, s);
        self.subtract_once(x, s);
        shift::quiet::<V, false>(x, self.count);
    }

    /// x := x - m' where that is not negative.
    #[inline(always)]
    fn subtract_once(&self, x: &mut Digits<V>, s: &mut Scratch<V>) {
        let zero = V::splat(0);
        let (x, d) = (x.0.as_flattened_mut(), s.spare.0.as_flattened_mut());
        let mut borrow = zero;
        for ((d, &x), &m) in d.iter_mut().zip(&*x).zip(self.scaled.0.as_flattened()) {
            let t = x.sub(m).add(borrow);
            borrow = t.borrow();
            *d = t.and(V::splat(DIGIT));
        }
        let taken = borrow.eq_mask(zero);
        for (x, &d) in x.iter_mut().zip(&*d) {
            *x = x.blend(taken, d);
        }
    }
}

/// mu with 0 <= beta^(2D-1) / m' - mu < 1 + 2^-18, by Newton's iteration from below.
///
/// It starts at 2^(52D-20) = beta^(2D-1) / 2^L, at least half the quotient, and every step squares the relative error:
/// 2^-1, 2^-2, 2^-4, .. With e = beta^(2D-1) - m' z >= 0, z + z e / beta^(2D-1) stays below the quotient; e - 1 is
/// taken for e, its lower D - 1 digits are dropped, and the product is floored, which costs less than 1 + 2^-18.
#[inline(always)]
fn reciprocal<V: Vector>(scaled: &Digits<V>) -> Digits<V> {
    let nb = scaled.0.len();
    let d = 8 * nb;
    let mut z = Digits::zero(nb);
    z.0[nb - 1][7] = V::splat(1 << 32);
    let (mut t, mut e, mut h) = (Digits::zero(2 * nb), Digits::zero(2 * nb), Digits::zero(nb));
    let mut bits = 1;
    while bits < RADIX * d + 8 {
        bits *= 2;
        product(&mut t.0, &scaled.0, &z.0);
        sweep(e.0.as_flattened_mut(), t.0.as_flattened(), V::splat(0));
        // e - 1 = beta^(2D-1) - 1 - m' z: complement of the digits below 2 D - 1.
        let top = &e.0.as_flattened()[d - 1..2 * d - 1];
        for (h, &e) in h.0.as_flattened_mut().iter_mut().zip(top) {
            *h = e.xor(V::splat(DIGIT));
        }
        product(&mut t.0, &z.0, &h.0);
        sweep(e.0.as_flattened_mut(), t.0.as_flattened(), V::splat(0));
        let mut carry = V::splat(0);
        for (z, &e) in z.0.as_flattened_mut().iter_mut().zip(&e.0.as_flattened()[d..]) {
            let x = z.add(e).add(carry);
            *z = x.and(V::splat(DIGIT));
            carry = x.carry();
        }
    }
    z
}

/// Window of the exponents from bit `at` on.
#[inline(always)]
fn window<V: Vector>(exponent: &[V], at: usize) -> V {
    let (w, b) = (at >> 6, (at & 63) as u64);
    let above = exponent.get(w + 1).copied().unwrap_or(V::splat(0));
    // A count of 64 gives zero.
    let x = exponent[w].shr(V::splat(b)).or(above.shl(V::splat(64 - b)));
    x.and(V::splat((1 << WINDOW) - 1))
}

/// entry := table[index] in each lane: all entries are read, and a mask picks.
#[inline(always)]
fn select<V: Vector>(entry: &mut [Block<V>], table: &[Block<V>], index: V) {
    let nb = entry.len();
    for (j, out) in entry.iter_mut().enumerate() {
        let mut c = [V::splat(0); 8];
        for (i, candidate) in (0u64..).zip(table.chunks_exact(nb)) {
            let taken = index.eq_mask(V::splat(i));
            for (c, &v) in c.iter_mut().zip(&candidate[j]) {
                *c = c.blend(taken, v);
            }
        }
        *out = c;
    }
}
