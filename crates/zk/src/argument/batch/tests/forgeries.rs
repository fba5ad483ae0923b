//! Provers that leave the protocol: each would succeed if one check were missing.

use super::*;
use crate::argument::P;
use crate::argument::ends::Ends;
use crate::argument::prover::ProvedFact;
use crate::argument::sum_check::dot;
use crate::argument::tests::Weights;

/// The reason why what a forger makes of the honest rounds is not valid.
fn forged(
    toy: &Toy,
    facts: &Facts,
    ends: impl FnOnce(&Rounds) -> Ends,
    values: impl FnOnce(&Rounds, Element) -> Vec<Element>,
) -> Option<Reason> {
    let rounds = toy.play_facts(facts);
    let ends = ends(&rounds);
    let sent = rounds.send(toy.batch_slot(0), ends, values);
    let (prover, seed) = (toy.prover(), Seed::from_bytes([8; 32]));
    let proved = prover.prove_opening(CONTEXT, &toy.witness, &seed, Some(&sent.opening));
    let proof = sent.into_proof(proved.unwrap().proof);
    toy.facts_reason(0, facts, &proof.to_bytes(&toy.params))
}

/// Sums that are off by these.
fn sums(toy: &Toy, off: [i64; 3]) -> Facts {
    let claims: [(Weights<u32>, Weights<u64>); 3] = [
        (vec![(0, 2), (3, 5)], vec![(2, 1), (4, -3)]),
        (vec![(1, 1)], vec![(0, 1), (7, 1)]),
        (vec![(5, 1)], vec![(39, 1)]),
    ];
    let facts = claims.into_iter().zip(off).map(|((rows, columns), off)| {
        let value = toy.value(&rows, &columns) + off;
        Fact::sum(rows, columns, value).unwrap()
    });
    Facts::new(facts.collect()).unwrap()
}

/// One false fact among true ones, in any place, of either kind.
#[test]
fn one_false_fact_has_no_proof() {
    let toy = Toy::new(toy(29, 40), 1);
    let honest = |facts: &Facts| forged(&toy, facts, Rounds::ends, Rounds::values);
    for off in [[1, 0, 0], [0, -1, 0], [0, 0, 1 << 40]] {
        let facts = sums(&toy, off);
        assert!(matches!(toy.try_prove_facts(0, &facts), Err(Error::FalseFact)));
        assert_eq!(honest(&facts), Some(Reason::Equation), "{off:?}");
    }
    let mut values = vec![toy.entry(1, 6) as i64, toy.entry(2, 6) as i64];
    for off in [0, 1] {
        values[1] += off;
        let mut facts = all(&toy);
        facts.push(Fact::block(1, 6, 2, values.clone()).unwrap());
        assert_eq!(toy.try_prove_facts(0, &of(&facts)).is_ok(), off == 0);
        assert_eq!(honest(&of(&facts)), (off != 0).then_some(Reason::Equation));
    }
}

/// Two false facts that make up for each other where all facts count the same. The control: there,
/// the equations hold of what an honest prover sends.
#[test]
fn false_facts_do_not_make_up_for_each_other() {
    let toy = Toy::new(toy(29, 40), 2);
    let facts = sums(&toy, [5, -5, 0]);
    assert!(matches!(toy.try_prove_facts(0, &facts), Err(Error::FalseFact)));
    let honest = forged(&toy, &facts, Rounds::ends, Rounds::values);
    assert_eq!(honest, Some(Reason::Equation));
    let equations_hold = |fixed: bool| {
        let mut begun = toy.begin_facts(&facts);
        if fixed {
            begun.course.scales.fill(Element::from(1));
        }
        let rounds = begun.play::<i8>(&toy.params, &toy.witness, toy.batch_slot(0)).unwrap();
        let (ends, rho) = (rounds.ends(), Element::from(12345));
        let lambda = rounds.course.lambda(&rounds.messages, ends.value);
        let weights = [&rounds.course.column_weights()[..], &rounds.course.pad_weights().0];
        ends.hold(rho, lambda, &rounds.values(rho), weights)
    };
    assert!(equations_hold(true) && !equations_hold(false));
    // Nor do differences that are made for one eta, as eta follows from the values.
    let eta = toy.begin_facts(&facts).course.scales[1];
    let later = sums(&toy, [7, -7, 0]);
    assert_ne!(toy.begin_facts(&later).course.scales[1], eta);
}

