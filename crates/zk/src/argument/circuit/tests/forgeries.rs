//! Provers that leave the protocol: each would succeed if one check were missing.

use super::super::claim::{Course, Ends, Sent};
use super::super::shape::{INNER, OUTER};
use super::super::tables;
use super::*;
use crate::argument::sum_check::dot;

/// Another value in the place of a secret wire, and all else honest.
fn with_wire(honest: Toy, index: usize, value: Scalar) -> Toy {
    let (elements, v) = (honest.shape().elements as usize, honest.params.v() as usize);
    let mut entries = honest.entries;
    let start = v * (index / elements) + DIGITS as usize * (index % elements);
    digits::write(value.value(), &mut entries[start..start + DIGITS as usize]);
    Toy::of(honest.params, honest.circuit, honest.public, entries)
}

/// Constraints that do not hold: the prover refuses, and the honest messages are not accepted.
#[test]
fn circuits_that_do_not_hold_have_no_proofs() {
    for (index, wrong) in [(0, 1), (4, -1), (11, 5), (7, i64::from(u32::MAX))] {
        let toy = with_wire(Toy::new(40, 3, cubes(3, 0), 1), index, number(wrong));
        // It is a commitment like any other.
        let seed = Seed::from_bytes([7; 32]);
        let plain = toy.prover().prove(CONTEXT, &toy.witness, &seed).unwrap().proof;
        let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
        verifier.verify_streaming(CONTEXT, &toy.file, &plain.to_bytes(&toy.params)).unwrap();
        assert!(matches!(toy.try_prove(), Err(Error::FalseFact)));
        let honest = toy.file_of(toy.play().send(Rounds::values));
        assert_eq!(toy.reason(&honest), Some(Reason::Equation), "wire {index}");
    }
    // The control: a place behind the last wire, of which nothing is demanded.
    let toy = with_wire(Toy::new(40, 3, cubes(3, 0), 1), 12, number(77));
    toy.verify(&toy.prove()).unwrap();
}

/// Other public inputs, with honest messages for these.
#[test]
fn public_inputs_are_part_of_the_constraints() {
    let mut toy = Toy::new(40, 3, cubes(3, 0), 1);
    toy.public[1] += Scalar::ONE;
    assert!(matches!(toy.try_prove(), Err(Error::FalseFact)));
    assert_eq!(toy.reason(&toy.file_of(toy.play().send(Rounds::values))), Some(Reason::Equation));
}

/// A prover that sums over products which satisfy the constraints, but are not those of its wires:
/// all of the first sum-check is in order, and the second is not.
#[test]
fn products_are_those_of_the_wires() {
    let toy = with_wire(Toy::new(40, 3, cubes(3, 0), 1), 4, number(-1));
    let play = |products_of: &Toy| {
        let start = claim::begin(&toy.statement, &toy.instance());
        let products = products_of.columns().products(&toy.instance());
        let rounds = Rounds::play(toy.columns(), products, &toy.instance(), start);
        let parts = lambdas(&toy, &rounds);
        (parts, toy.reason(&toy.file_of(rounds.send(Rounds::values))))
    };
    // Which of the two sums is wrong, or both.
    let ([outer, inner], reason) = play(&toy);
    assert_eq!((outer, inner, reason), (false, true, Some(Reason::Equation)));
    let honest = Toy::new(40, 3, cubes(3, 0), 1);
    let ([outer, inner], reason) = play(&honest);
    assert_eq!((outer, inner, reason), (true, false, Some(Reason::Equation)));
}

/// chi of what was sent.
fn chi(toy: &Toy, rounds: &Rounds) -> Element {
    let start = claim::begin(&toy.statement, &toy.instance());
    rounds.course.chi_again(start, &rounds.sent)
}

/// The same with another v, for which the second sum-check is in order, too: it is not what the
/// columns give.
#[test]
fn v_is_that_of_the_columns() {
    let toy = with_wire(Toy::new(40, 3, cubes(3, 0), 1), 4, number(-1));
    let honest = Toy::new(40, 3, cubes(3, 0), 1);
    let start = claim::begin(&toy.statement, &toy.instance());
    let products = honest.columns().products(&toy.instance());
    let rounds = Rounds::play(toy.columns(), products, &toy.instance(), start);
    assert_eq!(lambdas(&toy, &rounds), [true, false]);
    let (course, mut sent) = (&rounds.course, rounds.sent.clone());
    let [coefficients, known] = tables::evaluate(&toy.instance(), course);
    let of_second = |at: &dyn Fn(i64) -> Element| at(1) - at(0);
    let lambda = of_second(&|chi| course.lambda(&sent, chi.into(), known, coefficients));
    let pads = of_second(&|chi| dot(&course.pad_weights(chi.into()), rounds.gamma()));
    sent.value += (lambda - pads) * coefficients.inverse();
    let rounds = replay(&toy, &sent);
    assert_eq!(lambdas(&toy, &rounds), [true, true]);
    assert_eq!(toy.reason(&toy.file_of(rounds.send(Rounds::values))), Some(Reason::Equation));
}

