//! The keystream in registers of any width.

/// `for_each` and `run` over registers of `$blocks` blocks, eight at a time.
///
/// A counter is stored as two little-endian halves, counted in the low one, and turned around by a
/// byte shuffle.
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
        /// Hands `count` registers of keystream to `sink`, in order; the low half of the counter
        /// does not wrap before the last block.
        ///
        /// If `sink` does `MUCH`, the last eight registers go to it one by one between the rounds
        /// of the next eight, so that its instructions are executed alongside them: a core looks
        /// ahead a few hundred instructions, not over all rounds of eight registers.
        #[target_feature(enable = $features)]
        #[inline]
        #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
        pub(super) fn for_each<const ROUNDS: usize, const MUCH: bool>(
            keys: &$crate::engine::schedule::Schedule,
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
                    // No instruction: all registers pass here, so the compiler cannot run one
                    // block's rounds after another's.
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

        /// See [`Engine::run`](crate::engine::Engine::run); the low half of the counter does not
        /// wrap before the last block.
        #[target_feature(enable = $features)]
        pub(super) fn run<const ROUNDS: usize>(
            keys: &$crate::engine::schedule::Schedule,
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
pub(super) use kernel;
