//! Sixteen trials at a time, in two registers of eight; the arithmetic is that of the portable path, operation by operation.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::Avx512;

use super::portable::{MAGIC, POLYNOMIAL, POWERS};
use super::setup::Table;
use super::{GROUP, GROUP_WORDS, MAX_GROUPS};

/// As [`super::portable::trials`].
pub(super) fn trials(
    token: Avx512,
    table: &Table,
    words: &[u64],
    samples: &mut [i64; GROUP * MAX_GROUPS],
) -> usize {
    assert!(words.len() <= GROUP_WORDS * MAX_GROUPS, "room for every trial");
    // SAFETY: the token proves AVX-512 F, BW, DQ, VL; `words` is no longer than the samples allow.
    unsafe { kernel(token, table, words.as_chunks().0, samples) }
}

/// The constants of one sigma in registers.
#[derive(Clone, Copy)]
struct Constants {
    k: __m512i,
    lemire: __m512i,
    step: __m512d,
    slope: __m512d,
    threshold: [__m512i; 2],
    alias: [__m512i; 2],
    excess: [__m512d; 4],
    powers: [__m512i; 2],
}

/// # Safety
/// At most `MAX_GROUPS` groups.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn kernel(
    _: Avx512,
    table: &Table,
    groups: &[[u64; GROUP_WORDS]],
    samples: &mut [i64; GROUP * MAX_GROUPS],
) -> usize {
    // SAFETY: 64 bytes are read from each of: 32 words of 32 bits at 0 and 16, 32 of 64 at 0, 8, 16, 24, 16 at 0 and 8.
    let constants = unsafe {
        let at = |from: *const u32| _mm512_loadu_si512(from.cast());
        let (threshold, alias) = (table.threshold.as_ptr(), table.alias.as_ptr());
        let excess = table.excess.as_ptr();
        Constants {
            k: _mm512_set1_epi64(table.k as i64),
            lemire: _mm512_set1_epi64(table.lemire as i64),
            step: _mm512_set1_pd(table.step),
            slope: _mm512_set1_pd(table.slope),
            threshold: [at(threshold), at(threshold.add(16))],
            alias: [at(alias), at(alias.add(16))],
            excess: core::array::from_fn(|i| _mm512_loadu_pd(excess.add(8 * i))),
            powers: [at(POWERS.as_ptr().cast()), at(POWERS.as_ptr().add(8).cast())],
        }
    };
    let thirty_one = _mm512_set1_epi32(31);
    let mut count = 0;
    for group in groups {
        // SAFETY: 34 words: eight are read at 0, 8, 16 and 24.
        let load = |at: usize| unsafe { _mm512_loadu_si512(group.as_ptr().add(at).cast()) };
        let (cells, accepts) = (load(0), load(8));
        // All sixteen cells at once: octet 0 in the even, octet 1 in the odd halves.
        let column = _mm512_and_si512(cells, thirty_one);
        let threshold =
            _mm512_permutex2var_epi32(constants.threshold[0], column, constants.threshold[1]);
        let alias = _mm512_permutex2var_epi32(constants.alias[0], column, constants.alias[1]);
        let own = _mm512_cmplt_epu32_mask(cells, threshold);
        let x = _mm512_mask_mov_epi32(alias, own, column);

        let low_half = _mm512_set1_epi64(0xffff_ffff);
        let shared = |octet: usize| _mm512_set1_epi64(group[32 + octet] as i64);
        let first = octet(
            &constants,
            _mm512_and_si512(x, low_half),
            _mm512_slli_epi64::<32>(accepts),
            load(16),
            shared(0),
        );
        let second = octet(&constants, _mm512_srli_epi64::<32>(x), accepts, load(24), shared(1));
        for (z, keep) in [first, second] {
            // SAFETY: at most 8 samples were kept for each octet before, so eight more fit.
            unsafe {
                let to = samples.as_mut_ptr().add(count);
                _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi64(keep, z));
            }
            // Which trials were accepted is public.
            count += keep.count_ones() as usize;
        }
    }
    count
}

