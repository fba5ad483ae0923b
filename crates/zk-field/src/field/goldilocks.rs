//! [`Goldilocks`]: the field of p = 2^64 - 2^32 + 1 elements, which compilers of circuits know.
//!
//! 2^64 is e = 2^32 - 1 modulo p, 2^96 is -1 and 2^128 is -2^32. 2 has order 192, which does not
//! divide (p - 1) / 3 = 2^32 5 17 257 65537: it is no cube, and X^3 - 2 is irreducible (5 is a
//! cube).

use tautochrone_simd::{Isa, value_barrier};

use super::{ElementOf, Field, SmallField, of_three_words};

const P: u64 = 0xffff_ffff_0000_0001;
/// 2^64 modulo p.
const E: u64 = 0xffff_ffff;

/// The field of p = 2^64 - 2^32 + 1 elements: c = 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goldilocks;

/// A sum of products: a number of 128 bits, and 2^128 times another one.
#[derive(Clone, Copy, Default)]
#[allow(missing_debug_implementations, reason = "it may be a secret")]
pub struct Sum(u128, u64);

/// All ones if a < b, else 0, given a - b modulo 2^64: by the bits of the subtraction, as compilers
/// turn comparisons of secrets into branches.
#[inline(always)]
const fn borrow(a: u64, b: u64, difference: u64) -> u64 {
    sign((!a & b) | (!(a ^ b) & difference))
}

/// All ones if a + b >= 2^64, else 0, given a + b modulo 2^64.
#[inline(always)]
const fn carry(a: u64, b: u64, sum: u64) -> u64 {
    sign((a & b) | ((a | b) & !sum))
}

/// The highest bit, in all places.
#[inline(always)]
const fn sign(x: u64) -> u64 {
    value_barrier((x.cast_signed() >> 63).cast_unsigned())
}

/// a - b, plus p if that is negative: for a - b from -p to p - 1.
#[inline(always)]
const fn difference(a: u64, b: u64) -> u64 {
    let difference = a.wrapping_sub(b);
    difference.wrapping_add(P & borrow(a, b, difference))
}

impl Field for Goldilocks {
    of_three_words!();
    type Wide = ElementOf<Self>;
    type Products = ElementOf<Self>;

    const PARTS: usize = 3;
    /// The sum stays below 2^125.
    const MAX_INTEGERS: usize = 1 << 19;

    #[inline(always)]
    fn wide(_: Isa) -> Option<()> {
        None
    }
    #[inline(always)]
    fn add(a: u64, b: u64) -> u64 {
        difference(a, P - b)
    }
    #[inline(always)]
    fn subtract(a: u64, b: u64) -> u64 {
        difference(a, b)
    }
    #[inline(always)]
    fn residue(x: i128) -> u64 {
        // 2^62 p is more than 2^125.
        Self::fold((x + ((P as i128) << 62)).cast_unsigned())
    }

    #[inline]
    fn uniform_residue(bytes: &[u8]) -> u64 {
        let (low, high) = bytes.split_at(16);
        let low = u128::from_le_bytes(low.try_into().expect("sixteen bytes"));
        let high = u64::from_le_bytes(high.try_into().expect("eight bytes"));
        difference(Self::fold(low), Self::fold(u128::from(high) << 32))
    }

    #[inline(always)]
    fn of_parts(parts: &[i64]) -> u64 {
        let part = |index: usize| i128::from(parts[index]) << (31 * index);
        Self::residue(part(0) + part(1) + part(2))
    }

    #[inline(always)]
    fn product([a, b, c]: [u64; 3], [x, y, z]: [u64; 3]) -> [u64; 3] {
        let (twice_y, twice_z) = (Self::times_c(y), Self::times_c(z));
        [
            sum([(a, x), (b, twice_z), (c, twice_y)]),
            sum([(a, y), (b, x), (c, twice_z)]),
            sum([(a, z), (b, y), (c, x)]),
        ]
    }

    /// Six products.
    #[inline(always)]
    fn square([a, b, c]: [u64; 3]) -> [u64; 3] {
        let (twice_a, twice_b, twice_c) = (Self::times_c(a), Self::times_c(b), Self::times_c(c));
        [
            sum([(a, a), (twice_b, twice_c)]),
            sum([(twice_a, b), (c, twice_c)]),
            sum([(twice_a, c), (b, b)]),
        ]
    }
}

impl SmallField for Goldilocks {
    type Sum = Sum;

    #[inline(always)]
    fn times_c(a: u64) -> u64 {
        Self::add(a, a)
    }

    /// With x = x_0 + 2^64 x_1 + 2^96 x_2: x_0 - x_2 + e x_1.
    #[inline(always)]
    fn fold(x: u128) -> u64 {
        let (low, high) = (x as u64, (x >> 64) as u64);
        // 2^64 more if it wraps: at least 2^64 - 2^32 then.
        let (upper, lower) = (high >> 32, (high & E) * E);
        let rest = low.wrapping_sub(upper);
        let rest = rest.wrapping_sub(E & borrow(low, upper, rest));
        // 2^64 less if it wraps: below (2^32 - 1)^2 then.
        let sum = rest.wrapping_add(lower);
        let sum = sum.wrapping_add(E & carry(rest, lower, sum));
        // Below 2^64 < 2 p.
        difference(sum, P)
    }

    #[inline(always)]
    fn add_product(Sum(low, high): &mut Sum, a: u64, b: u64) {
        let more;
        (*low, more) = low.overflowing_add(u128::from(a) * u128::from(b));
        *high += u64::from(more);
    }

    #[inline(always)]
    fn add_word(sum: &mut Sum, a: u64) {
        Self::add_product(sum, a, 1);
    }

    /// The upper part is below 2^32.
    #[inline(always)]
    fn reduce(Sum(low, high): Sum) -> u64 {
        difference(Self::fold(low), high << 32)
    }
}

/// The sum of some products.
#[inline(always)]
fn sum<const N: usize>(products: [(u64, u64); N]) -> u64 {
    let mut sum = Sum::default();
    for (a, b) in products {
        Goldilocks::add_product(&mut sum, a, b);
    }
    Goldilocks::reduce(sum)
}
