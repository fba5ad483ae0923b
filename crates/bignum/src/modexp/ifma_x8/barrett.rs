//! Eight moduli, prepared; products modulo each, and powers by fixed windows.
use core::array::from_fn;

use tautochrone_simd::{Token, vectorize};
use zeroize::Zeroizing;

use super::digits_of;
use super::product::{Sweep, add_low_product, high_product, normalise, product, square};
use crate::power::{Ring, Table, power};
use crate::radix52::{self, Digits, LANES, RADIX, Radix52, Scaled, zeros};

/// Bits of a window: 32 entries, one product for five squarings.
const WINDOW: usize = 5;

/// Digits of a table's entry that are read at a time; fewer need more comparisons, more do not
/// overlap with multiplications (Zen 4).
const PART: usize = 4;

/// The scaled moduli m', beta^D - m', and mu.
struct Moduli<V: Radix52> {
    token: V::Token,
    scaled: [Scaled; LANES],
    complement: Digits<V>,
    mu: Digits<V>,
}

/// Scratch space for a product and its reduction: D columns, q1 and what lies above it, q.
struct Scratch<V: Radix52> {
    low: Digits<V>,
    q1: Digits<V>,
    q: Digits<V>,
}

impl<V: Radix52> Scratch<V> {
    #[inline(always)]
    fn new(token: V::Token, d: usize) -> Self {
        Self { low: zeros(token, d), q1: zeros(token, d + 1), q: zeros(token, d) }
    }

    /// Where a product goes, block by block: columns below D, and digits from column D - 1 on.
    #[inline(always)]
    fn split(&mut self, token: V::Token) -> impl FnMut(usize, &[V; 8]) {
        let Self { low, q1, .. } = self;
        let low = low.as_chunks_mut::<8>().0;
        let ([first], above) = q1.split_first_chunk_mut().expect("a digit");
        let above = above.as_chunks_mut::<8>().0;
        let mut sweep = Sweep(V::zero(token));
        #[inline(always)]
        move |k, columns| {
            if k < low.len() {
                low[k] = *columns;
                // The last one: column D - 1, with the carry of column D - 2 alone.
                let x = columns[7].add(columns[6].carry());
                *first = x.and(V::digit_mask(token));
                sweep = Sweep(x.carry());
            } else {
                above[k - low.len()] = sweep.digits(columns);
            }
        }
    }
}

impl<V: Radix52> Moduli<V> {
    /// The moduli, for D = `d`.
    #[inline(always)]
    fn new(token: V::Token, scaled: [Scaled; LANES], d: usize) -> Self {
        let divisors = digits_of::<V>(token, scaled.each_ref().map(Scaled::limbs), d);
        // beta^D - m' = (beta^D - 1 - m') + 1.
        let mut complement = divisors.clone();
        for c in complement.iter_mut() {
            *c = c.complement();
        }
        normalise(&mut complement, V::splat(token, 1));
        let mu = vectorize!(token, reciprocal(token, &divisors));
        Self { token, scaled, complement, mu }
    }

    /// r := the product in `s` mod m', below (1 + 2^-9) m'.
    #[inline(always)]
    fn reduce(&self, r: &mut [V], s: &mut Scratch<V>) {
        let blocks = |x| <[V]>::as_chunks::<8>(x).0;
        high_product(self.token, s.q.as_chunks_mut().0, blocks(&s.q1), blocks(&self.mu));
        add_low_product(
            self.token,
            r.as_chunks_mut().0,
            blocks(&s.low),
            blocks(&s.q),
            blocks(&self.complement),
        );
    }

    /// The limbs of x mod m, from x < 2 m' modulo m'.
    #[inline(always)]
    fn leave(&self, x: &mut [V], s: &mut Scratch<V>) -> [Zeroizing<Vec<u64>>; LANES] {
        let raised: [_; LANES] = from_fn(|l| self.scaled[l].raise(lane_of(x, l)));
        let digits: Digits<V> =
            digits_of(self.token, raised.each_ref().map(|x| &x[..]), 2 * x.len());
        let mut put = s.split(self.token);
        for (k, digits) in digits.as_chunks().0.iter().enumerate() {
            put(k, digits);
        }
        drop(put);
        self.reduce(x, s);
        from_fn(|l| self.scaled[l].lower(lane_of(x, l)))
    }
}

/// The digits in a lane.
#[inline(always)]
fn lane_of<V: Radix52>(x: &[V], lane: usize) -> impl Iterator<Item = u64> {
    x.iter().map(
        #[inline(always)]
        move |v| v.to_array()[lane],
    )
}

/// Prepared moduli, and scratch space.
struct Engine<V: Radix52>(Moduli<V>, Scratch<V>);

impl<V: Radix52> Ring for Engine<V> {
    type Digit = V;
    type Index = V;

    #[inline(always)]
    fn zero(&self) -> V {
        V::zero(self.0.token)
    }