/// What a prover needs that would have rho before it chooses its ends.
#[test]
fn ends_can_not_be_chosen_after_rho() {
    let toy = Toy::new(toy(29, 40), 3);
    let facts = sums(&toy, [0, 1, 0]);
    let wrong = |rounds: &Rounds| {
        let mut ends = rounds.ends();
        let early = toy.play_facts(&facts).course.rho(&ends);
        let lambda = rounds.course.lambda(&rounds.messages, ends.value);
        let (values, w) = (rounds.values(early), rounds.course.pad_weights().0);
        ends.weighted_kappas = dot(&w, &values) - early * (ends.weighted_values + early * lambda);
        let weights = [&rounds.course.column_weights()[..], &w];
        assert!(ends.hold(early, lambda, &values, weights));
        ends
    };
    assert_eq!(forged(&toy, &facts, wrong, Rounds::values), Some(Reason::Equation));
    // A false v of true facts, with what makes both equations hold for the early rho.
    let facts = sums(&toy, [0; 3]);
    let wrong = |rounds: &Rounds| {
        let early = toy.play_facts(&facts).course.rho(&rounds.ends());
        let mut ends = rounds.ends();
        let before = rounds.course.lambda(&rounds.messages, ends.value);
        ends.value += Element::from(1);
        ends.kappas = ends.kappas - early;
        let after = rounds.course.lambda(&rounds.messages, ends.value);
        ends.weighted_kappas += early * early * (before - after);
        ends
    };
    assert_eq!(forged(&toy, &facts, wrong, Rounds::values), Some(Reason::Equation));
}

/// Values of which both equations hold are not those of the columns.
#[test]
fn values_are_those_of_the_columns() {
    let toy = Toy::new(toy(29, 40), 4);
    let facts = sums(&toy, [0, 0, -1]);
    let repaired = |rounds: &Rounds, rho: Element| {
        let (mut values, ends) = (rounds.values(rho), rounds.ends());
        let (w, eq) = (rounds.course.pad_weights().0, rounds.course.column_weights());
        let lambda = rounds.course.lambda(&rounds.messages, ends.value);
        let wanted = ends.weighted_kappas + rho * (ends.weighted_values + rho * lambda);
        // Column 0 makes the second equation hold, and the last one, which has no part in it, the
        // first.
        let (first, last) = (0, values.len() - 1);
        let change = (wanted - dot(&w, &values)) * w[first].inverse();
        values[first] += change;
        values[last] = values[last] - eq[first] * change * eq[last].inverse();
        values
    };
    assert_eq!(forged(&toy, &facts, Rounds::ends, repaired), Some(Reason::Challenge));
}

