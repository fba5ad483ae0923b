//! AES-NI and VAES: round keys once, then counters that never touch memory.
#![allow(unsafe_code)]

mod aes_ni;
mod schedule;
mod vaes256;
mod vaes512;

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
        // SAFETY: the tokens prove that the instructions were detected.
        unsafe {
            match self.width {
                Width::One(_) => aes_ni::run::<ROUNDS>(&self.keys, first, blocks),
                Width::Two(_) => vaes256::run::<ROUNDS>(&self.keys, first, blocks),
                Width::Four(..) => vaes512::run::<ROUNDS>(&self.keys, first, blocks),
            }
        }
    }
}

impl Drop for X86 {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

/// `run::<ROUNDS>(keys, first, blocks)` over registers of `$blocks` blocks, eight at a time.
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
        /// See [`super::Engine::run`](crate::engine::Engine::run); the low half of the counter does not wrap before the
        /// last block.
        #[target_feature(enable = $features)]
        pub(super) fn run<const ROUNDS: usize>(
            keys: &super::Schedule,
            first: u128,
            blocks: &mut [[u8; 16]],
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

            let (wide, rest) = blocks.as_chunks_mut::<{ $blocks * WAYS }>();
            for wide in wide {
                let mut state: [$register; WAYS] = core::array::from_fn(|_| next());
                for key in &keys[1..ROUNDS] {
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
                }
                for (state, out) in state.iter().zip(wide.as_chunks_mut::<$blocks>().0) {
                    $store(out, $last(*state, keys[ROUNDS]));
                }
            }
            let (single, rest) = rest.as_chunks_mut::<$blocks>();
            let mut one = || {
                let mut state = next();
                for key in &keys[1..ROUNDS] {
                    state = $round(state, *key);
                }
                $last(state, keys[ROUNDS])
            };
            for out in single {
                $store(out, one());
            }
            if !rest.is_empty() {
                let mut last = [[0; 16]; $blocks];
                $store(&mut last, one());
                rest.copy_from_slice(&last[..rest.len()]);
                zeroize::Zeroize::zeroize(&mut last);
            }
        }
    };
}
use kernel;
