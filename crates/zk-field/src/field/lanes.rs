//! [`Lanes`]: elements of K side by side, so that a loop over columns is written once, for one of
//! them at a time and for as many as a register has lanes.

use alloc::vec::Vec;

use tautochrone_simd::Token;
use zeroize::{Zeroize, Zeroizing};

use super::{Coefficients, ElementOf, Field, P61};
use crate::scalar::ScalarOf;

mod choose;
pub(super) mod cubes;
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "vector kernels alone have lanes of eight elements")
)]
mod digits;
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "vector kernels alone have lanes of eight elements")
)]
mod wide;
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "vector kernels alone have lanes of eight elements")
)]
mod wide127;

pub use choose::with_lanes;
pub use cubes::{Factors, Pair, Weight};
pub use wide::Wide;
pub use wide127::Wide127;

/// Most parts of a residue of any field.
const MOST_PARTS: usize = 5;

/// An element of K in each of some lanes.
///
/// # Constant time
/// All methods in what the lanes hold.
pub trait Lanes<F: Field = P61>: Ring {
    /// What the registers need.
    type Token: Token;
    /// The lanes in memory.
    type Stored: Copy + Default + Zeroize + Send + Sync;
    /// A small integer in each lane.
    type Integer: Ring;
    /// A residue modulo p in each lane.
    type Residue: Ring;
    /// A sum of up to [`Self::MAX_PRODUCTS`] products, which is reduced once.
    type Products: Products<Self, F>;
    /// A sum of up to [`Self::MAX_INTEGERS`] products with integers of absolute value below 2^42,
    /// which is reduced once.
    type Integers: Integers<Self, F>;
    /// Memory in which [`Self::cubes`] keeps what it multiplies. Secret.
    type Factors: Default + Zeroize;

    /// How many.
    const LANES: usize;
    /// How many products a sum may have.
    const MAX_PRODUCTS: usize;
    /// How many products with integers a sum may have.
    const MAX_INTEGERS: usize;

    /// What its registers need.
    fn token(self) -> Self::Token;
    /// `x` in every lane.
    fn splat(token: Self::Token, x: ElementOf<F>) -> Self;
    /// From memory.
    fn load(token: Self::Token, stored: &Self::Stored) -> Self;
    /// To memory.
    fn store(self) -> Self::Stored;
    /// The first elements of a list, 0 where there are too few.
    fn gather(token: Self::Token, elements: &[ElementOf<F>]) -> Self;
    /// To the first elements of a list, as many as there are.
    fn scatter(self, elements: &mut [ElementOf<F>]);
    /// The first [`Self::LANES`] words, as integers.
    fn integers(token: Self::Token, words: &[i64]) -> Self::Integer;
    /// The elements that are congruent to integers as they were loaded.
    #[inline(always)]
    fn of_integers(integers: Self::Integer) -> Self {
        Self::of_residues(Self::residues(integers))
    }
    /// Integers of absolute value below 2^51 modulo p.
    fn residues(integers: Self::Integer) -> Self::Residue;
    /// The first [`Self::LANES`] words, which are below p.
    fn load_residues(token: Self::Token, words: &[F::Word]) -> Self::Residue;
    /// The same as elements.
    fn of_residues(residues: Self::Residue) -> Self;
    /// The elements of the [parts](Field::of_parts) of their coefficients, each below 2^58 in
    /// absolute value: part i of coefficient c of lane k is number ([`Field::PARTS`] c + i)
    /// `stride` + k.
    #[inline(always)]
    fn of_parts(token: Self::Token, parts: &[i64], stride: usize) -> Self {
        let mut elements = [ElementOf::<F>::ZERO; wide::LANES];
        for lane in 0..Self::LANES {
            for place in 0..F::Coefficients::COUNT {
                let mut of_word = [0; MOST_PARTS];
                for i in 0..F::PARTS {
                    of_word[i] = parts[(F::PARTS * place + i) * stride + lane];
                }
                elements[lane].0.as_mut()[place] = F::of_parts(&of_word[..F::PARTS]);
            }
        }
        Self::gather(token, &elements[..Self::LANES])
    }

