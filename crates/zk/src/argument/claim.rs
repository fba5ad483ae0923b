//! D_0: which T a fact is about, and under which pads it is proved.

use super::digits::PAD_BOUND;
use super::field::P;
use super::transcript;
use crate::hash::Hasher;
use crate::statement::Statement;

/// D_0 = H("argument", p, w, origin of A', its identifier, r, v, l, dT, block hashes of T, first
/// row of the pads, bound on a digit, claim) without the claim.
pub(super) fn fields(statement: &Statement, first_row: u32) -> Hasher {
    fields_with(statement, first_row, PAD_BOUND)
}

/// The same with digits of pads up to another bound.
pub(super) fn fields_with(statement: &Statement, first_row: u32, digit_bound: u32) -> Hasher {
    statement_fields(statement).number(first_row.into()).number(digit_bound.into())
}

/// What D_0 says of A and T in all arguments.
pub(super) fn statement_fields(statement: &Statement) -> Hasher {
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
}
