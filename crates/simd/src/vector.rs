//! Registers as values: the one layer over `core::arch` that the algorithm crates build on.
//!
//! A register carries its [`Token`]: [`Vector::splat`] and [`Vector::load`] take one, so a register
//! exists only where its instructions do, and all its methods are safe. An algorithm is written
//! once, generic over the traits below, and compiled for each instruction set:
//!
//! | register | needs | lanes of 64 bits |
//! |---|---|---|
//! | [`U64x2`], [`U64x4`] | a token that includes [`Avx2`](crate::Avx2) | 2, 4 |
//! | [`U64x8`] | a token that includes [`Avx512`](crate::Avx512) | 8 |
//! | `U64x2` of aarch64 | a token that includes [`Neon`](crate::Neon) | 2 |
//! | [`U64x1`] | nothing: a general-purpose register | 1 |
//! | [`Emulated`] | nothing: it defines every method, for tests and for valgrind | any number |
//! | [`Pair`] | what its halves need | twice as many |
//!
//! The type of the token says which instructions a register may use beyond the usual ones of its
//! width: `U64x4<Gfni>` has the methods of [`Gf2p8`], and `U64x8<Ifma>` the methods of [`Madd52`].
//!
//! Further traits have what only some algorithms need: [`Bytes`], [`Compare`], [`Compress`],
//! [`Dot`], [`Float`], [`Gather`], [`Gf2p8`], [`Halves`], [`Lanes`], [`Logic`], [`LookUp`],
//! [`LookUpBytes`], [`Madd52`], [`OrderedLogic`], [`Product`], [`Widths`].
//!
//! # Compiling for the instruction set
//! All methods are `#[inline(always)]`. They are as fast as the instructions only once they are
//! inlined into a function that enables those, which [`Token::vectorize`] is: everything between it
//! and the methods must be `#[inline(always)]` too, closures included. Code that is called instead
//! of inlined is correct, but many times slower.
//!
//! # Constant time
//! No method's time or memory access depends on the contents of a register, but for the methods
//! that say that an argument is public.
//!
//! # A new instruction set
//! is a token, a folder beside `neon` with the traits that it implements (x86-64, which has two
//! kinds of registers, has files `x86` beside their definitions instead), and a line in each
//! algorithm's dispatch. Of narrow registers, [`Pair`] makes as many lanes as an algorithm wants.

#![allow(clippy::return_self_not_must_use)] // every method returns a register

mod arithmetic;
mod emulated;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod intrinsics;
mod logic;
mod moves;
mod pair;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;

pub use arithmetic::{Dot, Float, Gf2p8, Madd52, Product, Widths};
pub use emulated::{Emulated, EmulatedMask};
pub use logic::{Compare, Logic, OrderedLogic};
pub use moves::{Bytes, Compress, Gather, Halves, Lanes, LookUp, LookUpBytes};
pub use pair::Pair;
pub use scalar::U64x1;

#[cfg(target_arch = "x86_64")]
pub use avx2::{LaneMask, U64x2, U64x4};
#[cfg(target_arch = "x86_64")]
pub use avx512::U64x8;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub use neon::{LaneMask, U64x2};

use crate::proof::Token;

/// A register of lanes of 64 bits.
pub trait Vector: Copy {
    /// Proves that this CPU has the register's instructions.
    type Token: Token;
    /// A truth value for each lane.
    type Mask: Mask;
    /// Lanes of 64 bits.
    const LANES: usize;

    /// The token that the register was made with.
    fn token(self) -> Self::Token;

    /// `x` in every lane.
    fn splat(token: Self::Token, x: u64) -> Self;
    /// The first [`Self::LANES`] words.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(token: Self::Token, words: &[u64]) -> Self;
    /// To the first [`Self::LANES`] words.
    ///
    /// # Panics
    /// If there are fewer.
    fn store(self, words: &mut [u64]);
    /// The first 8 [`Self::LANES`] bytes, the first one lowest in lane 0.
    ///
    /// # Panics
    /// If there are fewer.
    fn load_bytes(token: Self::Token, bytes: &[u8]) -> Self;
    /// To the first 8 [`Self::LANES`] bytes.
    ///
    /// # Panics
    /// If there are fewer.
    fn store_bytes(self, bytes: &mut [u8]);
    /// Zero in every lane.
    #[inline(always)]
    fn zero(token: Self::Token) -> Self {
        Self::splat(token, 0)
    }

    /// self & y.
    fn and(self, y: Self) -> Self;
    /// self | y.
    fn or(self, y: Self) -> Self;
    /// self ^ y.
    fn xor(self, y: Self) -> Self;
    /// !self & y.
    fn andnot(self, y: Self) -> Self;
    /// Bit by bit, the bit of `one` where self is 1, else the bit of `zero`.
    #[inline(always)]
    fn select(self, one: Self, zero: Self) -> Self {
        one.xor(zero).and(self).xor(zero)
    }
    /// self ^ y ^ z.
    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self.xor(y.xor(z))
    }
    /// self ^ (y & mask).
    #[inline(always)]
    fn xor_masked(self, y: Self, mask: Self) -> Self {
        self.xor(y.and(mask))
    }

    /// self + y, modulo 2^64.
    fn add(self, y: Self) -> Self;
    /// self - y, modulo 2^64.
    fn sub(self, y: Self) -> Self;
    /// The product of the low 32 bits of self and of `y`.
    fn mul_low_32(self, y: Self) -> Self;
    /// self 2^N modulo 2^64, N < 64.
    fn shl<const N: u32>(self) -> Self;
    /// floor(self / 2^N), N < 64.
    fn shr<const N: u32>(self) -> Self;
    /// Each lane shifted left by its count; counts above 63 give zero.
    fn shl_each(self, counts: Self) -> Self;
    /// Each lane shifted right by its count; counts above 63 give zero.
    fn shr_each(self, counts: Self) -> Self;

    /// Where self = y.
    fn eq(self, y: Self) -> Self::Mask;
    /// Where self < y, unsigned.
    fn lt(self, y: Self) -> Self::Mask;
    /// Where the highest bit is set.
    fn sign(self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`.
    fn blend(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

/// A truth value for each lane of a [`Vector`], as secret as what was compared.
pub trait Mask: Copy {
    /// How many.
    const LANES: u32;

    /// Where both hold.
    fn and(self, other: Self) -> Self;
    /// Where either holds.
    fn or(self, other: Self) -> Self;
    /// Where `self` does not hold and `other` does.
    fn andnot(self, other: Self) -> Self;
    /// Bit i says whether the mask holds in lane i.
    fn bits(self) -> u32;
}

#[cfg(test)]
mod tests;
