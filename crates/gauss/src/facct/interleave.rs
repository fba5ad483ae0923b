//! The trials of [`super::vector`] interleaved with encryption: the keystream of the next group is
//! made between the steps of the work on one.
#![allow(unsafe_code)]

use core::arch::x86_64::__m512i;

use tautochrone_ctr::Interleave;
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Ifma, Token, Vaes, vectorize};

use super::centre::Centre;
use super::setup::Table;
use super::vector::{Keystream, Progress, samples_around};
use crate::element::WideSample;

/// IFMA for the trials, VAES for the keystream.
type Tokens = (Ifma, Vaes);
type Register = U64x8<Tokens>;

/// Registers that are made while those before them are worked on, a round of encryption between two
/// steps of the work.
struct Interleaved<'a> {
    token: Tokens,
    keystream: Interleave<'a>,
    /// The next ones, between their rounds.
    ahead: [__m512i; 4],
}

impl<'a> Interleaved<'a> {
    #[inline(always)]
    fn new(token: Tokens, mut keystream: Interleave<'a>) -> Self {
        let zero = Register::zero(token);
        // SAFETY: there is a keystream, so its features were detected.
        let ahead = unsafe { keystream.begin() }.unwrap_or([zero.raw(); 4]);
        let mut interleaved = Self { token, keystream, ahead };
        for step in 1..=Interleave::STEPS {
            interleaved.step(step, &mut [zero; 2], &mut [zero; 2]);
        }
        interleaved
    }
}

impl Keystream<Register> for Interleaved<'_> {
    #[inline(always)]
    fn group(&mut self) -> [Register; 4] {
        let token = self.token;
        // SAFETY: as above.
        let [a, b, c, d] = unsafe { self.keystream.end(self.ahead) };
        // SAFETY: as above. After the last group the steps encrypt nothing of use.
        if let Some(next) = unsafe { self.keystream.begin() } {
            self.ahead = next;
        }
        [
            Register::from_raw(token, a),
            Register::from_raw(token, b),
            Register::from_raw(token, c),
            Register::from_raw(token, d),
        ]
    }

    #[inline(always)]
    fn step(&mut self, step: usize, first: &mut [Register; 2], second: &mut [Register; 2]) {
        let token = self.token;
        let [a, b, c, d] = [first[0], first[1], second[0], second[1]];
        let mut raw = [a.raw(), b.raw(), c.raw(), d.raw()];
        // SAFETY: as above.
        unsafe { self.keystream.step(step, &mut self.ahead, &mut raw) };
        let [a, b, c, d] = raw;
        *first = [Register::from_raw(token, a), Register::from_raw(token, b)];
        *second = [Register::from_raw(token, c), Register::from_raw(token, d)];
    }
}

/// As [`super::vector::trials`], four registers for each group.
pub(super) fn trials<T: WideSample>(
    token: Tokens,
    table: &Table,
    centre: Option<&Centre>,
    keystream: Interleave<'_>,
    samples: &mut [T],
) -> Progress {
    #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
    let groups = keystream.count() / 4;
    vectorize!(token, {
        let keystream = Interleaved::new(token, keystream);
        samples_around(token, table, centre, keystream, groups, samples)
    })
}
