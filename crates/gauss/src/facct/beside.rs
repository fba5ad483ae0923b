//! The trials of [`super::vector`] on registers of keystream, those of the next group encrypted
//! beside the work on one.
#![allow(unsafe_code)]

use core::arch::x86_64::__m512i;

use tautochrone_ctr::{Beside, FirstRound, Registers};
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Ifma, Token, Vaes};

use super::apart::Apart;
use super::batch::MAX_GROUPS;
use super::centre::Centre;
use super::pending::Pending;
use super::setup::Table;
use super::vector::{Feed, Kernel, Progress, samples_around, whole_batch};
use crate::element::Element;

/// IFMA for the trials, VAES for the keystream.
pub(super) type Both = (Ifma, Vaes);
type Octet = U64x8<Both>;

/// Registers that are made while those before them are worked on, a round of encryption between two
/// steps of the work.
struct Keystream<'a> {
    token: Both,
    beside: Beside<'a>,
    /// The next ones, between their rounds.
    ahead: [__m512i; 4],
}

impl<'a> Keystream<'a> {
    #[inline(always)]
    fn new(token: Both, registers: Registers<'a>, space: &'a mut FirstRound) -> Self {
        // SAFETY: there are registers, so their features were detected.
        let mut beside = unsafe { registers.beside_with(space) };
        let none = [Octet::zero(token).raw(); 4];
        // SAFETY: as above.
        let ahead = unsafe { beside.begin() }.unwrap_or(none);
        let mut feed = Self { token, beside, ahead };
        for step in 1..=Beside::STEPS {
            feed.step(step, &mut [Octet::zero(token); 2], &mut [Octet::zero(token); 2]);
        }
        feed
    }
}

impl Feed<Octet> for Keystream<'_> {
    #[inline(always)]
    fn group(&mut self) -> [Octet; 4] {
        let token = self.token;
        // SAFETY: as above.
        let [a, b, c, d] = unsafe { self.beside.end(self.ahead) };
        // SAFETY: as above. After the last group the steps encrypt nothing of use.
        if let Some(next) = unsafe { self.beside.begin() } {
            self.ahead = next;
        }
        [
            Octet::from_raw(token, a),
            Octet::from_raw(token, b),
            Octet::from_raw(token, c),
            Octet::from_raw(token, d),
        ]
    }

    #[inline(always)]
    fn step(&mut self, step: usize, first: &mut [Octet; 2], second: &mut [Octet; 2]) {
        let token = self.token;
        let [a, b, c, d] = [first[0], first[1], second[0], second[1]];
        let mut raw = [a.raw(), b.raw(), c.raw(), d.raw()];
        // SAFETY: as above.
        unsafe { self.beside.step(step, &mut self.ahead, &mut raw) };
        let [a, b, c, d] = raw;
        *first = [Octet::from_raw(token, a), Octet::from_raw(token, b)];
        *second = [Octet::from_raw(token, c), Octet::from_raw(token, d)];
    }
}

/// As [`super::vector::trials`], four registers for each group.
pub(super) fn trials<T: Element>(
    token: Both,
    table: &Table,
    centre: Option<&Centre>,
    registers: Registers<'_>,
    samples: &mut [T],
) -> Progress {
    #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
    let groups = registers.count() / 4;
    let mut space = FirstRound::new();
    token.vectorize(
        #[inline(always)]
        || {
            let feed = Keystream::new(token, registers, &mut space);
            samples_around(token, table, centre, feed, groups, samples)
        },
    )
}

/// Whole batches of trials around `centres[i]` for `out[i]`, four registers for each group, as long
/// as there are registers: how many batches that were. It ends before one that has a decision in
/// doubt, which is then still to be done.
pub(super) fn coordinates(
    token: Both,
    table: &Table,
    centres: &[f64],
    registers: Registers<'_>,
    pending: &mut Pending,
    apart: &mut Apart,
    out: &mut [i64],
) -> usize {
    #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
    let batches = registers.count() / (4 * MAX_GROUPS);
    let mut space = FirstRound::new();
    token.vectorize(
        #[inline(always)]
        || {
            let kernel = Kernel::new(token, table);
            let mut feed = Keystream::new(token, registers, &mut space);
            for batch in 0..batches {
                if !whole_batch(&kernel, &mut feed, centres, pending, apart, out) {
                    return batch;
                }
            }
            batches
        },
    )
}
