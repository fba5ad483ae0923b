//! Residues modulo p = 2^127 - 1, eight of them in registers that multiply 52 bits.
//!
//! A residue is x_0 + 2^43 x_1 + 2^86 x_2, each digit in a register. The product of digits i and j
//! counts 2^(43 (i + j)), and 2^129 is 4 modulo p: where i + j is 3 or more, one digit is
//! multiplied by 4, and the place is i + j - 3. The lower 52 bits of products add up in three
//! places. The upper ones, which count 2^52 = 2^9 2^43 as much, add up in three others, and are
//! shifted once.
//!
//! Digits between operations are *nearly reduced*: below 2^43 + 2^23.
#![allow(missing_debug_implementations, reason = "lanes may hold secrets")]

use tautochrone_simd::vector::{Madd52, Vector};

use super::super::{Field, P127};
use super::Ring;
use super::wide::LANES;

/// Bits of a digit.
const BITS: u32 = 43;
const MASK: u64 = (1 << BITS) - 1;
/// Bits of the highest.
const TOP: u32 = 127 - 2 * BITS;
/// The digits of 2^129 - 4 = 4 p.
const FOUR_P: [u64; 3] = [MASK - 3, MASK, MASK];

/// A residue in each lane, of nearly reduced digits.
#[derive(Clone, Copy)]
pub struct Digits<V>(pub(super) [V; 3]);

/// The second factor of a product: its digits, and 4 times the upper two.
#[derive(Clone, Copy)]
pub(super) struct Factor<V>([V; 3], [V; 2]);

/// A sum of products of residues: the lower bits of products of digits in each place, and the upper
/// ones.
#[derive(Clone, Copy)]
pub(super) struct Sum<V> {
    low: [V; 3],
    high: [V; 3],
}

/// The residue of digits below 2^50.
pub(super) fn residue([x0, x1, x2]: [u64; 3]) -> u128 {
    let upper = u128::from(x2 & ((1 << TOP) - 1)) << (2 * BITS);
    // Below 2^127 + 2^94, then at most p.
    let sum = upper + (u128::from(x1) << BITS) + u128::from(x0) + u128::from(x2 >> TOP);
    P127::add((sum & P127::P) + (sum >> 127), 0)
}

// No closures here: vector kernels inline marked functions alone.

#[inline(always)]
fn add<V: Vector>([a, b, c]: [V; 3], [x, y, z]: [V; 3]) -> [V; 3] {
    [a.add(x), b.add(y), c.add(z)]
}

/// A multiple 2^N 4 p in each lane, its digits being so.
#[inline(always)]
fn multiple<V: Vector, const N: u32>(token: V::Token) -> [V; 3] {
    let [a, b, c] = FOUR_P;
    [V::splat(token, a << N), V::splat(token, b << N), V::splat(token, c << N)]
}

impl<V: Vector> Digits<V> {
    #[inline(always)]
    pub(super) fn splat(token: V::Token, x: u128) -> Self {
        Self::of_words([V::splat(token, x as u64), V::splat(token, (x >> 64) as u64)])
    }

    #[inline(always)]
    pub(super) fn load(token: V::Token, [a, b, c]: [&[u64; LANES]; 3]) -> Self {
        Self([V::load(token, a), V::load(token, b), V::load(token, c)])
    }

    #[inline(always)]
    pub(super) fn store(self, [a, b, c]: [&mut [u64; LANES]; 3]) {
        let Self([x, y, z]) = self;
        x.store(a);
        y.store(b);
        z.store(c);
    }

    /// The residue of its lower 64 bits and the upper ones.
    #[inline(always)]
    pub(super) fn of_words([low, high]: [V; 2]) -> Self {
        let mask = V::splat(low.token(), MASK);
        let middle = low.shr::<BITS>().or(high.shl::<{ 64 - BITS }>());
        Self([low.and(mask), middle.and(mask), high.shr::<{ 2 * BITS - 64 }>()])
    }

    /// The lower 64 bits, and the upper ones, of the residue that is below p.
    #[inline(always)]
    pub(super) fn words(self) -> [V; 2] {
        let token = self.token();
        let (zero, one) = (V::zero(token), V::splat(token, 1));
        let (x, top) = Self::carry(self.0, zero);
        // Up to 2^127 - 1 with the carry out of the highest digit, which is 1 at most.
        let (x, top) = Self::carry(x, top);
        // Whether it is p, of which one more is 2^127.
        let (_, is_p) = Self::carry(x, top.add(one));
        let ([a, b, c], _) = Self::carry(x, top.add(is_p));
        [a.or(b.shl::<BITS>()), b.shr::<{ 64 - BITS }>().or(c.shl::<{ 2 * BITS - 64 }>())]
    }

    /// Digits and the carry out of 2^127, with a number added to the lowest digit.
    #[inline(always)]
    fn carry([a, b, c]: [V; 3], more: V) -> ([V; 3], V) {
        let token = a.token();
        let (mask, top) = (V::splat(token, MASK), V::splat(token, (1 << TOP) - 1));
        let a = a.add(more);
        let b = b.add(a.shr::<BITS>());
        let c = c.add(b.shr::<BITS>());
        ([a.and(mask), b.and(mask), c.and(top)], c.shr::<TOP>())
    }

