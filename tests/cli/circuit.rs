//! Proofs about circuits on files: circuits of two hashes, and of the user's own.

use sha2::{Digest as _, Sha256};
use tautochrone::ctr::{Label, Seed};
use tautochrone::zk::argument::{Assignment, Circuit, CircuitBuilder, Scalar};

use crate::folder::{Folder, SEED};

#[path = "../../examples/circuit/inputs.rs"]
mod inputs;
#[path = "../../examples/circuit/poseidon2.rs"]
mod poseidon2;
#[path = "../../examples/circuit/sha256.rs"]
mod sha256;

const FILES: &str = "--statement s --proof p";

/// Digests of another implementation, for lengths on both sides of what blocks take; and no digest
/// and no wire may be another.
#[test]
fn the_circuit_of_sha256_computes_it() {
    let mut stream = Seed::from_bytes([1; 32]).stream(Label::new("test: sha256"), 0);
    let mut random = || {
        let mut bytes = [0; 8];
        stream.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    };
    for len in (0..70).chain([119, 120, 128]) {
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
        for _ in 0..10 {
            let mut other = assignment.clone();
            let index = (random() >> 1) as usize % other.secret.len();
            let wire = other.secret[index];
            let more = Scalar::from(random() as u32 | 1);
            other.secret[index] = if random() & 1 == 0 { Scalar::ONE - wire } else { wire + more };
            assert!(!holds(&other), "{len} {index}");
        }
    }
}

/// x^3 + x + 5 = 35.
fn cube(x: u32) -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    let result = builder.public(Scalar::from(35));
    let x = builder.secret(Scalar::from(x));
    let square = builder.product(x, x);
    let cube = builder.product(square, x);
    builder.equal(builder.sum(&[cube, x]) + Scalar::from(5).into(), result);
    builder.finish().expect("a circuit")
}

