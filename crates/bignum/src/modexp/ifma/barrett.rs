//! Barrett's arithmetic, for any modulus.
//!
//! D digits, a multiple of 8; L = 52 D - 32 >= 64 n bits. The bound is the one of
//! [`ifma_x8`](crate::modexp::ifma_x8): the three products of a step (a square, the upper half of
//! one, the lower half of another) cost what Montgomery's two do, and no digit of the quotient
//! waits for another.
use tautochrone_simd::{Token, vectorize};
use zeroize::Zeroizing;

use super::{WINDOW, digits_of, split};
use crate::exponent::Exponent;
use crate::power::{Ring, Table, windows};
use crate::radix52::blocks::{self, of_registers};
use crate::radix52::columns::{Columns, High, Low, columns};
use crate::radix52::{self, Digits, LANES, RADIX, Radix52, Scaled, normalise, zeros};

/// Widest modulus, in limbs, by the bound of [`ifma_x8`](crate::modexp::ifma_x8).
pub(crate) const MAX_LIMBS: usize = 512;

/// A prepared modulus.
struct Modulus<V: Radix52, const N: usize> {
    token: V::Token,
    /// Registers of D digits, in blocks of N.
    nv: usize,
    scaled: Scaled,
    /// beta^D - m'.
    complement: Digits<V>,
    mu: Digits<V>,
    /// The digits of mu from the highest to the lowest, and from the second highest.
    reversed: [Digits<V>; 2],
}

/// Scratch space for a product and its reduction.
struct Scratch<V: Radix52> {
    doubled: Digits<V>,
    columns: Digits<V>,
    q1: Digits<V>,
    q: Digits<V>,
}

impl<V: Radix52, const N: usize> Modulus<V, N> {
    /// The modulus `m`, which is not zero, in `blocks` blocks.
    #[inline(always)]
    fn new(token: V::Token, m: &[u64], blocks: usize) -> Self {
        let nv = blocks * N;
        let scaled = Scaled::new(m, LANES * nv);
        let divisor = digits_of::<V>(token, scaled.limbs(), nv);
        let mut complement = divisor.clone();
        for c in complement.iter_mut() {
            *c = c.complement();
        }
        // beta^D - m' = (beta^D - 1 - m') + 1.
        normalise(token, &mut complement, 1);
        let mu = vectorize!(token, reciprocal::<V, N>(token, &divisor));
        let mut digits = Zeroizing::new(vec![0; LANES * (nv + 1)]);
        for (reversed, register) in
            digits.as_chunks_mut::<LANES>().0.iter_mut().zip(mu.iter().rev())
        {
            *reversed = register.to_array();
            reversed.reverse();
        }
        let (mut first, mut second) = (zeros(token, nv), zeros(token, nv));
        for (k, (first, second)) in first.iter_mut().zip(second.iter_mut()).enumerate() {
            *first = V::load(token, &digits[LANES * k..]);
            *second = V::load(token, &digits[LANES * k + 1..]);
        }
        let reversed = [first, second];
        Self { token, nv, scaled, complement, mu, reversed }
    }

    #[inline(always)]
    fn scratch(&self) -> Scratch<V> {
        Scratch {
            doubled: zeros(self.token, 2 * N),
            columns: zeros(self.token, 2 * self.nv),
            q1: zeros(self.token, self.nv),
            q: zeros(self.token, self.nv),
        }
    }

    /// r := columns mod m', below (1 + 2^-9) m'.
    #[inline(always)]
    fn reduce(&self, r: &mut [V], s: &mut Scratch<V>) {
        let (token, nv) = (self.token, self.nv);
        if nv == N {
            return self.reduce_block(r, s);
        }
        let (low, high) = s.columns.split_at(nv);
        // Columns D-1 to 2D-2, and the carry of column D-2.
        let mut below = low[nv - 1];
        for (q, &c) in s.q1.iter_mut().zip(high) {
            *q = c.up(below, 1);
            below = c;
        }
        normalise(token, &mut s.q1, low[nv - 1].to_array()[6] >> RADIX);
        let guard = self.guard(&s.q1);
        s.q.fill(V::zero(token));
        blocks::add_high::<V, N>(token, &mut s.q, &s.q1, &self.mu);
        normalise(token, &mut s.q, guard);
        r.copy_from_slice(low);
        blocks::add_low::<V, N>(token, r, &s.q, &self.complement);
        normalise(token, r, 0);
    }

    /// [`Self::reduce`] for one block, whose numbers stay in registers.
    fn reduce_block(&self, r: &mut [V], s: &mut Scratch<V>) {
        let token = self.token;
        vectorize!(token, {
            let [low, high]: &Columns<V, N> = blocks::pair(&mut s.columns, 0);
            let mut q1 = *high;
            let mut below = low[N - 1];
            for (q, &c) in q1.iter_mut().zip(high) {
                *q = c.up(below, 1);
                below = c;
            }
            normalise(token, &mut q1, low[N - 1].to_array()[6] >> RADIX);
            let guard = self.guard(&q1);
            let mu = self.mu.first_chunk().expect("a block");
            let [_, mut q] = columns(token, &q1, &High(mu));
            normalise(token, &mut q, guard);
            let complement = self.complement.first_chunk().expect("a block");
            let [mut rest, _] = columns(token, &q, &Low(complement));
            for (rest, &low) in rest.iter_mut().zip(low) {
                *rest = rest.add(low);
            }
            normalise(token, &mut rest, 0);
            r.copy_from_slice(&rest);
        });
    }

