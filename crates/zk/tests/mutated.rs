//! Mutated proofs: however the bytes of a valid proof are altered, the answer is an error or
//! "invalid", never a panic.
//!
//! A short run is part of the tests; a million are
//! `cargo test --release -p tautochrone-zk --test mutated -- --ignored`.

#![allow(clippy::unwrap_used)] // the helpers of tests, which clippy does not know for tests

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_zk::*;

/// A random number below `bound`, near enough to uniform for choosing places.
fn below(random: &mut Stream, bound: usize) -> usize {
    let mut word = [0];
    random.fill_u64(&mut word);
    (u128::from(word[0]) * bound as u128 >> 64) as usize
}

/// One to four changes, each of a kind that files suffer or that an attacker would try. `other` is
/// another valid proof of the same statement.
fn mutate(proof: &[u8], other: &[u8], random: &mut Stream) -> Vec<u8> {
    let mut bytes = proof.to_vec();
    for _ in 0..=below(random, 4) {
        let len = bytes.len();
        let at = below(random, len);
        let run = (below(random, 64) + 1).min(len - at);
        match below(random, 9) {
            0 => bytes[at] ^= 1 << below(random, 8),
            1 => bytes[at] = below(random, 256) as u8,
            2 => random.fill(&mut bytes[at..at + run]),
            3 => bytes[at..at + run].fill(if below(random, 2) == 0 { 0 } else { 0xff }),
            4 => bytes.copy_within(at..at + run, below(random, len - run + 1)),
            5 => {
                let end = other.len().min(at + run);
                bytes[at.min(end)..end].copy_from_slice(&other[at.min(end)..end]);
            }
            6 => bytes.truncate(len - below(random, len.min(16))),
            7 => bytes.extend_from_within(at..at + run),
            // The header and the digests, where single bytes decide most.
            _ => bytes[below(random, len.min(152))] ^= 1 << below(random, 8),
        }
    }
    bytes
}

/// Ternary and binary, words of several sizes, both hashes, T rounded and whole.
fn toys() -> [CustomParams; 5] {
    let toy = |preset: Preset| CustomParams { r: 16, v: 64, l: 20, n: Some(12), ..preset.custom() };
    [
        toy(Preset::T4_128),
        toy(Preset::B4_128),
        CustomParams { challenge: ChallengeKind::Binary, ..toy(Preset::B4_128) },
        CustomParams { w: 64, ..toy(Preset::T4_128) },
        CustomParams { round_t: Some(0), ..toy(Preset::T4_256) },
    ]
}

/// Mutates valid proofs `count` times; returns how many came out unchanged, as errors and as
/// invalid.
fn run(count: usize) -> [usize; 3] {
    let mut tally = [0; 3];
    let toys = toys();
    for (index, custom) in (0..).zip(toys) {
        // Toys are too short for their squares to be near the mean.
        let ternary = custom.challenge == ChallengeKind::Ternary;
        let most = ternary.then_some(20 * 64 * 64 * 64);
        let custom = CustomParams { frobenius_squared: most, ..custom };
        let params = custom.validate(Security::Waived).unwrap();
        let a = PublicMatrix::new(&params, [index; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([index; 32]));
        let mut file = Vec::new();
        let statement = a.commit_and_hold(&witness, &mut file).unwrap();
        let prover = Prover::new(&a, &statement).unwrap().reproducible();
        let prove = |seed| {
            let proved = prover.prove(b"", &witness, &Seed::from_bytes([seed; 32])).unwrap();
            proved.proof
        };
        let (proof, other) = (prove(1), prove(2));
        let verifier = Verifier::new(&a, &statement).unwrap();
        let mut random = Seed::from_bytes([99; 32]).stream(Label::new("mutated"), index.into());
        for k in 0..count / toys.len() {
            let mutated = mutate(&proof, &other, &mut random);
            let answer = verifier.with_file(&file).verify(b"", &mutated);
            if mutated == proof || mutated == other {
                assert!(answer.is_ok(), "toy {index}, {k}: {answer:?}");
                tally[0] += 1;
            } else {
                match answer {
                    Err(Error::Malformed { what: "proof", .. }) => {
                        tally[1] += 1;
                    }
                    Err(Error::Invalid(_)) => tally[2] += 1,
                    _ => panic!("toy {index}, mutation {k}: {answer:?}"),
                }
            }
        }
    }
    tally
}

#[test]
fn mutated_proofs_are_refused() {
    let [unchanged, errors, invalid] = run(10_000);
    // The mutations do something, and reach both kinds of answer.
    assert!(unchanged < 500 && errors > 2000 && invalid > 2000, "{unchanged} {errors} {invalid}");
}

#[test]
#[ignore = "minutes; run with cargo test --release -p tautochrone-zk --test mutated -- --ignored --nocapture"]
fn a_million_mutated_proofs_are_refused() {
    let [unchanged, errors, invalid] = run(1_000_000);
    println!("{errors} malformed, {invalid} invalid, {unchanged} unchanged");
    assert!(errors + invalid > 950_000);
}
