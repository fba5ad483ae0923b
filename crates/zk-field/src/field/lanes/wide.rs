//! Eight elements of K in registers that multiply 52 bits.
//!
//! A coefficient is a word x = x_0 + 2^52 x_1; the instructions take x_0 without a mask. A
//! product of two words is l_0 + 2^52 l_1 + 2^104 l_2, where l_0 is the low half of x_0 y_0, l_1
//! its high half and the low ones of x_0 y_1 and x_1 y_0, and l_2 the rest; sums of products are
//! sums of these. With 2^61 = 1 modulo p, 2^52 l = 2^52 (l mod 2^9) + floor(l / 2^9), and 2^104 l =
//! 2^43 l = 2^43 (l mod 2^18) + floor(l / 2^18).
//!
//! Words between operations are *nearly reduced*: below 2^61 + 2^4. They are reduced where they
//! leave the registers as elements.
#![allow(missing_debug_implementations, reason = "lanes may hold secrets")]

use alloc::vec::Vec;
use tautochrone_simd::vector::{Madd52, Vector};
use zeroize::{Zeroize as _, Zeroizing};

use super::super::{Element, Field as _, P, P61, SmallField as _};
use super::{Eight, Factors, Integers, Lanes, Pair, Products, Ring, Tables};

/// Registers of eight lanes of 64 bits.
pub(super) const LANES: usize = 8;

/// An element in each lane: a register for each coefficient, of nearly reduced words.
#[derive(Clone, Copy)]
pub struct Wide<V>(pub(super) [V; 3]);

/// A signed integer in each lane; the low 52 bits count.
#[derive(Clone, Copy)]
pub struct Small<V>(pub(super) V);

/// A residue in each lane, a nearly reduced word.
#[derive(Clone, Copy)]
pub struct Residues<V>(V);

/// [l_0, l_1, l_2] of each coefficient.
#[derive(Clone, Copy)]
pub struct WideProducts<V>([[V; 3]; 3]);

/// [l_0, l_1] of each coefficient.
#[derive(Clone, Copy)]
pub struct WideIntegers<V>([[V; 2]; 3]);

/// x modulo p, nearly reduced: below 2^61 + 7.
#[inline(always)]
pub(super) fn fold<V: Vector>(x: V) -> V {
    x.and(V::splat(x.token(), P)).add(x.shr::<61>())
}

/// x modulo p of a nearly reduced word: x + 1 has bit 61 where x >= p, and x + 1 without this bit
/// is then x - p.
#[inline(always)]
fn reduced<V: Vector>(x: V) -> V {
    let token = x.token();
    x.add(x.add(V::splat(token, 1)).shr::<61>()).and(V::splat(token, P))
}

/// The first elements of registers, of reduced words, to memory.
#[inline(always)]
fn put(Eight([a, b, c]): &Eight<3>, elements: &mut [Element]) {
    for (lane, element) in elements.iter_mut().enumerate() {
        *element = Element::from_residues([a[lane], b[lane], c[lane]]);
    }
}

/// 2^52 l modulo p: below 2^61 + 2^55.
#[inline(always)]
fn times_2_52<V: Vector>(l: V) -> V {
    l.shl::<55>().shr::<3>().add(l.shr::<9>())
}

/// l_0 + 2^52 l_1 + 2^104 l_2 modulo p, for parts of which the sum below does not overflow.
#[inline(always)]
pub(super) fn join<V: Vector>(parts: [V; 3]) -> V {
    fold(gather(parts))
}

/// The same, not reduced: below 2^62 + 2^57 more than l_0, for l_1 below 2^61.
#[inline(always)]
fn gather<V: Vector>([l0, l1, l2]: [V; 3]) -> V {
    let of_l2 = l2.shl::<46>().shr::<3>().add(l2.shr::<18>());
    l0.add(times_2_52(l1)).add(of_l2)
}

/// lower + 2^31 upper modulo p, both below 2^58 in absolute value: with 2^58 more of the upper one,
/// which count 2^89 = 2^28, and p - 2^28 more of the lower one, neither is negative.
#[inline(always)]
fn of_halves<V: Vector>(lower: V, upper: V) -> V {
    let token = lower.token();
    let lower = lower.add(V::splat(token, P - (1 << 28)));
    let upper = upper.add(V::splat(token, 1 << 58));
    fold(lower.add(upper.shl::<34>().shr::<3>()).add(upper.shr::<30>()))
}

