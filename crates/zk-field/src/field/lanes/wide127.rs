//! Eight elements of K over the field of 2^127 - 1 elements, in registers that multiply 52 bits:
//! the [digits](super::digits) of their coefficients.
#![allow(missing_debug_implementations, reason = "lanes may hold secrets")]

use alloc::vec::Vec;
use tautochrone_simd::vector::{Madd52, Vector};
use zeroize::{Zeroize as _, Zeroizing};

use super::super::{ElementOf, P127};
use super::digits::{Digits, Factor, Sum, residue, times_plus};
use super::wide::{LANES, OFFSET, Small};
use super::{Eight, Integers, Lanes, Products, Ring, Tables};

type Element = ElementOf<P127>;

/// Residues in lanes.
impl Eight<2> {
    #[inline(always)]
    const fn put(&mut self, lane: usize, x: u128) {
        (self.0[0][lane], self.0[1][lane]) = (x as u64, (x >> 64) as u64);
    }

    #[inline(always)]
    fn load<V: Vector>(&self, token: V::Token) -> [V; 2] {
        [V::load(token, &self.0[0]), V::load(token, &self.0[1])]
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, [low, high]: [V; 2]) {
        low.store(&mut self.0[0]);
        high.store(&mut self.0[1]);
    }

    #[inline(always)]
    const fn at(&self, lane: usize) -> u128 {
        let [low, high] = self.0;
        (high[lane] as u128) << 64 | low[lane] as u128
    }
}

/// An element in each lane: the digits of its coefficients.
#[derive(Clone, Copy)]
pub struct Wide127<V>([Digits<V>; 2]);

/// The sum for each coefficient.
#[derive(Clone, Copy)]
pub struct Wide127Products<V>([Sum<V>; 2]);

/// The same of products with integers.
#[derive(Clone, Copy)]
pub struct Wide127Integers<V>([Sum<V>; 2]);

impl<V: Madd52> Products<Wide127<V>, P127> for Wide127Products<V> {
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        Self([Sum::zero(token); 2])
    }

    /// Two products of residues a coefficient: less than 2^55.
    #[inline(always)]
    fn add(&mut self, Wide127([a, b]): Wide127<V>, Wide127([x, y]): Wide127<V>) {
        let [s0, s1] = &mut self.0;
        let (of_x, of_y) = (Factor::new(x.0), Factor::new(y.0));
        s0.add(a.0, of_x);
        s0.add(b.0, Factor::new(y.negated()));
        s1.add(a.0, of_y);
        s1.add(b.0, of_x);
    }

    /// (a + b) (a - b), and 2 a b.
    #[inline(always)]
    fn add_square(&mut self, Wide127([a, b]): Wide127<V>) {
        let [s0, s1] = &mut self.0;
        s0.add(a.plus(b), Factor::new(a.minus(b)));
        s1.add(a.0, Factor::new(b.plus(b)));
    }

    #[inline(always)]
    fn add_scaled(&mut self, Wide127([a, b]): Wide127<V>, Digits(residue): Digits<V>) {
        let [s0, s1] = &mut self.0;
        let factor = Factor::new(residue);
        s0.add(a.0, factor);
        s1.add(b.0, factor);
    }

    /// 256 products leave less than 2^63 in each place.
    #[inline(always)]
    fn reduce(self) -> Wide127<V> {
        let [s0, s1] = self.0;
        Wide127([s0.reduce(), s1.reduce()])
    }
}

impl<V: Madd52> Integers<Wide127<V>, P127> for Wide127Integers<V> {
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        Self([Sum::zero(token); 2])
    }

    /// The integer and its offset are below 2^43: less than 2^52 + 2^46 in each place.
    #[inline(always)]
    fn add(&mut self, Small(integer): Small<V>, weight: Element) {
        let token = integer.token();
        let positive = integer.add(V::splat(token, OFFSET));
        let Wide127([a, b]) = Wide127::splat(token, weight);
        let [s0, s1] = &mut self.0;
        s0.add_scaled(a.0, positive);
        s1.add_scaled(b.0, positive);
    }

    /// 1024 products leave less than 2^63.
    #[inline(always)]
    fn reduce(self, weights: Element) -> Wide127<V> {
        let [s0, s1] = self.0;
        let sum = Wide127([s0.reduce(), s1.reduce()]);
        sum.sub(Wide127::splat(sum.token(), weights.scale(OFFSET.into())))
    }
}

