//! The fields of D_0 that all arguments have: which A and T they are about.

use crate::hash::Hasher;
use crate::opening::transcript;
use crate::statement::Statement;
use crate::suite::Masks;

/// The fields of A and T in D_0: w, origin of A', its identifier, r, v, l, dT, block hashes of T.
pub(super) fn statement_fields(statement: &Statement) -> Hasher {
    let params = statement.params();
    let fields = transcript::start()
        .number(params.w().into())
        .number(params.expansion() as u64)
        .field(statement.matrix_id().as_bytes())
        .number(params.r().into())
        .number(params.v().into())
        .number(params.l())
        .number(params.round_t().into())
        .digests(statement.block_hashes());
    let Masks::Mixed { .. } = params.masks() else { return fields };
    // Two headers of one T whose bounds differ in parts might bind each alone and not together.
    let bounds = [params.message_norm_bound_squared(), params.norm_bound_squared()];
    let rows = fields.number(params.message_mask_rows().into());
    bounds.iter().fold(rows, |fields, bound| fields.field(&bound.to_le_bytes()))
}
