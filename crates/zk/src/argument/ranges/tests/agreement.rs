//! Bytes and verdicts are those of the reference, for ranges, numbers of rows and of columns of
//! every kind; honest proofs are valid.

use super::*;
use crate::reference::Answer;
use crate::reference::compact::{self, ranges as reference};
use crate::suite::Encoding;

/// The claim as the reference has it.
fn of_reference(toy: &Toy, ranges: &Ranges) -> reference::Claim {
    let part =
        |part: &RowRange| (part.first_row as usize, part.rows as usize, (part.low, part.high));
    let norm = |norm: &RowNorm| reference::Norm {
        squared: (norm.first_row as usize, norm.rows as usize),
        bits: (norm.first_bit as usize, norm.bits as usize),
        bound: norm.bound_squared,
    };
    reference::Claim {
        first_row: toy.slot().first_row() as usize,
        parts: ranges.parts().iter().map(part).collect(),
        norms: ranges.norms().iter().map(norm).collect(),
    }
}

fn check(custom: CustomParams, ranges: &Ranges, seed: u8) {
    let toy = Toy::new(custom, ranges, seed);
    let s: Vec<i128> = toy.entries.iter().map(|&s| s.into()).collect();
    assert!(compact::commit(&toy.file[..256], None, &s) == toy.file);
    let proof = toy.prove(ranges);
    let claim = of_reference(&toy, ranges);
    let expected = reference::prove(&toy.file, &s, CONTEXT, &claim, &[7; 32]);
    assert!(proof == expected, "{custom:?} {ranges:?}");
    toy.verify(ranges, &proof).unwrap();
    assert_eq!(reference::verify(&toy.file, CONTEXT, &claim, &proof), Answer::Valid);
    assert!(proof.len() as u64 <= toy.params.max_range_bytes());
    let (slot, read) = RangeProof::claim(&proof, &toy.params).unwrap();
    assert_eq!((slot.first_row(), &read), (toy.slot().first_row(), ranges));
}

#[test]
fn proofs_of_ranges_are_those_of_the_reference() {
    // Rows of the table: 8, with that of beta a power of two; 9; 2; 3.
    for (index, (ranges, w)) in [
        (bits_and_trits(), 29),
        (trits(8), 40),
        (trits(1), 33),
        (Ranges::new(vec![range(3, 2, 0, 1)]).unwrap(), 29),
        (Ranges::new(vec![range(0, 3, -3, 1), range(8, 1, 0, 1)]).unwrap(), 36),
        // 9 rows with that of beta, rows that have a range and a norm.
        (one_norm(), 29),
        (two_norms(), 40),
    ]
    .into_iter()
    .enumerate()
    {
        let l = ranges.least_columns(1);
        check(toy(w, l), &ranges, index as u8);
        if index == 0 {
            check(CustomParams { round_t: Some(0), ..toy(w, 128) }, &ranges, 9);
            check(CustomParams { encoding: Encoding::Rice, ..toy(w, 257) }, &ranges, 10);
        }
    }
}

/// Verdicts on proofs with one bit flipped, everywhere in the file, are those of the reference.
#[test]
fn verdicts_are_those_of_the_reference() {
    let bits = Ranges::new(vec![range(3, 2, 0, 1)]).unwrap();
    for (ranges, step) in [(bits, 79), (two_norms(), 151)] {
        let toy = Toy::new(toy(29, ranges.least_columns(1)), &ranges, 4);
        let claim = of_reference(&toy, &ranges);
        let proof = toy.prove(&ranges);
        let mut counts = [0; 2];
        for bit in (0..8 * proof.len()).step_by(step) {
            let mut changed = proof.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let expected = reference::verify(&toy.file, CONTEXT, &claim, &changed);
            let got = Answer::of(&toy.verify(&ranges, &changed));
            assert_eq!(got, expected, "bit {bit}");
            assert_ne!(got, Answer::Valid, "bit {bit}");
            counts[usize::from(got == Answer::Malformed)] += 1;
        }
        assert!(counts[0] > 200 && counts[1] > 0, "{counts:?}");
    }
}

#[test]
fn wide_ranges_are_proved() {
    let ranges = Ranges::new(vec![range(0, 5, -8, 8), range(6, 2, -2, 0)]).unwrap();
    let toy = Toy::new(toy(29, ranges.least_columns(1)), &ranges, 3);
    toy.verify(&ranges, &toy.prove(&ranges)).unwrap();
}
