//! Circuits as users have them: spaces, files, values that were committed before. Claims about
//! circuits go through the harness of all claims.

use tautochrone_ctr::Seed;

use super::constraints::MAX_CIRCUIT;
use super::inputs::MAX_INPUT_SLOTS;
use super::*;
use crate::argument::field::CircuitField;
use crate::argument::layout::Slot;
use crate::argument::tests::plain;
use crate::argument::{Claims, Layout, P61, Scalar};
use crate::cases::{CONTEXT, Case, flipped, name, replaced, waived};
use crate::error::{Error, Reason};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::rows::{DIGIT_BOUND, Distribution, RowGroup};
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::WitnessSource;

mod builder;
mod committed;
mod files;
mod goldilocks;
mod requests;

fn number(x: i64) -> Scalar {
    let magnitude = Scalar::new(x.unsigned_abs()).unwrap();
    if x < 0 { -magnitude } else { magnitude }
}

/// x^3 + x + 5 = y for `count` secret x and as many public y, and constants on all sides.
///
/// And of 1 - 7 x, a copy of which is squared, all to have every kind of row.
fn cubes(count: i64, error: i64) -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    for i in 0..count {
        let x = 1000 * i - 3;
        let y = builder.public(number(x.pow(3) + x + 5 + error));
        let x = builder.secret(number(x));
        let square = builder.product(x, x);
        let cube = builder.product(square, x);
        builder.equal(builder.sum(&[cube, x]) + number(5).into(), y);
        let negative = Combination::from(x) * number(-7) + number(1).into();
        let copy = builder.product(negative.clone(), number(1));
        builder.constrain(
            copy,
            negative.clone(),
            Combination::from(square) * number(49)
                - negative.clone() * number(-2)
                - number(1).into(),
        );
    }
    builder.finish().unwrap()
}

/// One secret bit and nothing public.
fn one_bit() -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    builder.bit(true);
    builder.finish().unwrap()
}

/// For a circuit, so many elements in a column.
fn toy(w: u32, elements: u32, (circuit, assignment): &(Circuit, Assignment)) -> CustomParams {
    let columns = u64::from(circuit.secret_wires()).div_ceil(elements.into());
    let claims = CircuitClaim::new(circuit, &assignment.public).unwrap().into();
    plain(w, &Layout::over::<P61>(elements, columns).with_slot(&claims).unwrap())
}

/// A statement about the wires of a circuit, and their slot.
fn committed_to<F: CircuitField>(
    params: &Params,
    circuit: &Circuit<F>,
    assignment: &Assignment<F>,
) -> (Case<i8>, Slot) {
    let (matrix, seed) = (PublicMatrix::new(params, [1; 32]), Seed::from_bytes([2; 32]));
    let witness = circuit.witness(&matrix, assignment, &seed).unwrap();
    (Case::read(params, 1, &witness), circuit.layout(params).unwrap().slot(0).unwrap())
}

/// A statement with the parameters of 128 bits that a circuit finds, in a group of rows within
/// `bound`, and a proof that is valid.
fn proved_as_found<F: CircuitField>(
    circuit: &Circuit<F>,
    assignment: &Assignment<F>,
    bound: u32,
) -> (Case<i8>, Slot, Claims, Vec<u8>) {
    let params = circuit.optimise().unwrap().validate(Security::Required).unwrap();
    let layout = circuit.layout(&params).unwrap();
    assert!(layout.hiding(&params).unwrap().classical >= 128.0);
    assert_eq!(params.row_groups()[0].bound, bound);
    let (case, slot) = committed_to(&params, circuit, assignment);
    let claims = Claims::from(CircuitClaim::new(circuit, &assignment.public).unwrap());
    let proof = case.prove_claims(&slot, &claims).unwrap();
    case.verify_claims(&slot, &claims, &proof).unwrap();
    (case, slot, claims, proof)
}
