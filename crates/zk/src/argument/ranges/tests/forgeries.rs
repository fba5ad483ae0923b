//! Provers that leave the protocol: each would succeed if one check were missing.

use super::*;
use crate::argument::ends::Ends;

/// The reason why what a forger makes of the honest rounds is not valid.
fn forged(
    toy: &Toy,
    ranges: &Ranges,
    ends: impl FnOnce(&Rounds) -> Ends,
    values: impl FnOnce(&Rounds, Element) -> Vec<Element>,
) -> Option<Reason> {
    let rounds = toy.play(ranges, 1 << 20);
    let ends = ends(&rounds);
    let sent = rounds.send(ranges, toy.slot(), ends, values);
    toy.reason(ranges, &toy.file_of(sent))
}

fn toy_of(ranges: &Ranges) -> CustomParams {
    toy(29, ranges.least_columns(1))
}

/// A toy with one entry that is beyond its range by one, or much, of which all else is honest.
fn cheater(entry: i8, row: usize, column: usize, ranges: &Ranges) -> Toy {
    let honest = Toy::new(toy_of(ranges), ranges, 5);
    let mut entries = honest.entries.clone();
    entries[column * honest.params.v() as usize + row] = entry;
    Toy::of(honest.params, honest.space, entries)
}

/// Commitments with an entry beyond its range: a proof of knowledge of them is valid, as it shows
/// the relaxed bound alone. A proof of ranges is refused by the prover, and by every verifier
/// where a prover does not refuse, whatever it chooses last.
#[test]
fn entries_beyond_their_range_have_no_proofs() {
    let ranges = bits_and_trits();
    let places = [(-1, 1, 0), (2, 3, 5), (2, 4, 103), (-2, 7, 70), (9, 6, 1)];
    for (entry, row, column) in places {
        let toy = cheater(entry, row, column, &ranges);
        let seed = Seed::from_bytes([7; 32]);
        let plain = toy.prover().prove(CONTEXT, &toy.witness, &seed).unwrap().proof;
        Verifier::new(&toy.matrix, &toy.statement)
            .unwrap()
            .verify_streaming(CONTEXT, &toy.file, &plain.to_bytes(&toy.params))
            .unwrap();
        assert!(matches!(toy.try_prove(&ranges), Err(Error::FalseFact)));
        let honest = forged(&toy, &ranges, Rounds::ends, Rounds::values);
        assert_eq!(honest, Some(Reason::Equation), "{entry} in row {row} of column {column}");
    }
    // A whole column of 127s, the largest that this statement's header allows.
    let honest = cheater(127, 1, 9, &ranges);
    let mut entries = honest.entries.clone();
    let start = 9 * honest.params.v() as usize;
    entries[start..start + ROWS as usize].fill(127);
    let toy = Toy::of(honest.params, honest.space, entries);
    assert!(matches!(toy.try_prove(&ranges), Err(Error::FalseFact)));
    let honest = forged(&toy, &ranges, Rounds::ends, Rounds::values);
    assert_eq!(honest, Some(Reason::Equation));
    // The control: rows of which nothing is claimed.
    for row in [0, 8] {
        let toy = cheater(9, row, 3, &ranges);
        assert_eq!(forged(&toy, &ranges, Rounds::ends, Rounds::values), None);
    }
}

/// What a prover needs that would have rho before it chooses its ends: with that rho the equations
/// hold of a false claim. But rho follows from them.
#[test]
fn ends_can_not_be_chosen_after_rho() {
    let ranges = bits_and_trits();
    let toy = cheater(2, 3, 5, &ranges);
    let rounds = toy.play(&ranges, 0);
    let mut ends = rounds.ends();
    // What rho would be, if the ends were these.
    let early = toy.play(&ranges, 0).course.rho(&ends);
    let values = rounds.values(early);
    let (w, eq) = (rounds.course.pad_weights().0, rounds.course.column_weights());
    let sum = |a: &[Element], b: &[Element]| {
        a.iter().zip(b).fold(Element::ZERO, |sum, (&a, &b)| sum + a * b)
    };
    let rest = sum(&w, &rounds.messages) - rounds.course.last_claim(&ranges, ends.value);
    ends.weighted_kappas = sum(&w, &values) - early * (ends.weighted_values + early * rest);
    assert_eq!(sum(&eq, &values), ends.kappas + early * (ends.value + early * ends.gammas));
    let late = forged(&toy, &ranges, |_| ends, Rounds::values);
    assert_eq!(late, Some(Reason::Equation));
    // Values for that rho are not those of the columns under another.
    let late = forged(&toy, &ranges, |_| ends, |rounds, _| rounds.values(early));
    assert_eq!(late, Some(Reason::Equation));
    // A false v of a true claim, with what makes the first equation hold for the early rho, and
    // then the second.
    let toy = Toy::new(toy_of(&ranges), &ranges, 5);
    let wrong = |rounds: &Rounds| {
        let early = toy.play(&ranges, 0).course.rho(&rounds.ends());
        let mut ends = rounds.ends();
        let last = |ends: &Ends| rounds.course.last_claim(&ranges, ends.value);
        let before = last(&ends);
        ends.value += Element::from(1);
        ends.kappas = ends.kappas - early;
        ends.weighted_kappas += early * early * (last(&ends) - before);
        ends
    };
    assert_eq!(forged(&toy, &ranges, wrong, Rounds::values), Some(Reason::Equation));
}