    /// self + r (high - self): the value at r of the line that is `self` at 0 and `high` at 1.
    #[inline(always)]
    fn line_at(self, high: Self, r: Self) -> Self {
        self.add(r.mul(high.sub(self)))
    }

    /// Three coefficients of f(T), the sum of w (z^3 - z) over up to [`Self::MAX_PRODUCTS`] pairs
    /// of rows x and y, where z = x + T (y - x), less `root`. The first is a third of the
    /// coefficient of T; or f(0), if the pairs are [scaled](Weight::Scaled), all of them, and
    /// `root` is 0. The second is a third of the coefficient of T^2, and the last one the
    /// coefficient of T^3. `third` is 1/3.
    #[inline(always)]
    fn cubes(
        token: Self::Token,
        _: &mut Self::Factors,
        rows: &[Self::Stored],
        pairs: &[Pair<F>],
        [root, third]: [ElementOf<F>; 2],
    ) -> [Self; 3] {
        cubes::plain(token, rows, pairs, [root, third])
    }

    /// The sum of all lanes.
    fn sum(self) -> ElementOf<F>;

    /// The table in the form of these lanes.
    fn table(tables: &mut Tables<F>) -> &mut Option<Zeroizing<Vec<Self::Stored>>>;
}

/// A table in memory, in the form of one kind of lanes.
#[derive(Default)]
#[allow(missing_debug_implementations, reason = "it may be secret")]
pub struct Tables<F: Field> {
    /// Of one lane.
    pub one: Option<Zeroizing<Vec<ElementOf<F>>>>,
    /// Of eight.
    pub eight: Option<Zeroizing<Vec<F::Eight>>>,
}

/// Registers of eight lanes in memory, so many of them.
#[derive(Clone, Copy)]
#[repr(align(64))]
#[allow(missing_debug_implementations, reason = "it may be secret")]
pub struct Eight<const REGISTERS: usize>([[u64; wide::LANES]; REGISTERS]);

impl<const REGISTERS: usize> Default for Eight<REGISTERS> {
    #[inline(always)]
    fn default() -> Self {
        Self([[0; wide::LANES]; REGISTERS])
    }
}

/// Erased by stores of registers: a volatile write of so many bytes is a call.
impl<const REGISTERS: usize> Zeroize for Eight<REGISTERS> {
    #[inline(always)]
    fn zeroize(&mut self) {
        *self = Self::default();
        zeroize::optimization_barrier(self);
    }
}

/// Numbers in lanes: elements of K, residues modulo p, or integers, for which all of this is
/// correct as long as no value has 52 bits.
///
/// # Constant time
/// All methods in what the lanes hold.
pub trait Ring: Copy {
    /// The same number in each lane.
    fn number(self, value: i64) -> Self;
    /// self + other.
    fn add(self, other: Self) -> Self;
    /// self - other.
    fn sub(self, other: Self) -> Self;
    /// self other.
    fn mul(self, other: Self) -> Self;
    /// self self.
    #[inline(always)]
    fn square(self) -> Self {
        self.mul(self)
    }
    /// a self + other + b, for a and b of absolute value below 2^20.
    #[inline(always)]
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        self.mul(self.number(a)).add(other).add(self.number(b))
    }
}

/// A sum of products.
pub trait Products<L: Lanes<F>, F: Field = P61>: Copy {
    /// The empty sum.
    fn zero(token: L::Token) -> Self;
    /// Adds x y.
    fn add(&mut self, x: L, y: L);
    /// Adds x^2.
    fn add_square(&mut self, x: L);
    /// Adds x times a residue.
    fn add_scaled(&mut self, x: L, residue: L::Residue);
    /// Adds a residue times an element, the same in all lanes.
    #[inline(always)]
    fn add_residues(&mut self, x: L::Residue, weight: ElementOf<F>) {
        let token = L::of_residues(x).token();
        self.add_scaled(L::splat(token, weight), x);
    }
    /// The sum modulo p.
    fn reduce(self) -> L;
}

