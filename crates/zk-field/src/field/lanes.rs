//! [`Lanes`]: elements of K side by side, so that a loop over columns is written once, for one of
//! them at a time and for as many as a register has lanes.

use tautochrone_simd::Token;
use zeroize::Zeroize;

use super::Element;

mod choose;
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "vector kernels alone have lanes of eight elements")
)]
mod wide;

pub use choose::with_lanes;
pub use wide::{Eight, Wide};

/// An element of K in each of some lanes.
///
/// # Constant time
/// All methods in what the lanes hold.
pub trait Lanes: Copy {
    /// The registers' requirement.
    type Token: Token;
    /// The lanes in memory.
    type Stored: Copy + Default + Zeroize + Send + Sync;
    /// A small integer in each lane.
    type Integer: Integer;
    /// A sum of up to [`Self::MAX_PRODUCTS`] products, which is reduced once.
    type Products: Products<Self>;
    /// A sum of up to [`Self::MAX_INTEGERS`] products with integers of absolute value below 2^42,
    /// which is reduced once.
    type Integers: Integers<Self>;

    /// How many.
    const LANES: usize;
    /// How many products a sum may have.
    const MAX_PRODUCTS: usize;
    /// How many products with integers a sum may have.
    const MAX_INTEGERS: usize;

    /// The requirement of its registers.
    fn token(self) -> Self::Token;
    /// `x` in every lane.
    fn splat(token: Self::Token, x: Element) -> Self;
    /// From memory.
    fn load(token: Self::Token, stored: &Self::Stored) -> Self;
    /// To memory.
    fn store(self) -> Self::Stored;
    /// The first elements of a list, 0 where there are too few.
    fn gather(token: Self::Token, elements: &[Element]) -> Self;
    /// To the first elements of a list, as many as there are.
    fn scatter(self, elements: &mut [Element]);
    /// The first [`Self::LANES`] words, as integers.
    fn integers(token: Self::Token, words: &[i64]) -> Self::Integer;
    /// The elements that are congruent to integers as they were loaded.
    fn of_integers(integers: Self::Integer) -> Self;

    /// self + other.
    fn add(self, other: Self) -> Self;
    /// self - other.
    fn sub(self, other: Self) -> Self;
    /// self other.
    fn mul(self, other: Self) -> Self;
    /// self self.
    fn square(self) -> Self;
    /// The sum of all lanes.
    fn sum(self) -> Element;
}

/// Small integers in lanes: correct as long as no value has 52 bits.
pub trait Integer: Copy {
    /// Of the same kind.
    fn number(self, value: i64) -> Self;
    /// self + other.
    fn add(self, other: Self) -> Self;
    /// self - other.
    fn sub(self, other: Self) -> Self;
    /// self other.
    fn mul(self, other: Self) -> Self;
}

/// A sum of products.
pub trait Products<L: Lanes>: Copy {
    /// The empty sum.
    fn zero(token: L::Token) -> Self;
    /// Adds x y.
    fn add(&mut self, x: L, y: L);
    /// The sum modulo p.
    fn reduce(self) -> L;
}

/// A sum of products of elements, the same in all lanes, with integers.
pub trait Integers<L: Lanes>: Copy {
    /// The empty sum.
    fn zero(token: L::Token) -> Self;
    /// Adds an integer times an element.
    fn add(&mut self, integer: L::Integer, weight: Element);
    /// The sum modulo p. `weights` is the sum of all weights, for any factors.
    fn reduce(self, weights: Element) -> L;
}

#[doc(hidden)]
impl Lanes for Element {
    type Token = ();
    type Stored = Self;
    type Integer = i64;
    type Products = Self;
    type Integers = [i128; 3];

    const LANES: usize = 1;
    const MAX_PRODUCTS: usize = usize::MAX;
    /// With coefficients below 2^61 the sum stays below 2^125.
    const MAX_INTEGERS: usize = 1 << 22;

    #[inline(always)]
    fn token(self) {}
    #[inline(always)]
    fn splat((): (), x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn load((): (), stored: &Self) -> Self {
        *stored
    }
    #[inline(always)]
    fn store(self) -> Self {
        self
    }
    #[inline(always)]
    fn gather((): (), elements: &[Self]) -> Self {
        elements[0]
    }
    #[inline(always)]
    fn scatter(self, elements: &mut [Self]) {
        elements[0] = self;
    }
    #[inline(always)]
    fn integers((): (), words: &[i64]) -> i64 {
        words[0]
    }
    #[inline(always)]
    fn of_integers(integers: i64) -> Self {
        Self::from(integers)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    #[inline(always)]
    fn sum(self) -> Self {
        self
    }
}

impl Integer for i64 {
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        value
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
}

#[doc(hidden)]
impl Products<Self> for Element {
    #[inline(always)]
    fn zero((): ()) -> Self {
        Self::ZERO
    }
    #[inline(always)]
    fn add(&mut self, x: Self, y: Self) {
        *self += x * y;
    }
    #[inline(always)]
    fn reduce(self) -> Self {
        self
    }
}

#[doc(hidden)]
impl Integers<Element> for [i128; 3] {
    #[inline(always)]
    fn zero((): ()) -> Self {
        [0; 3]
    }
    #[inline(always)]
    fn add(&mut self, integer: i64, weight: Element) {
        for (sum, coefficient) in self.iter_mut().zip(weight.coefficients()) {
            *sum += i128::from(integer) * i128::from(coefficient.cast_signed());
        }
    }
    #[inline(always)]
    fn reduce(self, _: Element) -> Element {
        Element::from_integers(self)
    }
}

#[cfg(test)]
mod tests;
