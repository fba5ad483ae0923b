//! Proofs about committed data: facts, ranges, norms, circuits, and keys.

use std::sync::LazyLock;

use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{
    Assignment, CIRCUIT_PAD_ROWS, Circuit, CircuitBuilder, CircuitSpace, Combination,
    CommittedCircuit, DIGIT_BOUND, DIGITS, ExactKeys, Fact, Facts, InputSpace, Inputs, KeyProof,
    KeyRanges, PAD_BOUND, PAD_ROWS, PaddedSpace, RANGE_PAD_ROWS, RangeProof, Ranges, RowNorm,
    RowRange, Scalar,
};
use tautochrone::zk::{
    CustomParams, Distribution, Prover, PublicMatrix, RowGroup, Security, Statement, Verifier,
    Witness,
};

/// Commitments to bits, and proofs of a fact about them, of their range and of their norm.
pub struct Arguments {
    matrix: PublicMatrix,
    statement: Statement,
    space: PaddedSpace,
    fact: Fact,
    ranges: Ranges,
    norms: Ranges,
    /// The file of the fact, that of the ranges, and that of the norms.
    pub proofs: [Vec<u8>; 3],
}

/// Made once.
pub static ARGUMENTS: LazyLock<Arguments> = LazyLock::new(|| {
    let bits = RowRange { first_row: 0, rows: 2, low: 0, high: 1 };
    let ranges = Ranges::new(vec![bits]).expect("a range");
    // The first row is a bit and its square; the second says how much smaller than 1 it is.
    let norm = RowNorm { first_row: 0, rows: 1, bound_squared: 1, first_bit: 1, bits: 1 };
    let norms = Ranges::with_norms(vec![bits], vec![norm]).expect("a claim");
    let l = ranges.least_columns(1);
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let groups = [any(2, 1), any(PAD_ROWS + 2 * RANGE_PAD_ROWS, PAD_BOUND), None];
    let v = 2 + PAD_ROWS + 2 * RANGE_PAD_ROWS + 10 + 2;
    let custom = CustomParams { n: Some(4), groups, ..CustomParams::new(29, 2, v, l, 1) };
    let frobenius_squared = Some(u128::from(v * 4) * u128::from(l));
    let params = CustomParams { frobenius_squared, ..custom }.validate(Security::Waived);
    let params = params.expect("in range");
    let space = PaddedSpace::with_ranges(&params, 2, 1, 2, Security::Waived).expect("slots");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let mut messages: Vec<i8> = (0..2 * l).map(|i| (i % 3 % 2) as i8).collect();
    norms.fill_slack(2, &mut messages).expect("bits");
    let witness = space.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).expect("bits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let value = messages.iter().map(|&bit| i64::from(bit)).sum();
    let columns = (0..l).map(|j| (j, 1)).collect();
    let fact = Fact::sum(vec![(0, 1), (1, 1)], columns, value).expect("a fact");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let seed = Seed::from_bytes([3; 32]);
    let slot = space.slot(0).expect("a slot");
    let of_fact = prover.prove_fact(b"fuzz", slot, &fact, &witness, &seed).expect("true");
    let slot = space.range_slot(0).expect("a slot");
    let of_ranges = prover.prove_ranges(b"fuzz", slot, &ranges, &witness, &seed).expect("true");
    let slot = space.range_slot(1).expect("a slot");
    let of_norms = prover.prove_ranges(b"fuzz", slot, &norms, &witness, &seed).expect("true");
    let proofs = [of_ranges, of_norms].map(|proved| proved.proof.to_bytes(&params));
    let [of_ranges, of_norms] = proofs;
    let proofs = [of_fact.proof.to_bytes(&params), of_ranges, of_norms];
    Arguments { matrix, statement, space, fact, ranges, norms, proofs }
});

/// Commitments to bits, and a proof of several facts about them.
pub struct SeveralFacts {
    matrix: PublicMatrix,
    statement: Statement,
    space: PaddedSpace,
    facts: Facts,
    /// The file.
    pub proof: Vec<u8>,
}