/// Values of which both equations hold are not those of the columns.
#[test]
fn values_are_those_of_the_columns() {
    let ranges = bits_and_trits();
    let toy = cheater(2, 3, 5, &ranges);
    let repaired = |rounds: &Rounds, rho: Element| {
        let mut values = rounds.values(rho);
        let (w, eq) = (rounds.course.pad_weights().0, rounds.course.column_weights());
        let sum = |a: &[Element], b: &[Element]| {
            a.iter().zip(b).fold(Element::ZERO, |sum, (&a, &b)| sum + a * b)
        };
        let ends = rounds.ends();
        let rest = sum(&w, &rounds.messages) - rounds.course.last_claim(&ranges, ends.value);
        let wanted = ends.weighted_kappas + rho * (ends.weighted_values + rho * rest);
        // Column 0 makes the second equation hold, and the last one, which has no part in it, the
        // first.
        let (first, last) = (0, values.len() - 1);
        let change = (wanted - sum(&w, &values)) * w[first].inverse();
        values[first] += change;
        values[last] = values[last] - eq[first] * change * eq[last].inverse();
        values
    };
    assert_eq!(forged(&toy, &ranges, Rounds::ends, repaired), Some(Reason::Challenge));
}

/// Every number counts, and has its reason.
#[test]
fn altered_numbers_are_named() {
    check_altered_numbers(&bits_and_trits(), 2 * 16);
    check_altered_numbers(&two_norms(), 4 * 16 + 4 + 2 * 24);
}

/// For a claim whose parts take `claim` bytes of the file.
fn check_altered_numbers(ranges: &Ranges, claim: usize) {
    let toy = Toy::new(toy(29, ranges.least_columns(1)), ranges, 6);
    let honest = toy.try_prove(ranges).unwrap();
    let reason = |change: &dyn Fn(&mut RangeProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        toy.reason(ranges, &proof.to_bytes(&toy.params))
    };
    let one = Element::from(1);
    assert_eq!(reason(&|_| ()), None);
    let equation = Some(Reason::Equation);
    for index in 0..honest.messages.len() {
        assert_eq!(reason(&|proof| proof.messages[index] += one), equation, "message {index}");
    }
    for index in 0..Ends::COUNT {
        let change = |proof: &mut RangeProof| {
            let mut ends = proof.ends.to_array();
            ends[index] += one;
            proof.ends = Ends::from_array(ends);
        };
        assert_eq!(reason(&change), equation, "end {index}");
    }
    for index in [0, 60, honest.values.len() - 1] {
        assert_eq!(reason(&|proof| proof.values[index] += one), equation, "value {index}");
    }
    assert_eq!(reason(&|proof| proof.values.swap(2, 100)), equation);
    assert_eq!(reason(&|proof| proof.messages.swap(4, 5)), equation);
    assert_eq!(reason(&|proof| proof.proof.z[3] += 1), Some(Reason::Challenge));
    // p in the place of 0: the same element, another encoding.
    let bytes = honest.to_bytes(&toy.params);
    let all = honest.messages.len() + Ends::COUNT + honest.values.len();
    for index in [0, 7, all - 1] {
        let at = 24 + 32 + 8 + claim + 24 * index + 8;
        let mut altered = bytes.clone();
        let value = u64::from_le_bytes(altered[at..at + 8].try_into().unwrap());
        altered[at..at + 8].copy_from_slice(&(value + P).to_le_bytes());
        let reason = toy.reason(ranges, &altered);
        assert_eq!(reason, Some(Reason::FieldElement { index: index as u64 }));
    }
}

