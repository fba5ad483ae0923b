//! Sixteen trials side by side on AVX-512 with IFMA: two registers of eight.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use tautochrone_simd::{Avx512, Ifma, declassify};

use super::centre::Centre;
use super::portable::{MAGIC, POLYNOMIAL, POWERS};
use super::setup::Table;
use super::{Batch, Coordinates, Element, GROUP_WORDS, SAMPLES};

/// As [`super::portable::trials`], accepted samples written in order: (how many, whether any was in doubt).
pub(super) fn trials<T: Element>(
    _: (Avx512, Ifma),
    table: &Table,
    centre: Option<&Centre>,
    words: &[u64],
    samples: &mut Batch<T>,
) -> (usize, bool) {
    // SAFETY: the tokens prove that AVX-512 and IFMA were detected.
    unsafe {
        match centre {
            None => compress::<T, false>(table, &Centre::default(), words, samples),
            Some(centre) => compress::<T, true>(table, centre, words, samples),
        }
    }
}

/// As [`super::portable::trials`], lane i around centre i; whether any decision was in doubt.
pub(super) fn coordinates(
    _: (Avx512, Ifma),
    table: &Table,
    words: &[u64],
    lanes: &mut Coordinates,
) -> bool {
    // SAFETY: the tokens prove that AVX-512 and IFMA were detected.
    unsafe { lanewise(table, words, lanes) }
}

/// Eight trials: which are accepted, and their values.
type Octet = (__mmask8, __m512i);

/// The table and the constants in registers (or, where those run out, in memory operands).
struct Kernel {
    threshold: [__m512i; 2],
    alias: [__m512i; 2],
    /// Low and high halves of the excesses.
    excess: [[__m512i; 2]; 2],
    powers: [__m512d; 2],
    k: __m512i,
    lemire: __m512i,
    step: __m512d,
    slope: __m512d,
    margin: __m512i,
    twice_margin: __m512i,
}

/// floor + 1, floor, below and above of eight centres.
type Centres = (__m512i, __m512i, __m512d, __m512d);

impl Kernel {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn new(table: &Table) -> Self {
        let words = |table: &[u32; 32]| {
            // SAFETY: 32 words are two registers.
            unsafe {
                [
                    _mm512_loadu_si512(table.as_ptr().cast()),
                    _mm512_loadu_si512(table[16..].as_ptr().cast()),
                ]
            }
        };
        let halves = |part: u32| table.excess.map(|l| (l.to_bits() >> (32 * part)) as u32);
        // SAFETY: sixteen words are two registers.
        let powers = unsafe {
            [_mm512_loadu_pd(POWERS.as_ptr().cast()), _mm512_loadu_pd(POWERS[8..].as_ptr().cast())]
        };
        Self {
            threshold: words(&table.threshold),
            alias: words(&table.alias),
            excess: [words(&halves(0)), words(&halves(1))],
            powers,
            k: _mm512_set1_epi64(table.k as i64),
            lemire: _mm512_set1_epi64(table.lemire as i64),
            step: _mm512_set1_pd(table.step),
            slope: _mm512_set1_pd(table.slope),
            margin: _mm512_set1_epi64(table.margin as i64),
            twice_margin: _mm512_set1_epi64((2 * table.margin) as i64),
        }
    }

    /// A group: both its octets, and whether any trial is in doubt.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    #[inline]
    fn group<const CENTRED: bool>(
        &self,
        group: &[u64; GROUP_WORDS],
        centres: &[Centres; 2],
    ) -> ([Octet; 2], __mmask8) {
        let load = |at: usize| {
            // SAFETY: the four callers read words 0..32 of 34.
            unsafe { _mm512_loadu_si512(group[at..at + 8].as_ptr().cast()) }
        };
        let (cell, accept) = (load(0), load(8));
        let threshold = _mm512_permutex2var_epi32(self.threshold[0], cell, self.threshold[1]);
        let own = _mm512_cmplt_epu32_mask(cell, threshold);
        let alias = _mm512_permutex2var_epi32(self.alias[0], cell, self.alias[1]);
        let x = _mm512_mask_and_epi32(alias, own, cell, _mm512_set1_epi32(31));
        let [low, high] = self.excess.map(|half| _mm512_permutex2var_epi32(half[0], x, half[1]));
        let even = _mm512_set1_epi64(0xffff_ffff);
        let (first, doubt_first) = self.octet::<CENTRED>(
            _mm512_and_si512(x, even),
            _mm512_mask_shuffle_epi32::<0b10_10_00_00>(low, 0xaaaa, high),
            _mm512_slli_epi64::<32>(accept),
            load(16),
            group[32],
            centres[0],
        );
        let (second, doubt_second) = self.octet::<CENTRED>(
            _mm512_srli_epi64::<32>(x),
            _mm512_mask_shuffle_epi32::<0b11_11_01_01>(high, 0x5555, low),
            accept,
            load(24),
            group[33],
            centres[1],
        );
        ([first, second], doubt_first | doubt_second)
    }

