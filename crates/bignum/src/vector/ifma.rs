//! AVX-512 IFMA.
#![allow(unsafe_code)]
use core::arch::x86_64::*;

use tautochrone_simd::Ifma;

use super::{LANES, Vector};

/// A register. The kernels are entered through [`Vector::enter`] only, which takes the token.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Register(__m512i);

impl Default for Register {
    #[inline(always)]
    fn default() -> Self {
        // SAFETY: all zeros are a valid register.
        Self(unsafe { core::mem::zeroed() })
    }
}

impl zeroize::DefaultIsZeroes for Register {}

/// Where code for these instructions begins. Not inlined, so that what is entered from several
/// places is compiled once.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn inside<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Methods that are one instruction each.
macro_rules! instructions {
    ($($name:ident($($x:ident),*) = $instruction:expr;)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $x: Self)*) -> Self {
                // SAFETY: kernels run inside `enter`, whose token proves that AVX-512 and IFMA were
                // detected.
                Self(unsafe { $instruction(self.0 $(, $x.0)*) })
            }
        )*
    };
}

macro_rules! comparisons {
    ($($name:ident = $instruction:ident;)*) => {
        $(
            #[inline(always)]
            fn $name(self, y: Self) -> u8 {
                // SAFETY: as above.
                unsafe { $instruction(self.0, y.0) }
            }
        )*
    };
}

impl Vector for Register {
    type Token = Ifma;

    #[inline(always)]
    fn enter<R>(_: Ifma, f: impl FnOnce() -> R) -> R {
        // SAFETY: the token proves that AVX-512 and IFMA were detected.
        unsafe { inside(f) }
    }

    #[inline(always)]
    fn from_array(lanes: [u64; LANES]) -> Self {
        // SAFETY: 64 bytes may be read; the instruction, as above.
        Self(unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn to_array(self) -> [u64; LANES] {
        // SAFETY: both are 64 bytes without invalid patterns.
        unsafe { core::mem::transmute(self.0) }
    }

    #[inline(always)]
    fn splat(x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_set1_epi64(x as i64) })
    }

    #[inline(always)]
    fn splat_element(x: &[Self], at: usize) -> Self {
        assert!(at < LANES * x.len(), "an element to load");
        // SAFETY: the element exists, as asserted; the instruction, as above.
        Self(unsafe { _mm512_set1_epi64(x.as_ptr().cast::<i64>().add(at).read()) })
    }

    #[inline(always)]
    fn madd_low_in(self, mask: u8, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_madd52lo_epu64(self.0, mask, x.0, y.0) })
    }

    #[inline(always)]
    fn madd_high_in(self, mask: u8, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_madd52hi_epu64(self.0, mask, x.0, y.0) })
    }

    instructions! {
        add(y) = _mm512_add_epi64;
        sub(y) = _mm512_sub_epi64;
        and(y) = _mm512_and_si512;
        or(y) = _mm512_or_si512;
        xor(y) = _mm512_xor_si512;
        carry() = _mm512_srli_epi64::<52>;
        borrow() = _mm512_srai_epi64::<52>;
        shl(count) = _mm512_sllv_epi64;
        shr(count) = _mm512_srlv_epi64;
        madd_low(x, y) = _mm512_madd52lo_epu64;
        madd_high(x, y) = _mm512_madd52hi_epu64;
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: as above.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64 }
    }

    #[inline(always)]
    fn from_first(x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_zextsi128_si512(_mm_cvtsi64_si128(x as i64)) })
    }

    #[inline(always)]
    fn splat_lane<const L: usize>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_permutexvar_epi64(_mm512_set1_epi64(L as i64), self.0) })
    }

    comparisons! {
        eq_mask = _mm512_cmpeq_epi64_mask;
        gt_mask = _mm512_cmpgt_epu64_mask;
        test_mask = _mm512_test_epi64_mask;
    }

    #[inline(always)]
    fn blend(self, mask: u8, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_mov_epi64(self.0, mask, y.0) })
    }

    #[inline(always)]
    fn up(self, below: Self, n: usize) -> Self {
        macro_rules! of_count {
            ($($n:literal)*) => {
                match n {
                    // SAFETY: as above.
                    $($n => Self(unsafe { _mm512_alignr_epi64::<{ 8 - $n }>(self.0, below.0) }),)*
                    _ => self,
                }
            };
        }
        of_count!(1 2 3 4 5 6 7)
    }

    #[inline(always)]
    fn interleave(self, y: Self) -> (Self, Self) {
        // SAFETY: as above.
        unsafe {
            let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
            let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
            (
                Self(_mm512_permutex2var_epi64(self.0, low, y.0)),
                Self(_mm512_permutex2var_epi64(self.0, high, y.0)),
            )
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}
