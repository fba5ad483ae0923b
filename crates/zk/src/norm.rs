//! A rigorous upper bound on the largest singular value of S, for binary challenges.
//!
//! Power iteration would give a *lower* bound, and the largest row sum, which some implementations
//! use, is no bound at all.

use alloc::vec::Vec;

use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use crate::entry::parts_of;
use crate::error::{Error, WitnessProblem};
use crate::params::Params;
use crate::products::small_bits;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::for_column_groups;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// Largest v for which s^2 I - S S^T is factored: 512 MiB of `f64`.
const MAX_FACTORED: u32 = 8192;

/// Certifies s1(S) <= `bound`, or refuses.
///
/// First by s1 <= min(`||S||_F`, sqrt(`||S||_1 ||S||_inf`)), in integers. Then, for v <= 8192, by
/// factoring: s1 < s exactly if s^2 I - S S^T is positive definite. The Gram matrix S S^T is
/// computed in integers; that the floating-point Cholesky factorisation of s^2 I - S S^T - c I runs
/// to its end proves positive definiteness, with c >= gamma_{v+2} / (1 - gamma_{v+2}) trace,
/// gamma_k = k u / (1 - k u), u = 2^-53 (Rump, Verification of positive definiteness, BIT 46, 2006,
/// theorem 2.3); we take twice that.
///
/// # Errors
/// [`Error::Witness`] if the bound is not certified; it then may or may not hold.
///
/// # Variable time
/// In S: floating-point division and square roots. In binary mode a prover runs it once for each
/// proof.
pub(crate) fn certify_operator_norm_vartime(
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
        return Err(Error::Witness(WitnessProblem::OperatorNorm { bound }));
    }
    let gram = gram_matrix(isa, params, witness)?;
    let v = params.v() as usize;
    // Entries are below b^2 l < 2^38, so exact in f64; s^2 < 2^53 where this point is reached with
    // sense: a larger bound than ||S||_F has been accepted above.
    let square = square as f64;
    let shift = 2.0 * (v as f64 + 3.0) * f64::EPSILON * (v as f64 * square);
    let negated = gram.iter().map(|&g| -(g.cast_signed() as f64));
    let mut matrix: Zeroizing<Vec<f64>> = Zeroizing::new(negated.collect());
    for diagonal in matrix.iter_mut().step_by(v + 1) {
        *diagonal += square - shift;
    }
    if factor(&mut matrix, v) {
        Ok(())
    } else {
        Err(Error::Witness(WitnessProblem::OperatorNorm { bound }))
    }
}

/// Columns that are brought up to date together, so that those before them are read once for all.
const PANEL: usize = 64;
/// Columns of a panel that one task updates.
const TASK: usize = 8;

/// Cholesky's factorisation of a symmetric n x n matrix in place, of which the lower triangle is
/// read and overwritten, column after column; false if a pivot is not positive.
fn factor(matrix: &mut [f64], n: usize) -> bool {
    for start in (0..n).step_by(PANEL) {
        let (before, rest) = matrix.split_at_mut(start * n);
        let count = PANEL.min(n - start);
        let panel = &mut rest[..count * n];
        crate::parallel::for_chunks(panel, TASK * n, |task, columns| {
            for earlier in before.chunks_exact(n) {
                for (j, column) in (start + task * TASK..).zip(columns.chunks_exact_mut(n)) {
                    eliminate(&mut column[j..], &earlier[j..]);
                }
            }
        });
        for k in 0..count {
            let j = start + k;
            let (before, column) = panel.split_at_mut(k * n);
            let column = &mut column[j..n];
            for earlier in before.chunks_exact(n) {
                eliminate(column, &earlier[j..]);
            }
            let pivot = column[0];
            if pivot.is_nan() || pivot <= 0.0 {
                return false;
            }
            let root = pivot.sqrt();
            for x in column {
                *x /= root;
            }
        }
    }
    true
}

/// Subtracts the part of an earlier column of the factor, both from the row of the diagonal on.
fn eliminate(column: &mut [f64], earlier: &[f64]) {
    let factor = earlier[0];
    for (x, &l) in column.iter_mut().zip(earlier) {
        *x -= factor * l;
    }
}

