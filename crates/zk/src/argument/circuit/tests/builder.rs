//! Sums of wires, and circuits that are built again for their values.

use proptest::prelude::*;

use super::*;
use crate::field::Field as _;

/// A wire, the constant 1 after them all, and its coefficient.
type Summand = (usize, i64);

/// Public and secret wires, in turn.
const WIRES: usize = 10;

fn values() -> impl Iterator<Item = i64> {
    (0..WIRES as i64).map(|i| 7 * i - 20)
}

proptest! {
    /// Sums of sums, long and short, have the value of their terms, and every wire once, in one
    /// order.
    #[test]
    fn sums_are_of_each_wire_once(
        sums in prop::collection::vec(
            prop::collection::vec((0..=WIRES, -3_i64..=3), 1..12),
            1..6,
        ),
    ) {
        let mut builder = CircuitBuilder::new();
        let wires: Vec<Wire> = values()
            .enumerate()
            .map(|(i, x)| match i % 2 {
                0 => builder.public(number(x)),
                _ => builder.secret(number(x)),
            })
            .collect();
        let term = |&(wire, x): &Summand| match wires.get(wire) {
            Some(&wire) => Combination::from(wire) * number(x),
            None => number(x).into(),
        };
        let sum = |terms: &Vec<Summand>| {
            terms.iter().map(term).fold(Combination::default(), |sum, x| sum + x)
        };
        let all = sums.iter().map(sum).fold(Combination::default(), |all, sum| all + sum);
        let mut coefficients = [0; WIRES + 1];
        sums.iter().flatten().for_each(|&(wire, x)| coefficients[wire] += x);
        let of_all = values().chain([1]).zip(coefficients).map(|(x, y)| x * y).sum();
        prop_assert!(builder.value(&all) == number(of_all));
        builder.equal(all, number(of_all));
        let (circuit, assignment) = builder.finish().unwrap();
        prop_assert_eq!(circuit.first_violation(&assignment).unwrap(), None);
        // 1, public wires, secret wires, without the coefficients that are 0.
        let order = [WIRES].into_iter().chain((0..WIRES).step_by(2)).chain((1..WIRES).step_by(2));
        let p = i128::from(P61::P);
        let row: Vec<(usize, i128)> = order
            .enumerate()
            .map(|(wire, i)| (wire, i128::from(coefficients[i]).rem_euclid(p)))
            .filter(|&(_, x)| x != 0)
            .collect();
        prop_assert_eq!(&circuit.rows()[0][0], &row);
    }
}

/// A circuit that is built again has its values, and is refused where it is another one.
#[test]
fn circuits_are_built_again() {
    let build = |mut builder: CircuitBuilder, x: u32, more: [usize; 3]| {
        let x = builder.secret(x.into());
        let square = builder.product(x, x);
        let result = builder.public(builder.value(&square.into()));
        builder.equal(square, result);
        (0..more[0]).for_each(|_| builder.equal(square, result));
        (0..more[1]).for_each(|_| _ = builder.secret(Scalar::ONE));
        (0..more[2]).for_each(|_| _ = builder.public(Scalar::ONE));
        builder.finish()
    };
    let (circuit, expected) = build(CircuitBuilder::new(), 5, [0; 3]).unwrap();
    let again = |more| build(CircuitBuilder::again(&circuit), 5, more);
    let (same, assignment) = again([0; 3]).unwrap();
    assert!(same == circuit && assignment.public == expected.public);
    assert!(assignment.secret == expected.secret);
    assert_eq!(name(again([1, 0, 0])), "constraints");
    assert_eq!(name(again([0, 1, 0])), "secret wires");
    assert_eq!(name(again([0, 0, 1])), "public inputs");
}
