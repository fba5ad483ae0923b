//! Arithmetic beyond lanes of 64 bits: [`Dot`], [`Float`], [`Gf2p8`], [`Madd52`], [`Product`],
//! [`Widths`].

use super::pair::both;
use super::{Emulated, LookUp, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// A register whose lanes of 64 bits are also lanes of 8, 16 or 32 bits, the lowest first.
///
/// `BITS` is 8, 16, 32 or 64; other widths do not compile.
pub trait Widths: Vector {
    /// self + y in lanes of `BITS` bits, each modulo 2^`BITS`.
    fn add_lanes<const BITS: u32>(self, y: Self) -> Self;
    /// self - y in lanes of `BITS` bits, each modulo 2^`BITS`.
    fn sub_lanes<const BITS: u32>(self, y: Self) -> Self;
}

impl<V: Widths> Widths for Pair<V> {
    both! {
        add_lanes<const BITS: u32>(y);
        sub_lanes<const BITS: u32>(y);
    }
}

/// The highest bit of every lane of `BITS` bits.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
pub(super) const fn highest(bits: u32) -> u64 {
    assert!(matches!(bits, 8 | 16 | 32 | 64), "lanes have 8, 16, 32 or 64 bits");
    u64::MAX / (u64::MAX >> (64 - bits)) << (bits - 1)
}

/// The lanes without their highest bits are added or subtracted without carries or borrows between
/// them; the highest bits follow by exclusive or (Warren, Hacker's Delight, section 2-18).
impl<const N: usize> Widths for Emulated<N> {
    fn add_lanes<const BITS: u32>(self, y: Self) -> Self {
        let highest = const { highest(BITS) };
        self.zip(y, |x, y| ((x & !highest) + (y & !highest)) ^ ((x ^ y) & highest))
    }
    fn sub_lanes<const BITS: u32>(self, y: Self) -> Self {
        let highest = const { highest(BITS) };
        self.zip(y, |x, y| ((x | highest) - (y & !highest)) ^ ((x ^ !y) & highest))
    }
}

/// Registers that multiply signed numbers of 16 bits and add up two products (`vpdpwssd`, or
/// `vpmaddwd` and an addition; `smull` and `addp`).
pub trait Dot: Vector {
    /// self + x_0 y_0 + x_1 y_1 modulo 2^32 in each 32 bits, of the signed lower and upper halves
    /// of these bits of `x` and `y`.
    fn add_dot(self, x: Self, y: Self) -> Self;
}

impl<const N: usize> Dot for Emulated<N> {
    #[inline(never)]
    fn add_dot(self, x: Self, y: Self) -> Self {
        let half = |word: u64, place: u32| i32::from((word >> (16 * place)) as i16);
        let dot = |x: u64, y: u64, place: u32| {
            let low = half(x, place).wrapping_mul(half(y, place));
            low.wrapping_add(half(x, place + 1).wrapping_mul(half(y, place + 1)))
        };
        let dots = x.zip(y, |x, y| {
            u64::from(dot(x, y, 0).cast_unsigned()) | u64::from(dot(x, y, 2).cast_unsigned()) << 32
        });
        self.zip(dots, |sum, dot| {
            let low = (sum as u32).wrapping_add(dot as u32);
            let high = ((sum >> 32) as u32).wrapping_add((dot >> 32) as u32);
            u64::from(low) | u64::from(high) << 32
        })
    }
}

/// Registers with multiply-add of 52 bits (`vpmadd52luq`, `vpmadd52huq`).
pub trait Madd52: Vector {
    /// self + (x y mod 2^52) modulo 2^64, of the lower 52 bits of `x` and `y`.
    fn madd_low(self, x: Self, y: Self) -> Self;
    /// self + floor(x y / 2^52) modulo 2^64, of the lower 52 bits of `x` and `y`.
    fn madd_high(self, x: Self, y: Self) -> Self;
}

/// The largest number of 52 bits.
const LOW_52: u64 = (1 << 52) - 1;

/// The product of the lower 52 bits.
fn product(x: u64, y: u64) -> u128 {
    u128::from(x & LOW_52) * u128::from(y & LOW_52)
}

impl<const N: usize> Madd52 for Emulated<N> {
    #[inline(never)]
    fn madd_low(self, x: Self, y: Self) -> Self {
        self.add(x.zip(y, |x, y| product(x, y) as u64 & LOW_52))
    }
    #[inline(never)]
    fn madd_high(self, x: Self, y: Self) -> Self {
        self.add(x.zip(y, |x, y| (product(x, y) >> 52) as u64))
    }
}

/// Products with a factor below 2^32: by two products of halves, or by IFMA on AVX-512.
pub trait Product: LookUp {
    /// (floor(p / 2^52), p mod 2^52) for p = (self mod 2^52) factor, factor < 2^32.
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let low_20 = Self::splat(self.token(), (1 << 20) - 1);
        let low = self.mul_low_32(factor);
        let high = self.shr::<32>().and(low_20);
        // Bits 32.. of the 84-bit product.
        let upper = high.mul_low_32(factor).add(low.shr::<32>());
        (upper.shr::<20>(), low.low_halves(upper.and(low_20)))
    }
    /// self + x factor, for x and factor below 2^32 and a product below 2^52.
    #[inline(always)]
    fn add_product(self, x: Self, factor: Self) -> Self {
        self.add(x.mul_low_32(factor))
    }
}

