//! Sixteen trials at a time, in registers of four; the arithmetic is that of the portable path, operation by operation.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

use super::portable::{MAGIC, POLYNOMIAL, POWERS};
use super::setup::{CELLS, Table};
use super::{GROUP, GROUP_WORDS, MAX_GROUPS};

/// As [`super::portable::trials`].
pub(super) fn trials(
    token: Avx2,
    table: &Table,
    words: &[u64],
    samples: &mut [i64; GROUP * MAX_GROUPS],
) -> usize {
    assert!(words.len() <= GROUP_WORDS * MAX_GROUPS, "room for every trial");
    // SAFETY: the token proves AVX2 and FMA; `words` is no longer than the samples allow.
    unsafe { kernel(token, table, words.as_chunks().0, samples) }
}

/// 32 entries of 32 bits, found by their index without an address that depends on it.
type Lookup = [__m256i; 4];

/// The constants of one sigma in registers.
struct Constants {
    k: __m256i,
    lemire: __m256i,
    step: __m256d,
    slope: __m256d,
    threshold: Lookup,
    alias: Lookup,
    excess_low: Lookup,
    excess_high: Lookup,
    powers: Lookup,
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load_lookup(entries: &[u32; CELLS]) -> Lookup {
    // SAFETY: eight words are read at 0, 8, 16 and 24 of 32.
    core::array::from_fn(|i| unsafe { _mm256_loadu_si256(entries.as_ptr().add(8 * i).cast()) })
}

/// entries[index mod 32] in each of eight lanes.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn lookup(entries: &Lookup, index: __m256i) -> __m256i {
    let found = entries.map(|eight| _mm256_permutevar8x32_epi32(eight, index));
    // Bits 3 and 4 of the index, moved to the sign of the lane, choose among the four.
    let bit_3 = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
    let bit_4 = _mm256_castsi256_ps(_mm256_slli_epi32::<27>(index));
    let [a, b, c, d] = found.map(|found| _mm256_castsi256_ps(found));
    let low = _mm256_blendv_ps(a, b, bit_3);
    let high = _mm256_blendv_ps(c, d, bit_3);
    _mm256_castps_si256(_mm256_blendv_ps(low, high, bit_4))
}

/// Lane by lane, as unsigned numbers.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn less_u64(a: __m256i, b: __m256i) -> __m256i {
    let flip = _mm256_set1_epi64x(i64::MIN);
    _mm256_cmpgt_epi64(_mm256_xor_si256(b, flip), _mm256_xor_si256(a, flip))
}

/// `mask ? a : b`, bit by bit.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn select(mask: __m256i, a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_and_si256(mask, a), _mm256_andnot_si256(mask, b))
}

/// Integers below 2^52 as `f64`, exactly.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn to_double(x: __m256i) -> __m256d {
    // 2^52 + x has x for its mantissa.
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let two_52 = _mm256_set1_pd(TWO_52);
    _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(x, _mm256_castpd_si256(two_52))), two_52)
}

/// floor(x) for 0 <= x, 2^64 - 1 from 2^64 on.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn to_integer(x: __m256d) -> __m256i {
    let bits = _mm256_castpd_si256(x);
    let exponent = _mm256_srli_epi64::<52>(bits);
    let mantissa = _mm256_or_si256(
        _mm256_and_si256(bits, _mm256_set1_epi64x((1 << 52) - 1)),
        _mm256_set1_epi64x(1 << 52),
    );
    // x = mantissa 2^(exponent - 1075); shifts by 64 or more, which "negative" ones are too, give 0.
    let bias = _mm256_set1_epi64x(1075);
    let left = _mm256_sllv_epi64(mantissa, _mm256_sub_epi64(exponent, bias));
    let right = _mm256_srlv_epi64(mantissa, _mm256_sub_epi64(bias, exponent));
    // Both shifts are by 0 for exponent 1075, and then equal.
    let value = _mm256_or_si256(left, right);
    let saturated = _mm256_cmpgt_epi64(exponent, _mm256_set1_epi64x(1075 + 11));
    _mm256_or_si256(value, saturated)
}

