//! The extractor of the soundness proof.

use super::claim::{self};
use super::opening::{ColumnOpening, LinearForm};
use super::*;
use crate::challenge::ChallengeMatrix;
use crate::hash::{Digest, Hasher};
use crate::matrix::with_engine;
use crate::product::multiply_by_challenges;
use crate::residual::{hints, subtract_tc};
use crate::rounding::Rounding;
use crate::shard::{Shard, ShardWitness};
use crate::words::Word;
use tautochrone_gauss::facct::Facct;

/// A transcript's row of C, Z_1 and E.
type Answer = (Vec<i8>, Vec<i64>, Vec<i64>);

/// Two answers to one first message (W_H, delta) under different challenges give a short preimage
/// of the published column, of which the form has the value in the transcript; T whole or rounded,
/// hints included. Under two challenges rho it is the same preimage, and of that the fact holds.
#[test]
fn what_is_extracted_has_the_value_that_was_sent() {
    for (w, round_t) in [(29, None), (29, Some(0)), (40, Some(9)), (64, None)] {
        let toy = Toy::new(CustomParams { round_t, ..toy(w, 1) }, w as u8);
        let params = &toy.params;
        let fact = toy.sum(&[(0, 3), (4, -1)], &[(0, 2)]);
        let mut transcript = claim::begin(&toy.statement, toy.slot(0), &fact);
        let equation = fact.equation(&mut transcript);
        let (data, pad) = (LinearForm::new(equation.rows.clone()), claim::pad(toy.slot(0)));
        let mask = equation.sum(&[pad.at(&toy.entries)]);
        let mut extracted = Vec::new();
        for rho in [12345, -678].map(Element::from) {
            let form = pad.clone().plus(rho, &data);
            let value = form.at(&toy.entries);
            assert_eq!(equation.sum(&[value]), rho * equation.value + mask);
            let preimage = extract(&toy, &form, value);
            assert_eq!(form.at(&preimage), value);
            extracted.push(preimage);
        }
        assert_eq!(extracted[0], extracted[1]);
        assert_eq!(equation.sum(&[data.at(&extracted[0])]), equation.value);
        assert_eq!(equation.sum(&[pad.at(&extracted[0])]), mask);
        // It is the honest one up to what was rounded off T.
        let k = params.z_rows() as usize;
        assert!(extracted[0][..k].iter().zip(&toy.entries).all(|(x, &s)| *x == i64::from(s)));
    }
}

/// The extractor for column 0 of 1.
fn extract(toy: &Toy, form: &LinearForm, value: Element) -> Vec<i64> {
    let (params, matrix) = (&toy.params, &toy.matrix);
    let (k, r, v) = (params.z_rows() as usize, params.r() as usize, params.v() as usize);
    let sampler = Facct::new(params.sigma() as f64).unwrap();
    let mut y = vec![0_i64; v * params.n() as usize];
    sampler.fill(&mut Seed::from_bytes([9; 32]).stream(Label::new("test: Y"), 0), &mut y);
    let w_high: Vec<u64> = with_engine!(matrix, engine => {
        let high = |w| params.rounding_of_w().high(Word::to_u64(w));
        engine.apply(&y).into_iter().map(high).collect()
    });
    let digest = toy.statement.digest(b"");
    let opening = ColumnOpening::new(digest, form.clone());
    let first = opening.challenge_hash(params, &digest, [&w_high, &w_high], &y);
    let answer = |trial: u64| -> Answer {
        let hash = Hasher::new(params.domain(), "programmed").number(trial).finish();
        let mut worker = ShardWitness::new(matrix, &toy.witness, Shard::whole(params), 0);
        let m = worker.multiply(&hash).unwrap();
        let z: Vec<i64> =
            y.iter().zip(m.iter()).map(|(y, m)| y + i64::from(m.cast_signed())).collect();
        let z: Vec<i64> = z.chunks(v).flat_map(|z| z[..k].to_vec()).collect();
        let rounding = params.rounding_of_w();
        let image = image(toy, &z, &hash);
        let hints = hints(params, &w_high, &image).expect("honest hints");
        let e = image
            .iter()
            .zip(&hints)
            .map(|(&v, &hint)| rounding.low(v) - (i64::from(hint) << params.round_w()));
        // A verifier recomputes the first message from this answer.
        let errors = opening.error_images(params, &image, &hints);
        let recomputed =
            opening.recompute(params, [&digest, &hash], &w_high, &z, &errors, &[value]);
        assert_eq!(recomputed, first);
        (ChallengeMatrix::new(params, &hash).rows(0, 1), z, e.collect())
    };
    let (c, z, e) = answer(0);
    let (place, other) = (1..)
        .map(answer)
        .find_map(|other| {
            let place = c.iter().zip(&other.0).position(|(a, b)| (a - b) % 2 != 0)?;
            Some((place, other))
        })
        .expect("rows of two parities");
    let sign = i64::from(c[place] - other.0[place]);
    let difference = |x: &[i64], y: &[i64], rows: usize| -> Vec<i64> {
        let range = place * rows..(place + 1) * rows;
        x[range.clone()].iter().zip(&y[range]).map(|(x, y)| sign * (x - y)).collect()
    };
    let mut preimage = difference(&z, &other.1, k);
    preimage.extend(difference(&e, &other.2, r).iter().map(|e| -e));
    let modulus = Rounding::new(params.w(), 0);
    let column: Vec<u64> = with_engine!(matrix, engine => {
        engine.apply(&preimage).into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
    });
    assert_eq!(column, toy.statement.column(&toy.file, 0).unwrap());
    let squared: u128 = preimage.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum();
    assert!(squared <= 4 * params.norm_bound_squared());
    preimage
}

/// V = A' Z_1 - T C, as a verifier computes it.
fn image(toy: &Toy, z: &[i64], hash: &Digest) -> Vec<u64> {
    let tc = multiply_by_challenges(&toy.matrix, &toy.statement, Some(&toy.file), &[hash]);
    with_engine!(toy.matrix, engine => {
        let mut v = engine.apply_top(None, z).unwrap();
        subtract_tc(&toy.params, &mut v, &tc.unwrap()[0]);
        v.into_iter().map(Word::to_u64).collect()
    })
}