#[test]
fn circuits_in_files_are_proved() {
    let dir = &Folder::new();
    let (circuit, assignment) = cube(3);
    dir.write("c", circuit.to_r1cs());
    dir.write("w", assignment.to_wtns());
    let prove = format!("circuit prove --r1cs c --wtns w --public 'public file' {FILES}");
    let line = line_of(&dir.ok(format!("{prove} --seed {SEED}")));
    assert_eq!(dir.code(&line), 0, "{line}");
    assert_eq!(dir.read("public file"), br#"["35"]"#);
    for (public, expected) in [
        (r#"["36"]"#, 1),
        ("[]", 2),
        (r#"["35", "0"]"#, 2),
        ("\u{feff}[\"35\"]\r\n", 0),
        (r#"["35",]"#, 2),
    ] {
        dir.write("public file", public.as_bytes());
        assert_eq!(dir.code(&line), expected, "{public}");
    }
    // Values that are not numbers as circom and snarkjs write them; none is shown, as it may be
    // secret.
    let verify = &format!("circuit verify --r1cs c --public 'public file' {FILES}");
    let commit = "circuit commit --values 'public file' --statement x --key y";
    let entries = r#"
        "+35" | "-35" | "035" | "00" | " 35" | "35 " | "0x35" | "" | "3.5" | "35n" |
        "\u0033\u0035" | "2305843009213693951" | "18446744073709551617" |
        35 | -35 | 3.5 | null | true | ["35"] | {}"#;
    for entry in entries.split('|') {
        dir.write("public file", format!(r#"["0", {entry}]"#));
        for line in [verify, commit] {
            let text = dir.refuses(line, "entry 1: expected a decimal number");
            assert!(!text.contains("35"), "{entry}: {text}");
        }
    }
    for (content, hint) in [
        (&b"35"[..], "expected an array"),
        (b"\"35\"", "expected an array"),
        (b"{\"35\": 35}", "expected an array"),
        (b"\xff\xfe[\0]\0", "is UTF-16"),
        (b"[\"\xff\"]", "not UTF-8"),
    ] {
        dir.write("public file", content);
        dir.refuses(commit, hint);
    }
    assert!(!dir.join("x").exists() && !dir.join("y").exists());
    // Wires that do not satisfy it: nothing is written.
    for name in ["s", "p", "public file"] {
        dir.remove(name);
    }
    dir.write("w", cube(4).1.to_wtns());
    dir.refuses(&prove, "constraint 2, counted from 0, does not hold");
    assert!(!dir.join("s").exists() && !dir.join("p").exists());
    // Files that are not circuits.
    dir.write("c", b"r1cs and no more");
    dir.refuses(&prove, "c: circuit: ");
}

/// The line behind `to check`.
fn line_of(text: &str) -> String {
    let line = text.lines().last().and_then(|line| line.split_once("circuit verify"));
    format!("circuit verify{}", line.expect("a line").1)
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

/// A commitment to a message is none to its beginning, to it with zeros behind it, or to nothing:
/// their digests are refused, and their circuits hold of no values that begin as the committed
/// ones.
#[test]
fn a_committed_message_has_one_length() {
    let dir = &Folder::new();
    let message = &b"attack at dawn"[..];
    dir.write("m", message);
    dir.ok("circuit commit --in m --slots 1 --wires 2000 --statement c --key k");
    let prove = "circuit prove --committed c --key k --proof p --poseidon2";
    let line = line_of(&dir.ok(format!("{prove} m")));
    assert_eq!(dir.code(&line), 0);
    let mut values = inputs::of_message(message).to_vec();
    values.resize(8, Scalar::ZERO);
    let holds = |(circuit, mut assignment): (Circuit, Assignment), of: &[u8], values: &[Scalar]| {
        let count = inputs::count(of.len());
        assert_eq!(circuit.first_violation(&assignment).expect("of this circuit"), None);
        assignment.secret[..count].copy_from_slice(&values[..count]);
        circuit.first_violation(&assignment).expect("of this circuit").is_none()
    };
    assert!(of_committed(message).into_iter().all(|both| holds(both, message, &values)));
    let digest = |message: &[u8]| hex::encode(poseidon2::digest(message));
    for other in [&message[..7], &[message, &[0; 10]].concat(), &message[..13], b""] {
        let line = line.replace(&digest(message), &digest(other));
        let line = line.replace("--length 14", &format!("--length {}", other.len()));
        assert_eq!(dir.code(&line), 1, "{line}");
        dir.write("other", other);
        dir.refuses(format!("{prove} other"), "no commitment to these values");
        assert!(!of_committed(other).into_iter().any(|both| holds(both, other, &values)));
    }
    // The right length, with a byte behind it in the last value.
    values[0] = Scalar::from(13);
    let short = &message[..13];
    assert!(!of_committed(short).into_iter().any(|both| holds(both, short, &values)));
}

/// Sums of pairs of values are public.
fn pairs(values: &[u32]) -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    let sums: Vec<_> = values
        .chunks(2)
        .map(|pair| builder.public(Scalar::from(pair.iter().sum::<u32>())))
        .collect();
    let inputs: Vec<_> = values.iter().map(|&x| builder.secret(Scalar::from(x))).collect();
    for (pair, sum) in inputs.chunks(2).zip(sums) {
        builder.equal(builder.sum(pair), sum);
    }
    builder.finish().expect("a circuit")
}

#[test]
fn circuits_about_committed_numbers_are_proved() {
    let dir = &Folder::new();
    dir.write("v", br#"["7", "8", "9", "10"]"#);
    let files = "--statement c --key k";
    dir.ok(format!("circuit commit --values v {files} --wires 100 --slots 1 --seed {SEED}"));
    let (circuit, assignment) = pairs(&[7, 8, 9, 10]);
    dir.write("r", circuit.to_r1cs());
    dir.write("w", assignment.to_wtns());
    let prove = "circuit prove --r1cs r --wtns w --public public --committed c --key k --proof p";
    dir.refuses(prove, "--values");
    // Wires other than the committed ones, and sums that are wrong, take no slot.
    let prove = format!("{prove} --values v");
    dir.write("w", pairs(&[8, 7, 9, 10]).1.to_wtns());
    dir.refuses(&prove, "first secret wires");
    let mut wrong = assignment.clone();
    wrong.public[1] += Scalar::ONE;
    dir.write("w", wrong.to_wtns());
    dir.refuses(&prove, "counted from 0, does not hold");
    assert!(!dir.join("p").exists());
    dir.write("w", assignment.to_wtns());
    let line = line_of(&dir.ok(&prove));
    assert!(line.contains("--inputs 4") && dir.code(&line) == 0, "{line}");
    assert_eq!(dir.read("public"), br#"["15","19"]"#);
    assert_eq!(dir.code(line.replace("--inputs 4", "--inputs 3")), 1, "other inputs");
    assert_eq!(dir.code(line.replace("--inputs 4", "")), 2, "no inputs");
    dir.write("public", br#"["16","19"]"#);
    assert_eq!(dir.code(&line), 1, "other sums");
}