/// A sum of products of elements, the same in all lanes, with integers.
pub trait Integers<L: Lanes<F>, F: Field = P61>: Copy {
    /// The empty sum.
    fn zero(token: L::Token) -> Self;
    /// Adds an integer times an element.
    fn add(&mut self, integer: L::Integer, weight: ElementOf<F>);
    /// The sum modulo p. `weights` is the sum of all weights, whatever they were multiplied with.
    fn reduce(self, weights: ElementOf<F>) -> L;
}

#[doc(hidden)]
impl<F: Field> Lanes<F> for ElementOf<F> {
    type Token = ();
    type Stored = Self;
    type Integer = i64;
    type Residue = ScalarOf<F>;
    type Products = F::Products;
    type Integers = IntegerSum<F>;
    type Factors = ();

    const LANES: usize = 1;
    const MAX_PRODUCTS: usize = usize::MAX;
    const MAX_INTEGERS: usize = F::MAX_INTEGERS;

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
    fn residues(integers: i64) -> ScalarOf<F> {
        ScalarOf::of_residue(F::residue(integers.into()))
    }
    #[inline(always)]
    fn load_residues((): (), words: &[F::Word]) -> ScalarOf<F> {
        ScalarOf::of_residue(words[0])
    }
    #[inline(always)]
    fn of_residues(residue: ScalarOf<F>) -> Self {
        Self::monomial(residue.0, 0)
    }
    #[inline(always)]
    fn line_at(self, high: Self, r: Self) -> Self {
        F::line_at(self, high, r)
    }
    #[inline(always)]
    fn cubes(
        (): (),
        (): &mut (),
        rows: &[Self],
        pairs: &[Pair<F>],
        factors: [Self; 2],
    ) -> [Self; 3] {
        F::cubes(rows, pairs, factors)
    }
    #[inline(always)]
    fn sum(self) -> Self {
        self
    }

    fn table(tables: &mut Tables<F>) -> &mut Option<Zeroizing<Vec<Self>>> {
        &mut tables.one
    }
}

/// A [`Ring`]'s operations, by the operators of its numbers.
macro_rules! by_operators {
    () => {
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
    };
}

#[doc(hidden)]
impl<F: Field> Ring for ElementOf<F> {
    by_operators!();
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self::from(value)
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self::from_residues(F::square(self.0))
    }
    #[inline(always)]
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        // In the first coefficient alone.
        let mut more = F::residue(b.into());
        let times_plus = |x, y| F::times_plus(a, x, [y, core::mem::take(&mut more)]);
        Self::from_residues(self.0.zip(other.0, times_plus))
    }
}

impl<F: Field> Ring for ScalarOf<F> {
    by_operators!();
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        Self::of_residue(F::residue(value.into()))
    }
}

impl Ring for i64 {
    by_operators!();
    #[inline(always)]
    fn number(self, value: i64) -> Self {
        value
    }
}

#[doc(hidden)]
impl<F: Field> Products<Self, F> for ElementOf<F> {
    #[inline(always)]
    fn zero((): ()) -> Self {
        Self::ZERO
    }
    #[inline(always)]
    fn add(&mut self, x: Self, y: Self) {
        *self += x * y;
    }
    #[inline(always)]
    fn add_square(&mut self, x: Self) {
        *self += x.square();
    }
    #[inline(always)]
    fn add_scaled(&mut self, x: Self, residue: ScalarOf<F>) {
        *self += x.scale(residue.0);
    }
    #[inline(always)]
    fn reduce(self) -> Self {
        self
    }
}

/// A sum of products with integers.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "it may be a secret")]
pub struct IntegerSum<F: Field>(F::IntegerSum);

#[doc(hidden)]
impl<F: Field> Integers<ElementOf<F>, F> for IntegerSum<F> {
    #[inline(always)]
    fn zero((): ()) -> Self {
        Self(F::IntegerSum::default())
    }
    #[inline(always)]
    fn add(&mut self, integer: i64, weight: ElementOf<F>) {
        F::add_integer(&mut self.0, integer, weight.0);
    }
    #[inline(always)]
    fn reduce(self, _: ElementOf<F>) -> ElementOf<F> {
        ElementOf::from_residues(F::reduce_integers(self.0))
    }
}

#[cfg(test)]
mod tests;
