//! The response Z = Y + M, and what the rejection step decides from.

use crate::params::Params;

/// Y becomes Z = Y + M; returns <Z, M> and `||M||^2`, exactly.
pub(super) fn add_m(params: &Params, y: &mut [i64], m: &[u32]) -> (i128, u128) {
    let v = params.v() as usize;
    // |z| <= 14 sigma + b l < 2^37 and |m| <= b l < 2^31: a product is below 2^68 and a column's sum may not fit 64 bits.
    let largest = (u128::from(params.entry_bound()) + (1 << 31))
        * u128::from(params.b())
        * u128::from(params.l());
    let narrow = largest * u128::from(params.v()) < 1 << 63;
    let (mut inner, mut norm_squared) = (0_i128, 0_u128);
    for (z, m) in y.chunks_exact_mut(v).zip(m.chunks_exact(v)) {
        let column = z.iter_mut().zip(m.iter().map(|m| i64::from(m.cast_signed())));
        if narrow {
            let (mut column_inner, mut column_norm) = (0, 0);
            for (z, m) in column {
                *z += m;
                column_inner += *z * m;
                column_norm += m * m;
            }
            inner += i128::from(column_inner);
            norm_squared += column_norm as u128;
        } else {
            for (z, m) in column {
                *z += m;
                inner += i128::from(*z) * i128::from(m);
                norm_squared += u128::from(m.unsigned_abs()).pow(2);
            }
        }
    }
    (inner, norm_squared)
}
