//! Circuits about values that were committed before.

use super::*;
use crate::argument::proof::Parts;
use crate::cases::{Case, of_length, reason};
use crate::error::Fault;
use crate::owner::Owner;

mod extraction;
mod requests;

/// Values that were committed with slots for claims, and what their owner has.
type Held = Case<i8>;

/// Columns of values of so many elements, with so many slots.
fn toy_of(w: u32, elements: u32, slots: u32, columns: u64) -> CustomParams {
    plain(w, &Layout::of_values(elements, columns, slots).unwrap())
}

fn committed(custom: CustomParams, values: &[i64], seed: u8) -> Held {
    committed_under(&waived(custom), values, seed)
}

fn committed_under(params: &Params, values: &[i64], seed: u8) -> Held {
    let (matrix, seed) = (PublicMatrix::new(params, [1; 32]), Seed::from_bytes([seed; 32]));
    let values: Vec<Scalar> = values.iter().map(|&x| number(x)).collect();
    let space = InputSpace::new(params).unwrap();
    Case::read(params, 1, &space.witness(&matrix, &values, &seed).unwrap())
}

impl Held {
    fn claim<'a>(
        &'a self,
        (circuit, assignment): &'a (Circuit, Assignment),
        inputs: &'a Inputs,
    ) -> CommittedCircuit<'a> {
        let public = &assignment.public;
        CommittedCircuit::new(&self.matrix, &self.statement, circuit, public, inputs)
            .unwrap()
            .with_file(&self.file)
            .reproducible()
    }
}

/// The sum of the squares of some inputs is public, and the first one times 3 is a wire of its own.
fn squares(inputs: &[i64]) -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    let sum = builder.public(number(inputs.iter().map(|x| x * x).sum()));
    let inputs: Vec<Wire> = inputs.iter().map(|&x| builder.secret(number(x))).collect();
    let squares: Vec<Wire> = inputs.iter().map(|&x| builder.product(x, x)).collect();
    builder.product(inputs[0], number(3));
    builder.equal(builder.sum(&squares), sum);
    builder.finish().unwrap()
}

/// x y = z for three inputs: no wire is new.
fn product() -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    let [x, y, z] = [-3, 5, -15].map(|x| builder.secret(number(x)));
    builder.constrain(x, y, z);
    builder.finish().unwrap()
}

fn prove(
    held: &Held,
    claim: &CommittedCircuit<'_>,
    assignment: &Assignment,
) -> Result<Vec<u8>, Error> {
    let seed = Seed::from_bytes([7; 32]);
    let proved = claim.prove(CONTEXT, &held.witness, assignment, &seed)?;
    Ok(proved.proof)
}

fn check(held: &Held, assigned: &(Circuit, Assignment), inputs: &Inputs) {
    let claim = held.claim(assigned, inputs);
    let proof = prove(held, &claim, &assigned.1).unwrap();
    claim.verify(CONTEXT, &proof).unwrap();
    assert!(proof.len() as u64 <= claim.max_proof_bytes());
    assert!(claim.verify(b"another", &proof).is_err());
}

#[test]
fn proofs_about_committed_values_are_valid() {
    let at = |slot: u32, elements: &[u64]| Inputs { slot, elements: elements.to_vec() };
    // Two columns, and a value twice; all wires are inputs, or none is; T whole.
    let values: Vec<i64> = (0..20).map(|i| 7 * i - 50).collect();
    let held = committed(toy_of(40, 15, 2, 2), &values, 1);
    check(&held, &squares(&[values[19], values[0], values[0]]), &at(1, &[19, 0, 0]));
    let held = committed(toy_of(41, 15, 1, 1), &[5, 6, -15, -3], 2);
    check(&held, &product(), &at(0, &[3, 0, 2]));
    check(&held, &squares(&[8]), &at(0, &[]));
    let custom = CustomParams { round_t: Some(0), ..toy_of(48, 31, 8, 1) };
    let held = committed(custom, &[1, 2, 3], 3);
    check(&held, &squares(&[2, 3]), &at(7, &[1, 2]));
    // New columns in several blocks.
    let held = committed(toy_of(40, 15, 1, 1), &[1, 2, 3], 5);
    let many: Vec<i64> = (0..5000).map(|i| 1 + i % 3).collect();
    let elements: Vec<u64> = (0..5000).map(|i| i % 3).collect();
    check(&held, &squares(&many), &at(0, &elements));
}

