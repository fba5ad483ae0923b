//! Bytes and verdicts are those of the reference, for words, roundings, encodings and numbers of
//! columns of every kind; honest proofs are valid.

use super::*;
use crate::reference::Answer;
use crate::reference::compact::{self, facts};
use crate::suite::{Encoding, Expansion};

fn settings() -> [CustomParams; 6] {
    [
        toy(29, 1),
        toy(29, 700),
        CustomParams { encoding: Encoding::Rice, round_t: Some(0), ..toy(33, 256) },
        CustomParams { n: Some(16), ..toy(40, 1300) },
        CustomParams { round_t: Some(9), ..toy(64, 20) },
        CustomParams { expansion: Some(Expansion::SeedV1), round_t: Some(0), ..toy(32, 30) },
    ]
}

/// The fact of [`weights`] as the reference has it.
fn of_reference(toy: &Toy, slot: u32, value: i64) -> facts::Sum {
    let (rows, columns) = weights(toy.params.l());
    facts::Sum {
        first_row: (ROWS + PAD_ROWS * slot) as usize,
        rows: rows.into_iter().map(|(i, x)| (i as usize, x)).collect(),
        columns: columns.into_iter().map(|(j, x)| (j as usize, x)).collect(),
        value,
    }
}

#[test]
fn proofs_of_facts_are_those_of_the_reference() {
    for (index, custom) in settings().into_iter().enumerate() {
        let toy = Toy::new(custom, 1);
        let s: Vec<i128> = toy.entries.iter().map(|&s| s.into()).collect();
        assert!(compact::commit(&toy.file[..256], None, &s) == toy.file);
        let (rows, columns) = weights(toy.params.l());
        let value = toy.value(&rows, &columns);
        let fact = Fact::sum(rows, columns, value).unwrap();
        let slot = index as u32 % 2;
        let sum = of_reference(&toy, slot, value);
        let proof = toy.prove(slot, &fact);
        assert!(proof == facts::prove(&toy.file, &s, CONTEXT, &sum, &[7; 32]), "{custom:?}");
        toy.verify(slot, &fact, &proof).unwrap();
        assert_eq!(facts::verify(&toy.file, CONTEXT, &sum, &proof), Answer::Valid);
        assert!(proof.len() as u64 <= toy.params.max_fact_bytes());
    }
}

/// Altered bits, files cut and extended, and altered elements.
#[test]
fn verdicts_on_facts_are_those_of_the_reference() {
    for custom in [toy(29, 3), CustomParams { encoding: Encoding::Rice, ..toy(36, 5) }] {
        let toy = Toy::new(custom, 2);
        let (rows, columns) = weights(toy.params.l());
        let fact = toy.sum(&rows, &columns);
        let sum = of_reference(&toy, 0, toy.value(&rows, &columns));
        let proof = toy.prove(0, &fact);
        let mut answers = Vec::new();
        let mut compare = |proof: &[u8]| {
            let real = Answer::of(&toy.verify(0, &fact, proof));
            assert_eq!(real, facts::verify(&toy.file, CONTEXT, &sum, proof), "{custom:?}");
            answers.push(real);
        };
        compare(&proof);
        // The elements and what precedes them whole, of Z and hints every seventh bit.
        let elements = 8 * (24 + 32 + 24 * 6);
        for bit in (0..elements).chain((elements..8 * proof.len()).step_by(7)) {
            let mut altered = proof.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            compare(&altered);
        }
        let with_length = |mut file: Vec<u8>| {
            if file.len() >= 24 {
                let len = file.len() as u64;
                file[16..24].copy_from_slice(&len.to_le_bytes());
            }
            file
        };
        for len in (0..proof.len()).step_by(7).chain([23, 24, 55, 56, proof.len() - 1]) {
            compare(&proof[..len]);
            compare(&with_length(proof[..len].to_vec()));
        }
        for extra in [1, 2, 10_000] {
            let longer = [&proof[..], &vec![0; extra]].concat();
            compare(&longer);
            compare(&with_length(longer));
        }
        let count = |wanted| answers.iter().filter(|&&answer| answer == wanted).count();
        assert_eq!(count(Answer::Valid), 1);
        assert!(count(Answer::Invalid) > 100 && count(Answer::Malformed) > 100);
    }
}

/// A block, with T loaded and read; in one column, in all of them, and of all rows.
#[test]
fn blocks_are_proved() {
    for custom in [toy(29, 9), CustomParams { round_t: Some(0), ..toy(31, 300) }] {
        let toy = Toy::new(custom, 3);
        let l = toy.params.l();
        let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
        let loaded = Statement::load(&toy.file, Security::Waived).unwrap();
        let of_memory = Verifier::new(&toy.matrix, &loaded).unwrap();
        for (row, column, height, width) in [(0, 0, ROWS, l), (2, l - 1, 3, 1), (5, 4, 1, l - 4)] {
            let entry = |k: u64| {
                let (i, j) = (k % u64::from(height), k / u64::from(height));
                toy.entry((u64::from(row) + i) as usize, (column + j) as usize) as i64
            };
            let values: Vec<i64> = (0..u64::from(height) * width).map(entry).collect();
            let fact = Fact::block(row, column, height, values.clone()).unwrap();
            assert!(fact.holds_over_the_integers(&toy.params));
            let proof = toy.prove(1, &fact);
            toy.verify(1, &fact, &proof).unwrap();
            let slot = toy.slot(1);
            of_memory.verify_fact(CONTEXT, slot, &fact, &proof).unwrap();
            let unread = verifier.verify_fact(CONTEXT, slot, &fact, &proof);
            assert!(matches!(unread, Err(VerifyError::NoVerdict(Error::NotLoaded))));
            let mut other = values;
            *other.last_mut().unwrap() += 1;
            let other = Fact::block(row, column, height, other).unwrap();
            assert!(matches!(toy.try_prove(1, &other), Err(Error::FalseFact)));
            assert_eq!(toy.reason(1, &other, &proof), Some(Reason::OtherFact));
        }
    }
}