    /// `accept`: the acceptance half in the upper 32 bits.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    #[inline]
    fn octet<const CENTRED: bool>(
        &self,
        x: __m512i,
        excess: __m512i,
        accept: __m512i,
        offset: __m512i,
        shared: u64,
        (next, floor, below, above): Centres,
    ) -> (Octet, __mmask8) {
        /// Bitwise `mask ? a : b` of (mask, a, b).
        const SELECT: i32 = 0xca;
        let zero = _mm512_setzero_si512();

        let y = _mm512_madd52hi_epu64(zero, offset, self.k);
        let exact =
            _mm512_cmpge_epu64_mask(_mm512_madd52lo_epu64(zero, offset, self.k), self.lemire);
        let magnitude = _mm512_madd52lo_epu64(y, x, self.k);
        let negative = _mm512_test_epi64_mask(accept, _mm512_set1_epi64(1 << 32));
        let distance = _mm512_cvtepi64_pd(y);
        let (distance, z, valid) = if CENTRED {
            let beyond = _mm512_mask_mov_pd(above, negative, below);
            let up = _mm512_add_epi64(next, magnitude);
            let z = _mm512_mask_sub_epi64(up, negative, floor, magnitude);
            (_mm512_add_pd(distance, beyond), z, exact)
        } else {
            let z = _mm512_mask_sub_epi64(magnitude, negative, zero, magnitude);
            let negative_zero = _mm512_mask_testn_epi64_mask(negative, magnitude, magnitude);
            (distance, z, exact & !negative_zero)
        };

        let t = _mm512_mul_pd(distance, self.step);
        let u = _mm512_fmadd_pd(_mm512_cvtepi64_pd(x), self.slope, t);
        let probability = self.acceptance(_mm512_fmadd_pd(t, u, _mm512_castsi512_pd(excess)));

        // 31 bits of `accept`, 12 of `offset`, 21 of `shared`.
        let low = _mm512_ternarylogic_epi64::<SELECT>(
            _mm512_set1_epi64((1 << 21) - 1),
            _mm512_set1_epi64(shared as i64),
            _mm512_srli_epi64::<31>(offset),
        );
        let uniform =
            _mm512_ternarylogic_epi64::<SELECT>(_mm512_set1_epi64((1 << 33) - 1), low, accept);
        let accepted = _mm512_mask_cmplt_epu64_mask(valid, uniform, probability);
        let difference = _mm512_add_epi64(_mm512_sub_epi64(uniform, probability), self.margin);
        ((accepted, z), _mm512_cmplt_epu64_mask(difference, self.twice_margin))
    }

    /// As [`super::portable::acceptance`].
    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    fn acceptance(&self, e: __m512d) -> __m512i {
        let magic = _mm512_set1_pd(MAGIC);
        let m = _mm512_add_pd(e, magic);
        let f = _mm512_sub_pd(e, _mm512_sub_pd(m, magic));
        let sixteenths = _mm512_castpd_si512(m);
        let power = _mm512_permutex2var_pd(self.powers[0], sixteenths, self.powers[1]);
        let scale =
            _mm512_sub_epi64(_mm512_castpd_si512(power), _mm512_slli_epi64::<48>(sixteenths));
        let [first, rest @ ..] = POLYNOMIAL;
        let mut q = _mm512_set1_pd(first);
        for c in rest {
            q = _mm512_fmadd_pd(q, f, _mm512_set1_pd(c));
        }
        // Saturates.
        _mm512_cvttpd_epu64(_mm512_mul_pd(_mm512_castsi512_pd(scale), q))
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma,popcnt")]
fn compress<T: Element, const CENTRED: bool>(
    table: &Table,
    centre: &Centre,
    words: &[u64],
    samples: &mut Batch<T>,
) -> (usize, bool) {
    let kernel = Kernel::new(table);
    let centre = (
        _mm512_set1_epi64(centre.floor + 1),
        _mm512_set1_epi64(centre.floor),
        _mm512_set1_pd(centre.below),
        _mm512_set1_pd(centre.above),
    );
    let groups = words.as_chunks().0;
    // An octet is stored whole where at most as many samples as trials came before.
    assert!(groups.len() * super::GROUP <= SAMPLES);
    let out = samples.as_mut_ptr();
    let (mut count, mut doubt) = (0, 0);
    for group in groups {
        let (octets, doubtful) = kernel.group::<CENTRED>(group, &[centre; 2]);
        doubt |= doubtful;
        for (accepted, z) in octets {
            let accepted = declassify(accepted);
            let kept = _mm512_maskz_compress_epi64(accepted, z);
            // SAFETY: count is at most 8 less than the number of trials so far, which is at most SAMPLES.
            let at = unsafe { out.add(count) };
            // SAFETY: and so there is room for eight elements of the size that is asked for here.
            unsafe {
                if T::WIDE {
                    _mm512_storeu_si512(at.cast(), kept);
                } else {
                    _mm256_storeu_si256(at.cast(), _mm512_cvtepi64_epi32(kept));
                }
            }
            count += accepted.count_ones() as usize;
        }
    }
    (count, declassify(doubt != 0))
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn lanewise(table: &Table, words: &[u64], lanes: &mut Coordinates) -> bool {
    let kernel = Kernel::new(table);
    let mut doubt = 0;
    let mut centres = lanes.mu.as_chunks::<8>().0.iter().map(|mu| {
        // SAFETY: eight elements.
        let mu = unsafe { _mm512_loadu_pd(mu.as_ptr()) };
        let floor = _mm512_roundscale_pd::<_MM_FROUND_TO_NEG_INF>(mu);
        let next = _mm512_add_pd(floor, _mm512_set1_pd(1.0));
        (
            _mm512_cvtpd_epi64(next),
            _mm512_cvtpd_epi64(floor),
            _mm512_sub_pd(mu, floor),
            _mm512_sub_pd(next, mu),
        )
    });
    let mut values = lanes.values.as_chunks_mut::<8>().0.iter_mut().zip(&mut lanes.accepted);
    for group in words.as_chunks().0 {
        let (Some(first), Some(second)) = (centres.next(), centres.next()) else { break };
        let (octets, doubtful) = kernel.group::<true>(group, &[first, second]);
        doubt |= doubtful;
        for ((accepted, z), (value, mask)) in octets.into_iter().zip(&mut values) {
            // SAFETY: eight elements.
            unsafe { _mm512_storeu_si512(value.as_mut_ptr().cast(), z) };
            *mask = accepted;
        }
    }
    declassify(doubt != 0)
}