/// x - y modulo p, of nearly reduced words: 2 p more than the difference is not negative.
#[inline(always)]
pub(super) fn subtract<V: Vector>(x: V, y: V) -> V {
    fold(x.add(V::splat(x.token(), 2 * P)).sub(y))
}

/// Adds the parts of x y. x and y are below 2^64.
#[inline(always)]
pub(super) fn multiply<V: Madd52>([l0, l1, l2]: &mut [V; 3], x: V, y: V) {
    let (x1, y1) = (x.shr::<52>(), y.shr::<52>());
    *l0 = l0.madd_low(x, y);
    *l1 = l1.madd_high(x, y).madd_low(x, y1).madd_low(x1, y);
    *l2 = l2.madd_high(x, y1).madd_high(x1, y).madd_low(x1, y1);
}

#[inline(always)]
pub(super) fn times_5<V: Vector>(x: V) -> V {
    x.shl::<2>().add(x)
}

/// Adds the parts of x^2, for x below 2^63.
#[inline(always)]
fn square<V: Madd52>([l0, l1, l2]: &mut [V; 3], x: V) {
    let (x1, twice) = (x.shr::<52>(), x.shr::<51>().and(V::splat(x.token(), !1)));
    *l0 = l0.madd_low(x, x);
    *l1 = l1.madd_high(x, x).madd_low(x, twice);
    *l2 = l2.madd_high(x, twice).madd_low(x1, x1);
}

impl<V: Madd52> WideProducts<V> {
    /// An element, to which products are added: in l_0.
    // Written out: `array::map` is inlined within a codegen unit alone.
    #[inline(always)]
    pub(super) fn beginning_with(Wide([a, b, c]): Wide<V>) -> Self {
        let zero = V::zero(a.token());
        Self([[a, zero, zero], [b, zero, zero], [c, zero, zero]])
    }

    /// The words of the sum, not reduced.
    #[inline(always)]
    pub(super) fn gather(self) -> [V; 3] {
        let [s0, s1, s2] = self.0;
        [gather(s0), gather(s1), gather(s2)]
    }
}

impl<V: Madd52> Products<Wide<V>> for WideProducts<V> {
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        Self([[V::zero(token); 3]; 3])
    }

    /// With words below 2^61 + 2^4 and 5 y below 2^64, x_1 is at most 2^9 and y_1 below 2^12. So a
    /// product adds at most 3 2^52 to l_0, 9 2^52 to l_1 and 3 2^22 to l_2 of a coefficient.
    #[inline(always)]
    fn add(&mut self, Wide([a, b, c]): Wide<V>, Wide([x, y, z]): Wide<V>) {
        let [s0, s1, s2] = &mut self.0;
        let (five_y, five_z) = (times_5(y), times_5(z));
        multiply(s0, a, x);
        multiply(s0, b, five_z);
        multiply(s0, c, five_y);
        multiply(s1, a, y);
        multiply(s1, b, x);
        multiply(s1, c, five_z);
        multiply(s2, a, z);
        multiply(s2, b, y);
        multiply(s2, c, x);
    }

    /// Six products instead of nine.
    #[inline(always)]
    fn add_square(&mut self, Wide([a, b, c]): Wide<V>) {
        let [s0, s1, s2] = &mut self.0;
        let (twice_a, twice_b, five_c) = (a.add(a), b.add(b), times_5(c));
        square(s0, a);
        multiply(s0, twice_b, five_c);
        multiply(s1, twice_a, b);
        multiply(s1, c, five_c);
        multiply(s2, twice_a, c);
        square(s2, b);
    }

    /// Fewer products of each coefficient than there are in the product of two elements.
    #[inline(always)]
    fn add_scaled(&mut self, Wide(x): Wide<V>, Residues(residue): Residues<V>) {
        for (i, sum) in self.0.iter_mut().enumerate() {
            multiply(sum, x[i], residue);
        }
    }

    /// 256 products leave l_0 below 2^62, l_1 below 2^64 and l_2 below 2^32. The sum is below
    /// 2^62 + 2 (2^61 + 2^55) < 2^64.
    #[inline(always)]
    fn reduce(self) -> Wide<V> {
        let [s0, s1, s2] = self.0;
        Wide([join(s0), join(s1), join(s2)])
    }
}