impl<V: Product> Product for Pair<V> {
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let (first, second) = (self.0.product_52(factor.0), self.1.product_52(factor.1));
        (Self(first.0, second.0), Self(first.1, second.1))
    }

    both! { add_product(x, factor); }
}

impl<const N: usize> Product for Emulated<N> {
    fn product_52(self, factor: Self) -> (Self, Self) {
        let zero = Self::zero(());
        (zero.madd_high(self, factor), zero.madd_low(self, factor))
    }
}

/// Arithmetic on lanes that are the bits of `f64` numbers, rounded to nearest.
///
/// Constant time as far as the CPU's `f64` instructions are; [`Emulated`] registers have it on
/// systems with a standard library.
pub trait Float: Vector {
    /// Whether [`Self::to_u64`] is one instruction.
    const CONVERTS: bool;

    /// `x` in every lane.
    #[inline(always)]
    fn splat_f64(token: Self::Token, x: f64) -> Self {
        Self::splat(token, x.to_bits())
    }
    /// self + y.
    fn add_f64(self, y: Self) -> Self;
    /// self - y.
    fn sub_f64(self, y: Self) -> Self;
    /// self y.
    fn mul_f64(self, y: Self) -> Self;
    /// self factor + summand, rounded once.
    fn mul_add_f64(self, factor: Self, summand: Self) -> Self;
    /// The largest integer that is not above self, |self| < 2^51.
    fn floor_f64(self) -> Self;
    /// floor(self) as an integer, and self - floor(self) to 2^-53, |self| < 2^51.
    #[inline(always)]
    fn floor_parts(self) -> (Self, Self) {
        let floor = self.floor_f64();
        (floor.to_i64(), self.sub_f64(floor))
    }
    /// self less the nearest multiple of 1/16, exactly, 0 <= self < 2^47.
    #[inline(always)]
    fn beyond_sixteenth(self) -> Self {
        // 1.5 2^48, to which an `f64` adds multiples of 1/16.
        let magic = Self::splat_f64(self.token(), 422_212_465_065_984.0);
        self.sub_f64(self.add_f64(magic).sub_f64(magic))
    }
    /// Integers below 2^52 as `f64`, exactly.
    fn to_f64(self) -> Self;
    /// Integral `f64` of absolute value at most 2^51 as integers.
    fn to_i64(self) -> Self;
    /// floor(self) of non-negative numbers, at most 2^64 - 1.
    fn to_u64(self) -> Self;
}

impl<V: Float> Float for Pair<V> {
    const CONVERTS: bool = V::CONVERTS;

    #[inline(always)]
    fn floor_parts(self) -> (Self, Self) {
        let (first, second) = (self.0.floor_parts(), self.1.floor_parts());
        (Self(first.0, second.0), Self(first.1, second.1))
    }

    both! {
        add_f64(y);
        sub_f64(y);
        mul_f64(y);
        mul_add_f64(factor, summand);
        floor_f64();
        beyond_sixteenth();
        to_f64();
        to_i64();
        to_u64();
    }
}

#[cfg(any(unix, windows, test))]
impl<const N: usize> Emulated<N> {
    fn zip_f64(self, y: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        self.zip(y, |x, y| f(f64::from_bits(x), f64::from_bits(y)).to_bits())
    }
}

