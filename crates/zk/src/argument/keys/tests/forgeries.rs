//! Provers that leave the protocol: each would succeed if one check were missing.

use super::agreement::{header, of_entries, of_reference};
use super::*;
use crate::cases::{flipped, of_length};
use crate::error::{Fault, Malformation, RequestProblem};
use crate::opening::transcript::{decode, encode};
use crate::reference::Answer;
use crate::reference::compact::keys as reference;
use crate::shows::Shows;
use crate::sum_check::dot;

/// Keys of a header that allows 127, one entry of which is beyond the claim.
fn cheater(entry: i8, row: usize, column: usize) -> Toy {
    Toy::new(toy(33, 10, 7, 127), ranges(1, 1), 5).with_entry(column * 15 + row, entry)
}

/// Keys of which a proof of knowledge is accepted, as it shows the relaxed bound alone, and no
/// proof that they are well formed: the prover refuses, and every verifier where a prover does not.
#[test]
fn keys_beyond_their_range_have_no_proofs() {
    let mut toys: Vec<Toy> = [(2, 0, 0), (-2, 9, 6), (2, 10, 3), (-2, 14, 6), (127, 14, 0)]
        .map(|(entry, row, column)| cheater(entry, row, column))
        .into();
    // A whole key of 127s, and all keys.
    let honest = cheater(1, 0, 0);
    for columns in [3..4, 0..7] {
        let mut entries = honest.entries.clone();
        entries[columns.start * 15..columns.end * 15].fill(127);
        toys.push(Toy::of(honest.params.clone(), honest.claim, entries));
    }
    for toy in toys {
        let seed = Seed::from_bytes(SEED);
        let plain = toy.prover().prove(CONTEXT, &toy.witness, &seed).unwrap().proof;
        toy.verifier().verify(CONTEXT, &plain).unwrap();
        assert_error!(toy.try_prove(), Error::FalseFact);
        assert_eq!(toy.reason_of(AfterRounds::ends, AfterRounds::values), EQUATION);
    }
    // The control: the same prover, of keys that are well formed.
    let toy = cheater(1, 0, 0);
    assert_eq!(toy.reason_of(AfterRounds::ends, AfterRounds::values), None);
}

/// The key of 127s under parameters and by a prover of `uses::lwe`, whose header says b = 1:
/// today's relaxed verifier accepts it. Here the prover is the reference, which refuses nothing.
#[test]
fn keys_of_127s_have_no_proof_where_b_is_1() {
    let honest = Toy::new(toy(33, 10, 7, 1), ranges(1, 1), 5);
    let keys = honest.keys();
    let mut s = of_entries(&honest.entries);
    s[15..30].fill(127);
    let file = crate::reference::compact::commit(&honest.file[..256], None, &s);
    let (header, claim) = (header(&keys), of_reference(&honest.claim));
    let cheat = reference::Cheat::default();
    let proof = reference::prove(&file, &header, &s, CONTEXT, &claim, &[7; 32], cheat);
    let statement = Statement::read(&file, Security::Waived).unwrap();
    let keys = ExactKeys::new(&honest.matrix, &statement, honest.claim).unwrap().with_file(&file);
    let verdict = keys.verify(CONTEXT, &proof);
    assert_error!(verdict, Error::Invalid(Reason::Content(Fault::Equation)));
}

/// What a prover needs that would have rho before it chooses its ends: with that rho the equation
/// holds of a false claim. But rho follows from them.
#[test]
fn ends_can_not_be_chosen_after_rho() {
    let toy = cheater(2, 3, 5);
    let mut rounds = toy.play(toy.dummies(), 0);
    let mut ends = rounds.ends();
    let early = rounds.schedule.rho(&ends);
    let values = rounds.values(early);
    let w = rounds.schedule.pad_weights();
    let ranges = toy.keys().ranges;
    let rest = dot(&w, &rounds.schedule.schedule.rounds.messages)
        - rounds.schedule.last_claim(&ranges, &ends.hints);
    ends.weighted_masks = dot(&w, &values) - early * (ends.weighted_hints + early * rest);
    assert_eq!(toy.reason_of(|_| ends.clone(), AfterRounds::values), EQUATION);
    assert_eq!(toy.reason_of(|_| ends, |rounds, _| rounds.values(early)), EQUATION);
}