    #[inline(always)]
    fn multiply(&mut self, r: &mut [V], y: &[V]) {
        let Self(moduli, s) = self;
        vectorize!(moduli.token, {
            product(moduli.token, r.as_chunks().0, y.as_chunks().0, s.split(moduli.token));
            moduli.reduce(r, s);
        });
    }

    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        let Self(moduli, s) = self;
        vectorize!(moduli.token, {
            square(moduli.token, r.as_chunks().0, s.split(moduli.token));
            moduli.reduce(r, s);
        });
    }

    #[inline(always)]
    fn select(&self, entry: &mut [V], table: &Table<V>, index: V) {
        vectorize!(self.0.token, radix52::select(entry, table, index));
    }

    /// Reads the table, which is in the second-level cache, a few digits at a time between the
    /// columns of the squares, whose multiplications hide the latency.
    #[inline(always)]
    fn next_window(
        &mut self,
        r: &mut [V],
        bits: usize,
        entry: &mut [V],
        table: &Table<V>,
        index: V,
    ) {
        let Self(moduli, s) = self;
        // 2 nb parts; a square has as many blocks of columns.
        let mut parts = (0..).step_by(PART).zip(entry.as_chunks_mut::<PART>().0);
        for _ in 0..bits {
            vectorize!(moduli.token, {
                let mut put = s.split(moduli.token);
                square(
                    moduli.token,
                    r.as_chunks().0,
                    #[inline(always)]
                    |k, columns| {
                        put(k, columns);
                        if let Some((first, part)) = parts.next() {
                            *part = radix52::select_part(table, first, index);
                        }
                    },
                );
                drop(put);
                moduli.reduce(r, s);
            });
        }
        self.multiply(r, entry);
    }
}

/// The limbs of base^exponent mod m of each lane: bases of D digits below 2^L, and moduli that are
/// scaled for D; exponents as limbs from the lowest.
#[inline(always)]
pub(super) fn modexp<V: Radix52>(
    token: V::Token,
    base: &Digits<V>,
    exponent: &[V],
    moduli: [Scaled; LANES],
) -> [Zeroizing<Vec<u64>>; LANES] {
    let d = base.len();
    let mut engine = Engine(Moduli::new(token, moduli, d), Scratch::new(token, d));
    let mut x = zeros(token, d);
    x[0] = V::splat(token, 1);
    // base < 2^L <= 2 m'.
    let windows = (64 * exponent.len()).div_ceil(WINDOW);
    power(&mut engine, &mut x, base, WINDOW, windows, |k| {
        vectorize!(token, window(token, exponent, k * WINDOW))
    });
    let Engine(moduli, scratch) = &mut engine;
    moduli.leave(&mut x, scratch)
}

/// mu with 0 <= beta^(2D-1) / m' - mu < 1 + 2^-18, by Newton's iteration from below.
///
/// It starts at 2^(52D-20) = beta^(2D-1) / 2^L, at least half the quotient, and every step squares
/// the relative error: 2^-1, 2^-2, 2^-4, .. With e = beta^(2D-1) - m' z >= 0, z + z e / beta^(2D-1)
/// stays below the quotient; e - 1 is taken for e, its lower D - 1 digits are dropped, and the
/// product is floored, which costs less than 1 + 2^-18.
#[inline(always)]
fn reciprocal<V: Radix52>(token: V::Token, scaled: &[V]) -> Digits<V> {
    let d = scaled.len();
    let mut z = zeros(token, d);
    z[d - 1] = V::splat(token, 1 << 32);
    let (mut e, mut h) = (zeros(token, 2 * d), zeros(token, d));
    let mut bits = 1;
    while bits < RADIX * d + 8 {
        bits *= 2;
        swept_product(token, &mut e, scaled, &z);
        // e - 1 = beta^(2D-1) - 1 - m' z: complement of the digits below 2 D - 1.
        for (h, e) in h.iter_mut().zip(&e[d - 1..]) {
            *h = e.complement();
        }
        swept_product(token, &mut e, &z, &h);
        for (z, &e) in z.iter_mut().zip(&e[d..]) {
            *z = z.add(e);
        }
        normalise(&mut z, V::zero(token));
    }
    z
}

/// t := digits of a b.
#[inline(always)]
fn swept_product<V: Radix52>(token: V::Token, t: &mut [V], a: &[V], b: &[V]) {
    let (t, mut sweep) = (t.as_chunks_mut().0, Sweep(V::zero(token)));
    product(
        token,
        a.as_chunks().0,
        b.as_chunks().0,
        #[inline(always)]
        |k, columns| t[k] = sweep.digits(columns),
    );
}

/// Window of the exponents from bit `at` on.
#[inline(always)]
fn window<V: Radix52>(token: V::Token, exponent: &[V], at: usize) -> V {
    let (w, b) = (at >> 6, (at & 63) as u64);
    let above = exponent.get(w + 1).copied().unwrap_or(V::zero(token));
    // A count of 64 gives zero.
    let x = exponent[w].shr_each(V::splat(token, b)).or(above.shl_each(V::splat(token, 64 - b)));
    x.and(V::splat(token, (1 << WINDOW) - 1))
}
