//! Registers as arrays: the definition of every method, for tests on any CPU, and for valgrind,
//! which follows secrets through this code as it cannot through AVX-512.

use core::array::from_fn;
use core::hint::black_box;

use super::{Mask, Vector};

/// N lanes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Emulated<const N: usize>(pub(super) [u64; N]);

/// All ones or all zeros in each of N lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmulatedMask<const N: usize>(pub(super) [u64; N]);

/// All ones if the condition holds. Compilers turn masks that they see through into branches.
pub(super) fn mask(condition: bool) -> u64 {
    black_box(u64::from(condition)).wrapping_neg()
}

// Not inlined, here and below: a kernel unrolled on lanes in memory takes minutes to compile.
impl<const N: usize> Emulated<N> {
    #[inline(never)]
    pub(super) fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    #[inline(never)]
    pub(super) fn zip(self, y: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], y.0[i])))
    }

    #[inline(never)]
    pub(super) fn compare(self, y: Self, f: impl Fn(u64, u64) -> bool) -> EmulatedMask<N> {
        EmulatedMask(from_fn(|i| mask(f(self.0[i], y.0[i]))))
    }
}

impl<const N: usize> Vector for Emulated<N> {
    type Token = ();
    type Mask = EmulatedMask<N>;
    const LANES: usize = N;

    fn token(self) {}

    fn splat((): (), x: u64) -> Self {
        Self([x; N])
    }
    fn load((): (), words: &[u64]) -> Self {
        Self(*words.first_chunk().expect("a register's words"))
    }
    fn store(self, words: &mut [u64]) {
        *words.first_chunk_mut().expect("a register's words") = self.0;
    }
    fn load_bytes((): (), bytes: &[u8]) -> Self {
        let words = &bytes[..8 * N].as_chunks().0;
        Self(from_fn(|i| u64::from_le_bytes(words[i])))
    }
    fn store_bytes(self, bytes: &mut [u8]) {
        for (bytes, word) in bytes[..8 * N].as_chunks_mut().0.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
    }

    fn and(self, y: Self) -> Self {
        self.zip(y, |x, y| x & y)
    }
    fn or(self, y: Self) -> Self {
        self.zip(y, |x, y| x | y)
    }
    fn xor(self, y: Self) -> Self {
        self.zip(y, |x, y| x ^ y)
    }
    fn andnot(self, y: Self) -> Self {
        self.zip(y, |x, y| !x & y)
    }

    fn add(self, y: Self) -> Self {
        self.zip(y, u64::wrapping_add)
    }
    fn sub(self, y: Self) -> Self {
        self.zip(y, u64::wrapping_sub)
    }
    fn mul_low_32(self, y: Self) -> Self {
        self.zip(y, |x, y| u64::from(x as u32) * u64::from(y as u32))
    }
    fn shl<const BITS: u32>(self) -> Self {
        self.map(|x| x << BITS)
    }
    fn shr<const BITS: u32>(self) -> Self {
        self.map(|x| x >> BITS)
    }
    fn shl_each(self, counts: Self) -> Self {
        self.zip(counts, |x, n| (x << (n & 63)) & mask(n < 64))
    }
    fn shr_each(self, counts: Self) -> Self {
        self.zip(counts, |x, n| (x >> (n & 63)) & mask(n < 64))
    }

    fn eq(self, y: Self) -> EmulatedMask<N> {
        self.compare(y, |x, y| x == y)
    }
    fn lt(self, y: Self) -> EmulatedMask<N> {
        self.compare(y, |x, y| x < y)
    }
    fn sign(self) -> EmulatedMask<N> {
        self.compare(self, |x, _| x >> 63 == 1)
    }
    #[inline(never)]
    fn blend(mask: EmulatedMask<N>, yes: Self, no: Self) -> Self {
        Self(from_fn(|i| mask.0[i] & yes.0[i] | !mask.0[i] & no.0[i]))
    }
}

impl<const N: usize> Mask for EmulatedMask<N> {
    const LANES: u32 = N as u32;

    fn and(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
    fn or(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
    fn andnot(self, other: Self) -> Self {
        Self(from_fn(|i| !self.0[i] & other.0[i]))
    }
    fn bits(self) -> u32 {
        const { assert!(N <= 32) };
        (0..).zip(self.0).fold(0, |bits, (i, lane)| bits | (lane as u32 & 1) << i)
    }
}