    #[inline(always)]
    pub(super) fn zero(token: V::Token) -> Self {
        Self([V::zero(token); 3])
    }

    #[inline(always)]
    pub(super) fn token(self) -> V::Token {
        self.0[0].token()
    }

    /// The residue of any words, nearly reduced: what is above a digit is below 2^21, and counts 4
    /// in the lowest digit if it is above the highest.
    #[inline(always)]
    fn fold([a, b, c]: [V; 3]) -> Self {
        let mask = V::splat(a.token(), MASK);
        let carry = c.shr::<BITS>().shl::<2>();
        Self([
            a.and(mask).add(carry),
            b.and(mask).add(a.shr::<BITS>()),
            c.and(mask).add(b.shr::<BITS>()),
        ])
    }

    /// self + other, of digits below 2^44 + 2^24.
    #[inline(always)]
    pub(super) fn plus(self, Digits(other): Self) -> [V; 3] {
        add(self.0, other)
    }

    /// 8 p - self, of digits below 2^44.
    #[inline(always)]
    pub(super) fn negated(self) -> [V; 3] {
        let ([a, b, c], [x, y, z]) = (multiple::<V, 1>(self.token()), self.0);
        [a.sub(x), b.sub(y), c.sub(z)]
    }

    /// self - other, of digits below 2^45.
    #[inline(always)]
    pub(super) fn minus(self, other: Self) -> [V; 3] {
        add(self.0, other.negated())
    }

    /// The residues of integers of absolute value below 2^51: 2^11 p more is not negative.
    #[inline(always)]
    pub(super) fn of_integers(integers: V) -> Self {
        let [a, b, c] = multiple::<V, 9>(integers.token());
        Self::fold([integers.add(a), b, c])
    }
}

impl<V: Madd52> Factor<V> {
    #[inline(always)]
    pub(super) fn new([a, b, c]: [V; 3]) -> Self {
        Self([a, b, c], [b.shl::<2>(), c.shl::<2>()])
    }
}

impl<V: Madd52> Sum<V> {
    #[inline(always)]
    pub(super) fn zero(token: V::Token) -> Self {
        Self { low: [V::zero(token); 3], high: [V::zero(token); 3] }
    }

    /// Adds a product of digits.
    #[inline(always)]
    fn multiply(&mut self, place: usize, x: V, y: V) {
        self.low[place] = self.low[place].madd_low(x, y);
        self.high[place] = self.high[place].madd_high(x, y);
    }

    /// Adds x y, for digits below 2^45 of x and 2^46 of y. Upper bits of products are below 2^39,
    /// or 2^41 with a factor of 4, which none in the highest place has. So this adds less than 3
    /// 2^52 + 3 2^50 < 2^54 to the words that are folded in the end.
    #[inline(always)]
    pub(super) fn add(&mut self, [x0, x1, x2]: [V; 3], Factor([y0, y1, y2], [z1, z2]): Factor<V>) {
        self.multiply(0, x0, y0);
        self.multiply(0, x1, z2);
        self.multiply(0, x2, z1);
        self.multiply(1, x0, y1);
        self.multiply(1, x1, y0);
        self.multiply(1, x2, z2);
        self.multiply(2, x0, y2);
        self.multiply(2, x1, y1);
        self.multiply(2, x2, y0);
    }

    /// Adds each digit times a number.
    #[inline(always)]
    pub(super) fn add_scaled(&mut self, x: [V; 3], number: V) {
        self.multiply(0, x[0], number);
        self.multiply(1, x[1], number);
        self.multiply(2, x[2], number);
    }

    /// The sum modulo p, with more digits added.
    #[inline(always)]
    fn reduce_with(self, more: [V; 3]) -> Digits<V> {
        let [a, b, c] = self.high;
        let high = [c.shl::<11>(), a.shl::<9>(), b.shl::<9>()];
        Digits::fold(add(add(self.low, high), more))
    }

    #[inline(always)]
    pub(super) fn reduce(self) -> Digits<V> {
        let zero = V::zero(self.low[0].token());
        self.reduce_with([zero; 3])
    }
}

/// a x + y, for |a| below 2^20.
#[inline(always)]
pub(super) fn times_plus<V: Madd52>(x: Digits<V>, a: i64, y: [V; 3]) -> Digits<V> {
    let token = x.token();
    let mut sum = Sum::zero(token);
    let digits = if a < 0 { x.negated() } else { x.0 };
    sum.add_scaled(digits, V::splat(token, a.unsigned_abs()));
    sum.reduce_with(y)
}

impl<V: Madd52> Ring for Digits<V> {
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self::splat(self.token(), P127::residue(value.into()))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::fold(self.plus(other))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::fold(self.minus(other))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut sum = Sum::zero(self.token());
        sum.add(self.0, Factor::new(other.0));
        sum.reduce()
    }
    #[inline(always)]
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        times_plus(self, a, other.plus(self.number(b)))
    }
}
