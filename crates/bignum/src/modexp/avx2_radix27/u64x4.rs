//! Registers of AVX2.
#![allow(unsafe_code)]
use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

/// Lanes of a register.
pub(super) const LANES: usize = 4;

/// Four lanes of 64 bits. The kernels are entered through [`enter`] only, which takes the token.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct U64x4(__m256i);

impl Default for U64x4 {
    #[inline(always)]
    fn default() -> Self {
        // SAFETY: all zeros are a valid register.
        Self(unsafe { core::mem::zeroed() })
    }
}

impl zeroize::DefaultIsZeroes for U64x4 {}

/// Runs `f` as code for AVX2, if all of it is `#[inline(always)]`, the closure too.
#[inline(always)]
pub(super) fn enter<R>(_: Avx2, f: impl FnOnce() -> R) -> R {
    // SAFETY: the token proves that AVX2 and BMI2 were detected.
    unsafe { inside(f) }
}

/// Where code for these instructions begins. Not inlined, so that what is entered from several
/// places is compiled once.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn inside<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// `x`, of which the compiler then knows nothing. Where it knows that a factor has 32 bits, it
/// forgets that between two blocks of code, and makes three products of [`U64x4::product`].
#[inline]
#[target_feature(enable = "avx2")]
fn opaque(mut x: __m256i) -> __m256i {
    // SAFETY: no instructions.
    unsafe {
        core::arch::asm!(
            "/* {0} */",
            inout(ymm_reg) x,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    x
}

impl U64x4 {
    /// Elements `at` to `at` + 3 of `x`.
    #[inline(always)]
    pub(super) fn load(x: &[u64], at: usize) -> Self {
        let lanes: &[u64] = &x[at..at + LANES];
        // SAFETY: 32 bytes may be read; kernels run inside `enter`, whose token proves AVX2.
        Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    /// `out` := self.
    #[inline(always)]
    pub(super) fn store(self, out: &mut [u64]) {
        let out = &mut out[..LANES];
        // SAFETY: 32 bytes may be written; the instruction, as above.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), self.0) };
    }

    /// The lanes of registers, one after the other.
    #[inline(always)]
    pub(super) fn elements(x: &[Self]) -> &[u64] {
        // SAFETY: a register is four lanes without padding or invalid patterns.
        unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), LANES * x.len()) }
    }

    /// `x` in all lanes.
    #[inline(always)]
    pub(super) fn splat(x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_epi64x(x as i64) })
    }

    /// `x` in all lanes, for [`Self::product`].
    #[inline(always)]
    pub(super) fn factor(x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { opaque(_mm256_set1_epi64x(x as i64)) })
    }

    /// `x` in lane 0, the others being zero.
    #[inline(always)]
    pub(super) fn from_first(x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_zextsi128_si256(_mm_cvtsi64_si128(x as i64)) })
    }

    #[inline(always)]
    pub(super) fn add(self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_add_epi64(self.0, y.0) })
    }

    #[inline(always)]
    pub(super) fn and(self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_and_si256(self.0, y.0) })
    }

    /// The carry of a column: each lane >> 27.
    #[inline(always)]
    pub(super) fn carry(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srli_epi64::<{ super::digits::RADIX as i32 }>(self.0) })
    }

    /// The products of the lower halves of the lanes.
    #[inline(always)]
    pub(super) fn product(self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_mul_epu32(self.0, y.0) })
    }

    /// Lanes moved up by 1, by 2 and by 3: the last lanes of `below`, then the first of self.
    #[inline(always)]
    pub(super) fn up(self, below: Self) -> [Self; 3] {
        // SAFETY: as above.
        unsafe {
            let two = _mm256_permute2x128_si256::<0x21>(below.0, self.0);
            [
                Self(_mm256_alignr_epi8::<8>(self.0, two)),
                Self(two),
                Self(_mm256_alignr_epi8::<8>(two, below.0)),
            ]
        }
    }
}
