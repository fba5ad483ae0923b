//! Numbers made from 512-bit registers of keystream.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::hint::black_box;

use tautochrone_ctr::{Interleave, Stream};
use tautochrone_simd::declassify;

use super::integer::Integer;
use super::portable::{Below, BitField};

/// As [`super::portable::extract`], for as much of `out` as the stream fills in whole registers;
/// returns the rest.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
pub(super) fn extract<'a, T: Integer>(
    stream: &mut Stream,
    field: BitField,
    out: &'a mut [T],
) -> &'a mut [T] {
    let lanes = 64 / size_of::<T>();
    let Some(registers) = stream.registers(out.len() / lanes) else { return out };
    let (whole, rest) = out.split_at_mut(registers.count() * lanes);
    // SAFETY: there are registers, so the features were detected.
    unsafe { extract_lanes(registers, field, whole) };
    rest
}

/// As [`super::portable::below`] for cells in whole registers, at most one for each element of
/// `out`; `None` if the stream has no whole register.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
pub(super) fn below<T: Integer, const N: usize>(
    stream: &mut Stream,
    rule: Below,
    out: &mut [T],
) -> Option<usize> {
    let count = out.len() / (64 / N);
    let registers = if count > 0 { stream.registers(count)? } else { return None };
    // SAFETY: there are registers, so the features were detected.
    let done = unsafe {
        match (N, rule.n >> 32) {
            (4, _) => below_32(registers, rule, out),
            (_, 0) => below_64::<T, false>(registers, rule, out),
            _ => below_64::<T, true>(registers, rule, out),
        }
    };
    Some(done)
}

/// The low bits of `word` in every lane as wide as `T`.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn splat<T>(word: u64) -> __m512i {
    match size_of::<T>() {
        1 => _mm512_set1_epi8(word as i8),
        2 => _mm512_set1_epi16(word as i16),
        4 => _mm512_set1_epi32(word as i32),
        _ => _mm512_set1_epi64(word as i64),
    }
}

/// `out` has as many elements as `registers` has lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
#[expect(clippy::integer_division_remainder_used, reason = "sizes are public")]
fn extract_lanes<T: Integer>(registers: Interleave<'_>, field: BitField, out: &mut [T]) {
    /// Bitwise (a & b) ^ c of (a, b, c).
    const AND_XOR: i32 = 0x6a;
    let (mask, sign) = (splat::<T>(field.mask), splat::<T>(field.sign));
    let mut out = out.chunks_exact_mut(64 / size_of::<T>());
    registers.for_each(|cells| {
        let Some(out) = out.next() else { return };
        let bits = _mm512_ternarylogic_epi64::<AND_XOR>(cells, mask, sign);
        let numbers = match size_of::<T>() {
            1 => _mm512_sub_epi8(bits, sign),
            2 => _mm512_sub_epi16(bits, sign),
            4 => _mm512_sub_epi32(bits, sign),
            _ => _mm512_sub_epi64(bits, sign),
        };
        // SAFETY: a chunk has 64 bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), numbers) };
    });
}

/// A factor below 2^32 in every lane. A compiler that knew its range would multiply 64 bits by 64,
/// three times the work.
#[target_feature(enable = "avx512f")]
#[inline]
fn factor(n: u64) -> __m512i {
    _mm512_set1_epi64(black_box(n) as i64)
}

