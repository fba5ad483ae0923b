//! The parameters for which statement and proof together are shortest.

use alloc::vec::Vec;

use super::super::field::ELEMENT_LEN;
use super::digits::DIGIT_BOUND;
use super::layout::Layout;
use crate::error::Error;
use crate::params::{CustomParams, Goal, Security};

/// Bound on the randomness. A larger one hides with fewer rows and makes Z longer: of 3 to 127,
/// this one is within two percent of the best for 2^10 to 2^20 wires, and two bytes of 256 are
/// rejected when it is drawn.
const RANDOMNESS_BOUND: u32 = 63;
/// Largest mu_1 that is tried.
const MAX_ROW_ROUNDS: u32 = 13;

/// Numbers of elements in a column that are tried, in ascending order.
pub(super) fn possible_elements() -> impl Iterator<Item = u32> {
    (1..=MAX_ROW_ROUNDS).map(|log2| (1 << log2) - 1)
}

/// A way to place elements in columns, of which `sent` elements of K are sent besides the values of
/// columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) layout: Layout,
    pub(super) columns: u64,
    pub(super) sent: u64,
}

/// The parameters for which statement and proof together are shortest, with 128 bits of security:
/// of candidates with ever more elements in a column, for so many wires.
///
/// # Errors
/// [`Error::NoParameters`] if there are none.
pub(super) fn shortest(candidates: Vec<Candidate>, wires: u64) -> Result<CustomParams, Error> {
    // The more elements a column has, the shorter T is, and the longer Z.
    let mut best: Option<(u128, CustomParams)> = None;
    let mut failure = Error::NoParameters { w: 64, b: DIGIT_BOUND, l: wires };
    for Candidate { layout, columns, sent } in candidates.into_iter().rev() {
        let goal = Goal { digit_rows: layout.rows(), ..Goal::new(RANDOMNESS_BOUND, columns) };
        match goal.optimise() {
            Ok(custom) => {
                let params = custom.validate(Security::Waived)?;
                let argument = ELEMENT_LEN as u64 * (columns + sent);
                let proof = params.expected_proof_bytes() + argument;
                let bytes = params.statement_bytes() + u128::from(proof);
                if best.is_some_and(|(least, _)| least <= bytes) {
                    break;
                }
                best = Some((bytes, custom));
            }
            Err(error) => failure = error,
        }
    }
    best.map(|(_, custom)| custom).ok_or(failure)
}
