//! The methods of [`Lanes`](super::Lanes) for one register of four lanes, those that are more than one intrinsic.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::batch::Element;
use crate::quads::COMPRESS;

/// 2^52: the bits of 2^52 + n, n below 2^52, are those of 2^52 plus n.
const INTEGERS: f64 = 4_503_599_627_370_496.0;
/// 1.5 2^52, for signed n, |n| <= 2^51.
const SIGNED: f64 = 1.5 * INTEGERS;

/// Writes the lanes in `kept` to `out`, the first ones first.
///
/// # Safety
/// There must be room for four elements.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) unsafe fn store_kept<T: Element>(a: __m256i, kept: u8, out: *mut T) {
    // SAFETY: eight words.
    let order = unsafe { _mm256_loadu_si256(COMPRESS[usize::from(kept & 15)].as_ptr().cast()) };
    let kept = _mm256_permutevar8x32_epi32(a, order);
    // SAFETY: four elements of the size that is asked for here.
    unsafe {
        if T::WIDE {
            _mm256_storeu_si256(out.cast(), kept);
        } else {
            let low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
            let words = _mm256_permutevar8x32_epi32(kept, low_halves);
            _mm_storeu_si128(out.cast(), _mm256_castsi256_si128(words));
        }
    }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn shl<const N: u32>(a: __m256i) -> __m256i {
    _mm256_sllv_epi64(a, _mm256_set1_epi64x(N.into()))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn shr<const N: u32>(a: __m256i) -> __m256i {
    _mm256_srlv_epi64(a, _mm256_set1_epi64x(N.into()))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn select(a: __m256i, one: __m256i, zero: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_and_si256(a, one), _mm256_andnot_si256(a, zero))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn or_unmasked(a: __m256i, bits: __m256i, mask: __m256i) -> __m256i {
    _mm256_or_si256(a, _mm256_andnot_si256(mask, bits))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn product(a: __m256i, factor: __m256i) -> (__m256i, __m256i) {
    let low_20 = _mm256_set1_epi64x((1 << 20) - 1);
    let low = _mm256_mul_epu32(a, factor);
    let high = _mm256_and_si256(shr::<32>(a), low_20);
    // Bits 32.. of the 84-bit product.
    let upper = _mm256_add_epi64(_mm256_mul_epu32(high, factor), shr::<32>(low));
    (shr::<20>(upper), even_32(low, _mm256_and_si256(upper, low_20)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn add_product(a: __m256i, x: __m256i, factor: __m256i) -> __m256i {
    _mm256_add_epi64(a, _mm256_mul_epu32(x, factor))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn add_f64(a: __m256i, b: __m256i) -> __m256i {
    _mm256_castpd_si256(_mm256_add_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn sub_f64(a: __m256i, b: __m256i) -> __m256i {
    _mm256_castpd_si256(_mm256_sub_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn mul_f64(a: __m256i, b: __m256i) -> __m256i {
    _mm256_castpd_si256(_mm256_mul_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn mul_add_f64(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    let [a, b, c] = [_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), _mm256_castsi256_pd(c)];
    _mm256_castpd_si256(_mm256_fmadd_pd(a, b, c))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn floor_f64(a: __m256i) -> __m256i {
    _mm256_castpd_si256(_mm256_floor_pd(_mm256_castsi256_pd(a)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn to_f64(a: __m256i) -> __m256i {
    let magic = _mm256_set1_pd(INTEGERS);
    let sum = _mm256_or_si256(a, _mm256_castpd_si256(magic));
    _mm256_castpd_si256(_mm256_sub_pd(_mm256_castsi256_pd(sum), magic))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn to_i64(a: __m256i) -> __m256i {
    let magic = _mm256_set1_pd(SIGNED);
    let sum = _mm256_add_pd(_mm256_castsi256_pd(a), magic);
    _mm256_sub_epi64(_mm256_castpd_si256(sum), _mm256_castpd_si256(magic))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn to_u64(a: __m256i) -> __m256i {
    let a = _mm256_castsi256_pd(a);
    let magic = _mm256_set1_pd(INTEGERS);
    let two_32 = _mm256_set1_pd(4_294_967_296.0);
    let high = _mm256_floor_pd(_mm256_mul_pd(a, _mm256_set1_pd(1.0 / 4_294_967_296.0)));
    let low = _mm256_floor_pd(_mm256_fnmadd_pd(high, two_32, a));
    let joined = even_32(
        _mm256_castpd_si256(_mm256_add_pd(low, magic)),
        _mm256_castpd_si256(_mm256_add_pd(high, magic)),
    );
    let over = _mm256_cmp_pd::<_CMP_GE_OQ>(high, two_32);
    _mm256_or_si256(joined, _mm256_castpd_si256(over))
}

/// Comparisons of unsigned numbers are signed comparisons after flipping the first bit.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn flip(a: __m256i) -> __m256i {
    _mm256_xor_si256(a, _mm256_set1_epi64x(i64::MIN))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn less(a: __m256i, b: __m256i) -> __m256i {
    _mm256_cmpgt_epi64(flip(b), flip(a))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn less_63(a: __m256i, b: __m256i) -> __m256i {
    _mm256_cmpgt_epi64(b, a)
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn is_zero(a: __m256i) -> __m256i {
    _mm256_cmpeq_epi64(a, _mm256_setzero_si256())
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn choose(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let [mask, yes, no] =
        [_mm256_castsi256_pd(mask), _mm256_castsi256_pd(yes), _mm256_castsi256_pd(no)];
    _mm256_castpd_si256(_mm256_blendv_pd(no, yes, mask))
}

/// `yes` in the lanes of 32 bits where the mask has its first bit set, else `no`.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn choose_32(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let [mask, yes, no] =
        [_mm256_castsi256_ps(mask), _mm256_castsi256_ps(yes), _mm256_castsi256_ps(no)];
    _mm256_castps_si256(_mm256_blendv_ps(no, yes, mask))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn choose_less_32(a: __m256i, limit: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let not_less = _mm256_cmpeq_epi32(_mm256_max_epu32(a, limit), a);
    choose_32(not_less, no, yes)
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn but_not(a: __m256i, b: __m256i) -> __m256i {
    _mm256_andnot_si256(b, a)
}

/// Entries number `index` mod 16 of two registers.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn look_up_16(table: [__m256i; 2], index: __m256i) -> __m256i {
    let [low, high] = table.map(|part| _mm256_permutevar8x32_epi32(part, index));
    choose_32(_mm256_slli_epi32::<28>(index), high, low)
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn look_up_32(&[a, b, c, d]: &[__m256i; 4], index: __m256i) -> __m256i {
    let (low, high) = (look_up_16([a, b], index), look_up_16([c, d], index));
    choose_32(_mm256_slli_epi32::<27>(index), high, low)
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn even_32(low: __m256i, high: __m256i) -> __m256i {
    _mm256_blend_epi32::<0xaa>(low, shl::<32>(high))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn odd_32(low: __m256i, high: __m256i) -> __m256i {
    _mm256_blend_epi32::<0xaa>(shr::<32>(low), high)
}