/// A hint that is not its key's, with a last claim that suits it, and values of which the
/// equation holds.
#[test]
fn hints_and_values_are_those_of_the_columns() {
    let toy = cheater(2, 3, 5);
    let ranges = toy.keys().ranges;
    let repaired = |rounds: &AfterRounds, ends: &FinalMessages, rho: Element| {
        let mut values = rounds.values(rho);
        let w = rounds.schedule.pad_weights();
        let rest = dot(&w, &rounds.schedule.schedule.rounds.messages)
            - rounds.schedule.last_claim(&ranges, &ends.hints);
        let wanted = ends.weighted_masks + rho * (ends.weighted_hints + rho * rest);
        let change = (wanted - dot(&w, &values)) * w[0].inverse();
        values[0] += change;
        values
    };
    let honest = |rounds: &AfterRounds, rho| repaired(rounds, &rounds.ends(), rho);
    assert_eq!(toy.reason_of(AfterRounds::ends, honest), CHALLENGE);
    // The hint that the key had if its entry were another.
    let wrong = |rounds: &AfterRounds| {
        let mut ends = rounds.ends();
        ends.hints[5] += Element::from(1);
        ends
    };
    let values = |rounds: &AfterRounds, rho| repaired(rounds, &wrong(rounds), rho);
    assert_eq!(toy.reason_of(wrong, values), CHALLENGE);
}

/// A key A' s + e + A_x d with digits d = (2 b' + 1, -1) in the rows of gamma, whose value is 0: it
/// would be accepted if theta left out these rows, and is not.
#[test]
fn keys_have_no_pads() {
    let honest = Toy::new(toy(33, 10, 7, 1), ranges(1, 1), 5);
    let pads = honest.keys().extended.pads;
    let (header, claim) = (header(&honest.keys()), of_reference(&honest.claim));
    let s = of_entries(&honest.entries);
    let (first, base) = (pads.uniform as usize, i128::from(2 * pads.bound + 1));
    let check = |digits, weak_theta| {
        let cheat = reference::Cheat { digits, weak_theta };
        let file = reference::commit_with_pads(&honest.file[..256], &header, &s, &claim, cheat);
        let proof = reference::prove(&file, &header, &s, CONTEXT, &claim, &[7; 32], cheat);
        let statement = Statement::read(&file, Security::Waived).unwrap();
        let keys = ExactKeys::new(&honest.matrix, &statement, honest.claim).unwrap();
        let reason = reason(keys.with_file(&file).verify(CONTEXT, &proof));
        let weak = reference::verify(&file, &header, CONTEXT, &claim, &proof, true);
        (reason, weak)
    };
    let kernel = [(first, base), (first + 1, -1)];
    assert_eq!(check(kernel, false).0, CHALLENGE);
    // The control.
    assert_eq!(check(kernel, true).1, Answer::Valid);
    assert_eq!(check([(0, 0); 2], false), (None, Answer::Invalid));
    // In rows of uniform digits, and where the value is not 0, neither accepts.
    for digits in [[(0, 1), (1, -1)], [(first, 1), (first + 1, 0)], [(first + 2, 1), (0, 5)]] {
        assert_eq!(check(digits, false).0, CHALLENGE);
        assert_eq!(check(digits, true).1, Answer::Invalid);
    }
}

/// Every number counts, and has its reason.
#[test]
fn altered_numbers_are_named() {
    let toy = Toy::new(toy(29, 10, 7, 1), ranges(1, 1), 6);
    let (keys, (sent, proof)) = (toy.keys(), toy.try_prove().unwrap());
    let file = sent.proof_file(keys.params(), &proof);
    let (dummies, columns) = (24 + 32 + 16, keys.dummies() as usize);
    let (elements, count) = (dummies + sent.columns.len(), 2 * columns + 7 + 2);
    let reason = |change: &dyn Fn(&mut [Element])| {
        let mut altered = decode(&sent.elements, count).unwrap();
        change(&mut altered);
        toy.reason(&replaced(&file, elements, &encode(&altered)))
    };
    assert_eq!(reason(&|_| ()), None);
    for index in 0..count {
        let altered = reason(&|elements| elements[index] += Element::from(1));
        assert_eq!(altered, EQUATION, "element {index}");
    }
    // Messages, hints and values.
    for (one, other) in [(4, 5), (columns + 2, columns + 5), (count - 4, count - 5)] {
        assert_eq!(reason(&|elements| elements.swap(one, other)), EQUATION);
    }
    let mut other = proof.clone();
    other.z[3] += 1;
    assert_eq!(toy.reason(&sent.proof_file(keys.params(), &other)), CHALLENGE);
    // T of a dummy column, and its padding.
    let of_bit = |at: usize, bit: usize| toy.reason(&flipped(&file, 8 * at + bit));
    assert_eq!(of_bit(dummies, 0), Some(Reason::OtherFact));
    let (size, used) = (keys.params().last_column_bytes(), 5 * keys.params().last_width() % 8);
    assert!(used > 0, "words end within a byte");
    for bit in used..8 {
        let encoding = Some(Reason::Content(Fault::Encoding));
        assert_eq!(of_bit(dummies + size - 1, bit as usize), encoding);
    }
    assert_eq!(of_bit(dummies + size - 1, 0), Some(Reason::OtherFact));
    // p in the place of 0: the same element, another encoding.
    for index in [0, columns, columns + 8, 2 * columns + 8] {
        let at = elements + 24 * index + 8;
        let value = u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let altered = replaced(&file, at, &(value + crate::field::P).to_le_bytes());
        let expected = Some(Reason::Content(Fault::FieldElement { index: index as u64 }));
        assert_eq!(toy.reason(&altered), expected);
    }
}

