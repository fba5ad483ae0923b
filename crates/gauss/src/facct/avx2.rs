//! Sixteen trials side by side on AVX2: four registers of four.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx2, declassify};

use super::centre::Centre;
use super::portable::{MAGIC, POLYNOMIAL, POWERS};
use super::setup::Table;
use super::{Batch, Coordinates, Element, GROUP_WORDS, SAMPLES};
use crate::quads::COMPRESS;

/// As [`super::portable::trials`], accepted samples written in order: (how many, whether any was in doubt).
pub(super) fn trials<T: Element>(
    _: Avx2,
    table: &Table,
    centre: Option<&Centre>,
    words: &[u64],
    samples: &mut Batch<T>,
) -> (usize, bool) {
    // SAFETY: the token proves that AVX2 and FMA were detected.
    unsafe {
        match centre {
            None => compress::<T, false>(table, &Centre::default(), words, samples),
            Some(centre) => compress::<T, true>(table, centre, words, samples),
        }
    }
}

/// As [`super::portable::trials`], lane i around centre i; whether any decision was in doubt.
pub(super) fn coordinates(_: Avx2, table: &Table, words: &[u64], lanes: &mut Coordinates) -> bool {
    // SAFETY: the token proves that AVX2 and FMA were detected.
    unsafe { lanewise(table, words, lanes) }
}

/// 2^52: the bits of 2^52 + n, n below 2^52, are those of 2^52 plus n.
const INTEGERS: f64 = 4_503_599_627_370_496.0;
/// 1.5 2^52, for signed n, |n| < 2^51.
const SIGNED: f64 = 1.5 * INTEGERS;

/// Four trials: the accepted lanes in the four low bits, and the values.
type Quad = (u32, __m256i);

/// floor + 1, floor, below and above of four centres.
type Centres = (__m256i, __m256i, __m256d, __m256d);

/// 32 words, or the low and high halves of sixteen numbers.
type Words = [__m256i; 4];

struct Kernel {
    threshold: Words,
    alias: Words,
    /// Low and high halves of the excesses.
    excess: [Words; 2],
    /// Low halves, then high halves.
    powers: Words,
    k: __m256i,
    lemire: __m256i,
    step: __m256d,
    slope: __m256d,
    margin: __m256i,
    twice_margin: __m256i,
}

/// Smallest signed number: comparisons of unsigned ones are signed comparisons after flipping the first bit.
#[target_feature(enable = "avx2")]
#[inline]
fn flip(a: __m256i) -> __m256i {
    _mm256_xor_si256(a, _mm256_set1_epi64x(i64::MIN))
}

/// All ones where mask has its first bit set, of 64 bits.
#[target_feature(enable = "avx2")]
#[inline]
fn select(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let pd = _mm256_blendv_pd(
        _mm256_castsi256_pd(no),
        _mm256_castsi256_pd(yes),
        _mm256_castsi256_pd(mask),
    );
    _mm256_castpd_si256(pd)
}

/// As [`select`], of 32 bits.
#[target_feature(enable = "avx2")]
#[inline]
fn select_words(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let ps = _mm256_blendv_ps(
        _mm256_castsi256_ps(no),
        _mm256_castsi256_ps(yes),
        _mm256_castsi256_ps(mask),
    );
    _mm256_castps_si256(ps)
}

/// Entries number `index` mod 16 of two registers.
#[target_feature(enable = "avx2")]
#[inline]
fn lookup16(table: [__m256i; 2], index: __m256i) -> __m256i {
    let [low, high] = table.map(|part| _mm256_permutevar8x32_epi32(part, index));
    select_words(_mm256_slli_epi32::<28>(index), high, low)
}

/// Entries number `index` mod 32.
#[target_feature(enable = "avx2")]
#[inline]
fn lookup32(&[a, b, c, d]: &Words, index: __m256i) -> __m256i {
    let (low, high) = (lookup16([a, b], index), lookup16([c, d], index));
    select_words(_mm256_slli_epi32::<27>(index), high, low)
}

/// Even 32-bit lanes of both, interleaved: a pair of halves makes four numbers.
#[target_feature(enable = "avx2")]
#[inline]
fn join_even(low: __m256i, high: __m256i) -> __m256i {
    _mm256_blend_epi32::<0xaa>(low, _mm256_slli_epi64::<32>(high))
}

/// Odd 32-bit lanes of both, interleaved.
#[target_feature(enable = "avx2")]
#[inline]
fn join_odd(low: __m256i, high: __m256i) -> __m256i {
    _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(low), high)
}

