//! Honest proofs are valid; which requests are refused.

use super::*;
use crate::error::ParameterError;

fn name<T: core::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Parameter(ParameterError { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

/// From the circuit to the verdict, as a user would.
#[test]
fn a_circuit_is_proved_with_the_parameters_that_it_finds() {
    let (circuit, assignment) = cubes(40, 0);
    let params = CircuitSpace::optimise(&circuit).unwrap().validate(Security::Required).unwrap();
    let space = CircuitSpace::new(&params, &circuit, Security::Required).unwrap();
    assert!(space.hiding().classical >= 128.0 && params.row_groups()[0].bound == DIGIT_BOUND);
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let witness = space.witness(&matrix, &circuit, &assignment, &Seed::from_bytes([2; 32]));
    let witness = witness.unwrap();
    let mut file = Vec::new();
    let statement = matrix.commit_and_hold(&witness, &mut file).unwrap();
    let prover = Prover::new(&matrix, &statement).unwrap();
    let seed = Seed::from_bytes([3; 32]);
    let proved = prover.prove_circuit(b"", &circuit, &assignment.public, &witness, &seed).unwrap();
    let proof = proved.proof.to_bytes(&params);
    let verifier = Verifier::new(&matrix, &statement).unwrap();
    verifier.verify_circuit(b"", &circuit, &assignment.public, &proof).unwrap();
    // No smaller number of columns would do for so many elements a column.
    let fewer = Shape::new(&circuit, space.elements(), params.l() - 1);
    assert!(!fewer.has_columns(circuit.secret_wires().into()));
}

#[test]
fn a_witness_is_of_its_circuit() {
    let toy = Toy::new(40, 3, cubes(3, 0), 1);
    let space = CircuitSpace::new(&toy.params, &toy.circuit, Security::Waived).unwrap();
    let seed = Seed::from_bytes([1; 32]);
    let witness = |circuit: &Circuit, assignment: &Assignment| {
        space.witness(&toy.matrix, circuit, assignment, &seed).map(|_| ())
    };
    let (circuit, assignment) = cubes(3, 0);
    witness(&circuit, &assignment).unwrap();
    let mut short = assignment.clone();
    short.secret.pop();
    assert_eq!(name(witness(&circuit, &short)), "secret wires");
    let mut short = assignment.clone();
    short.public.pop();
    assert_eq!(name(witness(&circuit, &short)), "public inputs");
    let (same, wrong) = cubes(3, 1);
    assert_eq!(same, circuit);
    assert!(matches!(witness(&circuit, &wrong), Err(Error::FalseFact)));
    let (larger, assigned) = cubes(60, 0);
    assert_eq!(name(witness(&larger, &assigned)), "l");
    // One with as many wires and more rounds.
    let (smaller, assigned) = one_bit();
    assert_eq!(name(witness(&smaller, &assigned)), "l");
    // Pads differ with the seed, the wires and the public inputs.
    let column = |circuit: &Circuit, assignment: &Assignment, seed: u8| {
        let seed = Seed::from_bytes([seed; 32]);
        let source = space.witness(&toy.matrix, circuit, assignment, &seed).unwrap();
        let mut column = vec![0; toy.params.v() as usize];
        source.read_columns(&toy.params, 0, &mut column).unwrap();
        column[24..96].to_vec()
    };
    let first = column(&circuit, &assignment, 1);
    assert_eq!(column(&circuit, &assignment, 1), first);
    assert_ne!(column(&circuit, &assignment, 2), first);
    let mut other = assignment.clone();
    // Nothing is said of its sign: (-x)^2, but then of x^3.
    assert_eq!(circuit.first_violation(&other).unwrap(), None);
    other.secret[3] += Scalar::ONE;
    assert!(circuit.first_violation(&other).unwrap().is_some());
}

/// Pads are another claim's for other wires or public inputs, with the same seed: the difference of
/// two commitments under the same pads would be one of wires alone.
#[test]
fn pads_depend_on_the_wires_and_public_inputs() {
    let pads = |x: i64| {
        let mut builder = CircuitBuilder::new();
        let public = builder.public(number(x * x));
        let x = builder.secret(number(x));
        builder.constrain(x, x, public);
        let toy = Toy::new(40, 1, builder.finish().unwrap(), 1);
        toy.entries[DIGITS as usize..(DIGITS + CIRCUIT_PAD_ROWS) as usize].to_vec()
    };
    assert_eq!(pads(3), pads(3));
    assert_ne!(pads(3), pads(-3));
    assert_ne!(pads(3), pads(4));
}

#[test]
fn requests_beyond_the_parameters_are_refused() {
    let honest = Toy::new(40, 3, cubes(3, 0), 1);
    let l = honest.params.l();
    let (circuit, _) = cubes(3, 0);
    let refused = |custom: CustomParams| {
        let params = custom.validate(Security::Waived).unwrap();
        name(CircuitSpace::new(&params, &circuit, Security::Waived))
    };
    let with = |rows: u32, bound: u32| {
        let group = RowGroup { rows, bound, distribution: Distribution::Any };
        CustomParams { groups: [Some(group), None, None], ..toy(40, 3, l) }
    };
    assert!(with(96, 127).validate(Security::Waived).is_ok());
    for (rows, bound) in [(95, 99), (97, 99), (72, 99), (88, 99), (8, 99)] {
        assert_eq!(refused(with(rows, bound)), "rows of the first group");
    }
    assert_eq!(refused(with(96, 98)), "b of rows of digits");
    assert_eq!(refused(toy(40, 3, l - 1)), "l");
    assert_eq!(refused(toy(40, 1, 4)), "l");
    assert_eq!(refused(CustomParams { lambda: 256, ..toy(41, 3, l) }), "lambda");
    // Digits in the rows that A' is not multiplied with.
    let group = RowGroup { rows: 96, bound: 99, distribution: Distribution::Uniform };
    let deep = CustomParams { r: 30, groups: [Some(group), None, None], ..toy(40, 3, l) };
    assert_eq!(refused(deep), "rows of the first group");
    let params = deep.validate(Security::Waived).unwrap();
    assert_eq!(params.z_rows(), 87);
    let weak = CircuitSpace::new(&honest.params, &circuit, Security::Required);
    assert!(weak.is_err());
    // Public inputs of another number.
    let seed = Seed::from_bytes([1; 32]);
    for public in [&honest.public[1..], &[]] {
        let proved =
            honest.prover().prove_circuit(CONTEXT, &circuit, public, &honest.witness, &seed);
        assert_eq!(name(proved), "public inputs");
        let Err(VerifyError::NoVerdict(error)) = honest.verify_with(&circuit, public, &[]) else {
            panic!("a verdict");
        };
        assert_eq!(name::<()>(Err(error)), "public inputs");
    }
}

#[test]
fn what_is_no_circuit() {
    let empty = CircuitBuilder::new();
    assert_eq!(name(empty.finish()), "constraints");
    let mut builder = CircuitBuilder::new();
    let one = builder.public(Scalar::ONE);
    builder.equal(one, Scalar::ONE);
    assert_eq!(name(builder.finish()), "wires");
    let matrix = |wire: u32| {
        let mut matrix = constraints::Matrix::default();
        matrix.push(vec![(wire, Scalar::ONE)]);
        matrix
    };
    let circuit = |wires: [u32; 3]| Circuit::new(1, 2, wires.map(matrix));
    assert!(circuit([0, 1, 3]).is_ok());
    assert_eq!(name(circuit([0, 4, 3])), "wire");
    assert_eq!(name(Circuit::new(u32::MAX, u32::MAX, [0; 3].map(matrix))), "wires");
}

/// Rows have one form: sorted, one coefficient a wire, none of them 0.
#[test]
fn rows_have_one_form() {
    let build = |reverse: bool| {
        let mut builder = CircuitBuilder::new();
        let x = builder.secret(number(2));
        let y = builder.public(number(4));
        let terms = [
            Combination::from(x),
            Combination::from(y) * number(3),
            Combination::from(number(7)),
            Combination::from(x) * number(5),
            Combination::from(y) * number(-3),
        ];
        let sum = |sum: Combination, term: &Combination| sum + term.clone();
        let all = if reverse {
            terms.iter().rev().fold(Combination::default(), sum)
        } else {
            terms.iter().fold(Combination::default(), sum)
        };
        builder.constrain(all, x, Combination::default());
        builder.finish().unwrap().0
    };
    let circuit = build(false);
    assert_eq!(circuit.digest(), build(true).digest());
    assert_eq!(circuit.coefficients(), 3);
    // 1 and the secret wire behind the public one.
    assert!(circuit.matrices[0].row(0) == [(0, number(7)), (2, number(6))]);
}

#[test]
fn bits_are_those_of_numbers() {
    let mut builder = CircuitBuilder::new();
    let x = builder.secret(Scalar::new(0xdead_beef).unwrap());
    let bits = builder.bits(x, 32);
    let wires: Vec<u64> = bits.iter().map(|&bit| builder.value(&bit.into()).value()).collect();
    let expected: Vec<u64> = (0..32).map(|i| 0xdead_beef_u64 >> i & 1).collect();
    assert_eq!(wires, expected);
    let (circuit, assignment) = builder.finish().unwrap();
    assert_eq!(circuit.constraints(), 33);
    assert_eq!(circuit.first_violation(&assignment).unwrap(), None);
    let mut builder = CircuitBuilder::new();
    let x = builder.secret(Scalar::new(0x1_dead_beef).unwrap());
    builder.bits(x, 32);
    let (circuit, assignment) = builder.finish().unwrap();
    assert_eq!(circuit.first_violation(&assignment).unwrap(), Some(32));
}