/// For each set of accepted lanes, the permutation of 32-bit halves that moves them to the front.
const COMPRESS: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][to] = 2 * lane;
                table[set][to + 1] = 2 * lane + 1;
                to += 2;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// # Safety
/// At most `MAX_GROUPS` groups.
#[target_feature(enable = "avx2,fma")]
unsafe fn kernel(
    _: Avx2,
    table: &Table,
    groups: &[[u64; GROUP_WORDS]],
    samples: &mut [i64; GROUP * MAX_GROUPS],
) -> usize {
    let halves = table.excess.map(f64::to_bits);
    let constants = Constants {
        k: _mm256_set1_epi64x(table.k as i64),
        lemire: _mm256_set1_epi64x(table.lemire as i64),
        step: _mm256_set1_pd(table.step),
        slope: _mm256_set1_pd(table.slope),
        threshold: load_lookup(&table.threshold),
        alias: load_lookup(&table.alias),
        excess_low: load_lookup(&halves.map(|bits| bits as u32)),
        excess_high: load_lookup(&halves.map(|bits| (bits >> 32) as u32)),
        // 16 entries of 64 bits: half h of entry j at index 2 j + h.
        powers: load_lookup(&core::array::from_fn(|i| (POWERS[i / 2] >> (32 * (i % 2))) as u32)),
    };
    let sign = _mm256_set1_epi32(i32::MIN);
    let low_half = _mm256_set1_epi64x(0xffff_ffff);
    let mut count = 0;
    for group in groups {
        // SAFETY: 34 words: four are read at multiples of 4 below 32.
        let load = |at: usize| unsafe { _mm256_loadu_si256(group.as_ptr().add(at).cast()) };
        // Eight cells at once: octet 0 in the even, octet 1 in the odd halves of four lanes.
        let drawn: [(__m256i, __m256i, __m256i); 2] = core::array::from_fn(|half| {
            let cells = load(4 * half);
            let threshold = lookup(&constants.threshold, cells);
            let alias = lookup(&constants.alias, cells);
            let own = _mm256_cmpgt_epi32(
                _mm256_xor_si256(threshold, sign),
                _mm256_xor_si256(cells, sign),
            );
            let column = _mm256_and_si256(cells, _mm256_set1_epi32(31));
            let x = _mm256_blendv_epi8(alias, column, own);
            (x, lookup(&constants.excess_low, x), lookup(&constants.excess_high, x))
        });
        for octet in 0..2 {
            let shared = _mm256_set1_epi64x(group[32 + octet] as i64);
            for (half, (x, low, high)) in drawn.into_iter().enumerate() {
                let accept = load(8 + 4 * half);
                let offset = load(16 + 8 * octet + 4 * half);
                let (x, accept, excess) = if octet == 0 {
                    let excess = _mm256_or_si256(
                        _mm256_and_si256(low, low_half),
                        _mm256_slli_epi64::<32>(high),
                    );
                    (_mm256_and_si256(x, low_half), _mm256_slli_epi64::<32>(accept), excess)
                } else {
                    let excess = select(low_half, _mm256_srli_epi64::<32>(low), high);
                    (_mm256_srli_epi64::<32>(x), accept, excess)
                };
                let excess = _mm256_castsi256_pd(excess);
                let (z, keep) = quartet(&constants, x, excess, accept, offset, shared);
                // Which trials were accepted is public, hence the index.
                let keep = _mm256_movemask_pd(_mm256_castsi256_pd(keep)) as usize;
                // SAFETY: eight entries of 32 bits; at most four samples were kept for each quartet before, so four more
                // fit.
                unsafe {
                    let order = _mm256_loadu_si256(COMPRESS[keep].as_ptr().cast());
                    let to = samples.as_mut_ptr().add(count);
                    _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(z, order));
                }
                count += keep.count_ones() as usize;
            }
        }
    }
    count
}