/// One bit flipped, everywhere in the file, in D_0, the new columns and their padding as elsewhere;
/// files that end early.
#[test]
fn altered_proofs_are_refused() {
    let held = committed(toy_of(41, 15, 1, 1), &[6], 1);
    let (assigned, inputs) = (squares(&[6]), Inputs::first(0, 1));
    let claim = held.claim(&assigned, &inputs);
    // Columns have padding.
    assert_ne!(5 * claim.params().t_width() % 8, 0);
    let proof = prove(&held, &claim, &assigned.1).unwrap();
    let claim_len = u32::from_le_bytes(*proof[56..].first_chunk().unwrap()) as usize;
    let (first, size) = (64 + claim_len, claim.params().column_bytes());
    let padding = (1..=claim.new_columns() as usize).map(|column| 8 * (first + size * column) - 1);
    assert!(claim.new_columns() > 0);
    // Whoever does not know the circuit learns that there is one.
    let unread = crate::argument::proof::stated_claims(&proof, &held.params);
    assert!(matches!(unread, Err(Error::StatedByOthers)), "{unread:?}");
    let flipped = |bit: usize| claim.verify(CONTEXT, &flipped(&proof, bit));
    for bit in (0..8 * proof.len()).step_by(531) {
        assert!(flipped(bit).is_err(), "bit {bit}");
    }
    // A prover may hash padding that is not 0: it is looked at before any hash is.
    for bit in padding {
        assert_eq!(reason(flipped(bit)), Some(Reason::Content(Fault::Encoding)), "bit {bit}");
    }
    for len in (24..proof.len()).step_by(1001) {
        assert_error!(claim.verify(CONTEXT, &of_length(&proof, len)), Error::Invalid(_), "{len}");
    }
}

/// The same bytes on one thread and on several, on every instruction set, and where what is rounded
/// off the values' columns is known.
#[test]
fn bytes_do_not_depend_on_how_they_are_made() {
    let values: Vec<i64> = (0..40).collect();
    let mut held = committed(toy_of(40, 15, 2, 3), &values, 1);
    let (assigned, inputs) = (squares(&values), Inputs::first(1, 40));
    let make = || prove(&held, &held.claim(&assigned, &inputs), &assigned.1).unwrap();
    let proof = make();
    #[cfg(feature = "rayon")]
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(make) == proof);
    }
    for isa in tautochrone_simd::Isa::all() {
        let (circuit, assignment) = &assigned;
        let public = &assignment.public;
        let matrix = PublicMatrix::new_on(isa, &held.params, [1; 32]);
        let claim = CommittedCircuit::new(&matrix, &held.statement, circuit, public, &inputs);
        let claim = claim.unwrap().with_file(&held.file).reproducible();
        assert!(prove(&held, &claim, assignment).unwrap() == proof);
    }
    held.statement = held.matrix.commit_and_hold(&held.witness, &mut Vec::new()).unwrap();
    let claim = held.claim(&assigned, &inputs);
    assert!(claim.params().round_t() > 0 && claim.new_columns() > 0);
    let new = claim.draw(&held.witness, &assigned.1).unwrap();
    let known = claim.commit(&new).unwrap().1.unwrap().len() as u64;
    assert_eq!(known, claim.params().l() * u64::from(claim.params().r()));
    assert!(prove(&held, &claim, &assigned.1).unwrap() == proof);
}

