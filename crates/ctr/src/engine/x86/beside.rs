//! [`Beside`]: keystream made between a kernel's own steps.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use tautochrone_simd::declassify;

use super::first_round::FirstRound;
use crate::engine::schedule::Schedule;
use crate::sizes::BLOCK;

/// Registers for which the rows of [`FirstRound`] are computed. With 1050 of them, a bit-sliced
/// sampler takes 1.02 of the time, with 2080 .97 (Sapphire Rapids).
const MANY: usize = 1536;

/// Registers of keystream that a kernel asks for between its own steps: four blocks each, as they
/// would follow each other in memory.
///
/// The rounds need one port of a core, and wait for each other; what does not depend on them is
/// executed alongside. So a kernel asks for the registers of its next step before it works on those
/// of this one. A value of this type proves that AVX-512 (F, BW, DQ, VL) and VAES were detected.
///
/// # Constant time
/// In key, counter and keystream.
pub struct Beside<'a> {
    /// Round keys but the last; those beyond are zeros.
    keys: [__m512i; 14],
    last: __m512i,
    /// The next counter.
    high: u64,
    low: u64,
    /// After the first round, the state of the counter that differs from the next in its last byte,
    /// which is zero; in all lanes.
    start: __m512i,
    /// Those of [`FirstRound`], or none.
    rows: &'a [[u8; BLOCK]],
    /// 14 rounds.
    long: bool,
    left: usize,
    /// The schedule, whose keys these are, is borrowed as long as they are used.
    schedule: PhantomData<&'a Schedule>,
}

impl<'a> Beside<'a> {
    /// `count` registers from counter `first` on; the low half does not wrap before the last block.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub(super) fn new(
        keys: &'a Schedule,
        rounds: usize,
        first: u128,
        count: usize,
        rows: Option<&'a mut FirstRound>,
    ) -> Self {
        let zero = _mm512_setzero_si512();
        let (mut all, mut last) = ([zero; 14], zero);
        for (i, key) in keys[..=rounds].iter().enumerate() {
            // SAFETY: sixteen bytes.
            let key = unsafe { _mm_loadu_si128(key.as_ptr().cast()) };
            let key = _mm512_broadcast_i32x4(key);
            if i == rounds {
                last = key;
            } else {
                all[i] = key;
            }
        }
        let mut beside = Self {
            keys: all,
            last,
            high: (first >> 64) as u64,
            // Its last byte becomes an address. Counter mode is secure with known counters.
            low: declassify(first as u64),
            start: zero,
            rows: &[],
            long: rounds == 14,
            left: count,
            schedule: PhantomData,
        };
        if let Some(rows) = rows
            && count >= MANY
        {
            beside.rows = rows.fill(keys);
            beside.start = beside.start();
        }
        beside
    }

    /// The state [`Self::start`] of the next counter.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    fn start(&self) -> __m512i {
        let counter = _mm_set_epi64x(self.high as i64, (self.low & !0xff) as i64);
        self.first_round(_mm512_broadcast_i32x4(counter))
    }

    /// Counters, as two little-endian halves, after the first round.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    fn first_round(&self, counters: __m512i) -> __m512i {
        let big_endian =
            _mm512_broadcast_i32x4(_mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f));
        let blocks = _mm512_shuffle_epi8(counters, big_endian);
        _mm512_aesenc_epi128(_mm512_xor_si512(blocks, self.keys[0]), self.keys[1])
    }

    /// The next `N` registers; `None` if fewer are left.
    ///
    /// # Safety
    /// None in functions that have these features themselves; elsewhere, that this value exists.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub fn draw<const N: usize>(&mut self) -> Option<[__m512i; N]> {
        let mut state = self.begin()?;
        for step in 1..=Self::STEPS {
            self.round(step + 1, &mut state);
        }
        Some(self.end(state))
    }

    /// Rounds between [`Self::begin`] and [`Self::end`].
    pub const STEPS: usize = 8;

    /// The next `N` registers after their first round, for [`Self::step`]; `None` if fewer are
    /// left.
    ///
    /// # Safety
    /// As [`Self::draw`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub fn begin<const N: usize>(&mut self) -> Option<[__m512i; N]> {
        self.left = self.left.checked_sub(N)?;
        let last = self.low as u8 as usize;
        let mut state = [self.start; N];
        // One row more than is read: after the last one, the other bytes change.
        if let Some(rows) = self.rows.get(last..=last + 4 * N) {
            for (state, rows) in state.iter_mut().zip(rows.as_chunks::<4>().0) {
                // SAFETY: four rows are 64 bytes.
                let rows = unsafe { _mm512_loadu_si512(rows.as_ptr().cast()) };
                *state = _mm512_xor_si512(*state, rows);
            }
            self.low = self.low.wrapping_add(4 * N as u64);
        } else {
            let counter = _mm_set_epi64x(self.high as i64, self.low as i64);
            let mut counters = _mm512_add_epi64(
                _mm512_broadcast_i32x4(counter),
                _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 3, 0),
            );
            for state in &mut state {
                *state = self.first_round(counters);
                counters = _mm512_add_epi64(counters, _mm512_setr_epi64(4, 0, 4, 0, 4, 0, 4, 0));
            }
            self.low = self.low.wrapping_add(4 * N as u64);
            if !self.rows.is_empty() {
                self.start = self.start();
            }
        }
        Some(state)
    }

    /// Step `step` of 1 to [`Self::STEPS`], each of which is to be done once, in order: a round.
    /// What a compiler makes of the kernel's `values` before comes before it, and what it makes of
    /// them later comes after: so the rounds are spread over the kernel's work, of which a core
    /// sees no more at once than a hundred or two of instructions.
    ///
    /// # Safety
    /// As [`Self::draw`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub fn step(&self, step: usize, state: &mut [__m512i; 4], values: &mut [__m512i; 4]) {
        self.round(step + 1, state);
        let ([a, b, c, d], [w, x, y, z]) = (state, values);
        // SAFETY: an empty text leaves every operand as it is.
        unsafe {
            core::arch::asm!(
                "/* {} {} {} {} {} {} {} {} */",
                inout(zmm_reg) * a,
                inout(zmm_reg) * b,
                inout(zmm_reg) * c,
                inout(zmm_reg) * d,
                inout(zmm_reg) * w,
                inout(zmm_reg) * x,
                inout(zmm_reg) * y,
                inout(zmm_reg) * z,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    fn round<const N: usize>(&self, round: usize, state: &mut [__m512i; N]) {
        for state in state {
            *state = _mm512_aesenc_epi128(*state, self.keys[round]);
        }
    }

    /// The registers after all steps.
    ///
    /// # Safety
    /// As [`Self::draw`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    #[must_use]
    pub fn end<const N: usize>(&self, mut state: [__m512i; N]) -> [__m512i; N] {
        // The size of the key is public.
        if self.long {
            for round in Self::STEPS + 2..14 {
                self.round(round, &mut state);
            }
        }
        for state in &mut state {
            *state = _mm512_aesenclast_epi128(*state, self.last);
        }
        state
    }
}

impl core::fmt::Debug for Beside<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Beside").field("left", &self.left).finish_non_exhaustive()
    }
}