/// Whether the pads of either sum-check add up to what is left of its messages.
fn lambdas(toy: &Toy, rounds: &Rounds) -> [bool; 2] {
    let (course, sent) = (&rounds.course, &rounds.sent);
    let [coefficients, known] = tables::evaluate(&toy.instance(), course);
    // Lambda is linear in chi.
    let at = |chi: i64| course.lambda(sent, chi.into(), known, coefficients);
    let (outer, both) = (at(0), at(1));
    let pads = |chi: i64| dot(&course.pad_weights(chi.into()), rounds.gamma());
    [outer == pads(0), both - outer == pads(1) - pads(0)]
}

/// chi joins two sums, neither of which may be wrong: a prover that knew it could make up for one
/// by the other.
#[test]
fn the_sums_do_not_make_up_for_each_other() {
    let toy = Toy::new(40, 3, cubes(3, 0), 1);
    let honest = toy.play();
    let mut sent = honest.sent.clone();
    // v_C, wrong by one, adds eq(tau, r_x) + chi alpha^2 prod r_z to Lambda.
    sent.products[2] += Element::from(1);
    let rounds = replay(&toy, &sent);
    let [outer, inner] = lambdas(&toy, &rounds);
    assert!(!outer && !inner);
    assert_eq!(toy.reason(&toy.file_of(rounds.send(Rounds::values))), Some(Reason::Equation));
}

/// Messages that a prover has chosen, in the order of the protocol, with ends that fit them.
fn replay(toy: &Toy, sent: &Sent) -> Rounds {
    let mut rounds = toy.play();
    let start = claim::begin(&toy.statement, &toy.instance());
    let mut course = Course::begin(start, toy.shape());
    for messages in sent.outer.chunks(OUTER) {
        course.outer_round(messages);
    }
    course.products(&sent.products);
    for messages in sent.inner.chunks(INNER) {
        course.inner_round(messages);
    }
    let chi = course.chi(sent.value);
    let (eq, w) = (course.column_weights(), course.pad_weights(chi));
    let images = toy.images(&course.row_weights());
    rounds.sent = sent.clone();
    rounds.sent.ends = Ends {
        weighted_values: dot(&w, &images),
        gammas: dot(&eq, rounds.gamma()),
        weighted_kappas: dot(&w, rounds.kappa()),
        kappas: dot(&eq, rounds.kappa()),
    };
    rounds.course = course;
    rounds.set_images(images);
    rounds
}

/// The control of the one before: what a prover replays without a change is accepted; and v, or a
/// message of either sum-check, that is another by one, is not.
#[test]
fn every_message_counts() {
    let toy = Toy::new(40, 3, cubes(3, 0), 1);
    let honest = toy.play().sent;
    let reason = |sent: &Sent| toy.reason(&toy.file_of(replay(&toy, sent).send(Rounds::values)));
    assert_eq!(reason(&honest), None);
    let one = Element::from(1);
    let mut changed = Vec::new();
    for index in [0, 1, 2, honest.outer.len() - 1] {
        let mut sent = honest.clone();
        sent.outer[index] += one;
        changed.push(sent);
    }
    for index in [0, 1, honest.inner.len() - 1] {
        let mut sent = honest.clone();
        sent.inner[index] += one;
        changed.push(sent);
    }
    for index in 0..3 {
        let mut sent = honest.clone();
        sent.products[index] += one;
        changed.push(sent);
    }
    changed.push(Sent { value: honest.value + one, ..honest });
    for (index, sent) in changed.iter().enumerate() {
        assert_eq!(reason(sent), Some(Reason::Equation), "{index}");
    }
}

/// What a prover needs that would have rho before it chooses its ends: with that rho both equations
/// hold of a false claim. But rho follows from them.
#[test]
fn ends_do_not_follow_rho() {
    let toy = with_wire(Toy::new(40, 3, cubes(3, 0), 1), 4, number(-1));
    let forged = |early: Option<Element>| {
        let mut rounds = toy.play();
        let chi = chi(&toy, &rounds);
        let rho = early.unwrap_or_else(|| rounds.course.clone().rho(&rounds.sent.ends));
        let values = rounds.values(rho);
        let [coefficients, known] = tables::evaluate(&toy.instance(), &rounds.course);
        let lambda = rounds.course.lambda(&rounds.sent, chi, known, coefficients);
        let ends = &mut rounds.sent.ends;
        let sum = dot(&rounds.course.pad_weights(chi), &values);
        ends.weighted_kappas = sum - rho * (ends.weighted_values + rho * lambda);
        let sent = rounds.send(|_, _| values);
        toy.reason(&toy.file_of(sent))
    };
    assert_eq!(forged(None), Some(Reason::Equation));
    assert_eq!(forged(Some(Element::from(3))), Some(Reason::Equation));
}

