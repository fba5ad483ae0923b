//! Circuits over the field of 2^64 - 2^32 + 1 elements, and what must not be mixed up with them.

use super::files::malformation;
use super::*;
use crate::argument::worker::ArgumentWorker;
use crate::argument::{CircuitField, CircuitFile, Goldilocks, P, P61, ScalarOf};
use crate::error::Malformation;
use crate::field::Field as _;
use crate::shard::range::Shard;

/// A root of x^3 + x + 5 = y, and that it is below 2^60, over any field.
fn root<F: CircuitField>(x: u64) -> (Circuit<F>, Assignment<F>) {
    let mut builder = CircuitBuilder::<F>::default();
    let x = ScalarOf::new(x).unwrap();
    let y = builder.public(x * x * x + x + ScalarOf::from(5));
    let x = builder.secret(x);
    builder.bits(x, 60);
    let square = builder.product(x, x);
    let cube = builder.product(square, x);
    builder.equal(builder.sum(&[cube, x]) + ScalarOf::from(5).into(), y);
    builder.finish().unwrap()
}

/// With parameters of 128 bits, from the circuit to a file and back.
#[test]
fn circuits_are_proved_and_no_others() {
    let x = (1 << 60) - 3;
    let (circuit, assignment) = root::<Goldilocks>(x);
    assert_eq!(circuit.first_violation(&assignment).unwrap(), None);
    let (case, slot, own, proof) = proved_as_found(&circuit, &assignment, 69);
    assert_eq!(case.params.row_groups()[0].rows % 9, 0);
    let held = Statement::load(&case.file, Security::Required).unwrap();
    let verifier = Verifier::new(&case.matrix, &held).unwrap();
    verifier.verify_claims(CONTEXT, &slot, &own, &proof).unwrap();

    // Other public inputs, and the same constraints over the other field.
    let other = CircuitClaim::new(&circuit, &[ScalarOf::ONE]).unwrap().into();
    assert_error!(case.verify_claims(&slot, &other, &proof), Error::Invalid(Reason::OtherFact));
    let (of_p61, wires) = root::<P61>(x);
    assert_ne!(circuit.digest(), of_p61.digest());
    let of_p61: Claims = CircuitClaim::new(&of_p61, &wires.public).unwrap().into();
    assert_eq!(name(case.verify_claims(&slot, &of_p61, &proof)), "p of the layout");
    // Claims of one list are over one field, and workers and coordinators over the layout's.
    let both = [of_p61.claims(), own.claims()].concat();
    let layout = Layout::over::<Goldilocks>(15, 9);
    assert_eq!(name(layout.with_slot(&Claims::new(both).unwrap())), "p of the layout");
    let whole = Shard::whole(&case.params);
    let worker = <ArgumentWorker<'_>>::new(&case.params, &case.witness, whole, &slot, &own);
    assert_eq!(name(worker), "p");
    // A false wire: no proof, and which constraint it is that does not hold.
    let mut wrong = assignment.clone();
    *wrong.secret.last_mut().unwrap() += ScalarOf::ONE;
    let refused = circuit.witness(&case.matrix, &wrong, &Seed::from_bytes([2; 32]));
    assert_error!(refused, Error::FalseFact);
    assert_eq!(circuit.first_violation(&wrong).unwrap(), Some(62));
}

/// Parameters of one field are none of the other's.
#[test]
fn spaces_are_of_one_field() {
    let ((circuit, _), (other, _)) = (root::<Goldilocks>(7), root::<P61>(7));
    let params =
        |custom: Result<CustomParams, Error>| custom.unwrap().validate(Security::Required).unwrap();
    let (params, others) = (params(circuit.optimise()), params(other.optimise()));
    assert!(circuit.layout(&params).is_ok());
    assert!(other.layout(&others).is_ok());
    for refused in [other.layout(&params), circuit.layout(&others)] {
        assert!(matches!(refused, Err(Error::Parameter(_))), "{refused:?}");
    }
}

#[test]
fn files_name_their_field() {
    let ((circuit, wires), (other, others)) = (root::<Goldilocks>(9), root::<P61>(9));
    let (file, of_other) = (circuit.to_r1cs(), other.to_r1cs());
    assert_eq!(CircuitFile::read_r1cs(&file).unwrap(), CircuitFile::Goldilocks(circuit.clone()));
    assert_eq!(CircuitFile::read_r1cs(&of_other).unwrap(), CircuitFile::P61(other));
    let another = Malformation::Field("prime (another one is expected)");
    assert_eq!(malformation(Circuit::<P61>::read_r1cs(&file)), another);
    assert_eq!(malformation(Circuit::<Goldilocks>::read_r1cs(&of_other)), another);
    assert_eq!(malformation(Assignment::read_wtns(&others.to_wtns(), &circuit)), another);
    let read = Assignment::read_wtns(&wires.to_wtns(), &circuit).unwrap();
    assert_eq!((read.public, &*read.secret), (wires.public.clone(), &*wires.secret));
    // Words from p on, of wires and of coefficients; those from 2^61 - 1 on are some.
    let p = Goldilocks::P;
    for (word, is_one) in [(P, true), (p - 1, true), (p, false), (u64::MAX, false)] {
        let mut file = wires.to_wtns().to_vec();
        let at = file.len() - 8;
        file[at..].copy_from_slice(&word.to_le_bytes());
        let read = Assignment::read_wtns(&file, &circuit);
        assert_eq!(read.is_ok(), is_one, "{word:x}");
        // The first coefficient of the first constraint.
        let mut file = circuit.to_r1cs();
        let rows = 12 + 12 + 40 + 12;
        file[rows + 8..rows + 16].copy_from_slice(&word.to_le_bytes());
        assert_eq!(CircuitFile::read_r1cs(&file).is_ok(), is_one, "{word:x}");
    }
    for end in 0..file.len() {
        malformation(CircuitFile::read_r1cs(&file[..end]));
    }
}
