//! Norms: provers that cheat with them, which claims and witnesses are refused, and the bits.

use proptest::prelude::*;

use super::*;
use crate::argument::ranges::eq;
use crate::argument::ranges::terms::{column_sum, terms};
use crate::error::ParameterError;

/// The reason why what a prover sends that follows the protocol with other columns is not valid.
fn forged(toy: &Toy, ranges: &Ranges) -> Option<Reason> {
    let rounds = toy.play(ranges, 1 << 20);
    let ends = rounds.ends();
    let sent = rounds.send(ranges, toy.slot(), ends, Rounds::values);
    toy.reason(ranges, &toy.file_of(sent))
}

/// A toy of which the claim holds, but for entries of one column: (row, entry).
fn altered(ranges: &Ranges, column: usize, entries: &[(usize, i8)]) -> Toy {
    let honest = Toy::new(toy(29, ranges.least_columns(1)), ranges, 5);
    let mut all = honest.entries.clone();
    for &(row, entry) in entries {
        all[column * honest.params.v() as usize + row] = entry;
    }
    Toy::of(honest.params, honest.space, all)
}

fn refuses(toy: &Toy, ranges: &Ranges) -> bool {
    matches!(toy.try_prove(ranges), Err(Error::FalseFact))
}

/// A squared norm of beta^2 + 1, with any bits, bits that are those of another norm, and a bit of 2
/// that makes the equation hold: no proof of them is valid, whatever a prover does not refuse.
#[test]
fn other_norms_have_no_proofs() {
    // s^2 + sum 2^d b_d = 81, in rows 0 and 1 to 7.
    let ranges = one_norm();
    let bits =
        |slack: i8| -> Vec<(usize, i8)> { (0..7).map(|d| (1 + d, slack >> d & 1)).collect() };
    let with = |entry: i8, slack: i8| [vec![(0, entry)], bits(slack)].concat();
    let holds = altered(&ranges, 3, &with(-9, 0));
    assert_eq!(forged(&holds, &ranges), None);
    assert!(!refuses(&holds, &ranges));
    let mut two = with(5, 0);
    // 25 + 2 4 + 16 + 32.
    two[3].1 = 2;
    two[5].1 = 1;
    two[6].1 = 1;
    let sum = |entries: &[(usize, i8)]| -> i64 {
        let bits = entries[1..].iter().enumerate();
        let square = i64::from(entries[0].1).pow(2);
        square + bits.map(|(d, &(_, bit))| i64::from(bit) << d).sum::<i64>()
    };
    assert_eq!(sum(&two), 81);
    let mut negative = with(10, 0);
    // 100 - 16 - 2 - 1.
    for (bit, value) in [(5, -1), (2, -1), (1, -1)] {
        negative[bit].1 = value;
    }
    assert_eq!(sum(&negative), 81);
    for (column, entries) in [
        (0, with(10, 0)),
        (96, with(-10, 127)),
        (3, with(9, 1)),
        (40, with(4, 64)),
        (41, with(127, 0)),
        (7, two),
        (8, negative),
    ] {
        let toy = altered(&ranges, column, &entries);
        assert!(refuses(&toy, &ranges), "{entries:?}");
        assert_eq!(forged(&toy, &ranges), Some(Reason::Equation), "{entries:?}");
    }
    // 82 where the bound is 81, as one entry cannot have it.
    let norm = RowNorm { first_row: 0, rows: 2, bound_squared: 81, first_bit: 2, bits: 0 };
    let exactly = Ranges::with_norms(vec![], vec![norm]).unwrap();
    let base = Toy::new(toy(29, 128), &trits(2), 5);
    let v = base.params.v() as usize;
    let of = |pair: [i8; 2]| {
        let mut all = base.entries.clone();
        for column in all.chunks_mut(v) {
            column[..2].copy_from_slice(&[0, -9]);
        }
        all[50 * v..50 * v + 2].copy_from_slice(&pair);
        Toy::of(base.params.clone(), base.space, all)
    };
    let toy = of([9, 0]);
    toy.verify(&exactly, &toy.prove(&exactly)).unwrap();
    for pair in [[9, 1], [8, 4], [0, 0]] {
        let toy = of(pair);
        assert!(refuses(&toy, &exactly));
        assert_eq!(forged(&toy, &exactly), Some(Reason::Equation), "{pair:?}");
    }
}

