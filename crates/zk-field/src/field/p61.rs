//! [`P61`]: the field of p = 2^61 - 1 elements.

mod lines;
mod roots;

use tautochrone_simd::value_barrier;

use super::{Element, Field, Pair, Products, SmallField, in_registers, of_three_words};
use crate::scalar::Scalar;

/// p = 2^61 - 1, a prime.
pub const P: u64 = (1 << 61) - 1;

/// The largest absolute value of an integer that stands for a residue modulo p: (p - 1) / 2.
#[expect(clippy::integer_division_remainder_used, reason = "a constant")]
pub const HALF_P: i64 = (P / 2).cast_signed();

/// The field of p = 2^61 - 1 elements: c = 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct P61;

impl Field for P61 {
    of_three_words!();
    in_registers!(Wide);
    type Products = ProductSum;

    const PARTS: usize = 2;
    /// The sum stays below 2^125.
    const MAX_INTEGERS: usize = 1 << 22;

    #[inline(always)]
    fn add(a: u64, b: u64) -> u64 {
        reduce_once(a + b)
    }
    #[inline(always)]
    fn subtract(a: u64, b: u64) -> u64 {
        reduce_once(a + P - b)
    }
    #[inline(always)]
    fn residue(x: i128) -> u64 {
        // 2^65 p = 2^126 - 2^65 is 0 modulo p.
        Self::fold((x + ((P as i128) << 65)).cast_unsigned())
    }
    /// Within 2^-131 of uniform: lo + 2^128 hi, and 2^128 = 2^6.
    #[inline]
    fn uniform_residue(bytes: &[u8]) -> u64 {
        let (low, high) = bytes.split_at(16);
        let low = u128::from_le_bytes(low.try_into().expect("sixteen bytes"));
        let high = u64::from_le_bytes(high.try_into().expect("eight bytes"));
        Self::fold(u128::from(Self::fold(low)) + (u128::from(high) << 6))
    }
    /// Of any integers: as 2^61 is 1, an upper one u_1 2^30 + u_0 counts u_1 + 2^31 u_0.
    #[inline(always)]
    fn of_parts(parts: &[i64]) -> u64 {
        const LOW: i64 = P as i64;
        let (lower, upper) = (parts[0], parts[1]);
        let low_of_upper = upper & ((1 << 30) - 1);
        // From -2^33 - 4 to 2^62 + 2^33, and p more is not negative.
        let x = (lower & LOW) + (lower >> 61) + (low_of_upper << 31) + (upper >> 30) + LOW;
        reduce_once(((x & LOW) + (x >> 61)) as u64)
    }

    #[inline(always)]
    fn product(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
        fold_each(products(a, b))
    }

    #[inline(always)]
    fn square(a: [u64; 3]) -> [u64; 3] {
        fold_each(squares(a))
    }

    #[inline(always)]
    fn line_at(low: Element, high: Element, r: Element) -> Element {
        lines::line_at(low, high, r)
    }
    #[inline(always)]
    fn cubes(rows: &[Element], pairs: &[Pair<Self>], factors: [Element; 2]) -> [Element; 3] {
        lines::cubes(rows, pairs, factors)
    }
    fn cube_root_vartime(x: Element) -> Option<(Element, usize)> {
        roots::cube_root_vartime(x)
    }
}

impl SmallField for P61 {
    /// Products are below 2^122.
    type Sum = u128;

    #[inline(always)]
    fn times_c(a: u64) -> u64 {
        Self::fold(5 * u128::from(a))
    }
    /// 2^61 is 1, so the parts of 61 bits add up.
    #[inline(always)]
    fn fold(x: u128) -> u64 {
        // Below 2^62 + 2^6.
        let x = (x as u64 & P) + ((x >> 61) as u64 & P) + (x >> 122) as u64;
        reduce_once((x & P) + (x >> 61))
    }
    #[inline(always)]
    fn add_product(sum: &mut u128, a: u64, b: u64) {
        *sum += u128::from(a) * u128::from(b);
    }
    #[inline(always)]
    fn add_word(sum: &mut u128, a: u64) {
        *sum += u128::from(a);
    }
    #[inline(always)]
    fn reduce(sum: u128) -> u64 {
        Self::fold(sum)
    }
}

