//! The fuzzers' committed inputs, replayed: past findings, and inputs that together reach
//! everything that was reached.

use std::path::Path;

use tautochrone_fuzz as targets;

#[test]
fn every_committed_input_passes() {
    for &(name, run) in targets::ALL {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
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

/// Valid files for the mutations to start from.
#[test]
#[ignore = "rewrites fuzz/corpus/{statement,proof,argument,circuit,keys}/seed-*; run with --ignored after a change of format"]
fn write_seeds() {
    use tautochrone::ctr::Seed;
    use tautochrone::simd::Isa;
    use tautochrone::zk::{Encoding, Prover, PublicMatrix, RandomWitness, Version};
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, version, encoding) in [
        ("seed-rice", Version::One, Encoding::Rice),
        ("seed-rans", Version::One, Encoding::Rans),
        ("seed-compact-rice", Version::Two, Encoding::Rice),
        ("seed-compact-rans", Version::Two, Encoding::Rans),
    ] {
        let params = targets::toy(version, encoding);
        let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let mut file = Vec::new();
        let statement = matrix.commit_and_hold(&witness, &mut file).expect("in memory");
        let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
        let proved = prover.prove(b"fuzz", &witness, &Seed::from_bytes([3; 32])).expect("honest");
        let proof = proved.proof.to_bytes(&params);
        for (target, bytes) in [("statement", file), ("proof", proof)] {
            std::fs::create_dir_all(corpus.join(target)).expect("writable");
            std::fs::write(corpus.join(target).join(name), bytes).expect("writable");
        }
    }
    let names = ["seed-fact", "seed-ranges", "seed-norms"];
    for (name, proof) in names.into_iter().zip(&targets::ARGUMENTS.proofs) {
        std::fs::create_dir_all(corpus.join("argument")).expect("writable");
        std::fs::write(corpus.join("argument").join(name), proof).expect("writable");
    }
    let names = ["seed-proof", "seed-r1cs", "seed-wtns"];
    for (name, file) in names.into_iter().zip(&targets::OF_CIRCUIT.files) {
        std::fs::create_dir_all(corpus.join("circuit")).expect("writable");
        std::fs::write(corpus.join("circuit").join(name), file).expect("writable");
    }
    std::fs::write(corpus.join("circuit/seed-inputs"), &targets::OF_INPUTS.proof)
        .expect("writable");
    std::fs::create_dir_all(corpus.join("keys")).expect("writable");
    for (name, proof) in ["seed-keys-rounded", "seed-keys"].into_iter().zip(&targets::KEYS.proofs) {
        std::fs::write(corpus.join("keys").join(name), proof).expect("writable");
    }
}