/// Numbers below 2^52 as `f64`.
#[target_feature(enable = "avx2")]
#[inline]
fn float(n: __m256i) -> __m256d {
    let magic = _mm256_set1_pd(INTEGERS);
    let sum = _mm256_or_si256(n, _mm256_castpd_si256(magic));
    _mm256_sub_pd(_mm256_castsi256_pd(sum), magic)
}

impl Kernel {
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn new(table: &Table) -> Self {
        let words = |table: &[u32; 32]| {
            let [a, b, c, d] = *table.as_chunks::<8>().0 else { unreachable!("32 = 4 8") };
            // SAFETY: eight words each.
            [a, b, c, d].map(|part| unsafe { _mm256_loadu_si256(part.as_ptr().cast()) })
        };
        let half = |word: u64, part: u32| (word >> (32 * part)) as u32;
        let excess = |part: u32| words(&table.excess.map(|l| half(l.to_bits(), part)));
        let powers = core::array::from_fn(|i| half(POWERS[i % 16], (i / 16) as u32));
        Self {
            threshold: words(&table.threshold),
            alias: words(&table.alias),
            excess: [excess(0), excess(1)],
            powers: words(&powers),
            k: _mm256_set1_epi64x(table.k as i64),
            lemire: _mm256_set1_epi64x(table.lemire as i64),
            step: _mm256_set1_pd(table.step),
            slope: _mm256_set1_pd(table.slope),
            margin: _mm256_set1_epi64x(table.margin as i64),
            twice_margin: flip(_mm256_set1_epi64x((2 * table.margin) as i64)),
        }
    }