/// Rounding needs the standard library.
#[cfg(any(unix, windows, test))]
impl<const N: usize> Float for Emulated<N> {
    const CONVERTS: bool = true;

    fn add_f64(self, y: Self) -> Self {
        self.zip_f64(y, |x, y| x + y)
    }
    fn sub_f64(self, y: Self) -> Self {
        self.zip_f64(y, |x, y| x - y)
    }
    fn mul_f64(self, y: Self) -> Self {
        self.zip_f64(y, |x, y| x * y)
    }
    fn mul_add_f64(self, factor: Self, summand: Self) -> Self {
        let number = |lanes: Self, i: usize| f64::from_bits(lanes.0[i]);
        let sum = |i| number(self, i).mul_add(number(factor, i), number(summand, i));
        Self(core::array::from_fn(|i| sum(i).to_bits()))
    }
    fn floor_f64(self) -> Self {
        // `f64::floor` is a routine with branches where no instruction does it.
        self.map(|x| {
            let x = f64::from_bits(x);
            let truncated = x as i64;
            ((truncated - i64::from(truncated as f64 > x)) as f64).to_bits()
        })
    }
    fn to_f64(self) -> Self {
        self.map(|x| (x.cast_signed() as f64).to_bits())
    }
    fn to_i64(self) -> Self {
        self.map(|x| (f64::from_bits(x) as i64).cast_unsigned())
    }
    fn to_u64(self) -> Self {
        // A conversion from `f64` saturates.
        self.map(|x| f64::from_bits(x) as u64)
    }
}

/// Registers of bytes in GF(2^8) = GF(2)\[x\] / (x^8 + x^4 + x^3 + x + 1), the field of AES. A bit
/// matrix A is a lane of 64 bits: byte 7 - i masks the bits of the argument whose sum is bit i of
/// the result.
pub trait Gf2p8: Vector {
    /// A x + `C` for every byte x, A being the same lane of `matrix`; 0 <= `C` < 256.
    fn affine<const C: i32>(self, matrix: Self) -> Self;
    /// A x^-1 for every byte x, where 0^-1 = 0.
    fn inverse_affine(self, matrix: Self) -> Self;
    /// Byte by byte, the product in the field.
    fn multiply(self, y: Self) -> Self;
}

/// a b in the field.
fn field_product(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |sum: u8, bit| {
        let reduced = sum << 1 ^ (sum >> 7).wrapping_neg() & 0x1b;
        reduced ^ (b >> bit & 1).wrapping_neg() & a
    })
}

/// x^254.
fn inverse(x: u8) -> u8 {
    let (mut square, mut inverse) = (x, 1);
    for _ in 1..8 {
        square = field_product(square, square);
        inverse = field_product(inverse, square);
    }
    inverse
}

fn affine(matrix: [u8; 8], x: u8, constant: u8) -> u8 {
    (0..8).fold(constant, |y, i| {
        let chosen = matrix[7 - i] & x;
        let parity = (0..8).fold(0, |sum, bit| sum ^ chosen >> bit & 1);
        y ^ parity << i
    })
}

impl<const N: usize> Emulated<N> {
    #[inline(never)]
    fn zip_bytes(self, y: Self, f: impl Fn([u8; 8], [u8; 8]) -> [u8; 8]) -> Self {
        self.zip(y, |x, y| u64::from_le_bytes(f(x.to_le_bytes(), y.to_le_bytes())))
    }
}

impl<const N: usize> Gf2p8 for Emulated<N> {
    fn affine<const C: i32>(self, matrix: Self) -> Self {
        self.zip_bytes(matrix, |x, matrix| x.map(|x| affine(matrix, x, C as u8)))
    }
    fn inverse_affine(self, matrix: Self) -> Self {
        self.zip_bytes(matrix, |x, matrix| x.map(|x| affine(matrix, inverse(x), 0)))
    }
    fn multiply(self, y: Self) -> Self {
        self.zip_bytes(y, |x, y| core::array::from_fn(|i| field_product(x[i], y[i])))
    }
}

impl<V: Gf2p8> Gf2p8 for Pair<V> {
    both! {
        affine<const C: i32>(matrix);
        inverse_affine(matrix);
        multiply(y);
    }
}