/// Every number counts, and has its reason.
#[test]
fn altered_numbers_are_named() {
    let toy = Toy::new(toy(29, 40), 5);
    let facts = of(&all(&toy));
    let honest = toy.try_prove_facts(0, &facts).unwrap();
    let reason = |change: &dyn Fn(&mut FactsProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        toy.facts_reason(0, &facts, &proof.to_bytes(&toy.params))
    };
    let (one, equation) = (Element::from(1), Some(Reason::Equation));
    assert_eq!(reason(&|_| ()), None);
    for index in 0..honest.messages.len() {
        assert_eq!(reason(&|proof| proof.messages[index] += one), equation, "message {index}");
    }
    for index in 0..Ends::COUNT {
        let change = |proof: &mut FactsProof| {
            let mut ends = proof.ends.to_array();
            ends[index] += one;
            proof.ends = Ends::from_array(ends);
        };
        assert_eq!(reason(&change), equation, "end {index}");
    }
    for index in [0, 18, 39] {
        assert_eq!(reason(&|proof| proof.values[index] += one), equation, "value {index}");
    }
    assert_eq!(reason(&|proof| proof.values.swap(2, 30)), equation);
    assert_eq!(reason(&|proof| proof.messages.swap(4, 5)), equation);
    assert_eq!(reason(&|proof| proof.proof.z[3] += 1), Some(Reason::Challenge));
    // p in the place of 0: the same element, another encoding.
    let bytes = honest.to_bytes(&toy.params);
    for index in [0, 7, honest.messages.len() + Ends::COUNT + 39] {
        let at = 24 + 32 + 24 * index + 8;
        let mut altered = bytes.clone();
        let value = u64::from_le_bytes(altered[at..at + 8].try_into().unwrap());
        altered[at..at + 8].copy_from_slice(&(value + P).to_le_bytes());
        let reason = toy.facts_reason(0, &facts, &altered);
        assert_eq!(reason, Some(Reason::FieldElement { index: index as u64 }));
    }
}

/// A proof is for these facts, in this order, slot, T and context, and of this kind.
#[test]
fn proofs_are_for_one_claim_in_one_place() {
    let toy = Toy::new(toy(29, 40), 6);
    let known = all(&toy);
    let facts = of(&known);
    let honest = toy.try_prove_facts(0, &facts).unwrap();
    let proof = honest.to_bytes(&toy.params);
    assert_eq!(toy.facts_reason(0, &facts, &proof), None);
    let mut others = vec![known[1..].to_vec(), known[..4].to_vec()];
    let mut swapped = known.clone();
    swapped.swap(1, 3);
    others.push(swapped);
    others.push([&known[..], &known[..1]].concat());
    for other in others {
        assert_eq!(toy.facts_reason(0, &of(&other), &proof), Some(Reason::OtherFact));
    }
    assert_eq!(toy.facts_reason(1, &facts, &proof), Some(Reason::OtherFact));
    let other = Toy::new(self::toy(29, 40), 7);
    assert_eq!(other.facts_reason(0, &facts, &proof), Some(Reason::OtherFact));
    let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
    let slot = toy.batch_slot(0);
    let verdict = verifier.verify_facts_streaming(b"", slot, &facts, &toy.file, &proof);
    assert!(matches!(verdict, Err(VerifyError::Invalid(Reason::OtherStatement))));
    // Of one fact alone, it is no proof of the other kind, nor the other way around.
    let (slot, seed) = (toy.space.slot(3).unwrap(), Seed::from_bytes([7; 32]));
    let proved = toy.prover().prove_fact(CONTEXT, slot, &known[0], &toy.witness, &seed);
    let ProvedFact { proof: single, .. } = proved.unwrap();
    let single = single.to_bytes(&toy.params);
    assert!(matches!(toy.verify_facts(0, &facts, &single), Err(VerifyError::NoVerdict(_))));
    let verdict = verifier.verify_fact_streaming(CONTEXT, slot, &known[0], &toy.file, &proof);
    assert!(matches!(verdict, Err(VerifyError::NoVerdict(Error::Malformed { .. }))));
    // The proof of knowledge alone is not bound to the claim.
    let plain = toy.prover().prove(CONTEXT, &toy.witness, &seed).unwrap().proof;
    let unbound = FactsProof { proof: plain, ..honest.clone() }.to_bytes(&toy.params);
    assert_eq!(toy.facts_reason(0, &facts, &unbound), Some(Reason::Challenge));
    let verdict =
        verifier.verify_streaming(CONTEXT, &toy.file, &honest.proof.to_bytes(&toy.params));
    assert!(matches!(verdict, Err(VerifyError::Invalid(Reason::Challenge))));
}
