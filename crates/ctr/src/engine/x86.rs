//! AES-NI and VAES: round keys once, then counters that never touch memory.
#![allow(unsafe_code)]

mod aes_ni;
mod schedule;
mod vaes256;
mod vaes512;

use core::arch::x86_64::__m512i;

use tautochrone_simd::{AesNi, Avx512, Isa, Vaes};
use zeroize::Zeroize;

use crate::stream::BLOCK;

/// Round keys: 11 of AES-128, 15 of AES-256; the rest are zero.
pub(super) type Schedule = [[u8; BLOCK]; 15];

/// Which kernel runs, with the proof that it can.
#[derive(Clone, Copy)]
enum Width {
    One(AesNi),
    Two(Vaes),
    Four(Vaes, Avx512),
}

/// AES under one key, on the instructions chosen.
pub(crate) struct X86 {
    keys: Schedule,
    /// 10 or 14.
    rounds: usize,
    width: Width,
}

impl X86 {
    /// The key has 16 or 32 bytes.
    pub(super) fn new(isa: Isa, token: AesNi, key: &[u8]) -> Self {
        let width = match (isa.vaes(), isa.avx512()) {
            (Some(vaes), Some(avx512)) => Width::Four(vaes, avx512),
            (Some(vaes), None) => Width::Two(vaes),
            (None, _) => Width::One(token),
        };
        let rounds = if key.len() == 16 { 10 } else { 14 };
        Self { keys: schedule::expand(token, key), rounds, width }
    }

    /// See [`super::Engine::run`]; the low half of the counter does not wrap before the last block.
    pub(super) fn run(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        match self.rounds {
            10 => self.run_rounds::<10>(first, blocks),
            _ => self.run_rounds::<14>(first, blocks),
        }
    }

    fn run_rounds<const ROUNDS: usize>(&self, first: u128, blocks: &mut [[u8; BLOCK]]) {
        let len = blocks.len();
        // SAFETY: the tokens prove that the instructions were detected.
        let rest = unsafe {
            match self.width {
                Width::One(_) => blocks,
                Width::Two(_) => {
                    let (whole, rest) = blocks.as_chunks_mut();
                    vaes256::run::<ROUNDS>(&self.keys, first, whole);
                    rest
                }
                Width::Four(..) => {
                    let (whole, rest) = blocks.as_chunks_mut();
                    vaes512::run::<ROUNDS>(&self.keys, first, whole);
                    rest
                }
            }
        };
        if !rest.is_empty() {
            let first = first.wrapping_add((len - rest.len()) as u128);
            let (single, _) = rest.as_chunks_mut();
            // SAFETY: every token includes AES-NI.
            unsafe { aes_ni::run::<ROUNDS>(&self.keys, first, single) }
        }
    }

    /// The next `count` registers of four blocks from counter `first` on, on AVX-512 with VAES; the low half of the
    /// counter does not wrap before the last block.
    pub(crate) fn registers(&self, first: u128, count: usize) -> Option<Registers<'_>> {
        match self.width {
            Width::Four(..) => {
                Some(Registers { keys: &self.keys, rounds: self.rounds, first, count })
            }
            _ => None,
        }
    }
}

/// Keystream in 512-bit registers: four blocks each, as they would follow each other in memory.
///
/// For samplers that make their numbers from the registers and never write the keystream itself, while the next blocks
/// are being encrypted. A value of this type proves that AVX-512 (F, BW, DQ, VL) and VAES were detected.
///
/// # Constant time
/// In key, counter and keystream.
#[must_use = "the stream has moved past these bytes"]
pub struct Registers<'a> {
    keys: &'a Schedule,
    rounds: usize,
    first: u128,
    count: usize,
}