/// Eight trials: x in 64-bit lanes, 31 bits of acceptance above the sign in the high half of `accept`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn octet(
    constants: &Constants,
    x: __m512i,
    accept: __m512i,
    offset: __m512i,
    shared: __m512i,
) -> (__m512i, __mmask8) {
    // offset mod 2^52 times K, from halves of 20 and 32 bits: high 2^32 + low; K < 2^31.
    let low = _mm512_mul_epu32(offset, constants.k);
    let twenty = _mm512_set1_epi64((1 << 20) - 1);
    let high = _mm512_and_si512(_mm512_srli_epi64::<32>(offset), twenty);
    let high = _mm512_add_epi64(_mm512_mul_epu32(high, constants.k), _mm512_srli_epi64::<32>(low));
    let y = _mm512_srli_epi64::<20>(high);
    let low_half = _mm512_set1_epi64(0xffff_ffff);
    // The low 52 bits of the product: 20 of `high` above 32 of `low`.
    let rest = _mm512_ternarylogic_epi64::<0xca>(
        low_half,
        low,
        _mm512_slli_epi64::<32>(_mm512_and_si512(high, twenty)),
    );
    let exact = _mm512_cmpge_epu64_mask(rest, constants.lemire);

    let excess_low = _mm512_permutex2var_pd(constants.excess[0], x, constants.excess[1]);
    let excess_high = _mm512_permutex2var_pd(constants.excess[2], x, constants.excess[3]);
    let upper = _mm512_test_epi64_mask(x, _mm512_set1_epi64(16));
    let excess = _mm512_mask_mov_pd(excess_low, upper, excess_high);
    let t = _mm512_mul_pd(_mm512_cvtepi64_pd(y), constants.step);
    let u = _mm512_fmadd_pd(_mm512_cvtepi64_pd(x), constants.slope, t);
    let e = _mm512_fmadd_pd(t, u, excess);

    let magic = _mm512_set1_pd(MAGIC);
    let m = _mm512_add_pd(e, magic);
    let f = _mm512_sub_pd(e, _mm512_sub_pd(m, magic));
    let sixteenths = _mm512_castpd_si512(m);
    let power = _mm512_permutex2var_epi64(constants.powers[0], sixteenths, constants.powers[1]);
    let scale = _mm512_sub_epi64(power, _mm512_slli_epi64::<48>(sixteenths));
    let [first, rest @ ..] = POLYNOMIAL;
    let q = rest
        .into_iter()
        .fold(_mm512_set1_pd(first), |q, c| _mm512_fmadd_pd(q, f, _mm512_set1_pd(c)));
    // Out of range becomes 2^64 - 1, as the portable conversion saturates.
    let probability = _mm512_cvttpd_epu64(_mm512_mul_pd(_mm512_castsi512_pd(scale), q));

    let low_21 = _mm512_set1_epi64((1 << 21) - 1);
    let low_33 = _mm512_set1_epi64((1 << 33) - 1);
    // Bit by bit: `shared` below bit 21, `offset >> 31` below bit 33, `accept` above.
    let uniform =
        _mm512_ternarylogic_epi64::<0xca>(low_21, shared, _mm512_srli_epi64::<31>(offset));
    let uniform = _mm512_ternarylogic_epi64::<0xca>(low_33, uniform, accept);
    let below = _mm512_cmplt_epu64_mask(uniform, probability);

    let magnitude = _mm512_add_epi64(_mm512_mul_epu32(x, constants.k), y);
    let negative = _mm512_test_epi64_mask(accept, _mm512_set1_epi64(1 << 32));
    let z = _mm512_mask_sub_epi64(magnitude, negative, _mm512_setzero_si512(), magnitude);
    let zero = _mm512_testn_epi64_mask(magnitude, magnitude);
    (z, exact & below & !(negative & zero))
}