/// The offset that makes integers of absolute value below 2^42 positive.
pub(super) const OFFSET: u64 = 1 << 42;

impl<V: Madd52> Integers<Wide<V>> for WideIntegers<V> {
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        Self([[V::zero(token); 2]; 3])
    }

    /// The integer and its offset are below 2^43, and x_1 of a coefficient below 2^9: their product
    /// has a low half only. l_0 grows by less than 2^52, l_1 by less than 2^53.
    #[inline(always)]
    fn add(&mut self, Small(integer): Small<V>, weight: Element) {
        let token = integer.token();
        let positive = integer.add(V::splat(token, OFFSET));
        for (i, [l0, l1]) in self.0.iter_mut().enumerate() {
            let x = V::splat(token, weight.0[i]);
            *l0 = l0.madd_low(positive, x);
            *l1 = l1.madd_high(positive, x).madd_low(positive, x.shr::<52>());
        }
    }

    /// 1024 products leave l_0 below 2^62 and l_1 below 2^63.
    #[inline(always)]
    fn reduce(self, weights: Element) -> Wide<V> {
        let [[a0, a1], [b0, b1], [c0, c1]] = self.0;
        let zero = V::zero(a0.token());
        let sum = Wide([join([a0, a1, zero]), join([b0, b1, zero]), join([c0, c1, zero])]);
        sum.sub(Wide::splat(a0.token(), weights.scale(OFFSET)))
    }
}

impl<V: Madd52> Ring for Small<V> {
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self(V::splat(self.0.token(), value.cast_unsigned()))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
    /// Modulo 2^52, which is all that counts.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(V::zero(self.0.token()).madd_low(self.0, other.0))
    }
}

impl<V: Madd52> Lanes for Wide<V> {
    type Token = V::Token;
    type Stored = Eight<3>;
    type Integer = Small<V>;
    type Residue = Residues<V>;
    type Products = WideProducts<V>;
    type Integers = WideIntegers<V>;
    type Factors = Factors;

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
        let [a, b, c] = x.0;
        Self([V::splat(token, a), V::splat(token, b), V::splat(token, c)])
    }
    #[inline(always)]
    fn load(token: V::Token, Eight([a, b, c]): &Eight<3>) -> Self {
        Self([V::load(token, a), V::load(token, b), V::load(token, c)])
    }
    #[inline(always)]
    fn store(self) -> Eight<3> {
        let mut stored = Eight::default();
        let ([a, b, c], [x, y, z]) = (self.0, &mut stored.0);
        a.store(x);
        b.store(y);
        c.store(z);
        stored
    }
    #[inline(always)]
    fn gather(token: V::Token, elements: &[Element]) -> Self {
        // Of a known number of elements compilers shuffle registers.
        let mut few = [Element::ZERO; LANES];
        let eight = if let Some(eight) = elements.first_chunk() {
            eight
        } else {
            few[..elements.len()].copy_from_slice(elements);
            &few
        };
        let mut stored = Eight::default();
        for (lane, element) in eight.iter().enumerate() {
            for (i, words) in stored.0.iter_mut().enumerate() {
                words[lane] = element.0[i];
            }
        }
        Self::load(token, &stored)
    }
    #[inline(always)]
    fn scatter(self, elements: &mut [Element]) {
        let [a, b, c] = self.0;
        let stored = Self([reduced(a), reduced(b), reduced(c)]).store();
        match elements.first_chunk_mut::<LANES>() {
            Some(eight) => put(&stored, eight),
            None => put(&stored, elements),
        }
    }
    #[inline(always)]
    fn integers(token: V::Token, words: &[i64]) -> Small<V> {
        Small(V::load(token, bytemuck::cast_slice(words)))
    }
    /// p more than the integer: below 2^62, and not negative.
    #[inline(always)]
    fn residues(Small(integers): Small<V>) -> Residues<V> {
        Residues(fold(integers.add(V::splat(integers.token(), P))))
    }
    #[inline(always)]
    fn load_residues(token: V::Token, words: &[u64]) -> Residues<V> {
        Residues(V::load(token, words))
    }
    #[inline(always)]
    fn of_residues(Residues(words): Residues<V>) -> Self {
        let zero = V::zero(words.token());
        Self([words, zero, zero])
    }
    #[inline(always)]
    fn of_parts(token: V::Token, parts: &[i64], stride: usize) -> Self {
        let parts = bytemuck::cast_slice(parts);
        let mut words = [V::zero(token); 3];
        for (place, word) in words.iter_mut().enumerate() {
            let lower = V::load(token, &parts[2 * place * stride..]);
            let upper = V::load(token, &parts[(2 * place + 1) * stride..]);
            *word = of_halves(lower, upper);
        }
        Self(words)
    }
    /// The difference is not reduced: it is below 2^63, and `r` is the factor that is multiplied
    /// by 5.
    #[inline(always)]
    fn line_at(self, Self(high): Self, r: Self) -> Self {
        let Self([a, b, c]) = self;
        let more = V::splat(a.token(), 2 * P);
        let step = [high[0].add(more).sub(a), high[1].add(more).sub(b), high[2].add(more).sub(c)];
        let mut sum = WideProducts::beginning_with(self);
        sum.add(Self(step), r);
        sum.reduce()
    }
    #[inline(always)]
    fn cubes(
        token: V::Token,
        factors: &mut Factors,
        rows: &[Eight<3>],
        pairs: &[Pair<P61>],
        [root, third]: [Element; 2],
    ) -> [Self; 3] {
        super::cubes::wide(token, factors, rows, pairs, root, third.0[0])
    }
    #[inline(always)]
    fn sum(self) -> Element {
        let mut stored = self.store();
        // Of eight nearly reduced words.
        let sum = |i: usize| P61::fold(stored.0[i].iter().map(|&word| u128::from(word)).sum());
        let sums = [sum(0), sum(1), sum(2)];
        stored.zeroize();
        Element::from_residues(sums)
    }

    fn table(tables: &mut Tables<P61>) -> &mut Option<Zeroizing<Vec<Eight<3>>>> {
        &mut tables.eight
    }
}

