//! What is sent hides the wires, and depends on nothing that it may not depend on.

use super::super::claim::{Course, Sent};
use super::*;
use crate::argument::openings::Pads;
use crate::argument::ranges::eq;
use crate::owned::tests::check_prover;

/// All that is sent before Y.
fn sent(toy: &Toy) -> Vec<Element> {
    let CircuitArgument { sent, values, .. } = toy.play().send(Rounds::values);
    let Sent { outer, products, inner, value, ends } = sent;
    [&outer[..], &products, &inner, &[value], &ends.to_array(), &values].concat()
}

/// All proofs of one claim about one T send the same before Y, whatever their context, their seed,
/// and the parameters that T does not depend on; and each is another proof of knowledge.
#[test]
fn one_claim_has_one_argument() {
    let base = Toy::new(40, 3, cubes(3, 0), 1);
    let first = base.try_prove().unwrap();
    for (context, seed) in [(&b"another"[..], 7), (CONTEXT, 9)] {
        let seed = Seed::from_bytes([seed; 32]);
        let prover = base.prover();
        let proved =
            prover.prove_circuit(context, &base.circuit, &base.public, &base.witness, &seed);
        let proof = proved.unwrap().proof;
        assert!(proof.sent == first.sent && proof.values == first.values);
        assert_ne!(proof.proof, first.proof);
    }
    let l = base.params.l();
    let custom =
        CustomParams { n: Some(11), round_t: Some(base.params.round_t()), ..toy(40, 3, l) };
    let other = Toy::of(
        custom.validate(Security::Waived).unwrap(),
        base.circuit.clone(),
        base.public.clone(),
        base.entries.clone(),
    );
    assert!(other.file[256..] == base.file[256..] && other.file[..256] != base.file[..256]);
    assert!(sent(&other) == sent(&base));
    // Nor a plain proof's Y with the same seed: one Y under two challenges would reveal S.
    let plain = base.prover().prove(CONTEXT, &base.witness, &Seed::from_bytes([7; 32])).unwrap();
    assert_ne!(plain.proof.z(), first.proof.z());
}

/// Over fresh pads, every bit of what is sent is 0 or 1 with the same probability, though the wires
/// stay the same; without one of the pads what is sent tells them.
#[test]
fn messages_are_uniform_over_fresh_pads() {
    const TRIALS: usize = 400;
    let (circuit, assignment) = cubes(1, 0);
    let base = Toy::new(40, 3, (circuit.clone(), assignment.clone()), 1);
    let space = CircuitSpace::new(&base.params, &circuit, Security::Waived).unwrap();
    let v = base.params.v() as usize;
    let with_seed = |trial: usize, blank: core::ops::Range<usize>| {
        let mut seed = [3; 32];
        seed[..8].copy_from_slice(&(trial as u64).to_le_bytes());
        let seed = Seed::from_bytes(seed);
        let source = space.witness(&base.matrix, &circuit, &assignment, &seed).unwrap();
        let mut entries = vec![0; base.entries.len()];
        source.read_columns(&base.params, 0, &mut entries).unwrap();
        for column in entries.chunks_mut(v) {
            column[24 + blank.start..24 + blank.end].fill(0);
        }
        Toy::of(base.params.clone(), circuit.clone(), base.public.clone(), entries)
    };
    let count = sent(&base).len();
    let mut ones = vec![0_usize; count * 3 * 61];
    for trial in 0..TRIALS {
        let elements = sent(&with_seed(trial, 0..0));
        let words = elements.iter().flat_map(|element| element.coefficients());
        for (word, ones) in words.zip(ones.chunks_mut(61)) {
            ones.iter_mut().enumerate().for_each(|(bit, ones)| *ones += (word >> bit & 1) as usize);
        }
    }
    let deviation = (TRIALS as f64 / 4.0).sqrt();
    for (place, ones) in ones.into_iter().enumerate() {
        let away = (ones as f64 - TRIALS as f64 / 2.0).abs() / deviation;
        assert!(away < 6.0, "bit {place}: {ones} of {TRIALS}");
    }
    // The control: which pads mask what. Without kappa, Y_1 and Y_2.
    let ends = with_seed(1, 0..24).play().sent.ends;
    assert!(ends.weighted_kappas == Element::ZERO && ends.kappas == Element::ZERO);
    // Without gamma, the first round polynomial is 0 at 0, as all constraints hold; and X_2.
    let bare = with_seed(1, 24..48).play().sent;
    assert!(bare.outer[0] == Element::ZERO && bare.ends.gammas == Element::ZERO);
    // Without beta, v_A, v_B, v_C and v are what the wires make of the points.
    let plain = |toy: &Toy| {
        let rounds = toy.play();
        let rows = eq::table(&rounds.course.outer_point, toy.shape().constraints);
        let places = eq::table(&rounds.course.inner_point, toy.shape().places());
        let wires = assignment.secret.iter().enumerate();
        let v = wires.fold(Element::ZERO, |sum, (index, &wire)| {
            sum + places[toy.instance().place(index)].times(wire)
        });
        let products = [0, 1, 2].map(|matrix| {
            let values = (0..circuit.constraints())
                .map(|index| circuit.product(matrix, index, &base.public, &assignment.secret));
            let sum = values.zip(&rows).fold(Element::ZERO, |sum, (x, &row)| sum + row.times(x));
            let ones = rows[circuit.constraints() + 2];
            if matrix == 1 { sum + ones } else { sum }
        });
        let same = [0, 1, 2].map(|i| products[i] == rounds.sent.products[i]);
        (same, v == rounds.sent.value)
    };
    assert_eq!(plain(&with_seed(1, 48..72)), ([true; 3], true));
    assert_eq!(plain(&with_seed(1, 0..0)), ([false; 3], false));
}

