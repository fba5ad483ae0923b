//! Circuits about values that were committed before.

use super::super::committed::witness::Joined;
use super::super::prover::argue;
use super::agreement::of_instance;
use super::*;
use crate::reference::Answer;
use crate::reference::compact::circuits::inputs as reference;

mod extraction;
mod forgeries;
mod masks;
mod requests;

/// Values that were committed with pads for claims, and what their owner has.
pub(super) struct Held {
    pub(super) params: Params,
    pub(super) matrix: PublicMatrix,
    pub(super) statement: Statement,
    pub(super) file: Vec<u8>,
    pub(super) witness: Witness,
    pub(super) entries: Vec<i8>,
}

/// Digits and pads in `slots` slots, 16 rows of randomness and r = 5, in l columns for values and the
/// last one, which is never opened.
fn toy_of(w: u32, elements: u32, slots: u32, l: u64) -> CustomParams {
    let rows = DIGITS * elements + CIRCUIT_PAD_ROWS * slots;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    CustomParams {
        n: Some(10),
        groups: [Some(group), None, None],
        ..CustomParams::new(w, 5, rows + 16 + 5, l + 1, 1)
    }
}

impl Held {
    fn new(custom: CustomParams, values: &[i64], seed: u8) -> Self {
        let params = custom.validate(Security::Waived).unwrap();
        let space = InputSpace::new(&params, Security::Waived).unwrap();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let values: Vec<Scalar> = values.iter().map(|&x| number(x)).collect();
        let seed = Seed::from_bytes([seed; 32]);
        let source = space.witness(&matrix, &values, &seed).unwrap();
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        source.read_columns(&params, 0, &mut entries).unwrap();
        Self::of(params, entries)
    }

    fn of(params: Params, entries: Vec<i8>) -> Self {
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let witness = Witness::new(&params, entries.clone()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        Self { params, matrix, statement, file, witness, entries }
    }

    fn claim<'a>(
        &'a self,
        (circuit, assignment): &'a (Circuit, Assignment),
        inputs: &'a Inputs,
    ) -> CommittedCircuit<'a> {
        let public = &assignment.public;
        CommittedCircuit::new(&self.statement, circuit, public, inputs)
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
    builder.copy(Combination::from(inputs[0]) * number(3));
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
    Ok(proved.proof.to_bytes(claim.params()))
}

fn reason(result: Result<(), VerifyError>) -> Option<Reason> {
    match result {
        Ok(()) => None,
        Err(VerifyError::Invalid(reason)) => Some(reason),
        Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
    }
}

/// Bytes of the reference, and its verdict.
fn check(held: &Held, assigned: &(Circuit, Assignment), inputs: &Inputs) {
    let claim = held.claim(assigned, inputs);
    let proof = prove(held, &claim, &assigned.1).unwrap();
    let of_claim = of_instance(&claim.instance, claim.layout.slots);
    let header = claim.params().header(&claim.matrix.id).to_bytes();
    let s: Vec<i128> = held.entries.iter().map(|&s| s.into()).collect();
    let wires = assigned.1.secret[inputs.elements.len()..].iter();
    let wires: Vec<i128> = wires.map(|x| x.value().into()).collect();
    let expected = reference::prove(&held.file, &header, &s, CONTEXT, &of_claim, &wires, &[7; 32]);
    assert!(proof == expected, "{inputs:?}");
    claim.verify(CONTEXT, &proof).unwrap();
    let verdict = reference::verify(&held.file, &header, CONTEXT, &of_claim, &proof);
    assert_eq!(verdict, Answer::Valid);
    assert!(proof.len() as u64 <= claim.max_proof_bytes());
    assert!(CircuitProof::is_about_inputs(&proof) && !CircuitProof::is_one(&proof));
}

