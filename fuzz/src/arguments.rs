//! Proofs about committed data: facts, ranges, norms, circuits, and keys.

use std::sync::LazyLock;

use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{
    Assignment, Circuit, CircuitBuilder, CircuitClaim, CircuitFile, Claims, Combination,
    CommittedCircuit, ExactKeys, Fact, InputSpace, Inputs, KeyRanges, Layout, P61, Ranges, RowNorm,
    RowRange, Scalar, Slot,
};
use tautochrone::zk::internals::{DIGIT_BOUND, PAD_BOUND};
use tautochrone::zk::{
    CustomParams, Distribution, Params, Prover, PublicMatrix, RowGroup, Security, Shows, Statement,
    Verifier, Witness,
};

/// Commitments to bits, and proofs of facts, of ranges and a norm, and of all of these.
pub struct Arguments {
    matrix: PublicMatrix,
    statement: Statement,
    layout: Layout,
    /// In slots 0, 1 and 2.
    claims: [Claims; 3],
    /// The file of each.
    pub proofs: [Vec<u8>; 3],
}

/// Made once.
pub static ARGUMENTS: LazyLock<Arguments> = LazyLock::new(|| {
    let (rows, l) = (32, 20);
    let mut messages: Vec<i8> = (0..rows * l).map(|i| (i % 7 % 2) as i8).collect();
    // The first row is a bit and its square; the second says how much smaller than 1 it is.
    let bits = RowRange { first_row: 0, rows: 2, low: 0, high: 1 };
    let norm = RowNorm { first_row: 0, rows: 1, bound_squared: 1, first_bit: 1, bits: 1 };
    let ranges = Ranges::with_norms(vec![bits], vec![norm]).expect("a claim");
    ranges.fill_slack(rows as usize, &mut messages).expect("bits");
    let value = messages.chunks(rows as usize).map(|column| i64::from(column[0] + column[2])).sum();
    let columns = (0..l.into()).map(|j| (j, 1)).collect();
    let sum = Fact::sum(vec![(0, 1), (2, 1)], columns, value).expect("a fact");
    let entries = messages[5 * rows as usize..][..4].iter().map(|&bit| bit.into()).collect();
    let block = Fact::block(0, 5, 4, entries).expect("a fact");
    let all = vec![sum.clone().into(), ranges.clone().into()];
    let claims = [vec![sum.into(), block.into()], vec![ranges.into()], all];
    let claims = claims.map(|claims| Claims::new(claims).expect("few"));
    let layout = claims.iter().fold(Layout::new(rows, l.into()), |layout, claims| {
        layout.with_slot(claims).expect("of the messages")
    });
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let groups = [any(rows + layout.pad_rows(), PAD_BOUND), None, None];
    let v = rows + layout.pad_rows() + 10 + 2;
    let columns = layout.all_columns();
    let custom = CustomParams { n: Some(4), groups, ..CustomParams::new(29, 2, v, columns, 1) };
    let frobenius_squared = Some(u128::from(v * 4) * u128::from(columns));
    let params = CustomParams { frobenius_squared, ..custom }.validate(Security::Waived);
    let params = params.expect("in range");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let witness = layout.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).expect("bits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let seed = Seed::from_bytes([3; 32]);
    let proofs = [0, 1, 2].map(|index| {
        let slot = layout.slot(index).expect("three slots");
        let claims = &claims[index as usize];
        let proved = prover.prove_claims(b"fuzz", &slot, claims, &witness, &seed);
        proved.expect("true").proof
    });
    Arguments { matrix, statement, layout, claims, proofs }
});

/// Proofs of claims of any bytes: none is valid but the honest ones.
pub fn argument(data: &[u8]) {
    let all = &*ARGUMENTS;
    let verifier = Verifier::new(&all.matrix, &all.statement).expect("its own A");
    for (index, (claims, proof)) in (0..).zip(all.claims.iter().zip(&all.proofs)) {
        let slot = all.layout.slot(index).expect("three slots");
        if verifier.verify_claims(b"fuzz", &slot, claims, data).is_ok() {
            assert_eq!(data, proof, "another proof of the claims");
        }
    }
    // Of the claims that the file has.
    if let Ok(Shows::Claims(slot, claims)) = Shows::of(data, all.statement.params())
        && verifier.verify_claims(b"fuzz", &slot, &claims, data).is_ok()
    {
        assert!(all.proofs.iter().any(|proof| data == proof), "a proof of other claims");
    }
}

/// Commitments to the wires of x (x + 3) = 10, and a proof that it holds of them.
pub struct OfCircuit {
    matrix: PublicMatrix,
    statement: Statement,
    slot: Slot,
    claims: Claims,
    circuit: Circuit,
    assignment: Assignment,
    /// The proof, the circuit, and the wires.
    pub files: [Vec<u8>; 3],
}

/// Commitments to x, and a proof of the same circuit about it.
pub struct OfInputs {
    matrix: PublicMatrix,
    statement: Statement,
    inputs: Inputs,
    /// The proof.
    pub proof: Vec<u8>,
}

/// Made once.
pub static OF_INPUTS: LazyLock<OfInputs> = LazyLock::new(|| {
    let OfCircuit { assignment, .. } = &*OF_CIRCUIT;
    let params = of_digits(&Layout::of_values(15, 1, 2).expect("two slots"));
    let space = InputSpace::new(&params).expect("digits and pads");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let seed = Seed::from_bytes([2; 32]);
    let witness = space.witness(&matrix, &assignment.secret, &seed).expect("one value");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let inputs = Inputs::first(1, 1);
    let claim = of_inputs(&matrix, &statement, &inputs);
    let proved = claim.prove(b"fuzz", &witness, assignment, &Seed::from_bytes([3; 32]));
    let proof = proved.expect("it holds").proof;
    drop(claim);
    OfInputs { matrix, statement, inputs, proof }
});