/// A proof is for one claim, slot, T and context.
#[test]
fn proofs_are_for_one_claim_in_one_place() {
    let ranges = bits_and_trits();
    let custom = toy(29, ranges.least_columns(1));
    let one = Toy::new(custom, &ranges, 6);
    let proof = one.prove(&ranges);
    for other in [
        vec![range(1, 3, 0, 1), range(4, 3, -1, 1)],
        vec![range(1, 3, 0, 1), range(4, 4, -1, 2)],
        vec![range(1, 3, -1, 0), range(4, 4, -1, 1)],
        vec![range(0, 3, 0, 1), range(4, 4, -1, 1)],
        vec![range(1, 3, 0, 1)],
    ] {
        let other = Ranges::new(other).unwrap();
        if Shape::new(&other, custom.l).has_columns() {
            assert_eq!(one.reason(&other, &proof), Some(Reason::OtherFact));
        }
    }
    let verifier = Verifier::new(&one.matrix, &one.statement).unwrap();
    let verify = |slot, context: &[u8]| {
        verifier.verify_ranges_streaming(context, slot, &ranges, &one.file, &proof)
    };
    let moved = RangeSlot::new(ROWS, ROWS + 1);
    assert!(matches!(verify(moved, CONTEXT), Err(VerifyError::Invalid(Reason::OtherFact))));
    let other = verify(one.slot(), b"other");
    assert!(matches!(other, Err(VerifyError::Invalid(Reason::OtherStatement))));
    verify(one.slot(), CONTEXT).unwrap();
    let loaded = Statement::load(&one.file, Security::Waived).unwrap();
    let of_memory = Verifier::new(&one.matrix, &loaded).unwrap();
    of_memory.verify_ranges(CONTEXT, one.slot(), &ranges, &proof).unwrap();
    let unread = verifier.verify_ranges(CONTEXT, one.slot(), &ranges, &proof);
    assert!(matches!(unread, Err(VerifyError::NoVerdict(Error::NotLoaded))));
    // Another T.
    let other = Toy::new(custom, &ranges, 7);
    assert_eq!(other.reason(&ranges, &proof), Some(Reason::OtherFact));
    // Other kinds of files.
    let seed = Seed::from_bytes([7; 32]);
    let plain = one.prover().prove(CONTEXT, &one.witness, &seed).unwrap().proof;
    let bytes = plain.to_bytes(&one.params);
    assert!(matches!(one.verify(&ranges, &bytes), Err(VerifyError::NoVerdict(_))));
    assert!(verifier.verify_streaming(CONTEXT, &one.file, &proof).is_err());
    // The proof of knowledge alone, or another, is not bound to the claim.
    let honest = one.try_prove(&ranges).unwrap();
    let bound = RangeProof { proof: plain, ..honest.clone() }.to_bytes(&one.params);
    assert_eq!(one.reason(&ranges, &bound), Some(Reason::Challenge));
    let plain = honest.proof.to_bytes(&one.params);
    let verdict = verifier.verify_streaming(CONTEXT, &one.file, &plain);
    assert!(matches!(verdict, Err(VerifyError::Invalid(Reason::Challenge))));
}

/// Files of any bytes: no panic, no other file is valid.
#[test]
fn claims_of_any_bytes_are_refused() {
    let ranges = trits(2);
    let toy = Toy::new(toy(29, ranges.least_columns(1)), &ranges, 8);
    let proof = toy.prove(&ranges);
    let elements = 24 + 32 + 8 + 16;
    for bit in 8 * 24..8 * (elements + 30) {
        let mut altered = proof.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(toy.verify(&ranges, &altered).is_err());
        match RangeProof::claim(&altered, &toy.params) {
            Ok((slot, other)) => {
                // The rest of the file is that of the claim that was read.
                if (slot.first_row(), &other) == (toy.slot().first_row(), &ranges) {
                    assert!(bit / 8 < 56 || bit / 8 >= elements, "bit {bit}");
                } else {
                    let slot = RangeSlot::new(ROWS, slot.first_row());
                    let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
                    let verdict = verifier
                        .verify_ranges_streaming(CONTEXT, slot, &other, &toy.file, &altered);
                    assert!(verdict.is_err());
                }
            }
            Err(VerifyError::Invalid(reason)) => assert_eq!(reason, Reason::OtherFact),
            Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
        }
    }
    for len in (0..proof.len()).step_by(97).chain([79, 80, 81]) {
        let mut cut = proof[..len].to_vec();
        assert!(RangeProof::claim(&cut, &toy.params).is_err());
        if len >= 24 {
            cut[16..24].copy_from_slice(&(len as u64).to_le_bytes());
            assert_eq!(RangeProof::claim(&cut, &toy.params).is_ok(), len >= elements, "{len}");
            assert!(toy.verify(&ranges, &cut).is_err());
        }
    }
}
