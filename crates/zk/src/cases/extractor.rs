//! The extractor of the soundness proof.

use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::facct::Facct;

use crate::field::Element;
use crate::matrix::{PublicMatrix, with_engine};
use crate::opening::LinearForm;
use crate::rounding::Rounding;
use crate::words::Word;

fn random<const RANGE: u8>(seed: u8, count: usize) -> Vec<i64> {
    let mut bytes = vec![0; count];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: challenges"), 0).fill(&mut bytes);
    bytes.iter().map(|byte| i64::from(byte % RANGE) - 1).collect()
}

/// A column of S and E from two answers to one first message (W_H, delta), by an S of these
/// entries. C is l x n, row after row, with entries of {-1, 0, 1}; `values` are the values of
/// all columns under the form.
pub(crate) fn extract(
    matrix: &PublicMatrix,
    (all, t): (&[i8], &[Vec<u64>]),
    form: &LinearForm,
    column: usize,
    values: &[Element],
) -> Vec<i64> {
    let (params, l) = (&matrix.params, values.len());
    let (k, r) = (params.z_rows() as usize, params.r() as usize);
    let (v, n) = (params.v() as usize, params.n() as usize);
    let (d, modulus) = (params.rounding_of_w(), Rounding::new(params.w(), 0));
    let times = |x: &[i64]| -> Vec<u64> {
        with_engine!(matrix, engine => {
            engine.apply(None, x).unwrap().into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
        })
    };
    let messages = params.message_mask_rows() as usize;
    let mut stream = Seed::from_bytes([9; 32]).stream(Label::new("test: Y"), 0);
    let mut y = vec![0_i64; v * n];
    for (sigma, rows) in [(params.sigma_m(), 0..messages), (params.sigma(), messages..v)] {
        if rows.is_empty() {
            continue;
        }
        let sampler = Facct::new(sigma as f64).unwrap();
        for column in y.chunks_mut(v) {
            sampler.fill(&mut stream, &mut column[rows.clone()]);
        }
    }
    let w = times(&y);
    let high: Vec<u64> = w.iter().map(|&w| d.high(w)).collect();
    // phi of (y_1, y_2 - low_d(W)).
    let shifted: Vec<i64> = y
        .iter()
        .enumerate()
        .map(|(i, &y)| match (i % v).checked_sub(k) {
            Some(row) => y - d.low(w[i / v * r + row]),
            None => y,
        })
        .collect();
    let delta: Vec<Element> = shifted.chunks(v).map(|y| form.at(y)).collect();
    // Z_1 and E, k and r rows.
    let answer = |c: &[i64]| -> (Vec<i64>, Vec<i64>) {
        let (mut top, mut all_e) = (Vec::new(), Vec::new());
        for column in 0..n {
            let mut z = y[column * v..(column + 1) * v].to_vec();
            for (s, c) in all.chunks(v).zip(c.chunks(n)) {
                z.iter_mut().zip(s).for_each(|(z, &s)| *z += c[column] * i64::from(s));
            }
            z[k..].fill(0);
            let image = times(&z);
            for i in 0..r {
                let tc = t.iter().zip(c.chunks(n)).fold(0_u64, |sum, (t, c)| {
                    sum.wrapping_add(t[i].wrapping_mul(c[column].cast_unsigned()))
                });
                let image = modulus.reduce(image[i].wrapping_sub(tc));
                let full = 1_i64 << (params.w() - params.round_w());
                let hint = high[column * r + i].cast_signed() - d.high(image).cast_signed();
                let hint = (hint + full / 2).rem_euclid(full) - full / 2;
                assert!(hint.abs() <= 20, "an honest hint");
                let e = d.low(image) - (hint << params.round_w());
                z[k + i] = -e;
                all_e.push(e);
            }
            // What a verifier recomputes of delta.
            let sum = values
                .iter()
                .zip(c.chunks(n))
                .fold(form.at(&z), |sum, (&value, c)| sum - value * c[column].into());
            assert!(sum == delta[column]);
            top.extend_from_slice(&z[..k]);
        }
        (top, all_e)
    };
    let first = random::<3>(1, l * n);
    let mut second = first.clone();
    second[column * n..(column + 1) * n].copy_from_slice(&random::<3>(2 + column as u8, n));
    let row = column * n..(column + 1) * n;
    let place = first[row.clone()].iter().zip(&second[row]).position(|(a, b)| (a - b) % 2 != 0);
    let place = place.expect("rows of two parities");
    let sign = first[column * n + place] - second[column * n + place];
    let (one, other) = (answer(&first), answer(&second));
    let difference = |x: &[i64], y: &[i64], rows: usize| -> Vec<i64> {
        let range = place * rows..(place + 1) * rows;
        x[range.clone()].iter().zip(&y[range]).map(|(x, y)| sign * (x - y)).collect()
    };
    let mut preimage = difference(&one.0, &other.0, k);
    preimage.extend(difference(&one.1, &other.1, r).iter().map(|e| -e));
    assert!(times(&preimage) == t[column]);
    let squared = |x: &[i64]| x.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum::<u128>();
    let (of_messages, others) = preimage.split_at(messages);
    assert!(squared(of_messages) <= 4 * params.message_norm_bound_squared());
    assert!(squared(others) <= 4 * params.norm_bound_squared());
    preimage
}