#[test]
fn proofs_about_committed_values_are_those_of_the_reference() {
    let at = |slot: u32, elements: &[u64]| Inputs { slot, elements: elements.to_vec() };
    // Two columns, and a value twice; one element a column; one column of many; T whole.
    let held = Held::new(toy_of(40, 3, 2, 2), &[4, -9, 100, 7, 11], 1);
    check(&held, &squares(&[11, 4, 4]), &at(1, &[4, 0, 0]));
    // All wires are inputs; none is.
    let held = Held::new(toy_of(41, 1, 1, 4), &[5, 6, -15, -3], 2);
    check(&held, &product(), &at(0, &[3, 0, 2]));
    check(&held, &squares(&[8]), &at(0, &[]));
    let custom = CustomParams { round_t: Some(0), ..toy_of(48, 7, 8, 1) };
    let held = Held::new(custom, &[1, 2, 3], 3);
    check(&held, &squares(&[2, 3]), &at(7, &[1, 2]));
    // One block, and one more; new columns in several blocks.
    for l in [255, 256] {
        let values: Vec<i64> = (0..l).map(|i| i * i - 300).collect();
        let held = Held::new(toy_of(40, 1, 1, l as u64), &values, 4);
        let last = values[l as usize - 1];
        check(&held, &squares(&[last, values[0]]), &at(0, &[l as u64 - 1, 0]));
    }
    let held = Held::new(toy_of(40, 1, 1, 3), &[1, 2, 3], 5);
    let many: Vec<i64> = (0..300).map(|i| 1 + i % 3).collect();
    let elements: Vec<u64> = (0..300).map(|i| i % 3).collect();
    check(&held, &squares(&many), &at(0, &elements));
}

/// Verdicts on proofs with one bit flipped, everywhere in the file, are those of the reference.
#[test]
fn verdicts_are_those_of_the_reference() {
    let held = Held::new(toy_of(41, 1, 1, 1), &[6], 1);
    let (assigned, inputs) = (squares(&[6]), Inputs::first(0, 1));
    let claim = held.claim(&assigned, &inputs);
    // Columns have padding.
    assert_ne!(5 * claim.params().t_width() % 8, 0);
    let of_claim = of_instance(&claim.instance, 1);
    let header = claim.params().header(&claim.matrix.id).to_bytes();
    let proof = prove(&held, &claim, &assigned.1).unwrap();
    let size = claim.params().column_bytes();
    let mut counts = [0; 2];
    let bits = (0..8 * proof.len()).step_by(53);
    let padding = (1..=claim.new_columns() as usize).map(|column| 8 * (56 + size * column) - 1);
    for bit in bits.chain(padding) {
        let mut changed = proof.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let expected = reference::verify(&held.file, &header, CONTEXT, &of_claim, &changed);
        let got = Answer::of(&claim.verify(CONTEXT, &changed));
        assert_eq!(got, expected, "bit {bit}");
        assert_ne!(got, Answer::Valid, "bit {bit}");
        counts[usize::from(got == Answer::Malformed)] += 1;
    }
    assert!(counts[0] > 300 && counts[1] > 1, "{counts:?}");
    // Files that end early, wherever that is, with a length that says so.
    for len in (24..proof.len()).step_by(101) {
        let mut short = proof[..len].to_vec();
        short[16..24].copy_from_slice(&(len as u64).to_le_bytes());
        assert!(matches!(claim.verify(CONTEXT, &short), Err(VerifyError::Invalid(_))), "{len}");
    }
}

/// The same bytes on one thread and on several, on every instruction set.
#[test]
fn bytes_do_not_depend_on_threads() {
    let values: Vec<i64> = (0..40).collect();
    let held = Held::new(toy_of(40, 15, 2, 3), &values, 1);
    let (assigned, inputs) = (squares(&values), Inputs::first(1, 40));
    let make = || {
        let claim = held.claim(&assigned, &inputs);
        let proof = prove(&held, &claim, &assigned.1).unwrap();
        claim.verify(CONTEXT, &proof).unwrap();
        proof
    };
    let proof = make();
    #[cfg(feature = "rayon")]
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(make) == proof);
    }
    for isa in tautochrone_simd::Isa::all() {
        let (circuit, assignment) = &assigned;
        let public = &assignment.public;
        let claim = CommittedCircuit::new_on(isa, &held.statement, circuit, public, &inputs);
        let claim = claim.unwrap().with_file(&held.file).reproducible();
        assert!(prove(&held, &claim, assignment).unwrap() == proof);
    }
}
