//! The extractor of the soundness proof.

use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::facct::Facct;

use crate::field::Element;
use crate::matrix::{PublicMatrix, with_engine};
use crate::opening::LinearForm;
use crate::rounding::Rounding;
use crate::words::Word;

/// A column of S and E from two answers to one first message (W_H, delta), by an S of these
/// entries, to challenges of one column; `values` are the values of all columns under the form.
pub(crate) fn extract(
    matrix: &PublicMatrix,
    (all, t): (&[i8], &[Vec<u64>]),
    form: &LinearForm,
    column: usize,
    values: &[Element],
) -> Vec<i64> {
    let params = &matrix.params;
    let (k, v) = (params.z_rows() as usize, params.v() as usize);
    let (d, modulus) = (params.rounding_of_w(), Rounding::new(params.w(), 0));
    let times = |x: &[i64]| -> Vec<u64> {
        with_engine!(matrix, engine => {
            engine.apply(None, x).unwrap().into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
        })
    };
    let messages = params.message_mask_rows() as usize;
    let mut stream = Seed::from_bytes([9; 32]).stream(Label::new("test: Y"), 0);
    let mut y = vec![0; v];
    let (of_messages, others) = y.split_at_mut(messages);
    for (sigma, rows) in [(params.sigma_m(), of_messages), (params.sigma(), others)] {
        if !rows.is_empty() {
            Facct::new(sigma as f64).unwrap().fill(&mut stream, rows);
        }
    }
    let w = times(&y);
    // phi of (y_1, y_2 - low_d(W)).
    let mut shifted = y.clone();
    shifted[k..].iter_mut().zip(&w).for_each(|(y, &w)| *y -= d.low(w));
    let delta = form.at(&shifted);
    // (Z_1, -E).
    let answer = |c: &[i64]| -> Vec<i64> {
        let mut z = y.clone();
        for (s, c) in all.chunks(v).zip(c) {
            z.iter_mut().zip(s).for_each(|(z, &s)| *z += c * i64::from(s));
        }
        z[k..].fill(0);
        let image = times(&z);
        for (i, e) in z[k..].iter_mut().enumerate() {
            let tc = t
                .iter()
                .zip(c)
                .fold(0_u64, |sum, (t, c)| sum.wrapping_add(t[i].wrapping_mul(c.cast_unsigned())));
            let image = modulus.reduce(image[i].wrapping_sub(tc));
            let full = 1_i64 << (params.w() - params.round_w());
            let hint = d.high(w[i]).cast_signed() - d.high(image).cast_signed();
            let hint = (hint + full / 2).rem_euclid(full) - full / 2;
            assert!(hint.abs() <= 20, "an honest hint");
            *e = (hint << params.round_w()) - d.low(image);
        }
        // What a verifier recomputes of delta.
        let known = values.iter().zip(c).map(|(&value, &c)| value * c.into());
        assert!(known.fold(form.at(&z), |sum, known| sum - known) == delta);
        z
    };
    let mut bytes = vec![0; values.len()];
    Seed::from_bytes([1; 32]).stream(Label::new("test: challenges"), 0).fill(&mut bytes);
    let first: Vec<i64> = bytes.iter().map(|byte| i64::from(byte % 3) - 1).collect();
    // The two differ in one row, by 1.
    let mut second = first.clone();
    second[column] = 1 - first[column].abs();
    let sign = first[column] - second[column];
    let answers = answer(&first).into_iter().zip(answer(&second));
    let preimage: Vec<i64> = answers.map(|(one, other)| sign * (one - other)).collect();
    assert!(times(&preimage) == t[column]);
    let squared = |x: &[i64]| x.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum::<u128>();
    let (of_messages, others) = preimage.split_at(messages);
    assert!(squared(of_messages) <= 4 * params.message_norm_bound_squared());
    assert!(squared(others) <= 4 * params.norm_bound_squared());
    preimage
}