/// Two false norms do not make up for each other, as eta is drawn after T; the control: for an eta
/// of 1, known before, they would.
#[test]
fn norms_can_not_make_up_for_each_other() {
    let ranges = two_norms();
    // The first sum is 4 and not 3, the second 0 and not 1.
    let entries = [(0, 1), (1, 1), (2, 1), (4, 1), (5, 0), (6, 0), (7, 0)];
    let toy = altered(&ranges, 9, &entries);
    assert!(refuses(&toy, &ranges));
    assert_eq!(forged(&toy, &ranges), Some(Reason::Equation));
    // The sum over the table of what norms add, less what is claimed, for tau and eta.
    let rounds = toy.play(&ranges, 0);
    let difference = |challenges: &[Element]| {
        let shape = Shape::new(&ranges, toy.params.l());
        let (_, of_columns, eta) = shape.split(challenges);
        let of_columns = eq::table(of_columns, toy.params.l() as usize);
        let mut sum = Element::ZERO;
        for (column, &weight) in toy.entries.chunks(toy.params.v() as usize).zip(&of_columns) {
            let mut of_column = Element::ZERO - column_sum(&ranges, eta);
            for term in terms(&ranges, shape, challenges).iter().filter(|term| !term.vanishes) {
                let rows = ranges.rows.iter().cloned().flatten().enumerate();
                for (a, row) in rows {
                    of_column += term.at(a)
                        * term.product.at(Element::from(i64::from(column[row as usize])));
                }
            }
            sum += weight * of_column;
        }
        sum
    };
    let mut challenges = rounds.course.challenges.clone();
    assert_ne!(difference(&challenges), Element::ZERO);
    *challenges.last_mut().unwrap() = Element::from(1);
    assert_eq!(difference(&challenges), Element::ZERO);
}

/// A proof is for one claim, slot, T and context: none about it is valid with another norm.
#[test]
fn proofs_are_for_one_norm() {
    let ranges = one_norm();
    let custom = toy(29, 128);
    let one = Toy::new(custom, &ranges, 6);
    let proof = one.prove(&ranges);
    let honest = ranges.norms()[0];
    for norm in [
        RowNorm { bound_squared: 80, ..honest },
        RowNorm { bound_squared: 82, ..honest },
        RowNorm { bits: 6, ..honest },
        RowNorm { first_bit: 2, bits: 6, ..honest },
        RowNorm { first_row: 8, ..honest },
        RowNorm { rows: 1, first_row: 8, bits: 0, ..honest },
    ] {
        let other = Ranges::with_norms(ranges.parts().to_vec(), vec![norm]).unwrap();
        assert_eq!(one.reason(&other, &proof), Some(Reason::OtherFact), "{norm:?}");
    }
    let other = Ranges::with_norms(vec![range(1, 8, 0, 1)], vec![honest]).unwrap();
    assert_eq!(one.reason(&other, &proof), Some(Reason::OtherFact));
    let other = Ranges::with_norms(ranges.parts().to_vec(), vec![honest; 1]).unwrap();
    assert_eq!(one.reason(&other, &proof), None);
    // Without its norm it is another kind of file, and the other way round.
    let without = Ranges::new(ranges.parts().to_vec()).unwrap();
    assert!(matches!(one.verify(&without, &proof), Err(VerifyError::NoVerdict(_))));
    let of_ranges = one.prove(&without);
    assert!(matches!(one.verify(&ranges, &of_ranges), Err(VerifyError::NoVerdict(_))));
    let verifier = Verifier::new(&one.matrix, &one.statement).unwrap();
    let verify = |slot, context: &[u8]| {
        verifier.verify_ranges_streaming(context, slot, &ranges, &one.file, &proof)
    };
    let moved = RangeSlot::new(ROWS, ROWS + 1);
    assert!(matches!(verify(moved, CONTEXT), Err(VerifyError::Invalid(Reason::OtherFact))));
    let other = verify(one.slot(), b"other");
    assert!(matches!(other, Err(VerifyError::Invalid(Reason::OtherStatement))));
    verify(one.slot(), CONTEXT).unwrap();
    assert_eq!(Toy::new(custom, &ranges, 7).reason(&ranges, &proof), Some(Reason::OtherFact));
}