/// x modulo p of an x below 2 p.
#[inline(always)]
pub(super) const fn reduce_once(x: u64) -> u64 {
    // Negative exactly if x < p, as both are below 2^62.
    let less = x.wrapping_sub(P);
    less.wrapping_add(P & value_barrier((less >> 63).wrapping_neg()))
}

/// x modulo p, up to p + 7, of an x below 7 2^122.
#[inline(always)]
const fn fold_nearly(x: u128) -> u64 {
    // Below 2^64.
    let x = (x as u64 & P) + (x >> 61) as u64;
    (x & P) + (x >> 61)
}

/// The same of each coefficient: `array::map` is inlined within a codegen unit alone.
#[inline(always)]
const fn fold_each_nearly([a, b, c]: [u128; 3]) -> [u64; 3] {
    [fold_nearly(a), fold_nearly(b), fold_nearly(c)]
}

/// The same below p.
#[inline(always)]
const fn fold_each(x: [u128; 3]) -> [u64; 3] {
    let [a, b, c] = fold_each_nearly(x);
    [reduce_once(a), reduce_once(b), reduce_once(c)]
}

/// 5 x modulo p, up to p + 4, of an x up to p + 7.
#[inline(always)]
const fn times_5(x: u64) -> u64 {
    (5 * x & P) + (5 * x >> 61)
}

/// The coefficients of a b: nine products. For words of b up to p + 7 and of a below 2^62 they are
/// below 3 2^62 (p + 8).
#[inline(always)]
fn products([a, b, c]: [u64; 3], [x, y, z]: [u64; 3]) -> [u128; 3] {
    let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let (five_y, five_z) = (times_5(y), times_5(z));
    [
        product(a, x) + product(b, five_z) + product(c, five_y),
        product(a, y) + product(b, x) + product(c, five_z),
        product(a, z) + product(b, y) + product(c, x),
    ]
}

/// The coefficients of a^2, for words up to p + 7: six products, of three of p + 7 at most each.
#[inline(always)]
fn squares([a, b, c]: [u64; 3]) -> [u128; 3] {
    let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let five_c = times_5(c);
    [
        product(a, a) + product(2 * b, five_c),
        product(2 * a, b) + product(c, five_c),
        product(2 * a, c) + product(b, b),
    ]
}

/// A sum of products of elements, any number of them: of each coefficient 128 bits, and the
/// carries beyond them.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "it may be a secret")]
pub struct ProductSum([(u128, u64); 3]);

impl ProductSum {
    #[inline(always)]
    fn add_each(&mut self, coefficients: [u128; 3]) {
        for (i, (sum, carried)) in self.0.iter_mut().enumerate() {
            let x = coefficients[i];
            let (more, carry) = sum.overflowing_add(x);
            (*sum, *carried) = (more, *carried + u64::from(carry));
        }
    }
}

impl Products<Element> for ProductSum {
    #[inline(always)]
    fn zero((): ()) -> Self {
        Self([(0, 0); 3])
    }
    #[inline(always)]
    fn add(&mut self, x: Element, y: Element) {
        self.add_each(products(x.0, y.0));
    }
    #[inline(always)]
    fn add_square(&mut self, x: Element) {
        self.add_each(squares(x.0));
    }
    #[inline(always)]
    fn add_scaled(&mut self, x: Element, residue: Scalar) {
        let product = |coefficient: u64| u128::from(coefficient) * u128::from(residue.value());
        let [a, b, c] = x.0;
        self.add_each([product(a), product(b), product(c)]);
    }
    /// 2^128 is 2^6 modulo p.
    #[inline(always)]
    fn reduce(self) -> Element {
        let fold = P61::fold;
        let reduce = |(sum, carried)| fold(u128::from(fold(sum)) + (u128::from(carried) << 6));
        let [a, b, c] = self.0;
        Element::from_residues([reduce(a), reduce(b), reduce(c)])
    }
}
