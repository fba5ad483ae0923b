//! D_0: which T a fact is about, and under which pads it is proved.

use super::digits::{self, DIGITS, PAD_BOUND};
use super::fact::Fact;
use super::field::P;
use super::opening::LinearForm;
use super::slot::Slot;
use super::transcript::{self, Transcript};
use crate::hash::Hasher;
use crate::statement::Statement;

/// The transcript of a fact about a statement from D_0 on, which ends with the fact.
pub(super) fn begin(statement: &Statement, slot: Slot, fact: &Fact) -> Transcript {
    Transcript::begin(fact.fields(fields(statement, slot.first_row())))
}

/// D_0 = H("argument", p, w, origin of A', its identifier, r, v, l, dT, block hashes of T, first
/// row of the pads, bound on a digit, claim) without the claim.
pub(super) fn fields(statement: &Statement, first_row: u32) -> Hasher {
    fields_with(statement, first_row, PAD_BOUND)
}

/// The same with digits of pads up to another bound.
pub(super) fn fields_with(statement: &Statement, first_row: u32, digit_bound: u32) -> Hasher {
    let params = statement.params();
    transcript::start()
        .number(P)
        .number(params.w().into())
        .number(params.expansion() as u64)
        .field(statement.matrix_id().as_bytes())
        .number(params.r().into())
        .number(params.v().into())
        .number(params.l())
        .number(params.round_t().into())
        .digests(statement.block_hashes())
        .number(first_row.into())
        .number(digit_bound.into())
}

/// val(kappa_j): the form that reads the pad of a slot.
pub(super) fn pad(slot: Slot) -> LinearForm {
    LinearForm::new((slot.first_row()..).zip(digits::weights(PAD_BOUND, DIGITS as u32)).collect())
}

/// Labels of the messages m and y and of the challenge rho.
pub(super) const MASK: &str = "mask";
pub(super) const VALUES: &str = "values";
pub(super) const RHO: &str = "rho";
