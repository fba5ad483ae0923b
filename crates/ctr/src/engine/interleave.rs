//! [`Interleave`]: keystream in registers, encrypted between the steps of other work.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::vaes::Schedule;

/// Keystream in 512-bit registers: four blocks each, as they would follow each other in memory.
///
/// For kernels that make their numbers from registers and never write the keystream itself. The
/// rounds need one port of a core and wait for each other, so a kernel asks for the registers of
/// its next step before it works on the registers of this one: both are executed alongside. A value
/// of this type proves that AVX-512 (F, BW, DQ, VL) and VAES were detected.
///
/// # Constant time
/// In key, counter and keystream.
#[must_use = "the stream has moved past these bytes"]
pub struct Interleave<'a> {
    /// Round keys; those beyond the last are zeros.
    keys: [__m512i; 15],
    last: __m512i,
    /// The counters of the next register, each as two little-endian halves.
    counters: __m512i,
    /// 14 rounds.
    long: bool,
    left: usize,
    /// The schedule, whose keys these are, is borrowed as long as they are used.
    schedule: PhantomData<&'a Schedule>,
}

impl<'a> Interleave<'a> {
    /// `count` registers from counter `first` on; the low half does not wrap before the last block
    /// that is used.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub(super) fn new(keys: &'a Schedule, rounds: usize, first: u128, count: usize) -> Self {
        let mut all = [_mm512_setzero_si512(); 15];
        for (all, key) in all.iter_mut().zip(keys) {
            // SAFETY: sixteen bytes.
            let key = unsafe { _mm_loadu_si128(key.as_ptr().cast()) };
            *all = _mm512_broadcast_i32x4(key);
        }
        let last = if rounds == 14 { all[14] } else { all[10] };
        let counter = _mm_set_epi64x((first >> 64) as i64, first as i64);
        let counters = _mm512_add_epi64(
            _mm512_broadcast_i32x4(counter),
            _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 3, 0),
        );
        Self { keys: all, last, counters, long: rounds == 14, left: count, schedule: PhantomData }
    }

    /// Registers that are left.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.left
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

    /// Hands every register that is left to `sink`, in order.
    ///
    /// # Safety
    /// As [`Self::draw`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub fn for_each(mut self, mut sink: impl FnMut(__m512i)) {
        while let Some(registers) = self.draw::<8>() {
            for register in registers {
                sink(register);
            }
        }
        while let Some([register]) = self.draw() {
            sink(register);
        }
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
        let big_endian =
            _mm512_broadcast_i32x4(_mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f));
        let four = _mm512_setr_epi64(4, 0, 4, 0, 4, 0, 4, 0);
        let mut state = [self.counters; N];
        for state in &mut state {
            let blocks = _mm512_shuffle_epi8(self.counters, big_endian);
            *state = _mm512_xor_si512(blocks, self.keys[0]);
            self.counters = _mm512_add_epi64(self.counters, four);
        }
        self.round(1, &mut state);
        Some(state)
    }

    /// Step `step` of 1 to [`Self::STEPS`], each of which is to be done once, in order: a round.
    /// The code that a compiler makes of the kernel's `values` before comes before it, and what it
    /// makes of them later comes after: so the rounds are spread over the kernel's work: a core
    /// sees only a hundred or two instructions at once.
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

impl core::fmt::Debug for Interleave<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Interleave").field("left", &self.left).finish_non_exhaustive()
    }
}
