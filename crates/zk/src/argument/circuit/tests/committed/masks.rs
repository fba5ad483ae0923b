//! What is sent hides the values and the wires, and depends on nothing that it may not depend on.

use super::super::super::claim::Sent;
use super::super::masks::missing;
use super::*;
use crate::owned::tests::check_prover;

/// All that is sent before Y, and the columns of T.
fn sent(
    held: &Held,
    claim: &CommittedCircuit<'_>,
    assignment: &Assignment,
) -> (Vec<Element>, Vec<u8>) {
    sent_with(held, claim, assignment, 0..0)
}

/// The same with some rows of 0 in all columns.
fn sent_with(
    held: &Held,
    claim: &CommittedCircuit<'_>,
    assignment: &Assignment,
    blank: core::ops::Range<usize>,
) -> (Vec<Element>, Vec<u8>) {
    let v = claim.params().v() as usize;
    let mut new = claim.draw(&held.witness, assignment).unwrap();
    let mut entries = held.entries.clone();
    for column in entries.chunks_mut(v).chain(new.chunks_mut(v)) {
        column[blank.clone()].fill(0);
    }
    let held = Held::of(held.params.clone(), entries);
    let columns = claim.commit(&new).unwrap();
    let statement = claim.statement(&columns).unwrap();
    let joined = Joined { committed: &held.witness, params: &held.params, new: &new };
    let CircuitArgument { sent, values, .. } = argue(&statement, &joined, &claim.instance).unwrap();
    let Sent { outer, products, inner, value, ends } = sent;
    ([&outer[..], &products, &inner, &[value], &ends.to_array(), &values].concat(), columns)
}

/// All proofs of one claim with one assignment bring the same columns with them and send the same
/// before Y, whatever their context and seed: slots are used once.
#[test]
fn one_claim_has_one_argument() {
    let held = Held::new(toy_of(40, 3, 2, 2), &[4, 7, -9, 1, 2], 1);
    let (assigned, inputs) = (squares(&[4, 7]), Inputs::first(0, 2));
    let claim = held.claim(&assigned, &inputs);
    let make = |claim: &CommittedCircuit<'_>, context: &[u8], seed: u8| {
        let seed = Seed::from_bytes([seed; 32]);
        claim.prove(context, &held.witness, &assigned.1, &seed).unwrap().proof
    };
    let first = make(&claim, CONTEXT, 7);
    for (context, seed) in [(&b"another"[..], 7), (CONTEXT, 9)] {
        let proof = make(&claim, context, seed);
        assert!(proof.columns == first.columns && proof.start == first.start);
        assert!(proof.sent == first.sent && proof.values == first.values);
        assert_ne!(proof.proof, first.proof);
    }
    // Fresh entropy changes Z alone.
    let (circuit, public) = (&assigned.0, &assigned.1.public);
    let fresh = CommittedCircuit::new(&held.statement, circuit, public, &inputs);
    let proof = make(&fresh.unwrap().with_file(&held.file), CONTEXT, 7);
    assert!(proof.columns == first.columns && proof.sent == first.sent);
    assert_ne!(proof.proof, first.proof);
    // Parameters on which T does not depend.
    let params =
        CustomParams { n: Some(11), round_t: Some(held.params.round_t()), ..toy_of(40, 3, 2, 2) };
    let params = params.validate(Security::Waived).unwrap();
    let other = Held::of(params, held.entries.clone());
    assert!(other.file[256..] == held.file[256..] && other.file[..256] != held.file[..256]);
    let claim = other.claim(&assigned, &inputs);
    let (_, columns) = sent(&other, &claim, &assigned.1);
    assert!(columns == first.columns);
    // Other columns for other values, slots, inputs, circuits, public inputs and new wires.
    let mut seen = vec![columns];
    let mut see = |held: &Held, assigned: &(Circuit, Assignment), inputs: &Inputs| {
        let claim = held.claim(assigned, inputs);
        let columns = claim.commit(&claim.draw(&held.witness, &assigned.1).unwrap()).unwrap();
        assert!(!seen.contains(&columns), "{}", seen.len());
        seen.push(columns);
    };
    see(&held, &assigned, &Inputs { slot: 1, ..inputs.clone() });
    see(&held, &assigned, &Inputs { slot: 0, elements: vec![0, 3] });
    see(&held, &squares(&[4, 7, -9]), &Inputs::first(0, 3));
    let mut other = assigned.clone();
    other.1.public[0] += Scalar::ONE;
    see(&held, &other, &inputs);
    let mut other = assigned.clone();
    other.1.secret[3] += Scalar::ONE;
    see(&held, &other, &inputs);
    see(&Held::new(toy_of(40, 3, 2, 2), &[4, 7, -9, 1, 2], 2), &assigned, &inputs);
}

