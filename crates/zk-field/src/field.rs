//! [`Element`]: the field K = `F_p[X] / (X^3 - 5)`, p = 2^61 - 1, in which arguments are made.
//!
//! 5 is no cube modulo p, so X^3 - 5 has no root and, being of degree 3, is irreducible (2 and 3
//! are cubes). |K| = p^3 is just below 2^183: a challenge hits one of d values with probability d
//! 2^-183.
//!
//! [`ElementOf`] is the same over any [`Field`]: circuits may be over [`Goldilocks`], and relations
//! over [`P127`], where K is `F_p[X] / (X^2 + 1)`.

mod element;
mod goldilocks;
mod lanes;
mod p127;
mod p61;
mod words;

use tautochrone_simd::Isa;
use zeroize::Zeroize;

pub use element::{Element, ElementOf};
pub use goldilocks::Goldilocks;
pub use lanes::{
    Eight, Factors, Integers, Lanes, Pair, Products, Ring, Tables, Weight, Wide, Wide127,
    with_lanes,
};
pub use p61::{HALF_P, P, P61};
pub use p127::P127;
pub use words::{Coefficients, Word};

/// Bytes of an encoded element over [`P61`].
pub const ELEMENT_LEN: usize = P61::ELEMENT_LEN;

/// Most bytes of uniform randomness that an element is made of, over any field.
pub const MAX_UNIFORM_LEN: usize = 72;

mod sealed {
    /// No other crate has fields.
    pub trait Sealed {}
    impl Sealed for super::P61 {}
    impl Sealed for super::Goldilocks {}
    impl Sealed for super::P127 {}
}

/// A field F of p elements, and its extension K of degree D: arithmetic of residues, which are
/// below p.
///
/// # Constant time
/// All functions in their operands.
pub trait Field:
    sealed::Sealed + Copy + core::fmt::Debug + Default + Eq + Send + Sync + 'static
{
    /// A residue.
    type Word: Word;
    /// The D coefficients of an element of K, each below p.
    type Coefficients: Coefficients<Self::Word>;
    /// The bytes of an element of K: its coefficients, little-endian.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Copy + Default + IntoIterator<Item = u8>;
    /// A sum of products of elements of K with integers.
    type IntegerSum: Copy + Default + Zeroize;
    /// A sum of products of elements of K.
    type Products: Products<ElementOf<Self>, Self>;
    /// Elements of K in the widest registers that there is code for.
    type Wide: Lanes<Self>;
    /// Elements of K in eight lanes, in memory.
    type Eight: Copy + Default + Zeroize + Send + Sync;

    /// p.
    const P: Self::Word;
    /// Bytes of an element of K.
    const ELEMENT_LEN: usize = Self::Coefficients::COUNT * Self::Word::LEN;
    /// Bytes of uniform randomness that a residue is made of.
    const UNIFORM_LEN: usize;
    /// How many parts a residue has for sums of products with integers.
    const PARTS: usize;
    /// Bits of each part.
    const PART_BITS: u32;
    /// How many products with integers of absolute value below 2^42 a sum may have.
    const MAX_INTEGERS: usize;

    /// What the widest registers need, if the instructions have it.
    fn wide(isa: Isa) -> Option<<Self::Wide as Lanes<Self>>::Token>;

    /// a + b.
    fn add(a: Self::Word, b: Self::Word) -> Self::Word;
    /// a - b.
    fn subtract(a: Self::Word, b: Self::Word) -> Self::Word;
    /// a b.
    fn multiply(a: Self::Word, b: Self::Word) -> Self::Word;
    /// a b + c + d.
    fn multiply_add(a: Self::Word, b: Self::Word, more: [Self::Word; 2]) -> Self::Word;
    /// a x + c + d, for a public a of absolute value below 2^20.
    #[inline(always)]
    fn times_plus(a: i64, x: Self::Word, more: [Self::Word; 2]) -> Self::Word {
        Self::multiply_add(x, Self::residue(a.into()), more)
    }
    /// x modulo p, of absolute value at most 2^125.
    fn residue(x: i128) -> Self::Word;
    /// A residue from [`Self::UNIFORM_LEN`] uniform bytes, within 2^-128 of uniform.
    fn uniform_residue(bytes: &[u8]) -> Self::Word;
    /// The sum over all parts i of 2^([`Self::PART_BITS`] i) times a number below 2^62 in absolute
    /// value.
    fn of_parts(parts: &[i64]) -> Self::Word;
    /// Adds an integer times an element: up to [`Self::MAX_INTEGERS`] of absolute value below 2^42,
    /// or 2^17 below 2^44.
    fn add_integer(sum: &mut Self::IntegerSum, integer: i64, x: Self::Coefficients);
    /// The sum modulo p.
    fn reduce_integers(sum: Self::IntegerSum) -> Self::Coefficients;
    /// The product of two elements of K.
    fn product(a: Self::Coefficients, b: Self::Coefficients) -> Self::Coefficients;
    /// The square of an element of K.
    fn square(a: Self::Coefficients) -> Self::Coefficients;
    /// [`Lanes::line_at`] of single elements.
    #[inline(always)]
    fn line_at(low: ElementOf<Self>, high: ElementOf<Self>, r: ElementOf<Self>) -> ElementOf<Self> {
        low + r * (high - low)
    }
    /// [`Lanes::cubes`] of single elements.
    #[inline(always)]
    fn cubes(
        rows: &[ElementOf<Self>],
        pairs: &[Pair<Self>],
        factors: [ElementOf<Self>; 2],
    ) -> [ElementOf<Self>; 3] {
        lanes::cubes::plain((), rows, pairs, factors)
    }
    /// (s, k) with s^3 X^k = x, for an element x of K other than 0 and the X of K, if there is code
    /// for it. Its time depends on x.
    #[must_use]
    fn cube_root_vartime(_: ElementOf<Self>) -> Option<(ElementOf<Self>, usize)> {
        None
    }
    /// The product of the conjugates of an element of K other than itself, and its norm, which is
    /// the element times this product.
    fn conjugate(a: Self::Coefficients) -> (Self::Coefficients, Self::Word);

    /// Part number `index` of a residue.
    #[inline(always)]
    fn part(residue: Self::Word, index: usize) -> i32 {
        let bits = Into::<u128>::into(residue) >> (Self::PART_BITS as usize * index);
        (bits as u32 & ((1 << Self::PART_BITS) - 1)).cast_signed()
    }

    /// a^(p - 2): 1 / a, or 0 of 0.
    fn invert(a: Self::Word) -> Self::Word {
        let exponent = Into::<u128>::into(Self::P) - 2;
        let mut power = Self::Word::ONE;
        for bit in (0..Self::Word::BITS).rev() {
            power = Self::multiply(power, power);
            // A bit of a constant.
            if exponent >> bit & 1 == 1 {
                power = Self::multiply(power, a);
            }
        }
        power
    }
}