/// Four trials: x in 64-bit lanes, 31 bits of acceptance above the sign in the high half of `accept`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn quartet(
    constants: &Constants,
    x: __m256i,
    excess: __m256d,
    accept: __m256i,
    offset: __m256i,
    shared: __m256i,
) -> (__m256i, __m256i) {
    // offset mod 2^52 times K, from halves of 20 and 32 bits: high 2^32 + low; K < 2^31.
    let low = _mm256_mul_epu32(offset, constants.k);
    let twenty = _mm256_set1_epi64x((1 << 20) - 1);
    let high = _mm256_and_si256(_mm256_srli_epi64::<32>(offset), twenty);
    let high = _mm256_add_epi64(_mm256_mul_epu32(high, constants.k), _mm256_srli_epi64::<32>(low));
    let y = _mm256_srli_epi64::<20>(high);
    // The low 52 bits of the product: 20 of `high` above 32 of `low`; below 2^63, so signed comparison will do.
    let low_half = _mm256_set1_epi64x(0xffff_ffff);
    let rest = select(low_half, low, _mm256_slli_epi64::<32>(_mm256_and_si256(high, twenty)));
    let inexact = _mm256_cmpgt_epi64(constants.lemire, rest);

    let t = _mm256_mul_pd(to_double(y), constants.step);
    let u = _mm256_fmadd_pd(to_double(x), constants.slope, t);
    let e = _mm256_fmadd_pd(t, u, excess);

    let magic = _mm256_set1_pd(MAGIC);
    let m = _mm256_add_pd(e, magic);
    let f = _mm256_sub_pd(e, _mm256_sub_pd(m, magic));
    let sixteenths = _mm256_castpd_si256(m);
    // 2 j and 2 j + 1 in the halves of a lane.
    let doubled = _mm256_slli_epi64::<1>(_mm256_and_si256(sixteenths, _mm256_set1_epi64x(15)));
    let index = _mm256_or_si256(
        doubled,
        _mm256_slli_epi64::<32>(_mm256_or_si256(doubled, _mm256_set1_epi64x(1))),
    );
    let power = lookup(&constants.powers, index);
    let scale = _mm256_sub_epi64(power, _mm256_slli_epi64::<48>(sixteenths));
    let [first, rest @ ..] = POLYNOMIAL;
    let q = rest
        .into_iter()
        .fold(_mm256_set1_pd(first), |q, c| _mm256_fmadd_pd(q, f, _mm256_set1_pd(c)));
    let probability = to_integer(_mm256_mul_pd(_mm256_castsi256_pd(scale), q));

    // Bit by bit: `shared` below bit 21, `offset >> 31` below bit 33, `accept` above.
    let low_21 = _mm256_set1_epi64x((1 << 21) - 1);
    let low_33 = _mm256_set1_epi64x((1 << 33) - 1);
    let uniform = select(low_21, shared, _mm256_srli_epi64::<31>(offset));
    let uniform = select(low_33, uniform, accept);
    let below = less_u64(uniform, probability);

    let magnitude = _mm256_add_epi64(_mm256_mul_epu32(x, constants.k), y);
    let zero = _mm256_setzero_si256();
    let negative = _mm256_sub_epi64(
        zero,
        _mm256_and_si256(_mm256_srli_epi64::<32>(accept), _mm256_set1_epi64x(1)),
    );
    let z = _mm256_sub_epi64(_mm256_xor_si256(magnitude, negative), negative);
    let negative_zero = _mm256_and_si256(negative, _mm256_cmpeq_epi64(magnitude, zero));
    let keep = _mm256_andnot_si256(_mm256_or_si256(inexact, negative_zero), below);
    (z, keep)
}
