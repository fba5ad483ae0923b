//! A rigorous upper bound on the largest singular value of S, for binary challenges.
//!
//! Power iteration would give a *lower* bound, and the largest row sum, which some implementations use, is no bound at all.

use nalgebra::DMatrix;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
use tautochrone_simd::Isa;
use zeroize::Zeroize;

use crate::engine::small_bits;
use crate::error::Error;
use crate::matrix::for_column_groups;
use crate::params::Params;
use crate::witness::WitnessSource;

/// Largest v for which s^2 I - S S^T is factored: 512 MiB of `f64`.
const MAX_FACTORED: u32 = 8192;

/// Certifies s1(S) <= `bound`, or refuses.
///
/// First by s1 <= min(`||S||_F`, sqrt(`||S||_1 ||S||_inf`)), in integers. Then, for v <= 8192, by factoring: s1 < s exactly if
/// s^2 I - S S^T is positive definite. The Gram matrix S S^T is computed in integers; that the floating-point Cholesky
/// factorisation of s^2 I - S S^T - c I runs to its end proves positive definiteness, with c >= gamma_{v+2} / (1 -
/// gamma_{v+2}) trace, gamma_k = k u / (1 - k u), u = 2^-53 (Rump, Verification of positive definiteness, BIT 46, 2006,
/// theorem 2.3); we take twice that.
///
/// # Errors
/// [`Error::OperatorNorm`] if the bound is not certified; it then may or may not hold.
///
/// # Variable time
/// In S: floating-point division and square roots. In binary mode a prover runs it once for each proof.
pub fn certify_operator_norm_vartime(
    isa: Isa,
    params: &Params,
    witness: &dyn WitnessSource,
    bound: u64,
) -> Result<(), Error> {
    let square = u128::from(bound) * u128::from(bound);
    if simple_bound_squared(params, witness)? <= square {
        return Ok(());
    }
    if params.v() > MAX_FACTORED {
        return Err(Error::OperatorNorm { bound });
    }
    let mut gram = gram_matrix(isa, params, witness)?;
    let v = params.v() as usize;
    // Entries are below b^2 l < 2^38, so exact in f64; s^2 < 2^53 where this point is reached with sense: a larger bound
    // than ||S||_F has been accepted above.
    let mut matrix = DMatrix::from_iterator(v, v, gram.iter().map(|&g| -(g.cast_signed() as f64)));
    gram.zeroize();
    let trace = v as f64 * square as f64;
    let shift = 2.0 * (v as f64 + 3.0) * f64::EPSILON * trace;
    for i in 0..v {
        matrix[(i, i)] += square as f64 - shift;
    }
    match matrix.cholesky() {
        Some(factor) => {
            factor.unpack().as_mut_slice().zeroize();
            Ok(())
        }
        None => Err(Error::OperatorNorm { bound }),
    }
}

/// min(`||S||_F^2`, `||S||_1 ||S||_inf`).
fn simple_bound_squared(params: &Params, witness: &dyn WitnessSource) -> Result<u128, Error> {
    let v = params.v() as usize;
    let mut rows = vec![0_u64; v];
    let (mut largest_column, mut frobenius) = (0_u64, 0_u128);
    for_column_groups(params, witness, |_, columns| {
        for column in columns.chunks_exact(v) {
            let mut sum = 0;
            for (row, s) in rows.iter_mut().zip(column) {
                let s = u64::from(s.unsigned_abs());
                *row += s;
                sum += s;
                frobenius += u128::from(s * s);
            }
            largest_column = largest_column.max(sum);
        }
        Ok(())
    })?;
    let largest_row = rows.iter().copied().max().unwrap_or(0);
    rows.zeroize();
    Ok(frobenius.min(u128::from(largest_row) * u128::from(largest_column)))
}

/// S S^T, v x v, as 64-bit integers in two's complement.
fn gram_matrix(isa: Isa, params: &Params, witness: &dyn WitnessSource) -> Result<Vec<u64>, Error> {
    let v = params.v() as usize;
    let mut gram = vec![0_u64; v * v];
    let multiplier = Multiplier::new_on(isa);
    for_column_groups(params, witness, |_, columns| {
        let s = Matrix::column_major(columns, v, columns.len() / v).expect("whole columns");
        let s = s.with_bits(small_bits(params));
        let z = MatrixMut::column_major(&mut gram, v, v).expect("v x v");
        multiplier.multiply_add(s, s.transposed(), z).expect("shapes agree");
        Ok(())
    })?;
    Ok(gram)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{CustomParams, Preset, Security};
    use crate::witness::Witness;
    use proptest::prelude::*;

    fn certified(params: &Params, entries: &[i8], bound: u64) -> bool {
        let witness = Witness::new(params, entries.to_vec()).unwrap();
        certify_operator_norm_vartime(Isa::detect(), params, &witness, bound).is_ok()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// Against nalgebra's singular values: never an underestimate, and tight.
        #[test]
        fn certification_agrees_with_singular_values(
            v in 2_u32..24,
            l in 1_u64..40,
            scale in prop::sample::select(&[1_i8, 5, 100][..]),
            seed in prop::collection::vec(-1.0_f64..1.0, 24 * 40),
            rank_one: bool,
        ) {
            let custom = CustomParams { v, r: 1, l, b: 127, w: 64, sigma: Some(1000), ..Preset::T4_128.custom() };
            let params = custom.validate(Security::Waived).unwrap();
            let count = v as usize * l as usize;
            let entries: Vec<i8> = if rank_one {
                vec![scale; count]
            } else {
                seed[..count].iter().map(|x| (x * f64::from(scale)).round() as i8).collect()
            };
            let dense = DMatrix::from_iterator(v as usize, l as usize, entries.iter().map(|&s| f64::from(s)));
            let s1 = dense.singular_values().max();
            let below = (s1 * 0.999) as u64;
            if below > 0 && (below as f64) < s1 * 0.999_999 {
                prop_assert!(!certified(&params, &entries, below), "s1 = {s1} certified as {below}");
            }
            let above = (s1 * 1.001).ceil() as u64 + 1;
            prop_assert!(certified(&params, &entries, above), "s1 = {s1} not certified as {above}");
        }
    }

    /// The largest row sum of absolute values, used as a bound elsewhere, is exceeded by a column of ones.
    #[test]
    fn row_sums_are_no_bound() {
        let custom =
            CustomParams { v: 20, r: 1, l: 1, w: 64, sigma: Some(1000), ..Preset::T4_128.custom() };
        let params = custom.validate(Security::Waived).unwrap();
        let ones = vec![1; 20];
        assert!(!certified(&params, &ones, 1), "every row sums to 1, s1 is sqrt(20)");
        assert!(certified(&params, &ones, 5));
    }
}