/// Inputs are the values that were published, not others that the prover knows.
#[test]
fn inputs_are_those_that_were_committed() {
    let whole = |values: &[i64]| {
        committed(CustomParams { round_t: Some(0), ..toy_of(44, 15, 2, 1) }, values, 1)
    };
    let (mut old, other) = (whole(&[4, -9, 100, 7]), whole(&[5, -9, 100, 7]));
    // A prover that looks for no owner.
    old.statement = old.statement.with_owner(Owner::Unknown);
    let (assigned, inputs) = (squares(&[5, 7]), Inputs { slot: 0, elements: vec![0, 3] });
    let claim = old.claim(&assigned, &inputs);
    assert!(matches!(prove(&old, &claim, &assigned.1), Err(Error::FalseFact)));
    // A proof for other columns is none for these; the control: it is one for its own.
    let of_other = other.claim(&assigned, &inputs);
    let proof = prove(&other, &of_other, &assigned.1).unwrap();
    assert_eq!(reason(of_other.verify(CONTEXT, &proof)), None);
    assert_eq!(reason(claim.verify(CONTEXT, &proof)), Some(Reason::OtherFact));
    // Nor for other inputs, slots, circuits or public inputs.
    let elsewhere = [
        (assigned.clone(), Inputs { slot: 1, elements: vec![0, 3] }),
        (assigned.clone(), Inputs { slot: 0, elements: vec![3, 0] }),
        (squares(&[6, 7]), inputs),
    ];
    for (assigned, inputs) in &elsewhere {
        let verdict = other.claim(assigned, inputs).verify(CONTEXT, &proof);
        assert_eq!(reason(verdict), Some(Reason::OtherFact));
    }
}

/// All proofs of one claim with one assignment bring the same new columns with them, under any
/// context and seed: a slot is used once. Other values, claims and wires have other pads and
/// randomness: two arguments would have the same masks otherwise, or whoever guesses the wires
/// would know them.
#[test]
fn new_columns_belong_to_one_claim() {
    let mut held = committed(toy_of(40, 15, 2, 2), &[4, 7, -9, 1, 2], 1);
    let (assigned, inputs) = (squares(&[4, 7]), Inputs::first(0, 2));
    let claim = held.claim(&assigned, &inputs);
    let brought = |context: &[u8], seed: u8| {
        let seed = Seed::from_bytes([seed; 32]);
        let proof = claim.prove(context, &held.witness, &assigned.1, &seed).unwrap().proof;
        let about = (&claim.slot, &claim.claims);
        Parts::of_claims(&proof, claim.params(), about, claim.new_columns())
            .unwrap()
            .columns
            .to_vec()
    };
    let first = brought(CONTEXT, 7);
    assert!(!first.is_empty() && brought(b"another", 7) == first && brought(CONTEXT, 9) == first);
    // A prover that looks for no owner, and S of another one.
    held.statement = held.statement.with_owner(Owner::Unknown);
    let other = committed(toy_of(40, 15, 2, 2), &[4, 7, -9, 1, 2], 2);
    let mut wires = assigned.clone();
    wires.1.secret[3] += Scalar::ONE;
    let mut public = assigned.clone();
    public.1.public[0] += Scalar::ONE;
    let places = Inputs { elements: vec![0, 3], ..inputs.clone() };
    let slot = Inputs { slot: 1, ..inputs.clone() };
    let mut seen: Vec<Vec<i8>> = Vec::new();
    for (of_claim, inputs, witness, assignment) in [
        (&assigned, &inputs, &held.witness, &assigned.1),
        (&assigned, &inputs, &other.witness, &assigned.1),
        (&assigned, &inputs, &held.witness, &wires.1),
        (&public, &inputs, &held.witness, &public.1),
        (&assigned, &places, &held.witness, &assigned.1),
        (&assigned, &slot, &held.witness, &assigned.1),
    ] {
        let claim = held.claim(of_claim, inputs);
        let new = claim.draw(witness, assignment).unwrap();
        // Behind the digits of wires.
        let rows = claim.slot.layout().message_rows() as usize;
        let pads = new[rows..claim.params().v() as usize].to_vec();
        assert!(!seen.contains(&pads), "{}", seen.len());
        seen.push(pads);
    }
}

/// Columns of values are opened before and after proofs.
#[test]
fn values_are_opened() {
    let held = committed(toy_of(40, 15, 2, 2), &[4, 7], 1);
    let space = InputSpace::new(&held.params).unwrap();
    let (assigned, inputs) = (squares(&[4, 7]), Inputs::first(0, 2));
    let claim = held.claim(&assigned, &inputs);
    let before = prove(&held, &claim, &assigned.1).unwrap();
    for index in 0..2 {
        let column = space.open(&held.params, &held.witness, index).unwrap();
        let t = held.statement.column(&held.file, space.closed() + index).unwrap();
        assert!(held.matrix.opens(&t, &column[..]));
    }
    assert!(prove(&held, &claim, &assigned.1).unwrap() == before);
}