/// Made once.
pub static SEVERAL_FACTS: LazyLock<SeveralFacts> = LazyLock::new(|| {
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let groups = [any(2, 1), any(3 * PAD_ROWS, PAD_BOUND), None];
    let v = 2 + 3 * PAD_ROWS + 10 + 2;
    let l = 13;
    let custom = CustomParams { n: Some(4), groups, ..CustomParams::new(29, 2, v, l, 1) };
    let frobenius_squared = Some(u128::from(v * 4) * u128::from(l));
    let params = CustomParams { frobenius_squared, ..custom }.validate(Security::Waived);
    let params = params.expect("in range");
    let space = PaddedSpace::new(&params, 2, 3, Security::Waived).expect("slots");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let messages: Vec<i8> = (0..2 * l).map(|i| (i % 3 % 2) as i8).collect();
    let witness = space.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).expect("bits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let value = messages.iter().map(|&bit| i64::from(bit)).sum();
    let sum = Fact::sum(vec![(0, 1), (1, 1)], (0..l).map(|j| (j, 1)).collect(), value);
    let block = Fact::block(0, 5, 2, messages[10..14].iter().map(|&bit| bit.into()).collect());
    let facts = Facts::new(vec![sum.expect("a fact"), block.expect("a fact")]).expect("two");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let (slot, seed) = (space.batch_slot(0).expect("three slots"), Seed::from_bytes([3; 32]));
    let proved = prover.prove_facts(b"fuzz", slot, &facts, &witness, &seed).expect("true");
    let proof = proved.proof.to_bytes(&params);
    SeveralFacts { matrix, statement, space, facts, proof }
});

/// Proofs of facts, ranges and norms of any bytes: none is valid but the honest ones.
pub fn argument(data: &[u8]) {
    let several = &*SEVERAL_FACTS;
    let verifier = Verifier::new(&several.matrix, &several.statement).expect("its own A");
    let slot = several.space.batch_slot(0).expect("three slots");
    if verifier.verify_facts(b"fuzz", slot, &several.facts, data).is_ok() {
        assert_eq!(data, several.proof, "another proof of the facts");
    }
    let all = &*ARGUMENTS;
    let verifier = Verifier::new(&all.matrix, &all.statement).expect("its own A");
    let slot = all.space.slot(0).expect("a slot");
    if verifier.verify_fact(b"fuzz", slot, &all.fact, data).is_ok() {
        assert_eq!(data, all.proofs[0], "another proof of the fact");
    }
    let slot = all.space.range_slot(0).expect("a slot");
    if verifier.verify_ranges(b"fuzz", slot, &all.ranges, data).is_ok() {
        assert_eq!(data, all.proofs[1], "another proof of the range");
    }
    let slot = all.space.range_slot(1).expect("a slot");
    if verifier.verify_ranges(b"fuzz", slot, &all.norms, data).is_ok() {
        assert_eq!(data, all.proofs[2], "another proof of the norm");
    }
    // Of whatever claim the file has.
    if let Ok((slot, ranges)) = RangeProof::claim(data, all.statement.params()) {
        if verifier.verify_ranges(b"fuzz", slot, &ranges, data).is_ok() {
            let known = all.proofs[1..].iter().any(|proof| data == &proof[..]);
            assert!(known, "a proof of another claim");
        }
    }
}

/// Commitments to the wires of x (x + 3) = 10, and a proof that it holds of them.
pub struct OfCircuit {
    matrix: PublicMatrix,
    statement: Statement,
    circuit: Circuit,
    assignment: Assignment,
    /// The proof, the circuit, and the wires.
    pub files: [Vec<u8>; 3],
}

/// Commitments to x, and a proof of the same circuit about it.
pub struct OfInputs {
    statement: Statement,
    inputs: Inputs,
    /// The proof.
    pub proof: Vec<u8>,
}