impl<V: Madd52> Ring for Wide<V> {
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self::splat(self.token(), Element::from(value))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([fold(a.add(x)), fold(b.add(y)), fold(c.add(z))])
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([subtract(a, x), subtract(b, y), subtract(c, z)])
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut product = WideProducts::zero(self.token());
        product.add(self, other);
        product.reduce()
    }
    #[inline(always)]
    fn square(self) -> Self {
        let mut product = WideProducts::zero(self.token());
        product.add_square(self);
        product.reduce()
    }
    #[inline(always)]
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        let b = V::splat(x.token(), P61::residue(b.into()));
        Self([times_plus(x, a, fold(u.add(b))), times_plus(y, a, v), times_plus(z, a, w)])
    }
}

/// a x + y of nearly reduced words, for |a| below 2^20: of p or more than -x, if a is negative.
#[inline(always)]
fn times_plus<V: Madd52>(x: V, a: i64, y: V) -> V {
    let token = x.token();
    let x = if a < 0 { V::splat(token, P + 16).sub(x) } else { x };
    // p + 16 is 16 modulo p.
    let y = if a < 0 { fold(y.add(V::splat(token, P - 16 * a.unsigned_abs()))) } else { y };
    let a = V::splat(token, a.unsigned_abs());
    let l1 = V::zero(token).madd_high(x, a).madd_low(x.shr::<52>(), a);
    join([y.madd_low(x, a), l1, V::zero(token)])
}

impl<V: Madd52> Ring for Residues<V> {
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self(V::splat(self.0.token(), P61::residue(value.into())))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(fold(self.0.add(other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(subtract(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut parts = [V::zero(self.0.token()); 3];
        multiply(&mut parts, self.0, other.0);
        Self(join(parts))
    }
    #[inline(always)]
    fn square(self) -> Self {
        let mut parts = [V::zero(self.0.token()); 3];
        square(&mut parts, self.0);
        Self(join(parts))
    }
    #[inline(always)]
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        let b = V::splat(self.0.token(), P61::residue(b.into()));
        Self(times_plus(self.0, a, fold(other.0.add(b))))
    }
}
