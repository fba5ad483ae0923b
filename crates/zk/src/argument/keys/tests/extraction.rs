//! What is extracted from proofs about keys.

use super::*;
use crate::cases::extractor::extract;
use crate::matrix::with_engine;
use crate::rounding::Rounding;
use crate::words::Word;

/// Two answers to one first message (W_H, delta) under challenges that differ in one row give a
/// short preimage of that column, errors and hints included, whose value under the form is the one
/// in the transcript. Under two challenges rho it is the same preimage: of a key, it has no pads,
/// its hint is the one that was sent, and its entries are in their ranges; of a dummy column, it is
/// one of the rounded column that was published, exactly, with the gamma that was drawn.
#[test]
fn what_is_extracted_is_a_key() {
    let toy = Toy::new(toy(33, 10, 7, 1), ranges(1, 1), 3);
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
    let t = published(&keys, &all);
    for column in [0, 6, 7, 20] {
        let mut extracted = Vec::new();
        for rho in [777, -5].map(Element::from) {
            let rounds = toy.play(toy.dummies(), 0);
            let mut values: Vec<Element> = rounds.hints.iter().map(|&hint| rho * hint).collect();
            values.extend(rounds.values(rho));
            let form = rounds.schedule.form(rho);
            let preimage = extract(&keys.matrix, (&all, &t), &form, column, &values);
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
            assert!(of_pads.iter().zip(&dummy.0[10..]).all(|(&x, &s)| x == i64::from(s)));
            // The rounding is part of the errors, and not a small part.
            let half = 1 << keys.extended.round_t() >> 1;
            assert!(errors.iter().zip(dummy.1).all(|(&e, &s)| (e - i64::from(s)).abs() <= half));
            assert!(errors.iter().any(|e| e.abs() > half / 8));
        }
    }
}

/// T of `all`, keys and dummies, as it is published.
fn published(keys: &ExactKeys<'_>, all: &[i8]) -> Vec<Vec<u64>> {
    let (params, modulus) = (keys.params(), Rounding::new(keys.params().w(), 0));
    let rounding = Rounding::new(params.w(), keys.extended.round_t());
    let t: Vec<u64> = with_engine!(keys.matrix, engine => {
        engine.apply(None, all).unwrap().into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
    });
    let mut t: Vec<Vec<u64>> = t.chunks(params.r() as usize).map(<[u64]>::to_vec).collect();
    let first = t.len() - keys.dummies() as usize;
    for word in t[first..].iter_mut().flatten() {
        *word = rounding.high(*word) << keys.extended.round_t();
    }
    t
}