/// Made once.
pub static OF_INPUTS: LazyLock<OfInputs> = LazyLock::new(|| {
    let OfCircuit { assignment, .. } = &*OF_CIRCUIT;
    let rows = DIGITS + 2 * CIRCUIT_PAD_ROWS;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams {
        n: Some(4),
        groups: [Some(group), None, None],
        ..CustomParams::new(40, 2, rows + 12, 2, 1)
    };
    let params = custom.validate(Security::Waived).expect("in range");
    let space = InputSpace::new(&params, Security::Waived).expect("digits and pads");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let seed = Seed::from_bytes([2; 32]);
    let witness = space.witness(&matrix, &assignment.secret, &seed).expect("one value");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let inputs = Inputs::first(1, 1);
    let claim = of_inputs(&statement, &inputs);
    let proved = claim.prove(b"fuzz", &witness, assignment, &Seed::from_bytes([3; 32]));
    let proof = proved.expect("it holds").proof.to_bytes(claim.params());
    drop(claim);
    OfInputs { statement, inputs, proof }
});

fn of_inputs<'a>(statement: &'a Statement, inputs: &'a Inputs) -> CommittedCircuit<'a> {
    let OfCircuit { circuit, assignment, .. } = &*OF_CIRCUIT;
    let (isa, public) = (Isa::PORTABLE, &assignment.public);
    CommittedCircuit::new_on(isa, statement, circuit, public, inputs)
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
    let rows = DIGITS + CIRCUIT_PAD_ROWS;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams {
        n: Some(4),
        groups: [Some(group), None, None],
        ..CustomParams::new(40, 2, rows + 12, 30, 1)
    };
    let params = custom.validate(Security::Waived).expect("in range");
    let space = CircuitSpace::new(&params, &circuit, Security::Waived).expect("enough columns");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let seed = Seed::from_bytes([2; 32]);
    let witness = space.witness(&matrix, &circuit, &assignment, &seed).expect("it holds");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let seed = Seed::from_bytes([3; 32]);
    let proved = prover.prove_circuit(b"fuzz", &circuit, &assignment.public, &witness, &seed);
    let proof = proved.expect("it holds").proof.to_bytes(&params);
    let files = [proof, circuit.to_r1cs(), assignment.to_wtns().to_vec()];
    OfCircuit { matrix, statement, circuit, assignment, files }
});

/// Any bytes as a proof about a circuit, of which none is valid but the honest one; as a circuit,
/// which is written as it was read; and as wires.
pub fn circuit(data: &[u8]) {
    let all = &*OF_CIRCUIT;
    let verifier = Verifier::new(&all.matrix, &all.statement).expect("its own A");
    if verifier.verify_circuit(b"fuzz", &all.circuit, &all.assignment.public, data).is_ok() {
        assert_eq!(data, all.files[0], "another proof");
    }
    let OfInputs { statement, inputs, proof } = &*OF_INPUTS;
    if of_inputs(statement, inputs).verify(b"fuzz", data).is_ok() {
        assert_eq!(data, proof, "another proof about inputs");
    }
    if let Ok(circuit) = Circuit::read_r1cs(data) {
        let again = Circuit::read_r1cs(&circuit.to_r1cs()).expect("its own file");
        assert!(again == circuit, "another circuit");
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
    /// The files of a proof, and of one in the former format.
    pub proofs: [Vec<u8>; 2],
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
    let keys = Keys { matrix, statement, proofs: [Vec::new(), Vec::new()] };
    let claim = KeyRanges::new(1, 1).expect("a claim");
    let proofs = [claim, claim.with_whole_dummies()].map(|claim| {
        let exact = keys.exact(claim);
        let proved = exact.prove(b"fuzz", &witness, &Seed::from_bytes([3; 32])).expect("true");
        proved.proof.to_bytes(&exact)
    });
    Keys { proofs, ..keys }
});

/// Proofs about keys of any bytes: none is valid but the honest ones.
pub fn keys(data: &[u8]) {
    let all = &*KEYS;
    let expected = KeyRanges::new(1, 1).expect("a claim");
    if all.exact(expected).verify(b"fuzz", data).is_ok() {
        assert_eq!(data, all.proofs[0], "another proof of the claim");
    }
    // Of whatever claim the file has.
    let Ok(claim) = KeyProof::claim(data, all.statement.params()) else { return };
    let Ok(exact) = ExactKeys::new(&all.matrix, &all.statement, claim) else { return };
    if exact.verify(b"fuzz", data).is_ok() {
        assert!(all.proofs.iter().any(|proof| data == proof), "a proof of another claim");
    }
}