/// Toy parameters for elements of F.
fn of_digits(layout: &Layout) -> Params {
    let rows = layout.all_rows() as u32;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams::new(40, 2, rows + 12, layout.all_columns(), 1);
    let custom = CustomParams { n: Some(4), groups: [Some(group), None, None], ..custom };
    custom.validate(Security::Waived).expect("in range")
}

fn of_inputs<'a>(
    matrix: &PublicMatrix,
    statement: &'a Statement,
    inputs: &'a Inputs,
) -> CommittedCircuit<'a> {
    let OfCircuit { circuit, assignment, .. } = &*OF_CIRCUIT;
    CommittedCircuit::new(matrix, statement, circuit, &assignment.public, inputs)
        .expect("one value")
        .reproducible()
}

/// Made once.
pub static OF_CIRCUIT: LazyLock<OfCircuit> = LazyLock::new(|| {
    let mut builder = CircuitBuilder::new();
    let ten = builder.public(Scalar::from(10));
    let x = builder.secret(Scalar::from(2));
    builder.constrain(x, Combination::from(x) + Scalar::from(3).into(), ten);
    let (circuit, assignment) = builder.finish().expect("a circuit");
    let claims = Claims::from(CircuitClaim::new(&circuit, &assignment.public).expect("inputs"));
    let params = of_digits(&Layout::over::<P61>(15, 1).with_slot(&claims).expect("a slot"));
    let layout = circuit.layout(&params).expect("enough columns");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let seed = Seed::from_bytes([2; 32]);
    let witness = circuit.witness(&matrix, &assignment, &seed).expect("it holds");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let seed = Seed::from_bytes([3; 32]);
    let slot = layout.slot(0).expect("a slot");
    let proved = prover.prove_claims(b"fuzz", &slot, &claims, &witness, &seed);
    let proof = proved.expect("it holds").proof;
    let files = [proof, circuit.to_r1cs(), assignment.to_wtns().to_vec()];
    OfCircuit { matrix, statement, slot, claims, circuit, assignment, files }
});

/// Any bytes as a proof about a circuit, of which none is valid but the honest one; as a circuit,
/// which is written as it was read; and as wires.
pub fn circuit(data: &[u8]) {
    let all = &*OF_CIRCUIT;
    let verifier = Verifier::new(&all.matrix, &all.statement).expect("its own A");
    if verifier.verify_claims(b"fuzz", &all.slot, &all.claims, data).is_ok() {
        assert_eq!(data, all.files[0], "another proof");
    }
    let OfInputs { matrix, statement, inputs, proof } = &*OF_INPUTS;
    if of_inputs(matrix, statement, inputs).verify(b"fuzz", data).is_ok() {
        assert_eq!(data, proof, "another proof about inputs");
    }
    if let Ok(file) = CircuitFile::read_r1cs(data) {
        let written = match &file {
            CircuitFile::P61(circuit) => circuit.to_r1cs(),
            CircuitFile::Goldilocks(circuit) => circuit.to_r1cs(),
        };
        let again = CircuitFile::read_r1cs(&written).expect("its own file");
        assert!(again == file, "another circuit");
    }
    if let Ok(assignment) = Assignment::read_wtns(data, &all.circuit) {
        let again = Assignment::read_wtns(&assignment.to_wtns(), &all.circuit).expect("its own");
        assert!(again.public == assignment.public && again.secret == assignment.secret);
        all.circuit.first_violation(&assignment).expect("as many wires");
    }
}

/// Ternary keys, and proofs that they are well formed.
pub struct Keys {
    matrix: PublicMatrix,
    statement: Statement,
    /// The file of a proof.
    pub proof: Vec<u8>,
}

impl Keys {
    fn exact(&self, claim: KeyRanges) -> ExactKeys<'_> {
        ExactKeys::new(&self.matrix, &self.statement, claim).expect("waived").reproducible()
    }
}

/// Made once.
pub static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let custom = CustomParams { n: Some(4), ..CustomParams::new(29, 2, 5, 3, 2) };
    let frobenius_squared = Some(60);
    let custom = CustomParams { round_t: Some(0), frobenius_squared, ..custom };
    let params = custom.validate(Security::Waived).expect("in range");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let entries: Vec<i8> = (0..15).map(|i| (i % 3) as i8 - 1).collect();
    let witness = Witness::new(&params, entries).expect("trits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let keys = Keys { matrix, statement, proof: Vec::new() };
    let claim = KeyRanges::new(1, 1).expect("a claim");
    let exact = keys.exact(claim);
    let proved = exact.prove(b"fuzz", &witness, &Seed::from_bytes([3; 32])).expect("true");
    let proof = proved.proof;
    Keys { proof, ..keys }
});

/// Proofs about keys of any bytes: none is valid but the honest ones.
pub fn keys(data: &[u8]) {
    let all = &*KEYS;
    let expected = KeyRanges::new(1, 1).expect("a claim");
    if all.exact(expected).verify(b"fuzz", data).is_ok() {
        assert_eq!(data, all.proof, "another proof of the claim");
    }
    // For any claim in the file.
    let Ok(Shows::Keys(claim)) = Shows::of(data, all.statement.params()) else { return };
    let Ok(exact) = ExactKeys::new(&all.matrix, &all.statement, claim) else { return };
    if exact.verify(b"fuzz", data).is_ok() {
        assert!(data == all.proof, "a proof of another claim");
    }
}