/// Values are those of the form that the proof opens.
#[test]
fn values_are_those_of_the_form() {
    let toy = Toy::new(40, 7, cubes(4, 0), 1);
    let rho = Element::from(-5);
    let rounds = toy.play();
    let form = rounds.course.form(rho);
    let v = toy.params.v() as usize;
    let images: Vec<Element> = toy.entries.chunks(v).map(|column| form.at(column)).collect();
    assert!(images == rounds.values(rho));
}

/// What pads hide for the challenges of some rounds.
pub(super) fn missing(course: &Course, chi: Element, opened: impl Fn(usize) -> bool) -> usize {
    let shape = course.shape;
    let constraints = eq::table(&course.outer_point, shape.constraints);
    let [a, b, c] = constraints[shape.constraints - 3..] else { panic!("three dummies") };
    Pads {
        messages: shape.messages(),
        first: shape.masks(),
        eq: &course.column_weights(),
        w: &course.pad_weights(chi),
        of_beta: *course.row_weights().last().unwrap(),
        beta_in_f: false,
        masked_by_beta: vec![
            vec![a, Element::ZERO, c],
            vec![Element::ZERO, b],
            vec![Element::ZERO, Element::ZERO, c],
        ],
    }
    .missing(opened)
}

/// Pads of the first n_g + 1 columns hide all that is sent, whatever else is opened.
#[test]
fn openings_behind_the_front_show_nothing() {
    let toy = Toy::new(40, 1, cubes(12, 0), 1);
    let rounds = toy.play();
    let start = claim::begin(&toy.statement, &toy.instance());
    let chi = rounds.course.chi_again(start, &rounds.sent);
    let front = toy.shape().closed() as usize;
    let missing = |opened: &dyn Fn(usize) -> bool| missing(&rounds.course, chi, opened);
    assert_eq!(missing(&|_| false), 0);
    assert_eq!(missing(&|j| j >= front), 0);
    for mask in 0..front {
        assert!(missing(&|j| j >= front || j == mask) > 0, "{mask}");
    }
    let space = CircuitSpace::new(&toy.params, &toy.circuit, Security::Waived).unwrap();
    assert_eq!(space.closed(), front as u64);
    let open = |j: usize| space.open(&toy.params, &toy.witness, j as u64);
    assert!(matches!(open(front - 1), Err(Error::ClosedColumn { .. })));
    assert!(toy.params.l() > front as u64 && open(front).is_ok());
}

/// Provers answer about their own T alone.
#[test]
fn altered_statements_get_no_answer() {
    for round_t in [None, Some(0)] {
        let (circuit, assignment) = cubes(1, 0);
        let l = Shape::least(&circuit, 3, 0, circuit.secret_wires().into()).columns;
        let custom = CustomParams { round_t, ..toy(44, 3, l) };
        let toy = Toy::with(custom, (circuit, assignment), 1);
        check_prover(&toy.statement, &toy.file, |statement, file| {
            let prover = Prover::new(&toy.matrix, statement)?.with_file(file).reproducible();
            let seed = Seed::from_bytes([7; 32]);
            let (circuit, public) = (&toy.circuit, &toy.public);
            let proved = prover.prove_circuit(CONTEXT, circuit, public, &toy.witness, &seed)?;
            Ok(proved.proof.to_bytes(&toy.params))
        });
    }
}
