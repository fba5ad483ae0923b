//! D_0: which T a fact is about, and under which pads it is proved.

use super::digits::{self, PAD_BOUND};
use super::fact::Fact;
use super::field::P;
use super::opening::LinearForm;
use super::space::Slot;
use super::transcript::{self, Transcript};
use crate::statement::Statement;

/// The transcript of a fact about a statement from D_0 = H("argument", p, w, origin of A', its
/// identifier, r, v, l, dT, block hashes of T, first row of the slot, bound on a digit, fact) on.
pub(super) fn begin(statement: &Statement, slot: Slot, fact: &Fact) -> Transcript {
    let params = statement.params();
    let start = transcript::start()
        .number(P)
        .number(params.w().into())
        .number(params.expansion() as u64)
        .field(statement.matrix_id().as_bytes())
        .number(params.r().into())
        .number(params.v().into())
        .number(params.l())
        .number(params.round_t().into())
        .digests(statement.block_hashes())
        .number(slot.first_row().into())
        .number(PAD_BOUND.into());
    Transcript::begin(fact.fields(start))
}

/// val(kappa_j): the form that reads the pad of a slot.
pub(super) fn pad(slot: Slot) -> LinearForm {
    LinearForm::new((slot.first_row()..).zip(digits::weights()).collect())
}

/// Labels of the messages m and y and of the challenge rho.
pub(super) const MASK: &str = "mask";
pub(super) const VALUES: &str = "values";
pub(super) const RHO: &str = "rho";