impl<V: Madd52> Lanes<P127> for Wide127<V> {
    type Token = V::Token;
    type Stored = Eight<6>;
    type Integer = Small<V>;
    type Residue = Digits<V>;
    type Products = Wide127Products<V>;
    type Integers = Wide127Integers<V>;
    type Factors = ();

    const LANES: usize = {
        assert!(V::LANES == LANES, "eight lanes");
        LANES
    };
    const MAX_PRODUCTS: usize = 256;
    const MAX_INTEGERS: usize = 1024;

    #[inline(always)]
    fn token(self) -> V::Token {
        self.0[0].token()
    }
    #[inline(always)]
    fn splat(token: V::Token, x: Element) -> Self {
        let [a, b] = x.0;
        Self([Digits::splat(token, a), Digits::splat(token, b)])
    }
    #[inline(always)]
    fn load(token: V::Token, Eight([a, b, c, x, y, z]): &Eight<6>) -> Self {
        Self([Digits::load(token, [a, b, c]), Digits::load(token, [x, y, z])])
    }
    #[inline(always)]
    fn store(self) -> Eight<6> {
        let mut stored = Eight::default();
        let ([x, y], [a, b, c, u, v, w]) = (self.0, &mut stored.0);
        x.store([a, b, c]);
        y.store([u, v, w]);
        stored
    }
    #[inline(always)]
    fn gather(token: V::Token, elements: &[Element]) -> Self {
        let [mut a, mut b] = [Eight::<2>::default(); 2];
        for (lane, element) in elements.iter().take(LANES).enumerate() {
            let [x, y] = element.0;
            a.put(lane, x);
            b.put(lane, y);
        }
        Self([Digits::of_words(a.load(token)), Digits::of_words(b.load(token))])
    }
    #[inline(always)]
    fn scatter(self, elements: &mut [Element]) {
        let [mut a, mut b] = [Eight::<2>::default(); 2];
        let Self([x, y]) = self;
        a.store(x.words());
        b.store(y.words());
        for (lane, element) in elements.iter_mut().take(LANES).enumerate() {
            *element = Element::from_residues([a.at(lane), b.at(lane)]);
        }
    }
    #[inline(always)]
    fn integers(token: V::Token, words: &[i64]) -> Small<V> {
        Small(V::load(token, bytemuck::cast_slice(words)))
    }
    #[inline(always)]
    fn residues(Small(integers): Small<V>) -> Digits<V> {
        Digits::of_integers(integers)
    }
    #[inline(always)]
    fn load_residues(token: V::Token, words: &[u128]) -> Digits<V> {
        let mut stored = Eight::<2>::default();
        for (lane, &word) in words.iter().take(LANES).enumerate() {
            stored.put(lane, word);
        }
        Digits::of_words(stored.load(token))
    }
    #[inline(always)]
    fn of_residues(residues: Digits<V>) -> Self {
        Self([residues, Digits::zero(residues.token())])
    }
    /// Digits of the sums are below 2^47.
    fn sum(self) -> Element {
        let mut stored = self.store();
        let [a, b, c, x, y, z] = stored.0.map(|words| words.iter().sum());
        stored.zeroize();
        Element::from_residues([residue([a, b, c]), residue([x, y, z])])
    }

    fn table(tables: &mut Tables<P127>) -> &mut Option<Zeroizing<Vec<Eight<6>>>> {
        &mut tables.eight
    }
}

impl<V: Madd52> Ring for Wide127<V> {
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self::splat(self.token(), Element::from(value))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b], [x, y]) = (self.0, other.0);
        Self([Ring::add(a, x), Ring::add(b, y)])
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b], [x, y]) = (self.0, other.0);
        Self([Ring::sub(a, x), Ring::sub(b, y)])
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut product = Wide127Products::zero(self.token());
        product.add(self, other);
        product.reduce()
    }
    #[inline(always)]
    fn square(self) -> Self {
        let mut product = Wide127Products::zero(self.token());
        product.add_square(self);
        product.reduce()
    }
    #[inline(always)]
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        let ([x, y], [u, v]) = (self.0, other.0);
        Self([x.times_plus(a, u, b), times_plus(y, a, v.0)])
    }
}