/// Cells of 32 bits, n <= 2^24.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
fn below_32<T: Integer>(registers: Interleave<'_>, rule: Below, out: &mut [T]) -> usize {
    // Sixteen numbers are stored where at most as many came before as there were cells.
    assert!(16 * registers.count() <= out.len());
    let n = factor(rule.n);
    let least = _mm512_set1_epi32(rule.least as i32);
    let at = out.as_mut_ptr();
    let mut done = 0;
    registers.for_each(|cells| {
        let even = _mm512_mul_epu32(cells, n);
        let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(cells), n);
        // The low halves in the places of the even ones, the lesser of each pair; the high halves
        // in theirs.
        let least_of_pairs = _mm512_min_epu32(even, odd);
        let high = _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64::<32>(even), odd);
        let rejected = declassify(_mm512_mask_cmplt_epu32_mask(0x5555, least_of_pairs, least));
        // Most registers have no rejection, which is public, and then there is nothing to compress.
        let (count, numbers) = if rejected == 0 {
            (16, high)
        } else {
            let low = _mm512_mask_shuffle_epi32::<0b10_10_00_00>(even, 0xaaaa, odd);
            let counts = declassify(_mm512_cmpge_epu32_mask(low, least));
            (counts.count_ones() as usize, _mm512_maskz_compress_epi32(counts, high))
        };
        // SAFETY: at most sixteen for each register before this one, so `out` has sixteen more.
        unsafe { store_16::<T>(at.add(done), numbers) };
        done += count;
    });
    done
}

/// # Safety
/// `at` must be valid for writes of sixteen elements.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn store_16<T>(at: *mut T, numbers: __m512i) {
    // SAFETY: the stores are as long as sixteen elements.
    unsafe {
        match size_of::<T>() {
            1 => _mm_storeu_si128(at.cast(), _mm512_cvtepi32_epi8(numbers)),
            2 => _mm256_storeu_si256(at.cast(), _mm512_cvtepi32_epi16(numbers)),
            4 => _mm512_storeu_si512(at.cast(), numbers),
            _ => {
                let low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(numbers));
                let high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(numbers));
                _mm512_storeu_si512(at.cast(), low);
                _mm512_storeu_si512(at.add(8).cast(), high);
            }
        }
    }
}

/// Cells of 64 bits; n may have more than 32 bits if it is `WIDE`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
fn below_64<T: Integer, const WIDE: bool>(
    registers: Interleave<'_>,
    rule: Below,
    out: &mut [T],
) -> usize {
    // Eight numbers are stored where at most as many came before as there were cells.
    assert!(8 * registers.count() <= out.len());
    assert!(T::BITS >= 32, "n > 2^24");
    let n = [factor(rule.n & 0xffff_ffff), factor(rule.n >> 32)];
    let least = _mm512_set1_epi64(rule.least as i64);
    let at = out.as_mut_ptr();
    let mut done = 0;
    registers.for_each(|cells| {
        // The product of four 32-bit halves: `middle` is all of weight 2^32 that the low half and
        // the first carry leave.
        let upper = _mm512_srli_epi64::<32>(cells);
        let low = _mm512_mul_epu32(cells, n[0]);
        let mut middle =
            _mm512_add_epi64(_mm512_mul_epu32(upper, n[0]), _mm512_srli_epi64::<32>(low));
        let mut high = _mm512_srli_epi64::<32>(middle);
        if WIDE {
            let words = _mm512_set1_epi64(0xffff_ffff);
            middle =
                _mm512_add_epi64(_mm512_mul_epu32(cells, n[1]), _mm512_and_si512(middle, words));
            high = _mm512_add_epi64(_mm512_mul_epu32(upper, n[1]), high);
            high = _mm512_add_epi64(high, _mm512_srli_epi64::<32>(middle));
        }
        let low = _mm512_mask_shuffle_epi32::<0b10_10_00_00>(low, 0xaaaa, middle);
        let counts = declassify(_mm512_cmpge_epu64_mask(low, least));
        // As above.
        let numbers = if counts == !0 { high } else { _mm512_maskz_compress_epi64(counts, high) };
        // SAFETY: at most eight for each register before this one, so `out` has eight more.
        let at = unsafe { at.add(done) };
        // SAFETY: and the stores are as long as eight elements.
        unsafe {
            if size_of::<T>() == 4 {
                _mm256_storeu_si256(at.cast(), _mm512_cvtepi64_epi32(numbers));
            } else {
                _mm512_storeu_si512(at.cast(), numbers);
            }
        }
        done += counts.count_ones() as usize;
    });
    done
}