/// Files of any bytes: no panic, no other file is valid.
#[test]
fn claims_of_any_bytes_are_refused() {
    let ranges = one_norm();
    let toy = Toy::new(toy(29, ranges.least_columns(1)), &ranges, 8);
    let proof = toy.prove(&ranges);
    let elements = 24 + 32 + 8 + 16 + 4 + 24;
    for bit in 8 * 24..8 * (elements + 30) {
        let mut altered = proof.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(toy.verify(&ranges, &altered).is_err());
        match RangeProof::claim(&altered, &toy.params) {
            Ok((slot, other)) => {
                let slot = RangeSlot::new(ROWS, slot.first_row());
                let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
                let verdict =
                    verifier.verify_ranges_streaming(CONTEXT, slot, &other, &toy.file, &altered);
                assert!(verdict.is_err());
            }
            Err(VerifyError::Invalid(reason)) => assert_eq!(reason, Reason::OtherFact),
            Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
        }
    }
    for len in (0..proof.len()).step_by(97).chain(elements - 30..=elements) {
        let mut cut = proof[..len].to_vec();
        assert!(RangeProof::claim(&cut, &toy.params).is_err());
        if len >= 24 {
            cut[16..24].copy_from_slice(&(len as u64).to_le_bytes());
            assert_eq!(RangeProof::claim(&cut, &toy.params).is_ok(), len >= elements, "{len}");
            assert!(toy.verify(&ranges, &cut).is_err());
        }
    }
}

