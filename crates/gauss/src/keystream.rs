//! The keystream of the block after the one that is worked on, on AVX-512 with VAES.
#![allow(unsafe_code)]

use tautochrone_ctr::Beside;
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Avx512, Token, Vaes};

use crate::meanwhile::Meanwhile;

/// AVX-512 for the work, VAES for the keystream.
pub(crate) type Both = (Avx512, Vaes);

/// The bytes of a register.
pub(crate) type Register = [u8; 64];

/// Registers of the next block that are still to be made.
pub(crate) struct Next<'a, 'b> {
    pub(crate) token: Both,
    keystream: &'a mut Beside<'b>,
    missing: &'a mut [Register],
}

impl<'a, 'b> Next<'a, 'b> {
    /// All of `missing` is to be made.
    pub(crate) const fn new(
        token: Both,
        keystream: &'a mut Beside<'b>,
        missing: &'a mut [Register],
    ) -> Self {
        Self { token, keystream, missing }
    }

    /// Four of them, side by side, if so many are missing.
    #[inline(always)]
    fn four(&mut self) {
        let missing = core::mem::take(&mut self.missing);
        self.missing = make::<4>(self.token, self.keystream, missing);
    }

    /// What is still missing.
    pub(crate) fn complete(self) {
        let Self { token, keystream, missing } = self;
        token.vectorize(
            #[inline(always)]
            || finish(token, keystream, missing),
        );
    }
}

impl Meanwhile for Next<'_, '_> {
    /// Four registers, side by side; what more a block has is made in the end.
    #[inline(always)]
    fn step(&mut self) {
        self.four();
    }
}

/// As [`Next`], spread over as many steps as a block has groups of 64 lanes or trials.
pub(crate) struct Paced<'a, 'b> {
    next: Next<'a, 'b>,
    /// Fours of registers to be made.
    fours: usize,
    /// Eighths of a four that have fallen due.
    due: usize,
}

/// Steps of a block.
const STEPS: usize = 8;

impl<'a, 'b> Paced<'a, 'b> {
    pub(crate) const fn new(next: Next<'a, 'b>) -> Self {
        Self { fours: next.missing.len().div_ceil(4), next, due: 0 }
    }

    /// What is still missing.
    pub(crate) fn complete(self) {
        self.next.complete();
    }
}

impl Meanwhile for Paced<'_, '_> {
    /// What falls due with a step. Never inlined: the registers of a kernel are its own between two
    /// steps, and a core executes what comes after a step alongside it.
    fn step(&mut self) {
        self.next.token.vectorize(
            #[inline(always)]
            || {
                self.due += self.fours;
                while self.due >= STEPS {
                    self.due -= STEPS;
                    self.next.four();
                }
            },
        );
    }
}

/// The next `N` registers, if as many are missing, to the front of `missing`; what is missing then.
#[inline(always)]
pub(crate) fn make<'a, const N: usize>(
    token: Both,
    keystream: &mut Beside<'_>,
    missing: &'a mut [Register],
) -> &'a mut [Register] {
    if missing.len() < N {
        return missing;
    }
    let (places, rest) = missing.split_at_mut(N);
    // SAFETY: there is a keystream, so its features were detected. After the last block it gives
    // none.
    if let Some(registers) = unsafe { keystream.draw::<N>() } {
        for (place, register) in places.iter_mut().zip(registers) {
            U64x8::from_raw(token, register).store_bytes(place);
        }
    }
    rest
}

/// All that are missing, none of them alone: the rounds of one register wait for each other.
#[inline(always)]
pub(crate) fn finish(token: Both, keystream: &mut Beside<'_>, mut missing: &mut [Register]) {
    while missing.len() > 1 {
        missing = match missing.len() {
            2 => make::<2>(token, keystream, missing),
            3 => make::<3>(token, keystream, missing),
            5 | 9 => make::<5>(token, keystream, missing),
            _ => make::<4>(token, keystream, missing),
        };
    }
    if !missing.is_empty() {
        make::<1>(token, keystream, missing);
    }
}
