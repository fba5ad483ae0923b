//! The circuits of two hashes, by themselves.

use sha2::{Digest as _, Sha256};
use tautochrone::ctr::{Label, Seed};
use tautochrone::zk::argument::{Assignment, Circuit, CircuitBuilder, Scalar};
use tautochrone_testkit::full;

#[path = "../../examples/circuit/inputs.rs"]
mod inputs;
#[path = "../../examples/circuit/poseidon2.rs"]
mod poseidon2;
#[path = "../../examples/circuit/sha256.rs"]
mod sha256;

/// Digests of another implementation, for lengths on both sides of what words and blocks take, and
/// for all up to that in full tests; and no digest and no wire may be another.
#[test]
fn the_circuit_of_sha256_computes_it() {
    let mut stream = Seed::from_bytes([1; 32]).stream(Label::new("test: sha256"), 0);
    let mut random = || {
        let mut bytes = [0; 8];
        stream.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    };
    let lengths: Vec<usize> =
        if full() { (0..70).collect() } else { (0..6).chain(54..66).collect() };
    // Circuits take longer to build than to be evaluated.
    let changes = 730 / (lengths.len() + 3);
    for len in lengths.into_iter().chain([119, 120, 128]) {
        let message: Vec<u8> = (0..len).map(|_| random() as u8).collect();
        let digest: [u8; 32] = Sha256::digest(&message).into();
        assert_eq!(sha256::digest(&message), digest, "{len}");
        let committed = len & 1 == 1;
        let mut builder = CircuitBuilder::new();
        sha256::preimage(&mut builder, &message, committed, &digest);
        let (circuit, assignment) = builder.finish().expect("a circuit");
        let holds = |assignment: &Assignment| {
            circuit.first_violation(assignment).expect("of this circuit").is_none()
        };
        assert!(holds(&assignment));
        if len == 55 {
            assert_eq!(circuit.constraints(), 17_704);
        }
        for word in 0..8 {
            let mut other = assignment.clone();
            other.public[word] += Scalar::ONE;
            assert!(!holds(&other), "{len} {word}");
        }
        for _ in 0..changes {
            let mut other = assignment.clone();
            let index = (random() >> 1) as usize % other.secret.len();
            let wire = other.secret[index];
            let more = Scalar::from(random() as u32 | 1);
            other.secret[index] = if random() & 1 == 0 { Scalar::ONE - wire } else { wire + more };
            assert!(!holds(&other), "{len} {index}");
        }
    }
}

/// The circuits of both hashes for the digests of a message that was committed to.
fn of_committed(message: &[u8]) -> [(Circuit, Assignment); 2] {
    let elements = poseidon2::elements(&poseidon2::digest(message)).expect("a digest");
    let mut of_poseidon2 = CircuitBuilder::new();
    poseidon2::preimage(&mut of_poseidon2, message, true, elements);
    let mut of_sha256 = CircuitBuilder::new();
    sha256::preimage(&mut of_sha256, message, true, &sha256::digest(message));
    [of_poseidon2, of_sha256].map(|builder| builder.finish().expect("a circuit"))
}

/// The circuits of other messages hold of no values that begin as the committed ones: of none of
/// the message's beginnings, of it with zeros behind it, and of nothing.
#[test]
fn a_committed_message_has_one_length() {
    let message = &b"attack at dawn"[..];
    let mut values = inputs::of_message(message).to_vec();
    values.resize(8, Scalar::ZERO);
    let holds = |(circuit, mut assignment): (Circuit, Assignment), of: &[u8], values: &[Scalar]| {
        let count = inputs::count(of.len());
        assert_eq!(circuit.first_violation(&assignment).expect("of this circuit"), None);
        assignment.secret[..count].copy_from_slice(&values[..count]);
        circuit.first_violation(&assignment).expect("of this circuit").is_none()
    };
    assert!(of_committed(message).into_iter().all(|both| holds(both, message, &values)));
    for other in [&message[..7], &[message, &[0; 10]].concat(), &message[..13], b""] {
        assert!(!of_committed(other).into_iter().any(|both| holds(both, other, &values)));
    }
    // The right length, with a byte behind it in the last value.
    values[0] = Scalar::from(13);
    let short = &message[..13];
    assert!(!of_committed(short).into_iter().any(|both| holds(both, short, &values)));
}