    /// A group: its four quads in order, and a register with a first bit set where a trial is in doubt.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn group<const CENTRED: bool>(
        &self,
        group: &[u64; GROUP_WORDS],
        centres: &[Centres; 4],
    ) -> ([Quad; 4], __m256i) {
        let load = |at: usize| {
            // SAFETY: the callers read words 0..32 of 34.
            unsafe { _mm256_loadu_si256(group[at..at + 4].as_ptr().cast()) }
        };
        // Even words belong to the first octet, odd ones to the second.
        let mut x = [_mm256_setzero_si256(); 2];
        let mut excess = [[_mm256_setzero_si256(); 2]; 2];
        for i in 0..2 {
            let cell = load(4 * i);
            let threshold = lookup32(&self.threshold, cell);
            let theirs = _mm256_cmpeq_epi32(_mm256_max_epu32(cell, threshold), cell);
            let column = _mm256_and_si256(cell, _mm256_set1_epi32(31));
            x[i] = select_words(theirs, lookup32(&self.alias, cell), column);
            let [low, high] = [lookup32(&self.excess[0], x[i]), lookup32(&self.excess[1], x[i])];
            excess[i] = [join_even(low, high), join_odd(low, high)];
        }
        let even = _mm256_set1_epi64x(0xffff_ffff);
        let accept = [load(8), load(12)];
        let (first, doubt_first) = self.octet::<CENTRED>(
            x.map(|x| _mm256_and_si256(x, even)),
            excess.map(|l| l[0]),
            accept.map(|accept| _mm256_slli_epi64::<32>(accept)),
            [load(16), load(20)],
            group[32],
            [centres[0], centres[1]],
        );
        let (second, doubt_second) = self.octet::<CENTRED>(
            x.map(|x| _mm256_srli_epi64::<32>(x)),
            excess.map(|l| l[1]),
            accept,
            [load(24), load(28)],
            group[33],
            [centres[2], centres[3]],
        );
        let doubt = _mm256_or_si256(doubt_first, doubt_second);
        ([first[0], first[1], second[0], second[1]], doubt)
    }

    /// Two quads. `accept`: the acceptance half in the upper 32 bits.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn octet<const CENTRED: bool>(
        &self,
        x: [__m256i; 2],
        excess: [__m256i; 2],
        accept: [__m256i; 2],
        offset: [__m256i; 2],
        shared: u64,
        centres: [Centres; 2],
    ) -> ([Quad; 2], __m256i) {
        let zero = _mm256_setzero_si256();
        let low_20 = _mm256_set1_epi64x((1 << 20) - 1);
        let low_33 = _mm256_set1_epi64x((1 << 33) - 1);
        let shared = _mm256_set1_epi64x((shared & ((1 << 21) - 1)) as i64);

        let mut refused = [zero; 2];
        let mut z = [zero; 2];
        let mut e = [_mm256_setzero_pd(); 2];
        for i in 0..2 {
            // The 83-bit product of 52 bits and K: bits 32.. in `upper`, the rest in `low`.
            let low = _mm256_mul_epu32(offset[i], self.k);
            let high = _mm256_and_si256(_mm256_srli_epi64::<32>(offset[i]), low_20);
            let upper =
                _mm256_add_epi64(_mm256_mul_epu32(high, self.k), _mm256_srli_epi64::<32>(low));
            let y = _mm256_srli_epi64::<20>(upper);
            // The low 52 bits; both sides are below 2^52, so a signed comparison will do.
            let rest = join_even(low, _mm256_and_si256(upper, low_20));
            let inexact = _mm256_cmpgt_epi64(self.lemire, rest);

            let magnitude = _mm256_add_epi64(_mm256_mul_epu32(x[i], self.k), y);
            let negative = _mm256_slli_epi64::<31>(accept[i]);
            let mut distance = float(y);
            if CENTRED {
                let (next, floor, below, above) = centres[i];
                let beyond = _mm256_blendv_pd(above, below, _mm256_castsi256_pd(negative));
                distance = _mm256_add_pd(distance, beyond);
                z[i] = select(
                    negative,
                    _mm256_sub_epi64(floor, magnitude),
                    _mm256_add_epi64(next, magnitude),
                );
                refused[i] = inexact;
            } else {
                z[i] = select(negative, _mm256_sub_epi64(zero, magnitude), magnitude);
                let negative_zero = _mm256_and_si256(negative, _mm256_cmpeq_epi64(magnitude, zero));
                refused[i] = _mm256_or_si256(inexact, negative_zero);
            }
            let t = _mm256_mul_pd(distance, self.step);
            let u = _mm256_fmadd_pd(float(x[i]), self.slope, t);
            e[i] = _mm256_fmadd_pd(t, u, _mm256_castsi256_pd(excess[i]));
        }

        let probability = self.acceptance(e);
        let mut quads = [(0, zero); 2];
        let mut doubt = zero;
        for i in 0..2 {
            // 31 bits of `accept`, 12 of `offset`, 21 of `shared`.
            let own = _mm256_and_si256(
                _mm256_srli_epi64::<31>(offset[i]),
                _mm256_set1_epi64x(!((1 << 21) - 1)),
            );
            let uniform = _mm256_or_si256(
                _mm256_or_si256(own, shared),
                _mm256_andnot_si256(low_33, accept[i]),
            );
            let below = _mm256_cmpgt_epi64(flip(probability[i]), flip(uniform));
            let accepted =
                _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_andnot_si256(refused[i], below)));
            quads[i] = (declassify(accepted as u32), z[i]);
            let difference =
                _mm256_add_epi64(_mm256_sub_epi64(uniform, probability[i]), self.margin);
            let near = _mm256_cmpgt_epi64(self.twice_margin, flip(difference));
            doubt = _mm256_or_si256(doubt, near);
        }
        (quads, doubt)
    }

    /// As [`super::portable::acceptance`].
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn acceptance(&self, e: [__m256d; 2]) -> [__m256i; 2] {
        let magic = _mm256_set1_pd(MAGIC);
        let m = e.map(|e| _mm256_add_pd(e, magic));
        let sixteenths = m.map(|m| _mm256_castpd_si256(m));
        // Both registers' indices side by side.
        let index = join_even(sixteenths[0], sixteenths[1]);
        let [a, b, c, d] = self.powers;
        let (low, high) = (lookup16([a, b], index), lookup16([c, d], index));
        let power = [join_even(low, high), join_odd(low, high)];
        core::array::from_fn(|i| {
            let f = _mm256_sub_pd(e[i], _mm256_sub_pd(m[i], magic));
            let scale = _mm256_sub_epi64(power[i], _mm256_slli_epi64::<48>(sixteenths[i]));
            let [first, rest @ ..] = POLYNOMIAL;
            let mut q = _mm256_set1_pd(first);
            for c in rest {
                q = _mm256_fmadd_pd(q, f, _mm256_set1_pd(c));
            }
            saturate(_mm256_mul_pd(_mm256_castsi256_pd(scale), q))
        })
    }
}

