//! Which requests are refused; what is a circuit.

use super::*;
use crate::field::ELEMENT_LEN;

/// From the circuit to the verdict, as a user would.
#[test]
fn a_circuit_is_proved_with_the_parameters_that_it_finds() {
    let (circuit, assignment) = cubes(40, 0);
    let (case, slot, _, proof) = proved_as_found(&circuit, &assignment, DIGIT_BOUND);
    // A file names the circuit, which whoever verifies has to know.
    assert_error!(case.verifier().verify_file(CONTEXT, &proof, &[]), Error::StatedByOthers);
    let other = CircuitClaim::new(&one_bit().0, &[]).unwrap().into();
    assert_error!(case.verify_claims(&slot, &other, &proof), Error::Invalid(Reason::OtherFact));
    // Any column of wires may be opened, and a proof after it is the one before it.
    let (layout, columns) = (slot.layout(), slot.layout().columns());
    assert!(layout.open(&case.params, &case.witness, columns - 1).is_ok());
    assert_eq!(name(layout.open(&case.params, &case.witness, columns)), "column");
}

/// Of all layouts, with any number of places a column, the statement and two proofs are shortest in
/// the layout that is found; with one proof another layout would be.
#[test]
fn a_statement_and_two_proofs_are_shortest() {
    let (circuit, assignment) = cubes(800, 0);
    let claims = Claims::from(CircuitClaim::new(&circuit, &assignment.public).unwrap());
    let sizes = [15_u32, 31, 63, 127, 255].map(|places| {
        let columns = u64::from(circuit.secret_wires()).div_ceil(places.into());
        let layout = Layout::over::<P61>(places, columns).with_slot(&claims).unwrap();
        let params = layout.goal(0).optimise().unwrap().validate(Security::Required).unwrap();
        let elements =
            layout.all_columns() + (claims.sent(&layout) + 2 * layout.rounds()) as u64 + 1;
        let proof = params.expected_proof_bytes() + ELEMENT_LEN as u64 * elements;
        (places, params.statement_bytes(), u128::from(proof))
    });
    let shortest = |proofs| sizes.iter().min_by_key(|(_, t, proof)| t + proofs * proof).unwrap().0;
    let params = circuit.optimise().unwrap().validate(Security::Required).unwrap();
    assert_eq!(circuit.layout(&params).unwrap().rows(), shortest(2));
    assert_ne!(shortest(1), shortest(2));
}

/// Constraints that do not hold, and assignments of other circuits.
#[test]
fn other_assignments_are_refused() {
    let assigned = cubes(3, 0);
    let params = waived(toy(40, 3, &assigned));
    let (circuit, assignment) = assigned;
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let seed = Seed::from_bytes([1; 32]);
    let witness =
        |circuit: &Circuit, assignment: &Assignment| circuit.witness(&matrix, assignment, &seed);
    let mut short = assignment.clone();
    short.secret.pop();
    assert_eq!(name(witness(&circuit, &short)), "secret wires");
    let mut short = assignment.clone();
    short.public.pop();
    assert_eq!(name(witness(&circuit, &short)), "public inputs");
    assert_eq!(name(CircuitClaim::new(&circuit, &short.public)), "public inputs");
    let (same, wrong) = cubes(3, 1);
    assert_eq!(same, circuit);
    assert!(matches!(witness(&circuit, &wrong), Err(Error::FalseFact)));
    let (larger, assigned) = cubes(60, 0);
    assert_eq!(name(witness(&larger, &assigned)), "l");
}

/// Pads are another claim's for other wires or public inputs, with the same seed: the difference of
/// two commitments under the same pads would be one of wires alone.
#[test]
fn pads_depend_on_the_wires_and_public_inputs() {
    let pads = |x: i64, seed: u8| {
        let mut builder = CircuitBuilder::new();
        let public = builder.public(number(x * x));
        let x = builder.secret(number(x));
        builder.constrain(x, x, public);
        let assigned = builder.finish().unwrap();
        let params = waived(toy(40, 1, &assigned));
        let (circuit, assignment) = assigned;
        let layout = circuit.layout(&params).unwrap();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let seed = Seed::from_bytes([seed; 32]);
        let source = circuit.witness(&matrix, &assignment, &seed).unwrap();
        let mut column = vec![0; params.v() as usize];
        source.read_columns(&params, 0, &mut column).unwrap();
        column.truncate(layout.all_rows() as usize);
        column
    };
    assert_eq!(pads(3, 1), pads(3, 1));
    assert_ne!(pads(3, 1), pads(-3, 1));
    assert_ne!(pads(3, 1), pads(4, 1));
    assert_ne!(pads(3, 1), pads(3, 2));
}

#[test]
fn requests_beyond_the_parameters_are_refused() {
    let assigned = cubes(3, 0);
    let honest = toy(40, 3, &assigned);
    let refused = |custom: CustomParams| {
        let params = waived(custom);
        name(assigned.0.layout(&params))
    };
    let with = |rows: u32, bound: u32| {
        let group = RowGroup { rows, bound, distribution: Distribution::Any };
        CustomParams { groups: [Some(group), None, None], ..honest }
    };
    let params = waived(honest);
    assert!(assigned.0.layout(&params).is_ok());
    // No whole element, 2 and 0 of them.
    for (rows, bound) in [(71, 99), (73, 99), (64, 99), (48, 99), (8, 99)] {
        assert_eq!(refused(with(rows, bound)), "l");
    }
    assert_eq!(refused(with(72, 98)), "b of rows of digits");
    assert_eq!(refused(CustomParams { l: honest.l - 1, ..honest }), "l");
    assert_eq!(refused(CustomParams { lambda: 256, n: None, ..honest }), "lambda");
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
        matrix.push(&[(wire, Scalar::ONE)]);
        matrix
    };
    let circuit = |wires: [u32; 3]| Circuit::new(1, 2, wires.map(matrix));
    assert!(circuit([0, 1, 3]).is_ok());
    assert_eq!(name(circuit([0, 4, 3])), "wire");
    assert_eq!(name(Circuit::new(u32::MAX, u32::MAX, [0; 3].map(matrix))), "wires");
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