/// Values of which both equations hold are not those of the columns.
#[test]
fn values_are_those_of_the_columns() {
    let toy = with_wire(Toy::new(40, 3, cubes(3, 0), 1), 4, number(-1));
    let repaired = |rounds: &Rounds, rho: Element| {
        let mut values = rounds.values(rho);
        let (course, sent) = (&rounds.course, &rounds.sent);
        let chi = chi(&toy, rounds);
        let [coefficients, known] = tables::evaluate(&toy.instance(), course);
        let lambda = course.lambda(sent, chi, known, coefficients);
        let (eq, w) = (course.column_weights(), course.pad_weights(chi));
        let ends = sent.ends;
        let wanted = ends.weighted_kappas + rho * (ends.weighted_values + rho * lambda);
        // Column 0 makes the second equation hold, and the last one, which has no part in it, the
        // first.
        let last = values.len() - 1;
        let missing = wanted - dot(&w, &values);
        values[0] += missing * w[0].inverse();
        let wanted = ends.kappas + rho * (sent.value + rho * ends.gammas);
        let missing = wanted - dot(&eq, &values);
        values[last] += missing * eq[last].inverse();
        assert_eq!(wanted, dot(&eq, &values));
        values
    };
    let sent = toy.play().send(repaired);
    assert_eq!(toy.reason(&toy.file_of(sent)), Some(Reason::Challenge));
    // The control: of a true claim nothing needs repair.
    let honest = Toy::new(40, 3, cubes(3, 0), 1);
    let sent = honest.play().send(Rounds::values);
    assert_eq!(honest.reason(&honest.file_of(sent)), None);
}

/// A proof is of its own circuit, public inputs, T and context.
#[test]
fn proofs_are_of_one_claim() {
    let toy = Toy::new(40, 3, cubes(3, 0), 1);
    let proof = toy.prove();
    let reason = |result: Result<(), VerifyError>| match result {
        Err(VerifyError::Invalid(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let mut public = toy.public.clone();
    public[2] += Scalar::ONE;
    assert_eq!(reason(toy.verify_with(&toy.circuit, &public, &proof)), Reason::OtherFact);
    // One coefficient; rows of two matrices exchanged.
    let mut matrices = toy.circuit.matrices.clone();
    matrices.swap(0, 1);
    let circuit = Circuit::new(3, toy.circuit.secret_wires(), matrices).unwrap();
    assert_eq!(reason(toy.verify_with(&circuit, &toy.public, &proof)), Reason::OtherFact);
    let other = Toy::new(40, 3, cubes(3, 0), 2);
    assert_eq!(other.reason(&proof), Some(Reason::OtherFact));
    let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
    let verdict =
        verifier.verify_circuit_streaming(b"other", &toy.circuit, &toy.public, &toy.file, &proof);
    assert_eq!(reason(verdict), Reason::OtherStatement);
    // A proof of knowledge, or one about ranges, is no such file.
    let seed = Seed::from_bytes([7; 32]);
    let plain = toy.prover().prove(CONTEXT, &toy.witness, &seed).unwrap().proof;
    let verdict = toy.verify(&plain.to_bytes(&toy.params));
    assert!(matches!(verdict, Err(VerifyError::NoVerdict(Error::Malformed { .. }))));
}

/// Any element of a file that is another, and residues that are not reduced.
#[test]
fn every_element_of_a_file_counts() {
    let toy = Toy::new(40, 3, cubes(2, 0), 1);
    let proof = toy.prove();
    let count = toy.shape().sent() + toy.params.l() as usize;
    for index in 0..count {
        let at = 24 + 32 + 24 * index;
        let mut changed = proof.clone();
        changed[at + 8] ^= 1;
        assert!(toy.reason(&changed).is_some(), "element {index}");
        let mut changed = proof.clone();
        changed[at..at + 8].copy_from_slice(&crate::argument::P.to_le_bytes());
        let expected = Reason::FieldElement { index: index as u64 };
        assert_eq!(toy.reason(&changed), Some(expected));
    }
    // D_0, and a file that ends within the elements.
    let mut changed = proof.clone();
    changed[24] ^= 1;
    assert_eq!(toy.reason(&changed), Some(Reason::OtherFact));
    let mut short = proof[..24 + 32 + 24 * count - 1].to_vec();
    let len = short.len() as u64;
    short[16..24].copy_from_slice(&len.to_le_bytes());
    assert_eq!(toy.reason(&short), Some(Reason::Encoding));
}
