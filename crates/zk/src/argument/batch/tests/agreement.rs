//! Bytes and verdicts are those of the reference; honest proofs are valid.

use super::*;
use crate::params::Security;
use crate::reference::Answer;
use crate::reference::compact::batches;
use crate::reference::compact::facts::Sum;
use crate::statement::Statement;

/// The facts of [`all`] as the reference has them, of which some are taken.
fn of_reference(toy: &Toy, first: u32, which: &[usize]) -> batches::Claim {
    let l = toy.params.l();
    let sum = |rows: &[(u32, i64)], columns: &[(u64, i64)]| {
        batches::Fact::Sum(Sum {
            first_row: 0,
            rows: rows.iter().map(|&(i, x)| (i as usize, x)).collect(),
            columns: columns.iter().map(|&(j, x)| (j as usize, x)).collect(),
            value: toy.value(rows, columns),
        })
    };
    let block = |row: usize, column: usize, height: usize, width: usize| {
        let entry = |k: usize| toy.entry(row + k % height, column + k / height) as i64;
        let values = (0..height * width).map(entry).collect();
        batches::Fact::Block { row, column, height, values }
    };
    let (rows, columns) = weights(l);
    let facts = [
        sum(&rows, &columns),
        block(1, 2, 3, 2),
        sum(&[(0, 1)], &(0..l).map(|j| (j, 1)).collect::<Vec<_>>()),
        block(4, l as usize - 1, 1, 1),
        sum(&[(2, -5), (3, 7)], &[(0, 2), (l - 2, 9)]),
    ];
    let facts = which.iter().map(|&k| facts[k].clone()).collect();
    batches::Claim { first_row: (ROWS + PAD_ROWS * first) as usize, facts }
}

#[test]
fn proofs_of_several_facts_are_those_of_the_reference() {
    let settings: [(CustomParams, u32, &[usize]); 5] = [
        (toy(29, 40), 0, &[0, 1, 2, 3, 4]),
        (CustomParams { encoding: Encoding::Rice, round_t: Some(0), ..toy(33, 256) }, 1, &[2, 0]),
        (toy(40, 300), 1, &[1]),
        (CustomParams { round_t: Some(9), ..toy(64, 17) }, 0, &[3, 3, 1]),
        (CustomParams { round_t: Some(0), ..toy(32, 33) }, 0, &[4, 2, 1]),
    ];
    for (index, (custom, first, which)) in settings.into_iter().enumerate() {
        let toy = Toy::new(custom, index as u8);
        let s: Vec<i128> = toy.entries.iter().map(|&s| s.into()).collect();
        let known = all(&toy);
        let facts = Facts::new(which.iter().map(|&k| known[k].clone()).collect()).unwrap();
        let claim = of_reference(&toy, first, which);
        let proof = toy.prove_facts(first, &facts);
        assert!(proof == batches::prove(&toy.file, &s, CONTEXT, &claim, &[7; 32]), "{index}");
        toy.verify_facts(first, &facts, &proof).unwrap();
        assert_eq!(batches::verify(&toy.file, CONTEXT, &claim, &proof), Answer::Valid);
        assert!(proof.len() as u64 <= toy.params.max_facts_bytes());
    }
}

/// Altered bits, files cut and extended.
#[test]
fn verdicts_on_several_facts_are_those_of_the_reference() {
    let toy = Toy::new(toy(29, 17), 2);
    let facts = of(&all(&toy)[..3]);
    let claim = of_reference(&toy, 0, &[0, 1, 2]);
    let proof = toy.prove_facts(0, &facts);
    let mut answers = Vec::new();
    let mut compare = |proof: &[u8]| {
        let real = Answer::of(&toy.verify_facts(0, &facts, proof));
        assert_eq!(real, batches::verify(&toy.file, CONTEXT, &claim, proof));
        answers.push(real);
    };
    compare(&proof);
    // Every bit of what precedes the elements, and some of each of them; of Z and hints fewer.
    let elements = 8 * (24 + 32);
    let end = elements + 8 * 24 * (2 * 8 + 5 + 17);
    let some = (elements..end).step_by(23).chain((end..8 * proof.len()).step_by(301));
    for bit in (0..elements).chain(some) {
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
    for len in (0..proof.len()).step_by(97).chain([23, 24, 55, 56, proof.len() - 1]) {
        compare(&proof[..len]);
        compare(&with_length(proof[..len].to_vec()));
    }
    for extra in [1, 10_000] {
        compare(&with_length([&proof[..], &vec![0; extra]].concat()));
    }
    let count = |wanted| answers.iter().filter(|&&answer| answer == wanted).count();
    assert_eq!(count(Answer::Valid), 1);
    assert!(count(Answer::Invalid) > 100 && count(Answer::Malformed) > 100);
}

/// With T loaded and read, and as many facts as there can be.
#[test]
fn many_facts_are_proved() {
    let toy = Toy::new(toy(31, 300), 3);
    let many: Vec<Fact> = (0..MAX_FACTS as u64)
        .map(|k| toy.sum(&[((k % 6) as u32, 1 + k as i64)], &[(k, 3), (k + 40, -1)]))
        .collect();
    let facts = of(&many);
    let proof = toy.prove_facts(1, &facts);
    // No longer than of one fact, but for Z.
    let one = toy.try_prove_facts(1, &of(&[block(&toy, 5, 299, 1, 1)])).unwrap();
    assert_eq!(one.messages.len(), 2 * (3 + 9));
    toy.verify_facts(1, &facts, &proof).unwrap();
    let slot = toy.batch_slot(1);
    let loaded = Statement::load(&toy.file, Security::Waived).unwrap();
    let of_memory = Verifier::new(&toy.matrix, &loaded).unwrap();
    of_memory.verify_facts(CONTEXT, slot, &facts, &proof).unwrap();
    let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
    let unread = verifier.verify_facts(CONTEXT, slot, &facts, &proof);
    assert!(matches!(unread, Err(VerifyError::NoVerdict(Error::NotLoaded))));
}
