//! [`Spread`]: rounds of encryption between the steps of the work on octets.
#![allow(unsafe_code)]

use core::arch::x86_64::__m512i;

use tautochrone_ctr::Beside;
use tautochrone_simd::Token;
use tautochrone_simd::vector::{U64x8, Vector};

use super::block::{BLOCK, Block};
use super::layout::{Layout, Side};
use super::vector::{Between, octets};
use crate::keystream::{Both, Register};

/// Four registers of keystream at a time, a round of them with each step.
pub(super) struct Spread<'a, 'b> {
    token: Both,
    keystream: &'a mut Beside<'b>,
    /// Where they go.
    missing: core::slice::IterMut<'a, [Register; 4]>,
    state: [__m512i; 4],
    /// Rounds that they have had.
    rounds: usize,
}

impl<'a, 'b> Spread<'a, 'b> {
    #[inline(always)]
    pub(super) fn new(
        token: Both,
        keystream: &'a mut Beside<'b>,
        missing: &'a mut [[Register; 4]],
    ) -> Self {
        let state = [U64x8::zero(token).raw(); 4];
        // SAFETY: there is a keystream, so its features were detected.
        let state = unsafe { keystream.begin() }.unwrap_or(state);
        Self { token, keystream, missing: missing.iter_mut(), state, rounds: 0 }
    }

    /// The registers that have had all rounds.
    #[inline(always)]
    fn store(&mut self) {
        // SAFETY: as above.
        let made = unsafe { self.keystream.end(self.state) };
        if let Some(places) = self.missing.next() {
            for (place, register) in places.iter_mut().zip(made) {
                U64x8::from_raw(self.token, register).store_bytes(place);
            }
        }
    }
}

/// As [`super::vector::trials`] of a whole block, beside the keystream of `missing`, which has a
/// register for each eight words of the trials.
pub(super) fn trials<const WORDS: usize, const WIDE: bool>(
    token: Both,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    keystream: &mut Beside<'_>,
    missing: &mut [[Register; 4]],
    block: &mut Block,
) {
    token.vectorize(
        #[inline(always)]
        || {
            let mut spread = Spread::new(token, keystream, missing);
            octets::<U64x8<_>, WORDS, WIDE>(token, layout, sides, words, BLOCK, &mut spread, block);
            spread.store();
        },
    );
}

impl Between<U64x8<Both>> for Spread<'_, '_> {
    #[inline(always)]
    fn octet(&mut self) {
        if self.rounds < Beside::STEPS {
            return;
        }
        self.rounds = 0;
        self.store();
        // SAFETY: as above. After the last block the steps encrypt nothing of use.
        if let Some(state) = unsafe { self.keystream.begin() } {
            self.state = state;
        }
    }

    #[inline(always)]
    fn step(&mut self, [a, b, c, d]: [U64x8<Both>; 4]) -> [U64x8<Both>; 4] {
        self.rounds += 1;
        let mut values = [a.raw(), b.raw(), c.raw(), d.raw()];
        // SAFETY: as above.
        unsafe { self.keystream.step(self.rounds, &mut self.state, &mut values) };
        let [a, b, c, d] = values;
        [
            U64x8::from_raw(self.token, a),
            U64x8::from_raw(self.token, b),
            U64x8::from_raw(self.token, c),
            U64x8::from_raw(self.token, d),
        ]
    }
}
