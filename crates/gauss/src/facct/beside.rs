//! The trials of [`super::vector`] on registers of keystream, those of the next group encrypted
//! beside the work on one.
#![allow(unsafe_code)]

use tautochrone_ctr::{Beside, Registers};
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Ifma, Token, Vaes};

use super::batch::{Accepted, Batch, Element};
use super::centre::Centre;
use super::setup::Table;
use super::vector::{Feed, Progress, around, each};

/// IFMA for the trials, VAES for the keystream.
pub(super) type Both = (Ifma, Vaes);
type Octet = U64x8<Both>;

/// Registers that are made while those before them are worked on.
struct Keystream<'a> {
    token: Both,
    beside: Beside<'a>,
    ahead: [Octet; 4],
}

impl<'a> Keystream<'a> {
    #[inline(always)]
    fn new(token: Both, registers: Registers<'a>) -> Self {
        // SAFETY: there are registers, so their features were detected.
        let beside = unsafe { registers.beside() };
        let mut feed = Self { token, beside, ahead: [Octet::zero(token); 4] };
        feed.group();
        feed
    }
}

impl Feed<Octet> for Keystream<'_> {
    #[inline(always)]
    fn group(&mut self) -> [Octet; 4] {
        let group = self.ahead;
        // SAFETY: as above.
        if let Some([a, b, c, d]) = unsafe { self.beside.draw() } {
            let token = self.token;
            self.ahead = [
                Octet::from_raw(token, a),
                Octet::from_raw(token, b),
                Octet::from_raw(token, c),
                Octet::from_raw(token, d),
            ];
        }
        group
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
    let groups = registers.count() / 4;
    token.vectorize(
        #[inline(always)]
        || {
            let feed = Keystream::new(token, registers);
            each(token, table, centres, feed, groups, values, accepted)
        },
    )
}
