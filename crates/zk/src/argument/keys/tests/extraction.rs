//! The extractor of the soundness proof.

use super::*;
use crate::matrix::with_engine;
use crate::opening::LinearForm;
use crate::rounding::Rounding;
use crate::words::Word;
use tautochrone_gauss::facct::Facct;

/// Two answers to one first message (W_H, delta) under challenges that differ in one row give a
/// short preimage of that column, errors and hints included, whose value under the form is the one
/// in the transcript. Under two challenges rho it is the same preimage: of a key, it has no pads,
/// its hint is the one that was sent, and its entries are in their ranges; of a dummy column, it is
/// one of the rounded column that was published, exactly, with the gamma that was drawn.
#[test]
fn what_is_extracted_is_a_key() {
    let toy = Toy::new(toy(33, 10, 7, 1), KeyRanges::new(1, 1).unwrap(), 3);
    let dummies = toy.dummies();
    let keys = toy.keys();
    let pads = keys.extended.pads.rows() as usize;
    let mut all = Vec::new();
    for column in toy.entries.chunks(15) {
        all.extend_from_slice(&column[..10]);
        all.extend(vec![0; pads]);
        all.extend_from_slice(&column[10..]);
    }
    all.extend_from_slice(dummies.columns());
    for column in [0, 6, 7, 20] {
        let mut extracted = Vec::new();
        for rho in [777, -5].map(Element::from) {
            let rounds = keys.play(&toy.witness, toy.dummies(), 0).unwrap();
            let mut values: Vec<Element> = rounds.hints.iter().map(|&hint| rho * hint).collect();
            values.extend(rounds.values(rho));
            let form = rounds.schedule.form(rho);
            let preimage = extract(&keys, &all, &form, column, &values);
            assert!(form.at(&preimage) == values[column]);
            if column < 7 {
                assert!(rounds.schedule.rows().at(&preimage) == rounds.hints[column]);
            }
            extracted.push(preimage);
        }
        assert_eq!(extracted[0], extracted[1]);
        let (secrets, rest) = extracted[0].split_at(10);
        let (of_pads, errors) = rest.split_at(pads);
        let dummy = all[column * (15 + pads)..].split_at(10 + pads);
        assert!(secrets.iter().all(|x| (-1..=1).contains(x)));
        if column < 7 {
            assert!(of_pads.iter().all(|&x| x == 0));
            assert!(errors.iter().all(|x| (-1..=1).contains(x)));
        } else {
            assert!(of_pads.iter().zip(&dummy.0[10..]).all(|(&x, &s)| x == s.into()));
            // The rounding is part of the errors, and not a small part.
            let half = 1 << keys.extended.round_t() >> 1;
            assert!(errors.iter().zip(dummy.1).all(|(&e, &s)| (e - i64::from(s)).abs() <= half));
            assert!(errors.iter().any(|e| e.abs() > half / 8));
        }
    }
}

fn random<const RANGE: u8>(seed: u8, count: usize) -> Vec<i64> {
    let mut bytes = vec![0; count];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: challenges"), 0).fill(&mut bytes);
    bytes.iter().map(|byte| i64::from(byte % RANGE) - 1).collect()
}

/// The extractor for one column of `all`, keys and dummies. C is l x n, row after row, with entries
/// of {-1, 0, 1}.
fn extract(
    keys: &ExactKeys<'_>,
    all: &[i8],
    form: &LinearForm,
    column: usize,
    values: &[Element],
) -> Vec<i64> {
    let (params, l) = (&keys.extended.params, values.len());
    let (k, r) = (params.z_rows() as usize, params.r() as usize);
    let (v, n) = (params.v() as usize, params.n() as usize);
    let (d, modulus) = (params.rounding_of_w(), Rounding::new(params.w(), 0));
    let times = |x: &[i64]| -> Vec<u64> {
        with_engine!(keys.matrix, engine => {
            engine.apply(x).into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
        })
    };
    let sampler = Facct::new(params.sigma() as f64).unwrap();
    let mut y = vec![0_i64; v * n];
    sampler.fill(&mut Seed::from_bytes([9; 32]).stream(Label::new("test: Y"), 0), &mut y);
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
    let wide: Vec<i64> = all.iter().map(|&s| s.into()).collect();
    let mut t: Vec<Vec<u64>> = times(&wide).chunks(r).map(<[u64]>::to_vec).collect();
    // As it is published.
    let (last, rounding) =
        (keys.dummies() as usize, Rounding::new(params.w(), keys.extended.round_t()));
    for word in t[l - last..].iter_mut().flatten() {
        *word = rounding.high(*word) << keys.extended.round_t();
    }
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
    assert_eq!(times(&preimage), t[column]);
    let squared: u128 = preimage.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum();
    assert!(squared <= 4 * params.norm_bound_squared());
    preimage
}