/// floor(v) for 0 <= v, 2^64 - 1 from 2^64 on.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn saturate(v: __m256d) -> __m256i {
    let magic = _mm256_set1_pd(INTEGERS);
    let two_32 = _mm256_set1_pd(4_294_967_296.0);
    let high = _mm256_floor_pd(_mm256_mul_pd(v, _mm256_set1_pd(1.0 / 4_294_967_296.0)));
    let low = _mm256_floor_pd(_mm256_fnmadd_pd(high, two_32, v));
    let joined = join_even(
        _mm256_castpd_si256(_mm256_add_pd(low, magic)),
        _mm256_castpd_si256(_mm256_add_pd(high, magic)),
    );
    let over = _mm256_cmp_pd::<_CMP_GE_OQ>(high, two_32);
    _mm256_or_si256(joined, _mm256_castpd_si256(over))
}

#[target_feature(enable = "avx2,fma,popcnt")]
fn compress<T: Element, const CENTRED: bool>(
    table: &Table,
    centre: &Centre,
    words: &[u64],
    samples: &mut Batch<T>,
) -> (usize, bool) {
    let kernel = Kernel::new(table);
    let centre = (
        _mm256_set1_epi64x(centre.floor + 1),
        _mm256_set1_epi64x(centre.floor),
        _mm256_set1_pd(centre.below),
        _mm256_set1_pd(centre.above),
    );
    let groups = words.as_chunks().0;
    // A quad is stored whole where at most as many samples as trials came before.
    assert!(groups.len() * super::GROUP <= SAMPLES);
    let out = samples.as_mut_ptr();
    let (mut count, mut doubt) = (0, _mm256_setzero_si256());
    // Gathers the low 32-bit lanes.
    let narrow = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    for group in groups {
        let (quads, doubtful) = kernel.group::<CENTRED>(group, &[centre; 4]);
        doubt = _mm256_or_si256(doubt, doubtful);
        for (accepted, z) in quads {
            let order = &COMPRESS[accepted as usize & 15];
            // SAFETY: eight words.
            let order = unsafe { _mm256_loadu_si256(order.as_ptr().cast()) };
            let kept = _mm256_permutevar8x32_epi32(z, order);
            // SAFETY: count is at most 4 less than the number of trials so far, which is at most SAMPLES.
            let at = unsafe { out.add(count) };
            // SAFETY: and so there is room for four elements of the size that is asked for here.
            unsafe {
                if T::WIDE {
                    _mm256_storeu_si256(at.cast(), kept);
                } else {
                    let words = _mm256_permutevar8x32_epi32(kept, narrow);
                    _mm_storeu_si128(at.cast(), _mm256_castsi256_si128(words));
                }
            }
            count += accepted.count_ones() as usize;
        }
    }
    (count, declassify(_mm256_movemask_pd(_mm256_castsi256_pd(doubt)) != 0))
}

#[target_feature(enable = "avx2,fma")]
fn lanewise(table: &Table, words: &[u64], lanes: &mut Coordinates) -> bool {
    let kernel = Kernel::new(table);
    let mut doubt = _mm256_setzero_si256();
    let integer = |x: __m256d| {
        let magic = _mm256_set1_pd(SIGNED);
        let sum = _mm256_castpd_si256(_mm256_add_pd(x, magic));
        _mm256_sub_epi64(sum, _mm256_castpd_si256(magic))
    };
    let centre = |mu: &[f64; 4]| {
        // SAFETY: four elements.
        let mu = unsafe { _mm256_loadu_pd(mu.as_ptr()) };
        let floor = _mm256_floor_pd(mu);
        let next = _mm256_add_pd(floor, _mm256_set1_pd(1.0));
        (integer(next), integer(floor), _mm256_sub_pd(mu, floor), _mm256_sub_pd(next, mu))
    };
    let lanewise = lanes.mu.as_chunks::<16>().0.iter().zip(lanes.values.as_chunks_mut::<16>().0);
    let lanewise = lanewise.zip(lanes.accepted.as_chunks_mut::<2>().0);
    for (group, ((mu, values), accepted)) in words.as_chunks().0.iter().zip(lanewise) {
        let mu = mu.as_chunks::<4>().0;
        let centres = [centre(&mu[0]), centre(&mu[1]), centre(&mu[2]), centre(&mu[3])];
        let (quads, doubtful) = kernel.group::<true>(group, &centres);
        doubt = _mm256_or_si256(doubt, doubtful);
        for (value, (_, z)) in values.as_chunks_mut::<4>().0.iter_mut().zip(quads) {
            // SAFETY: four elements.
            unsafe { _mm256_storeu_si256(value.as_mut_ptr().cast(), z) };
        }
        *accepted = [quads[0].0 | quads[1].0 << 4, quads[2].0 | quads[3].0 << 4].map(|m| m as u8);
    }
    declassify(_mm256_movemask_pd(_mm256_castsi256_pd(doubt)) != 0)
}
