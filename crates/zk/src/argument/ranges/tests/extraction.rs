//! The extractor of the soundness proof.

use super::*;
use crate::matrix::with_engine;
use crate::rounding::Rounding;
use crate::words::Word;
use tautochrone_gauss::facct::Facct;

/// Two answers to one first message (W_H, delta) under challenges that differ in one row give a
/// short preimage of that published column, of which the form has the value in the transcript,
/// hints and rounded errors included. Under two challenges rho, and with that under two forms, it
/// is the same preimage, its entries are in their ranges, and its norms are what they are said to be.
#[test]
fn what_is_extracted_is_in_its_range() {
    for (ranges, w, round_t) in [
        (bits_and_trits(), 29, None),
        (bits_and_trits(), 33, Some(0)),
        (one_norm(), 29, None),
        (two_norms(), 33, None),
    ] {
        let custom = CustomParams { round_t, ..toy(w, ranges.least_columns(1)) };
        let toy = Toy::new(custom, &ranges, w as u8);
        let rows = toy.params.v() as usize;
        for column in [0, 60, custom.l as usize - 1] {
            let mut extracted = Vec::new();
            for rho in [777, -5].map(Element::from) {
                let rounds = toy.play(&ranges, 0);
                let form = rounds.course.form(&ranges, toy.slot(), rho);
                let value = rounds.values(rho)[column];
                assert_eq!(form.at(&toy.entries[column * rows..(column + 1) * rows]), value);
                let preimage = extract(&toy, &form, column, &rounds.values(rho));
                assert_eq!(form.at(&preimage), value);
                extracted.push(preimage);
            }
            assert_eq!(extracted[0], extracted[1]);
            for norm in ranges.norms() {
                assert!(!norm.fails(&extracted[0]));
            }
            for part in ranges.parts() {
                for row in part.first_row..part.end() as u32 {
                    let entry = extracted[0][row as usize];
                    assert!((i64::from(part.low)..=i64::from(part.high)).contains(&entry));
                }
            }
        }
    }
}

fn random<const RANGE: u8>(seed: u8, count: usize) -> Vec<i64> {
    let mut bytes = vec![0; count];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: challenges"), 0).fill(&mut bytes);
    bytes.iter().map(|byte| i64::from(byte % RANGE) - 1).collect()
}

/// The extractor for one column. C is l x n, row after row, with entries of {-1, 0, 1}.
fn extract(
    toy: &Toy,
    form: &crate::argument::opening::LinearForm,
    column: usize,
    values: &[Element],
) -> Vec<i64> {
    let (params, l) = (&toy.params, values.len());
    let (k, r) = (params.z_rows() as usize, params.r() as usize);
    let (v, n) = (params.v() as usize, params.n() as usize);
    let (d, modulus) = (params.rounding_of_w(), Rounding::new(params.w(), 0));
    let times = |x: &[i64]| -> Vec<u64> {
        with_engine!(toy.matrix, engine => {
            engine.apply(x).into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
        })
    };
    let sampler = Facct::new(params.sigma() as f64).unwrap();
    let mut y = vec![0_i64; v * n];
    sampler.fill(&mut Seed::from_bytes([9; 32]).stream(Label::new("test: Y"), 0), &mut y);
    let high: Vec<u64> = times(&y).into_iter().map(|w| d.high(w)).collect();
    let delta: Vec<Element> = y.chunks(v).map(|y| form.at(y)).collect();
    let t: Vec<Vec<u64>> =
        (0..l as u64).map(|j| toy.statement.column(&toy.file, j).unwrap()).collect();
    // Z_1 and E, k and r rows.
    let answer = |c: &[i64]| -> (Vec<i64>, Vec<i64>) {
        let (mut top, mut e) = (Vec::new(), Vec::new());
        for column in 0..n {
            let mut z = y[column * v..(column + 1) * v].to_vec();
            for (s, c) in toy.entries.chunks(v).zip(c.chunks(n)) {
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
                e.push(d.low(image) - (hint << params.round_w()));
            }
            // What a verifier recomputes of delta.
            let sum = values
                .iter()
                .zip(c.chunks(n))
                .fold(form.at(&z), |sum, (&value, c)| sum - value * c[column].into());
            assert_eq!(sum, delta[column]);
            top.extend_from_slice(&z[..k]);
        }
        (top, e)
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
    assert_eq!(times(&preimage), t[column]);
    let squared: u128 = preimage.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum();
    assert!(squared <= 4 * params.norm_bound_squared());
    preimage
}