/// Over fresh pads, every bit of what is sent is 0 or 1 with the same probability, though values
/// and wires stay the same; without one of the pads of the slot what is sent tells them, and pads
/// of the other slot have no part in it.
#[test]
fn messages_are_uniform_over_fresh_pads() {
    const TRIALS: usize = 400;
    let (assigned, inputs) = (squares(&[4, 7]), Inputs { slot: 1, elements: vec![0, 3] });
    let with_seed = |seed: u8, trial: usize| {
        let custom = toy_of(40, 3, 2, 2);
        let params = custom.validate(Security::Waived).unwrap();
        let space = InputSpace::new(&params, Security::Waived).unwrap();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let mut bytes = [seed; 32];
        bytes[..8].copy_from_slice(&(trial as u64).to_le_bytes());
        let values = [4, -9, 100, 7].map(number);
        let source = space.witness(&matrix, &values, &Seed::from_bytes(bytes)).unwrap();
        let mut entries = vec![0; 3 * params.v() as usize];
        source.read_columns(&params, 0, &mut entries).unwrap();
        Held::of(params, entries)
    };
    let mut ones: Vec<usize> = Vec::new();
    for trial in 0..TRIALS {
        let held = with_seed(3, trial);
        let (elements, _) = sent(&held, &held.claim(&assigned, &inputs), &assigned.1);
        ones.resize(elements.len() * 3 * 61, 0);
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
    // The control: which pads mask what. The slot's begin at row 24 + 72.
    let held = with_seed(4, 0);
    let claim = held.claim(&assigned, &inputs);
    let shape = claim.instance.shape;
    let blank = |rows: core::ops::Range<usize>| {
        sent_with(&held, &claim, &assigned.1, 24 + rows.start..24 + rows.end).0
    };
    let ends = shape.messages() + 4;
    let zero =
        |elements: &[Element], at: &[usize]| at.iter().all(|&at| elements[at] == Element::ZERO);
    assert!(zero(&blank(72..96), &[ends + 2, ends + 3]), "Y_1 and Y_2 without kappa");
    // The first round polynomial is 0 at 0, as all constraints hold.
    assert!(zero(&blank(96..120), &[0, ends + 1]), "m_0 and X_2 without gamma");
    for rows in [0..0, 0..24, 24..48, 48..72] {
        let elements = blank(rows.clone());
        assert!((0..elements.len()).all(|at| elements[at] != Element::ZERO), "{rows:?}");
    }
}

/// What a slot that serves two claims gives away: committed columns have the same pads in both, so
/// that what they show of one is an equation about what they show of the other. In slots of their
/// own claims have pads of their own, and new columns are new for each claim.
#[test]
fn a_slot_serves_one_claim() {
    let held = Held::new(toy_of(40, 3, 2, 2), &[4, -9, 100, 7, 11], 1);
    let betas = |slot: u32, inputs: &[i64], elements: &[u64]| {
        let (assigned, inputs) = (squares(inputs), Inputs { slot, elements: elements.to_vec() });
        let claim = held.claim(&assigned, &inputs);
        let new = claim.draw(&held.witness, &assigned.1).unwrap();
        let joined = Joined { committed: &held.witness, params: &held.params, new: &new };
        let columns = Columns::read::<i8>(claim.params(), &joined, claim.instance.shape).unwrap();
        columns.beta.to_vec()
    };
    let [one, other, apart] =
        [betas(0, &[4, 7], &[0, 3]), betas(0, &[11], &[4]), betas(1, &[11], &[4])];
    assert!(one[..3] == other[..3] && one[3] != other[3]);
    assert!((0..3).all(|j| one[j] != apart[j]));
}

/// Values are those of the form that the proof opens.
#[test]
fn values_are_those_of_the_form() {
    let held = Held::new(toy_of(40, 3, 3, 2), &[4, -9, 100, 7, 11], 1);
    let (assigned, inputs) = (squares(&[4, 7]), Inputs { slot: 2, elements: vec![0, 3] });
    let claim = held.claim(&assigned, &inputs);
    let new = claim.draw(&held.witness, &assigned.1).unwrap();
    let joined = Joined { committed: &held.witness, params: &held.params, new: &new };
    let columns = Columns::read::<i8>(claim.params(), &joined, claim.instance.shape).unwrap();
    let products = columns.products(&claim.instance);
    let start = claim::begin(&held.statement, &claim.instance);
    let rounds = Rounds::play(columns, products, &claim.instance, start);
    let rho = Element::from(-5);
    let form = rounds.course.form(rho);
    let all = [&held.entries[..], &new].concat();
    let images: Vec<Element> =
        all.chunks(held.params.v() as usize).map(|column| form.at(column)).collect();
    assert!(images == rounds.values(rho));
}

/// Pads of new columns hide all that is sent: all columns of values may be opened but the last one,
/// without which the key of new columns would be known.
#[test]
fn openings_of_values_show_nothing() {
    let held = Held::new(toy_of(40, 3, 2, 2), &[4, -9, 100, 7, 11], 1);
    let (assigned, inputs) = (squares(&[4, 7]), Inputs { slot: 1, elements: vec![0, 3] });
    let claim = held.claim(&assigned, &inputs);
    let new = claim.draw(&held.witness, &assigned.1).unwrap();
    let statement = claim.statement(&claim.commit(&new).unwrap()).unwrap();
    let joined = Joined { committed: &held.witness, params: &held.params, new: &new };
    let columns = Columns::read::<i8>(claim.params(), &joined, claim.instance.shape).unwrap();
    let products = columns.products(&claim.instance);
    let start = || claim::begin(&statement, &claim.instance);
    let rounds = Rounds::play(columns, products, &claim.instance, start());
    let chi = rounds.course.chi_again(start(), &rounds.sent);
    let (first, closed) = (held.params.l() as usize, claim.instance.shape.closed() as usize);
    assert_eq!(claim.new_columns() as usize, closed);
    let missing = |opened: &dyn Fn(usize) -> bool| missing(&rounds.course, chi, opened);
    assert_eq!(missing(&|_| false), 0);
    assert_eq!(missing(&|j| j < first), 0);
    for mask in first..first + closed {
        assert!(missing(&|j| j < first || j == mask) > 0, "{mask}");
    }
    let space = InputSpace::new(&held.params, Security::Waived).unwrap();
    let open = |j: u64| space.open(&held.params, &held.witness, j);
    let v = held.params.v() as usize;
    assert!(open(1).unwrap()[..] == held.entries[v..2 * v]);
    assert!(matches!(open(2), Err(Error::ClosedColumn { column: 2, .. })));
    assert!(matches!(open(3), Err(Error::Parameter(_))));
}

/// Provers answer about their own T alone.
#[test]
fn altered_statements_get_no_answer() {
    for round_t in [None, Some(0)] {
        let custom = CustomParams { round_t, ..toy_of(44, 3, 2, 2) };
        let held = Held::new(custom, &[4, 7], 1);
        let (assigned, inputs) = (squares(&[4, 7]), Inputs::first(0, 2));
        check_prover(&held.statement, &held.file, |statement, file| {
            let public = &assigned.1.public;
            let claim = CommittedCircuit::new(statement, &assigned.0, public, &inputs)?;
            let claim = claim.with_file(file).reproducible();
            prove(&held, &claim, &assigned.1)
        });
    }
}
