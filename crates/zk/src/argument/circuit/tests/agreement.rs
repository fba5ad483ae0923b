//! Bytes and verdicts are those of the reference, for circuits and numbers of rows and of columns
//! of every kind.

use super::*;
use crate::reference::Answer;
use crate::reference::compact::{self, circuits as reference};

/// The claim as the reference has it.
pub(super) fn of_instance(instance: &Instance<'_>, slots: u32) -> reference::Claim {
    let Instance { circuit, public, shape, inputs } = *instance;
    let row = |matrix: usize, index: usize| {
        let row = circuit.matrices[matrix].row(index);
        row.iter().map(|&(wire, x)| (wire as usize, x.value().into())).collect()
    };
    reference::Claim {
        elements: shape.elements as usize,
        secret: circuit.secret_wires() as usize,
        committed: shape.committed as usize,
        inputs: inputs.iter().map(|&input| input as usize).collect(),
        slot: shape.slot as usize,
        slots: slots as usize,
        public: public.iter().map(|x| x.value().into()).collect(),
        matrices: [0, 1, 2]
            .map(|matrix| (0..circuit.constraints()).map(|index| row(matrix, index)).collect()),
    }
}

fn check(toy: &Toy) {
    let s: Vec<i128> = toy.entries.iter().map(|&s| s.into()).collect();
    assert!(compact::commit(&toy.file[..256], None, &s) == toy.file);
    let proof = toy.prove();
    let claim = of_instance(&toy.instance(), 1);
    let expected = reference::prove(&toy.file, &s, CONTEXT, &claim, &[7; 32]);
    assert!(proof == expected, "{:?}", toy.circuit);
    toy.verify(&proof).unwrap();
    assert_eq!(reference::verify(&toy.file, CONTEXT, &claim, &proof), Answer::Valid);
    assert!(proof.len() as u64 <= toy.params.max_circuit_bytes());
    assert!(CircuitProof::is_one(&proof));
}

#[test]
fn proofs_about_circuits_are_those_of_the_reference() {
    // One constraint, and 4 with the dummies; 8 with them; places that are all taken.
    for (index, (elements, w, assigned)) in
        [(1, 40, one_bit()), (3, 41, cubes(1, 0)), (1, 48, cubes(8, 0)), (7, 40, cubes(5, 0))]
            .into_iter()
            .enumerate()
    {
        check(&Toy::new(w, elements, assigned, index as u8));
    }
    let (circuit, _) = cubes(2, 0);
    for l in [64, 257] {
        let custom = CustomParams { round_t: Some(0), ..toy(40, 3, l) };
        let toy = Toy::with(custom, cubes(2, 0), 9);
        assert_eq!(toy.circuit, circuit);
        check(&toy);
    }
}

/// Verdicts on proofs with one bit flipped, everywhere in the file, are those of the reference.
#[test]
fn verdicts_are_those_of_the_reference() {
    let toy = Toy::new(40, 1, one_bit(), 3);
    let claim = of_instance(&toy.instance(), 1);
    let proof = toy.prove();
    let mut counts = [0; 2];
    for bit in (0..8 * proof.len()).step_by(53) {
        let mut changed = proof.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let expected = reference::verify(&toy.file, CONTEXT, &claim, &changed);
        let got = Answer::of(&toy.verify(&changed));
        assert_eq!(got, expected, "bit {bit}");
        assert_ne!(got, Answer::Valid, "bit {bit}");
        counts[usize::from(got == Answer::Malformed)] += 1;
    }
    assert!(counts[0] > 300 && counts[1] > 1, "{counts:?}");
}

/// The same bytes on one thread and on several, where sums have several parts.
#[test]
fn bytes_do_not_depend_on_threads() {
    let toy = Toy::new(40, 127, cubes(900, 0), 1);
    let proof = toy.prove();
    #[cfg(feature = "rayon")]
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| toy.prove()) == proof);
    }
    toy.verify(&proof).unwrap();
}
