//! The trials of [`super::vector`] on registers of keystream, those of the next group encrypted
//! beside the work on one.
#![allow(unsafe_code)]

use core::arch::x86_64::__m512i;

use tautochrone_ctr::{Beside, Registers};
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Ifma, Token, Vaes};

use super::batch::{Accepted, Batch};
use super::centre::Centre;
use super::setup::Table;
use super::vector::{Feed, Progress, around, each};
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
    fn new(token: Both, registers: Registers<'a>) -> Self {
        // SAFETY: there are registers, so their features were detected.
        let mut beside = unsafe { registers.beside() };
        let none = [Octet::zero(token).raw(); 4];
        // SAFETY: as above.
        let ahead = unsafe { beside.begin() }.unwrap_or(none);
        let mut feed = Self { token, beside, ahead };
        for step in 1..=Beside::STEPS {
            feed.step(step, &mut [Octet::zero(token); 2]);
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
    fn step(&mut self, step: usize, values: &mut [Octet; 2]) {
        let token = self.token;
        let mut raw = [values[0].raw(), values[1].raw()];
        // SAFETY: as above.
        unsafe { self.beside.step(step, &mut self.ahead, &mut raw) };
        *values = [Octet::from_raw(token, raw[0]), Octet::from_raw(token, raw[1])];
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
    token.vectorize(
        #[inline(always)]
        || around(token, table, centre, Keystream::new(token, registers), groups, samples),
    )
}

/// As [`super::vector::coordinates`], four registers for each group.
pub(super) fn coordinates(
    token: Both,
    table: &Table,
    centres: &Batch<f64>,
    registers: Registers<'_>,
    values: &mut Batch<i64>,
    accepted: &mut Accepted,
) -> bool {
    #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
    let groups = registers.count() / 4;
    token.vectorize(
        #[inline(always)]
        || {
            let feed = Keystream::new(token, registers);
            each(token, table, centres, feed, groups, values, accepted)
        },
    )
}