/// A proof is for one claim, T, context and number of hints.
#[test]
fn proofs_are_for_one_claim_and_context() {
    let one = Toy::new(toy(29, 10, 7, 2), ranges(1, 1), 6);
    let proof = one.prove();
    let other = |claim: KeyRanges| Toy { claim, ..Toy::new(toy(29, 10, 7, 2), ranges(1, 1), 6) };
    for claim in [ranges(1, 2), ranges(2, 1), ranges(2, 2), ranges(1, 1).with_hints(2).unwrap()] {
        assert_eq!(other(claim).reason(&proof), Some(Reason::OtherFact), "{claim:?}");
    }
    // The number of hints is bound, too.
    let altered = replaced(&proof, 24 + 32 + 8, &[2]);
    let two = other(ranges(1, 1).with_hints(2).unwrap());
    assert_eq!(two.reason(&altered), Some(Reason::OtherStatement));
    assert_eq!(stated_claim(&altered, &one.params).unwrap().hints(), 2);
    let verdict = one.keys().verify(b"other", &proof);
    assert_error!(verdict, Error::Invalid(Reason::OtherStatement));
    // Another T.
    let other = Toy::new(toy(29, 10, 7, 2), ranges(1, 1), 7);
    assert_eq!(other.reason(&proof), Some(Reason::OtherFact));
    // T is read.
    let unread = ExactKeys::new(&one.matrix, &one.statement, one.claim).unwrap();
    let verdict = unread.verify(CONTEXT, &proof);
    assert_error!(verdict, Error::Request(RequestProblem::NotLoaded));
    assert_error!(one.prove_by(&unread), Error::Request(RequestProblem::NotLoaded));
    // A file that has changed.
    let mut file = one.file.clone();
    *file.last_mut().unwrap() ^= 1;
    let verdict = one.keys().with_file(&file).verify(CONTEXT, &proof);
    assert_error!(verdict, Error::Malformed { .. });
    // Other kinds of files.
    let seed = Seed::from_bytes(SEED);
    let plain = one.prover().prove(CONTEXT, &one.witness, &seed).unwrap().proof;
    let verdict = one.keys().verify(CONTEXT, &plain);
    assert_error!(verdict, Error::Malformed { .. });
    assert_eq!(Shows::of(&plain, &one.params).unwrap(), Shows::Knowledge);
    assert_eq!(Shows::of(&proof, &one.params).unwrap(), Shows::Keys(one.claim));
    assert!(one.verifier().verify(CONTEXT, &proof).is_err());
}

/// A claim beyond the header's bounds is another fact, as is any where the header allows none; and
/// a file beyond the longest is malformed, for every length that it states.
#[test]
fn claims_that_a_header_does_not_allow_are_invalid() {
    let one = Toy::new(toy(29, 10, 7, 2), ranges(1, 1), 6);
    let proof = one.prove();
    let claim = |bytes: &[u8], params: &Params| match stated_claim(bytes, params) {
        Err(Error::Invalid(reason)) => Ok(reason),
        Err(Error::Malformed { problem, .. }) => Err(problem),
        other => panic!("{other:?}"),
    };
    for at in [24 + 32, 24 + 32 + 4] {
        assert_eq!(claim(&replaced(&proof, at, &[3]), &one.params), Ok(Reason::OtherFact));
    }
    let base = toy(29, 10, 7, 2);
    let rounded = CustomParams { round_t: Some(2), ..base };
    let large = CustomParams { b: 128, w: 40, ..base };
    let longer_hash = CustomParams { lambda: 256, ..base };
    for (custom, suite) in [(base, 1), (rounded, 1), (large, 1), (longer_hash, 2)] {
        let params = waived(custom);
        let with_len = |len: u64| of_length(&replaced(&proof, 10, &[suite]), len as usize);
        let most = match params.max_key_bytes() {
            0 => {
                let most = params.max_argument_bytes();
                assert_eq!(claim(&with_len(most), &params), Ok(Reason::OtherFact));
                most
            }
            most => most,
        };
        for longer in [with_len(most + 1), [&with_len(most)[..], &[0]].concat()] {
            assert_eq!(claim(&longer, &params), Err(Malformation::TooLong { most }));
        }
    }
}
