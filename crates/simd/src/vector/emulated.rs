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

/// The methods of [`Vector`] that do the same in every lane, by `map`, `zip` and `compare`.
macro_rules! lane_by_lane {
    (@ $($name:ident($y:ident) = $f:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $y: Self) -> Self {
            self.zip($y, $f)
        }
    )*};
    ($mask:ty) => {
        lane_by_lane! {
            @
            and(y) = |x, y| x & y;
            or(y) = |x, y| x | y;
            xor(y) = |x, y| x ^ y;
            andnot(y) = |x, y| !x & y;
            add(y) = u64::wrapping_add;
            sub(y) = u64::wrapping_sub;
            mul_low_32(y) = |x, y| u64::from(x as u32) * u64::from(y as u32);
            shl_each(counts) = |x, n| (x << (n & 63)) & mask(n < 64);
            shr_each(counts) = |x, n| (x >> (n & 63)) & mask(n < 64);
        }

        #[inline(always)]
        fn shl<const BITS: u32>(self) -> Self {
            self.map(|x| x << BITS)
        }
        #[inline(always)]
        fn shr<const BITS: u32>(self) -> Self {
            self.map(|x| x >> BITS)
        }

        #[inline(always)]
        fn eq(self, y: Self) -> $mask {
            self.compare(y, |x, y| x == y)
        }
        #[inline(always)]
        fn lt(self, y: Self) -> $mask {
            self.compare(y, |x, y| x < y)
        }
        #[inline(always)]
        fn sign(self) -> $mask {
            self.compare(self, |x, _| x >> 63 == 1)
        }
    };
}
pub(super) use lane_by_lane;

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

    lane_by_lane!(EmulatedMask<N>);

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