fn name<T: core::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Parameter(ParameterError { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_norm() {
    let honest = RowNorm::at_most(0, 4, 20, 4);
    assert_eq!(honest.bits, 5);
    let new = |norms: &[RowNorm]| Ranges::with_norms(vec![range(4, 9, 0, 1)], norms.to_vec());
    assert!(new(&[honest]).is_ok());
    assert_eq!(name(Ranges::with_norms(vec![], vec![])), "ranges");
    let none = RowNorm { bits: 0, ..honest };
    assert!(Ranges::with_norms(vec![], vec![none]).is_ok());
    assert!(new(&[none; 4]).is_ok());
    assert_eq!(name(new(&[none; 5])), "norms");
    assert_eq!(name(new(&[RowNorm { rows: 0, ..honest }])), "rows of a norm");
    for bound_squared in [P, P + 1, u64::MAX] {
        assert_eq!(name(new(&[RowNorm { bound_squared, ..none }])), "bound on a squared norm");
    }
    assert!(new(&[RowNorm { bound_squared: P - 1, ..none }]).is_ok());
    for bits in [61, 64, u32::MAX] {
        assert_eq!(name(new(&[RowNorm { bits, ..honest }])), "bits of a norm");
    }
    // Bits beyond those that are shown to be bits, on either side; two norms with the same.
    for first_bit in [3, 9, u32::MAX] {
        assert_eq!(name(new(&[RowNorm { first_bit, ..honest }])), "bits of a norm");
    }
    let trits = Ranges::with_norms(vec![range(4, 9, -1, 1)], vec![honest]);
    assert_eq!(name(trits), "bits of a norm");
    let beside = RowNorm { first_bit: 9, bits: 4, ..honest };
    assert!(new(&[honest, beside]).is_ok());
    assert_eq!(name(new(&[honest, RowNorm { first_bit: 8, ..beside }])), "bits of a norm");
    assert_eq!(name(new(&[RowNorm { rows: 5, ..honest }])), "bits of a norm");
    assert_eq!(name(new(&[honest, RowNorm { first_row: 8, rows: 1, ..none }])), "bits of a norm");
    assert_eq!(name(new(&[RowNorm { first_row: u32::MAX, ..none }])), "rows of a range");
    assert_eq!(name(RowNorm::gaussian(0, 0, 1, 0)), "rows of a norm");
    for micros in [0, u64::MAX] {
        let name = name(RowNorm::gaussian(0, 9, micros, 9));
        assert_eq!(name, "standard deviation in millionths");
    }
}

/// Where 4 B^2 + 2^L is p or more, an equation may hold modulo p alone.
#[test]
fn equations_are_those_of_integers() {
    let ranges = one_norm();
    let toy = Toy::new(toy(64, ranges.least_columns(1)), &ranges, 2);
    let proof = toy.prove(&ranges);
    let with_bound = |squared: u128| {
        let mut file = toy.file.clone();
        file[64..80].copy_from_slice(&squared.to_le_bytes());
        Statement::read(&file, Security::Waived).unwrap()
    };
    // 4 B^2 + 2^7 < p: p is 3 modulo 4.
    let most = u128::from((P - 128) / 4);
    assert!(4 * most + 128 < P.into() && 4 * (most + 1) + 128 >= P.into());
    toy.slot().check(with_bound(most).params(), &ranges).unwrap();
    let statement = with_bound(most + 1);
    let without = Ranges::new(ranges.parts().to_vec()).unwrap();
    toy.slot().check(statement.params(), &without).unwrap();
    let matrix = PublicMatrix::new(statement.params(), *statement.seed_a());
    let verifier = Verifier::new(&matrix, &statement).unwrap();
    let verdict = verifier.verify_ranges_streaming(CONTEXT, toy.slot(), &ranges, &toy.file, &proof);
    let Err(VerifyError::NoVerdict(error)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(name::<()>(Err(error)), "log2 B");
    let prover = Prover::new(&matrix, &statement).unwrap().with_file(&toy.file).reproducible();
    let seed = Seed::from_bytes([7; 32]);
    let proved = prover.prove_ranges(CONTEXT, toy.slot(), &ranges, &toy.witness, &seed);
    assert_eq!(name(proved), "log2 B");
}

proptest! {
    /// Bits are written where there are some, and the claim then holds of the column and of no
    /// other bits.
    #[test]
    fn bits_are_what_is_missing(
        entries in proptest::collection::vec(-127_i8..=127, 1..20),
        bound in 0_u64..200_000,
        bits in 0_u32..=20,
        change in 0_usize..40,
    ) {
        let rows = entries.len();
        let norm = RowNorm {
            first_row: 0, rows: rows as u32, bound_squared: bound, first_bit: rows as u32, bits,
        };
        let parts = if bits > 0 { vec![range(rows as u32, bits, 0, 1)] } else { vec![] };
        let ranges = Ranges::with_norms(parts, vec![norm]).unwrap();
        let square: i64 = entries.iter().map(|&x| i64::from(x).pow(2)).sum();
        let missing = bound as i64 - square;
        let mut column = entries.clone();
        column.resize(rows + bits as usize, 77);
        let filled = ranges.fill_slack(column.len(), &mut column);
        prop_assert_eq!(filled.is_ok(), (0..1 << bits).contains(&missing));
        prop_assert_eq!(&column[..rows], &entries[..]);
        if filled.is_ok() {
            prop_assert!(!columns::beyond(&ranges, &column));
            if let Some(bit) = column[rows..].get_mut(change) {
                *bit = 1 - *bit;
                prop_assert!(columns::beyond(&ranges, &column));
            }
        }
    }
}

/// What is not whole columns has no bits.
#[test]
fn bits_are_those_of_whole_columns() {
    let ranges = one_norm();
    let fill = |rows: usize, length: usize| ranges.fill_slack(rows, &mut vec![1; length]);
    assert!(fill(8, 0).is_ok() && fill(8, 24).is_ok() && fill(9, 18).is_ok());
    for (rows, length) in [(7, 21), (8, 23), (9, 24), (0, 0), (usize::MAX, 8)] {
        assert!(matches!(fill(rows, length), Err(Error::MessageLength { .. })), "{rows} {length}");
    }
    // One column of three is too long.
    let mut messages = vec![1; 24];
    messages[8] = 10;
    assert!(matches!(ranges.fill_slack(8, &mut messages), Err(Error::FalseFact)));
}