/// min(`||S||_F^2`, `||S||_1 ||S||_inf`).
fn simple_bound_squared(params: &Params, witness: &dyn WitnessSource) -> Result<u128, Error> {
    let v = params.v() as usize;
    let mut rows = Zeroizing::new(vec![0_u64; v]);
    let (mut largest_column, mut frobenius) = (0_u64, 0_u128);
    for_column_groups(params, witness, Shard::whole(params), &mut |_, columns: &[i8]| {
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
    Ok(frobenius.min(u128::from(largest_row) * u128::from(largest_column)))
}

/// S S^T, v x v, as 64-bit integers in two's complement.
fn gram_matrix(
    isa: Isa,
    params: &Params,
    witness: &dyn WitnessSource,
) -> Result<Zeroizing<Vec<u64>>, Error> {
    let v = params.v() as usize;
    let mut gram = Zeroizing::new(vec![0_u64; v * v]);
    let multiplier = Multiplier::new_on(isa);
    for_column_groups(params, witness, Shard::whole(params), &mut |_, columns: &[i8]| {
        let s = Matrix::column_major(columns, v, parts_of(columns, v)).expect("whole columns");
        let s = s.with_bits(small_bits(params));
        let z = MatrixMut::column_major(&mut gram, v, v).expect("v x v");
        multiplier.product(s, s.transposed()).add_to(z).expect("shapes agree");
        Ok(())
    })?;
    Ok(gram)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::waived;
    use crate::params::CustomParams;
    use crate::preset::Preset;
    use crate::witness::Witness;
    use nalgebra::DMatrix;
    use proptest::prelude::*;

    const T4: CustomParams = Preset::T4_128.custom();

    /// Whether the bound of an S of v rows, column after column, is certified.
    fn certified(v: usize, entries: &[i8], bound: u64) -> bool {
        let (l, sigma) = ((entries.len() / v) as u64, Some(1000));
        let custom = CustomParams { v: v as u32, r: 1, l, b: 127, w: 64, sigma, ..T4 };
        let params = waived(custom);
        let witness = Witness::new(&params, entries.to_vec()).unwrap();
        certify_operator_norm_vartime(Isa::detect(), &params, &witness, bound).is_ok()
    }

    /// s1(S) within some 10^-8 of it: the Frobenius norm of (S S^T)^N, N = 2^29, is s1^(2 N), or up
    /// to sqrt(v) times as much.
    fn largest_singular_value(s: &DMatrix<f64>) -> f64 {
        let (mut power, mut log) = (s * s.transpose(), 0.0);
        for k in 0..30 {
            let norm = power.norm();
            log += norm.ln() / f64::from(1 << k);
            // S may be 0.
            power /= norm.max(f64::MIN_POSITIVE);
            power = &power * &power;
        }
        f64::exp(log / 2.0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// Never an underestimate, and tight.
        #[test]
        fn certification_agrees_with_singular_values(
            v in 2_usize..24,
            l in 1_usize..40,
            scale in prop::sample::select(&[1_i8, 5, 100][..]),
            seed in prop::collection::vec(-1.0_f64..1.0, 24 * 40),
            rank_one: bool,
        ) {
            let count = v * l;
            let entries: Vec<i8> = if rank_one {
                vec![scale; count]
            } else {
                seed[..count].iter().map(|x| (x * f64::from(scale)).round() as i8).collect()
            };
            let dense = DMatrix::from_iterator(v, l, entries.iter().map(|&s| f64::from(s)));
            let s1 = largest_singular_value(&dense);
            let below = (s1 * 0.999) as u64;
            if below > 0 && (below as f64) < s1 * 0.999_999 {
                prop_assert!(!certified(v, &entries, below), "s1 = {s1} certified as {below}");
            }
            let above = (s1 * 1.001).ceil() as u64 + 1;
            prop_assert!(certified(v, &entries, above), "s1 = {s1} not certified as {above}");
        }
    }

    /// Several panels and a ragged one: the factor times its transpose is the matrix; an indefinite
    /// one is refused.
    #[test]
    fn factors_multiply_to_the_matrix() {
        let n = 2 * PANEL + 13;
        let root = DMatrix::from_fn(n, n, |i, j| f64::from(((i * 31 + j * 17) % 13) as i32 - 6));
        let matrix = &root * root.transpose() + DMatrix::identity(n, n) * 10.0;
        let mut lower = matrix.clone();
        assert!(factor(lower.as_mut_slice(), n));
        lower.fill_upper_triangle(0.0, 1);
        assert!((&lower * lower.transpose() - &matrix).abs().max() < 1e-9 * matrix.max());
        for at in [0, PANEL, n - 1] {
            let mut indefinite = matrix.clone();
            indefinite[(at, at)] = -1.0;
            assert!(!factor(indefinite.as_mut_slice(), n));
            indefinite[(at, at)] = f64::NAN;
            assert!(!factor(indefinite.as_mut_slice(), n));
        }
    }

    /// Where s1(S) is the bound exactly, s^2 I - S S^T is singular, and rounding alone decides
    /// whether a factorisation of it runs to its end. For the shifted matrix none does: norms that
    /// are certified lie below the bound by more than rounding could hide.
    #[test]
    fn what_rounding_could_hide_is_not_certified() {
        let mut hidden = 0;
        let up_to = |most: i8| 1..=most;
        let pairs = up_to(14).flat_map(|z| up_to(z).map(move |y| [y, z]));
        for column in pairs.flat_map(|[y, z]| up_to(y).map(move |x| [x, y, z])) {
            let squares: u64 = column.iter().map(|&s| u64::from(s.unsigned_abs()).pow(2)).sum();
            let s1 = squares.isqrt();
            // Columns of an integral length, next to one so short that s1 is theirs and so long
            // that none of the simple bounds applies.
            for order in (0..column.len()).filter(|_| s1 * s1 == squares) {
                let mut rows = column;
                rows.rotate_left(order);
                let v = rows.len() + 2;
                let mut entries = vec![0_i8; 2 * v];
                entries[..rows.len()].copy_from_slice(&rows);
                entries[2 * v - 2..].fill((s1 / 2) as i8);
                assert!(!certified(v, &entries, s1), "{rows:?} is of length {s1}");
                assert!(certified(v, &entries, s1 + 1));

                let mut singular: Vec<f64> = (0..v * v)
                    .map(|at| {
                        let (i, j) = (at / v, at % v);
                        let gram: i32 = (0..2)
                            .map(|k| i32::from(entries[k * v + i]) * i32::from(entries[k * v + j]))
                            .sum();
                        f64::from(i32::from(i == j) * (s1 * s1) as i32 - gram)
                    })
                    .collect();
                hidden += u32::from(factor(&mut singular, v));
            }
        }
        // The control: without the shift rounding certifies some of them.
        assert!(hidden > 0, "none of these matrices shows the need of the shift");
    }

    /// The largest row sum of absolute values, used as a bound elsewhere, is exceeded by a column
    /// of ones.
    #[test]
    fn row_sums_are_no_bound() {
        let ones = [1; 20];
        assert!(!certified(20, &ones, 1), "every row sums to 1, s1 is sqrt(20)");
        assert!(certified(20, &ones, 5));
    }
}