/// A field of words of 64 bits, and K = `F[X] / (X^3 - c)`: circuits are over these.
pub trait SmallField: Field<Word = u64, Coefficients = [u64; 3]> {
    /// A sum of up to 32 numbers: products of residues, or residues.
    type Sum: Copy + Default;

    /// c a.
    fn times_c(a: u64) -> u64;
    /// x modulo p, for any number.
    fn fold(x: u128) -> u64;
    /// Adds a b.
    fn add_product(sum: &mut Self::Sum, a: u64, b: u64);
    /// Adds a number up to p.
    fn add_word(sum: &mut Self::Sum, a: u64);
    /// The sum modulo p.
    fn reduce(sum: Self::Sum) -> u64;
}

/// What all [`SmallField`]s have in common, of which `P` is the p.
macro_rules! of_three_words {
    () => {
        type Word = u64;
        type Coefficients = [u64; 3];
        type Bytes = [u8; 24];
        type IntegerSum = [i128; 3];
        type Eight = $crate::field::Eight<3>;

        const P: u64 = P;
        const UNIFORM_LEN: usize = 24;
        const PART_BITS: u32 = 31;

        #[inline(always)]
        fn multiply(a: u64, b: u64) -> u64 {
            Self::fold(u128::from(a) * u128::from(b))
        }
        /// p^2 - 1 at most.
        #[inline(always)]
        fn multiply_add(a: u64, b: u64, [c, d]: [u64; 2]) -> u64 {
            Self::fold(u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d))
        }
        #[inline(always)]
        fn add_integer(sum: &mut [i128; 3], integer: i64, x: [u64; 3]) {
            for (i, sum) in sum.iter_mut().enumerate() {
                *sum += i128::from(integer) * $crate::field::signed::<Self>(x[i]);
            }
        }
        #[inline(always)]
        fn reduce_integers([a, b, c]: [i128; 3]) -> [u64; 3] {
            [Self::residue(a), Self::residue(b), Self::residue(c)]
        }
        /// With (u_0, u_1, u_2) = (a_0^2 - c a_1 a_2, c a_2^2 - a_0 a_1, a_1^2 - a_0 a_2) the
        /// product (a_0 + a_1 X + a_2 X^2) (u_0 + u_1 X + u_2 X^2) is the norm a_0 u_0 + c (a_1
        /// u_2 + a_2 u_1).
        #[inline]
        fn conjugate([a, b, c]: [u64; 3]) -> ([u64; 3], u64) {
            let u = [
                Self::subtract(Self::multiply(a, a), Self::times_c(Self::multiply(b, c))),
                Self::subtract(Self::times_c(Self::multiply(c, c)), Self::multiply(a, b)),
                Self::subtract(Self::multiply(b, b), Self::multiply(a, c)),
            ];
            let rest = Self::add(Self::multiply(b, u[2]), Self::multiply(c, u[1]));
            (u, Self::add(Self::multiply(a, u[0]), Self::times_c(rest)))
        }
    };
}
use of_three_words;

/// What a field has where registers multiply 52 bits.
macro_rules! in_registers {
    ($wide:ident) => {
        #[cfg(target_arch = "x86_64")]
        type Wide = $crate::field::$wide<tautochrone_simd::vector::U64x8<tautochrone_simd::Ifma>>;
        #[cfg(not(target_arch = "x86_64"))]
        type Wide = $crate::field::ElementOf<Self>;

        #[inline(always)]
        #[cfg(target_arch = "x86_64")]
        fn wide(isa: tautochrone_simd::Isa) -> Option<tautochrone_simd::Ifma> {
            isa.ifma()
        }
        #[inline(always)]
        #[cfg(not(target_arch = "x86_64"))]
        fn wide(_: tautochrone_simd::Isa) -> Option<()> {
            None
        }
    };
}
use in_registers;

/// A residue as an integer: by sign extension, where it may be, as that takes one multiplication.
#[inline(always)]
fn signed<F: SmallField>(residue: u64) -> i128 {
    if F::P >> 63 == 0 { residue.cast_signed().into() } else { residue.into() }
}

#[cfg(test)]
mod tests;
