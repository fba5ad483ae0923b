//! Honest proofs are valid; which requests are refused.

use super::*;

#[test]
fn honest_proofs_are_valid() {
    for (elements, w, assigned) in
        [(1, 40, one_bit()), (1, 41, cubes(3, 0)), (3, 48, cubes(9, 0)), (15, 40, cubes(5, 0))]
    {
        let toy = Toy::new(w, elements, assigned, w as u8);
        toy.verify(&toy.prove()).unwrap();
    }
}
