//! The real prover and verifier against the reference.

use super::*;
use crate::cases::Case;
use crate::error::VerifyError;
use crate::params::{CustomParams, Preset};
use crate::prover::Prover;
use crate::suite::{ChallengeKind, Encoding, MatrixForm};
use crate::verifier::Verifier;

/// Otherwise a mistake in both would go unseen.
#[test]
fn hashes_of_the_reference_are_those_of_the_libraries() {
    let by_hand = b"\x10\0\0\0\0\0\0\0tautochrone-zk/1\x03\0\0\0\0\0\0\0tag\x01\0\0\0\0\0\0\0x";
    assert_eq!(input(DOMAIN, "tag", &[b"x"]), by_hand);
}

/// Both word sizes, encodings, challenges, forms of A and hashes; one column, one block, several
/// blocks and several groups of blocks.
fn settings() -> [CustomParams; 8] {
    let toy = |preset: Preset, l| CustomParams { r: 5, v: 14, l, n: Some(9), ..preset.custom() };
    [
        toy(Preset::T4_128, 1),
        toy(Preset::T4_128, 700),
        CustomParams { encoding: Encoding::Rans, ..toy(Preset::T4_128, 300) },
        CustomParams { n: Some(16), ..toy(Preset::T4_128, 1300) },
        CustomParams { matrix: MatrixForm::Full, ..toy(Preset::B4_128, 256) },
        CustomParams { encoding: Encoding::Rans, b: 2, ..toy(Preset::B4_128, 513) },
        CustomParams { challenge: ChallengeKind::Binary, ..toy(Preset::B4_128, 20) },
        CustomParams { encoding: Encoding::Rans, ..toy(Preset::T4_256, 260) },
    ]
}

fn real_proof(case: &Case, context: &[u8]) -> Vec<u8> {
    let prover = Prover::new(&case.matrix, &case.statement).unwrap().reproducible();
    let proved = prover.prove(context, &case.witness, &Seed::from_bytes([3; 32])).unwrap();
    proved.proof.to_bytes(&case.params)
}

#[test]
fn statements_and_proofs_are_those_of_the_reference() {
    for custom in settings() {
        let case = Case::new(custom, 1, 2);
        assert!(commit(&case.file[..112], &case.s()) == case.file, "statement: {custom:?}");
        for context in [&b""[..], b"context"] {
            let expected = prove(&case.file, &case.s(), context, &[3; 32]);
            assert!(real_proof(&case, context) == expected, "proof: {custom:?}");
        }
    }
}

/// Every altered bit, and files that were cut, extended, or altered in Z alone and encoded again.
#[test]
fn verdicts_are_those_of_the_reference() {
    for custom in settings() {
        let case = Case::new(custom, 1, 2);
        let verifier = Verifier::new(&case.matrix, &case.statement).unwrap();
        let mut answers = Vec::new();
        let mut compare = |context: &[u8], proof: &[u8]| {
            let real = match verifier.verify_streaming(context, &case.file, proof) {
                Ok(()) => Answer::Valid,
                Err(VerifyError::Invalid(_)) => Answer::Invalid,
                Err(VerifyError::NoVerdict(_)) => Answer::Malformed,
            };
            assert_eq!(real, verify(&case.file, context, proof), "{custom:?}");
            answers.push(real);
        };
        let proof = real_proof(&case, b"");
        compare(b"", &proof);
        compare(b"other", &proof);
        for bit in 0..8 * proof.len() {
            let mut altered = proof.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            compare(b"", &altered);
        }
        let with_length = |mut file: Vec<u8>| {
            if file.len() >= 24 {
                let len = file.len() as u64;
                file[16..24].copy_from_slice(&len.to_le_bytes());
            }
            file
        };
        for len in (0..proof.len()).step_by(7).chain([23, 24, proof.len() - 1]) {
            compare(b"", &proof[..len]);
            compare(b"", &with_length(proof[..len].to_vec()));
        }
        for extra in [1, 2, 10_000] {
            let longer = [&proof[..], &vec![0; extra]].concat();
            compare(b"", &longer);
            compare(b"", &with_length(longer));
        }
        let statement_digest = case.statement.digest(b"");
        let parsed = crate::Proof::parse(&proof, &case.params, &statement_digest).unwrap();
        for (at, change) in [(0, 1), (13, -1), (7, 14 * case.params.sigma().cast_signed())] {
            let mut z = parsed.z().to_vec();
            z[at] += change;
            let largest = crate::codec::largest(case.params.encoding(), case.params.sigma());
            if z[at].unsigned_abs() <= largest {
                compare(b"", &parsed.clone().with_z(z).to_bytes(&case.params));
            }
        }
        let count = |wanted| answers.iter().filter(|&&answer| answer == wanted).count();
        assert_eq!(count(Answer::Valid), 1);
        assert!(count(Answer::Invalid) > 100 && count(Answer::Malformed) > 100);
    }
}