    /// The carry of column D-1 of q1 mu alone: a scalar product with mu backwards.
    #[inline(always)]
    fn guard(&self, q1: &[V]) -> u64 {
        let zero = V::zero(self.token);
        let (mut guard, mut upper) = (zero, zero);
        let [first, second] = &self.reversed;
        for ((&q, &x), &y) in q1.iter().zip(first.iter()).zip(second.iter()) {
            guard = guard.madd_low(q, x);
            upper = upper.madd_high(q, y);
        }
        guard.add(upper).sum() >> RADIX
    }

    /// r := x mod m, from x < 2 m' modulo m'.
    #[inline(always)]
    fn leave(&self, r: &mut [u64], x: &mut [V], s: &mut Scratch<V>) {
        split(self.token, &mut s.columns, &self.scaled.raise(lanes_of(x)));
        vectorize!(self.token, self.reduce(x, s));
        r.copy_from_slice(&self.scaled.lower(lanes_of(x))[..r.len()]);
    }
}

/// The digits of a number.
#[inline(always)]
fn lanes_of<V: Radix52>(x: &[V]) -> impl Iterator<Item = u64> {
    x.iter().flat_map(
        #[inline(always)]
        |v| v.to_array(),
    )
}

/// A prepared modulus, and scratch space.
struct Prepared<V: Radix52, const N: usize>(Modulus<V, N>, Scratch<V>);

impl<V: Radix52, const N: usize> Ring for Prepared<V, N> {
    type Digit = V;
    type Index = [u64; 1];

    #[inline(always)]
    fn zero(&self) -> V {
        V::zero(self.0.token)
    }

    #[inline(always)]
    fn multiply(&mut self, r: &mut [V], y: &[V]) {
        let Self(modulus, s) = self;
        vectorize!(modulus.token, {
            blocks::product::<V, N>(modulus.token, &mut s.columns, r, y);
            modulus.reduce(r, s);
        });
    }

    #[inline(always)]
    fn square(&mut self, r: &mut [V]) {
        let Self(modulus, s) = self;
        vectorize!(modulus.token, {
            blocks::square::<V, N>(modulus.token, &mut s.columns, r, &mut s.doubled);
            modulus.reduce(r, s);
        });
    }

    #[inline(always)]
    fn select(&self, entry: &mut [V], table: &Table<V>, [index]: [u64; 1]) {
        let token = self.0.token;
        vectorize!(token, radix52::select(entry, table, V::splat(token, index)));
    }
}

/// mu with 0 <= beta^(2D-1) / m' - mu < 1 + 2^-18, by Newton's iteration from below, as in
/// `ifma_x8`: it starts at 2^(52D-20), at least half of it, and every step squares the relative
/// error.
#[inline(always)]
fn reciprocal<V: Radix52, const N: usize>(token: V::Token, divisor: &Digits<V>) -> Digits<V> {
    let nv = divisor.len();
    let (mut z, mut h) = (zeros(token, nv), zeros(token, nv));
    let mut t = zeros(token, 2 * nv);
    z[nv - 1] = V::from_array(token, [0, 0, 0, 0, 0, 0, 0, 1 << 32]);
    let mut bits = 1;
    while bits < RADIX * LANES * nv + 8 {
        bits *= 2;
        blocks::product::<V, N>(token, &mut t, divisor, &z);
        normalise(token, &mut t, 0);
        // e - 1 = beta^(2D-1) - 1 - m' z: complement of the digits below 2 D - 1.
        let mut below = t[nv - 1];
        for (h, &t) in h.iter_mut().zip(&t[nv..]) {
            *h = t.up(below, 1).complement();
            below = t;
        }
        blocks::product::<V, N>(token, &mut t, &h, &z);
        normalise(token, &mut t, 0);
        for (z, &t) in z.iter_mut().zip(&t[nv..]) {
            *z = z.add(t);
        }
        normalise(token, &mut z, 0);
    }
    z
}

/// r := base^exponent mod m; `r`, `base` and `m` of one width n <= [`MAX_LIMBS`], m not zero.
pub(crate) fn modexp<V: Radix52>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
) {
    assert!(r.len() == m.len() && base.len() == m.len() && m.len() <= MAX_LIMBS, "one width");
    let registers = (64 * m.len() + 32).div_ceil(RADIX * LANES);
    let (blocks, registers) = blocks::blocks_of::<V>(registers);
    of_registers!(registers, pow(token, r, base, exponent, m, blocks));
}

/// [`modexp`] in `blocks` blocks of N registers.
fn pow<V: Radix52, const N: usize>(
    token: V::Token,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
    blocks: usize,
) {
    vectorize!(token, {
        let modulus = Modulus::<V, N>::new(token, m, blocks);
        let nv = modulus.nv;
        let scratch = modulus.scratch();
        let mut ring = Prepared(modulus, scratch);
        // base < 2^L <= 2 m'.
        let (mut x, base) = (digits_of(token, &[1], nv), digits_of(token, base, nv));
        windows(&mut ring, &mut x, &base, [exponent], WINDOW);
        let Prepared(modulus, scratch) = &mut ring;
        modulus.leave(r, &mut x, scratch);
    });
}