impl Registers<'_> {
    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Hands each to `sink`, in order.
    ///
    /// # Safety
    /// None in functions that have these features themselves; elsewhere, that this value exists.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,popcnt")]
    #[inline]
    pub fn for_each(self, sink: impl FnMut(__m512i)) {
        match self.rounds {
            10 => vaes512::for_each::<10, true>(self.keys, self.first, self.count, sink),
            _ => vaes512::for_each::<14, true>(self.keys, self.first, self.count, sink),
        }
    }
}

impl core::fmt::Debug for Registers<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Registers").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Drop for X86 {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

/// `for_each` and `run` over registers of `$blocks` blocks, eight at a time.
///
/// A counter is kept as two little-endian halves, counted in the low one, and turned around by a byte shuffle.
macro_rules! kernel {
    (
        features: $features:literal,
        register: $register:ty, class: $class:ident,
        blocks: $blocks:literal,
        key: $key:expr,
        first: $first:expr,
        add: $add:ident, step: $step:expr,
        reverse: $reverse:expr,
        xor: $xor:ident, round: $round:ident, last: $last:ident,
        store: $store:expr,
    ) => {
        /// Hands `count` registers of keystream to `sink`, in order; the low half of the counter does not wrap before the
        /// last block.
        ///
        /// If `sink` does `MUCH`, the last eight registers go to it one by one between the rounds of the next eight, so that its
        /// instructions are executed beside them: a core looks ahead a few hundred instructions, not over all rounds of
        /// eight registers.
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn for_each<const ROUNDS: usize, const MUCH: bool>(
            keys: &super::Schedule,
            first: u128,
            count: usize,
            mut sink: impl FnMut($register),
        ) {
            /// Registers in flight: they hide the latency of a round.
            const WAYS: usize = 8;
            let keys: [$register; 15] = core::array::from_fn(|i| $key(&keys[i]));
            let mut counter: $register = $first(first);
            let mut next = || {
                let block = $reverse(counter);
                counter = $add(counter, $step($blocks));
                $xor(block, keys[0])
            };

            let mut last: Option<[$register; WAYS]> = None;
            for _ in 0..count / WAYS {
                let mut state: [$register; WAYS] = core::array::from_fn(|_| next());
                for (i, key) in keys[1..ROUNDS].iter().enumerate() {
                    for state in &mut state {
                        *state = $round(*state, *key);
                    }
                    // No instruction: all registers pass here, so the compiler can not run one block's rounds after
                    // another's.
                    let [a, b, c, d, e, f, g, h] = &mut state;
                    // SAFETY: an empty text leaves every operand as it is.
                    unsafe {
                        core::arch::asm!(
                            "/* {} {} {} {} {} {} {} {} */",
                            inout($class) * a,
                            inout($class) * b,
                            inout($class) * c,
                            inout($class) * d,
                            inout($class) * e,
                            inout($class) * f,
                            inout($class) * g,
                            inout($class) * h,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                    if MUCH
                        && i < WAYS
                        && let Some(last) = &last
                    {
                        sink(last[i]);
                    }
                }
                let state = state.map(|state| $last(state, keys[ROUNDS]));
                if MUCH {
                    last = Some(state);
                } else {
                    for register in state {
                        sink(register);
                    }
                }
            }
            if MUCH && let Some(last) = &last {
                for register in last {
                    sink(*register);
                }
            }
            for _ in 0..count % WAYS {
                let mut state = next();
                for key in &keys[1..ROUNDS] {
                    state = $round(state, *key);
                }
                sink($last(state, keys[ROUNDS]));
            }
        }

        /// See [`super::Engine::run`](crate::engine::Engine::run); the low half of the counter does not wrap before the
        /// last block.
        #[target_feature(enable = $features)]
        pub(super) fn run<const ROUNDS: usize>(
            keys: &super::Schedule,
            first: u128,
            blocks: &mut [[[u8; 16]; $blocks]],
        ) {
            let mut blocks = blocks.iter_mut();
            for_each::<ROUNDS, false>(keys, first, blocks.len(), |register| {
                if let Some(out) = blocks.next() {
                    $store(out, register);
                }
            });
        }
    };
}
use kernel;
