//! The fuzzers' committed inputs, replayed: past findings, and inputs that together reach
//! everything that was reached.

use std::path::Path;

use tautochrone_fuzz as targets;

#[test]
fn every_committed_input_passes() {
    for &(name, run) in targets::ALL {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
        let mut count = 0;
        for entry in std::fs::read_dir(&corpus).expect("a corpus") {
            let path = entry.expect("an entry").path();
            run(&std::fs::read(&path).expect("readable"));
            count += 1;
        }
        assert!(count > 0, "{name} has no corpus");
        run(&[]);
    }
}

/// Valid files for the mutations to start from, by their names in the corpus.
fn seeds() -> Vec<(String, Vec<u8>)> {
    use tautochrone::ctr::Seed;
    use tautochrone::simd::Isa;
    use tautochrone::zk::{ChallengeKind, Prover, PublicMatrix, RandomWitness};
    let mut seeds = Vec::new();
    for (name, challenge) in
        [("seed-ternary", ChallengeKind::Ternary), ("seed-binary", ChallengeKind::Binary)]
    {
        let params = targets::toy(challenge);
        let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let mut file = Vec::new();
        let statement = matrix.commit_and_hold(&witness, &mut file).expect("in memory");
        let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
        let proved = prover.prove(b"fuzz", &witness, &Seed::from_bytes([3; 32])).expect("honest");
        let proof = proved.proof;
        seeds.push((format!("statement/{name}"), file));
        seeds.push((format!("proof/{name}"), proof));
    }
    let [facts, ranges, claims] = &targets::ARGUMENTS.proofs;
    let [circuit, r1cs, wtns] = &targets::OF_CIRCUIT.files;
    let others = [
        ("argument/seed-facts", facts),
        ("argument/seed-ranges", ranges),
        ("argument/seed-claims", claims),
        ("circuit/seed-proof", circuit),
        ("circuit/seed-r1cs", r1cs),
        ("circuit/seed-wtns", wtns),
        ("circuit/seed-inputs", &targets::OF_INPUTS.proof),
        ("keys/seed-keys", &targets::KEYS.proof),
    ];
    seeds.extend(others.map(|(name, file)| (name.to_owned(), file.clone())));
    seeds
}

/// The corpus has these files, byte for byte, as long as no format changes.
#[test]
fn seeds_are_those_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    let differ = seeds()
        .into_iter()
        .filter(|(name, file)| std::fs::read(corpus.join(name)).ok().as_ref() != Some(file));
    let differ: Vec<String> = differ.map(|(name, _)| name).collect();
    assert!(differ.is_empty(), "other bytes: {differ:?}");
}

#[test]
#[ignore = "rewrites fuzz/corpus/*/seed-*; run with --ignored after a change of format"]
fn write_seeds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, file) in seeds() {
        let path = corpus.join(name);
        std::fs::create_dir_all(path.parent().expect("a target's folder")).expect("writable");
        std::fs::write(path, file).expect("writable");
    }
}
