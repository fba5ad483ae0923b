//! Statement and proof bytes for one seed: the same on every instruction set, for every number of
//! threads, for ever.
//!
//! `UPDATE_GOLDEN=1 cargo test --test golden` rewrites the file after a deliberate change of
//! format.

use serde_json::{Map, Value, json};
use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::{
    ChallengeKind, CustomParams, Distribution, Encoding, MatrixForm, Preset, Prover, PublicMatrix,
    RandomWitness, RowGroup, Security, Statement, Verifier,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kat/proofs.json");

fn cases() -> Vec<(&'static str, CustomParams)> {
    let small =
        |preset: Preset| CustomParams { r: 48, v: 200, l: 600, n: Some(20), ..preset.custom() };
    let distribution = Distribution::Gaussian { micros: 3_200_000 };
    let errors = RowGroup { rows: 48, bound: 32, distribution };
    vec![
        ("T1-128", Preset::T1_128_V1.custom()),
        ("ternary, w = 32, Rice, 600 columns", small(Preset::T4_128_V1)),
        (
            "ternary, w = 32, rANS, 600 columns",
            CustomParams { encoding: Encoding::Rans, ..small(Preset::T4_128_V1) },
        ),
        (
            "ternary, w = 64, full A, 600 columns",
            CustomParams { matrix: MatrixForm::Full, ..small(Preset::B4_128_V1) },
        ),
        (
            "binary, w = 64, 600 columns",
            CustomParams { challenge: ChallengeKind::Binary, ..small(Preset::B4_128_V1) },
        ),
        ("ternary, SHA-3, 600 columns", small(Preset::T4_256_V1)),
        ("version 2: T1-128", Preset::T1_128.custom()),
        ("version 2, w = 29, 600 columns", small(Preset::T4_128)),
        (
            "version 2, w = 29, T whole, Rice, 600 columns",
            CustomParams { round_t: Some(0), encoding: Encoding::Rice, ..small(Preset::T4_128) },
        ),
        ("version 2, w = 34, 600 columns", small(Preset::B4_128)),
        ("version 2, SHA-3, 600 columns", small(Preset::T4_256)),
        (
            "version 2, Gaussian errors, 600 columns",
            CustomParams {
                groups: [Some(RowGroup::uniform(152, 1)), Some(errors), None],
                ..small(Preset::G4_128)
            },
        ),
    ]
}

/// Statement and proof of a case.
fn run(custom: &CustomParams, isa: Isa) -> (Vec<u8>, Vec<u8>) {
    let params = custom.validate(Security::Waived).expect("the cases are in range");
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("nothing can fail in memory");
    let prover = Prover::new(&a, &statement).expect("security is waived").reproducible();
    let proved =
        prover.prove(b"golden", &witness, &Seed::from_bytes([3; 32])).expect("an honest proof");
    (file, proved.proof.to_bytes(&params))
}

fn in_pool<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(f)
}

#[test]
fn bytes_are_as_recorded_on_every_isa_and_thread_count() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let recorded: Value = if update {
        json!({})
    } else {
        serde_json::from_slice(&std::fs::read(FILE).expect("the known-answer file")).expect("JSON")
    };
    let mut answers = Map::new();
    for (name, custom) in cases() {
        let mut first = None;
        for (isa, threads) in Isa::all().zip([1, 2, 3, 4, 5, 6]) {
            let (statement, proof) = in_pool(threads, || run(&custom, isa));
            let answer = json!({
                "statement_bytes": statement.len(),
                "statement_blake3": blake3::hash(&statement).to_hex().as_str(),
                "proof_bytes": proof.len(),
                "proof_blake3": blake3::hash(&proof).to_hex().as_str(),
            });
            let first = first.get_or_insert_with(|| answer.clone());
            assert_eq!(answer, *first, "{name} on {isa} with {threads} threads");

            let read = Statement::read(&statement, Security::Waived).expect("our own statement");
            let a = PublicMatrix::new_on(isa, read.params(), *read.seed_a());
            let verifier = Verifier::new(&a, &read).expect("its own A");
            let verdict = verifier.verify_streaming(b"golden", &statement, &proof);
            assert!(verdict.is_ok(), "{name} on {isa}: {verdict:?}");
        }
        let answer = first.expect("portable is always there");
        if !update {
            assert_eq!(recorded["answers"][name], answer, "{name}");
        }
        answers.insert(name.to_owned(), answer);
    }
    if update {
        let file = json!({
            "source": "this repository: these answers pin the format, they are not an independent check",
            "generator": "UPDATE_GOLDEN=1 cargo test --test golden",
            "seeds": "A: 32 bytes 01, witness: 32 bytes 02, proof: 32 bytes 03; context: golden",
            "answers": answers,
        });
        std::fs::write(FILE, serde_json::to_string_pretty(&file).expect("JSON") + "\n")
            .expect("writable");
    }
}
