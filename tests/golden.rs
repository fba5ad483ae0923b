//! Statement and proof bytes for one seed: the same on every instruction set, for every number of
//! threads, for ever.
//!
//! `UPDATE_GOLDEN=1 cargo test --test golden` rewrites the file after a deliberate change of
//! format.

use std::path::Path;

use serde_json::{Value, json};
use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{
    CircuitBuilder, CircuitClaim, CircuitField, Claims, CommittedCircuit, ExactKeys, Fact,
    Goldilocks, InputSpace, Inputs, KeyRanges, Layout, P61, Ranges, RowNorm, RowRange, Scalar,
    ScalarOf,
};
use tautochrone::zk::internals::{DIGIT_BOUND, PAD_BOUND};
use tautochrone::zk::{
    ChallengeKind, CustomParams, Distribution, Params, Preset, Prover, PublicMatrix, RandomWitness,
    RowGroup, Security, Statement, Verifier,
};

/// The same with a rho of 3, which follows from a narrower sigma.
const fn narrow(custom: CustomParams) -> CustomParams {
    CustomParams { rho: Some(3), ..custom }
}

fn cases() -> Vec<(&'static str, CustomParams)> {
    let small =
        |preset: Preset| CustomParams { r: 48, v: 200, l: 600, n: Some(20), ..preset.custom() };
    let narrow_of = |preset, w| narrow(CustomParams { w, ..small(preset) });
    let distribution = Distribution::Gaussian { micros: 3_200_000 };
    let errors = RowGroup { rows: 48, bound: 32, distribution };
    let with_errors = [Some(RowGroup::uniform(152, 1)), Some(errors), None];
    let gaussian = Distribution::Gaussian { micros: 8_850_000 };
    let rows = RowGroup { rows: 200, bound: 127, distribution: gaussian };
    let gaussian_rows = [Some(rows), None, None];
    vec![
        ("T1-128", Preset::T1_128.custom()),
        ("H1-128", Preset::H1_128.custom()),
        (
            "narrow masks, w = 20, 600 columns",
            CustomParams { groups: gaussian_rows, ..small(Preset::H4_128) },
        ),
        ("w = 29, 600 columns", small(Preset::T4_128)),
        (
            "w = 29, T whole, 600 columns",
            CustomParams { round_t: Some(0), ..small(Preset::T4_128) },
        ),
        ("w = 35, 600 columns", small(Preset::B4_128)),
        ("SHA-3, 600 columns", small(Preset::T4_256)),
        (
            "Gaussian errors, 600 columns",
            CustomParams { groups: with_errors, ..small(Preset::G4_128) },
        ),
        (
            "binary, w = 64, 600 columns",
            CustomParams { challenge: ChallengeKind::Binary, w: 64, ..small(Preset::B4_128) },
        ),
        ("rho = 3: T1-128", narrow(CustomParams::new(27, 1160, 2528, 1024, 1))),
        ("rho = 3, w = 29, 600 columns", narrow_of(Preset::T4_128, 29)),
        (
            "rho = 3, w = 29, T whole, 600 columns",
            CustomParams { round_t: Some(0), ..narrow_of(Preset::T4_128, 29) },
        ),
        ("rho = 3, w = 34, 600 columns", narrow_of(Preset::B4_128, 34)),
        ("rho = 3, SHA-3, 600 columns", narrow_of(Preset::T4_256, 30)),
        (
            "rho = 3, Gaussian errors, 600 columns",
            narrow(CustomParams { groups: with_errors, w: 30, ..small(Preset::G4_128) }),
        ),
    ]
}

/// Statement and proof of a case.
fn run(custom: &CustomParams, isa: Isa) -> Value {
    let params = custom.validate(Security::Waived).expect("the cases are in range");
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("nothing can fail in memory");
    let prover = Prover::new(&a, &statement).expect("security is waived").reproducible();
    let proved = prover.prove(b"golden", &witness, &Seed::from_bytes([3; 32]));
    let proof = proved.expect("an honest proof").proof;
    let read = Statement::read(&file, Security::Waived).expect("our own statement");
    let a = PublicMatrix::new_on(isa, read.params(), *read.seed_a());
    let verifier = Verifier::new(&a, &read).expect("its own A");
    verifier.with_file(&file).verify(b"golden", &proof).expect("valid");
    json!({
        "statement_bytes": file.len(),
        "statement_blake3": blake3::hash(&file).to_hex().as_str(),
        "proof_bytes": proof.len(),
        "proof_blake3": blake3::hash(&proof).to_hex().as_str(),
    })
}

/// The answers on every instruction set and for several numbers of threads, against the answers in
/// a file.
fn check_recorded(file: &str, answers: impl Fn(Isa) -> Value + Sync) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kat").join(file);
    let in_pool = |isa, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| answers(isa))
    };
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let file = json!({
            "source": "this repository: these answers pin the format, they are not an independent check",
            "generator": "UPDATE_GOLDEN=1 cargo test --test golden",
            "seeds": "A: 32 bytes 01, witness: 32 bytes 02, proof: 32 bytes 03; context: golden",
            "answers": in_pool(Isa::PORTABLE, 1),
        });
        std::fs::write(&path, serde_json::to_string_pretty(&file).expect("JSON") + "\n")
            .expect("writable");
    }
    let recorded: Value =
        serde_json::from_slice(&std::fs::read(path).expect("the known-answer file")).expect("JSON");
    for (isa, threads) in Isa::all().zip(1..) {
        let answers = in_pool(isa, threads);
        for (name, answer) in answers.as_object().expect("answers by name") {
            assert_eq!(*answer, recorded["answers"][name], "{name} on {isa}, {threads} threads");
        }
        assert_eq!(answers, recorded["answers"], "{isa}");
    }
}

/// The answers for a rho of 3, with "rho = 2" those for 2.
fn of_both(answers: fn(Isa, u32) -> Value, isa: Isa) -> Value {
    let mut all = answers(isa, 3);
    all["rho = 2"] = answers(isa, 2);
    all
}

#[test]
fn bytes_are_as_recorded_on_every_isa_and_thread_count() {
    check_recorded("proofs.json", |isa| {
        cases().into_iter().map(|(name, custom)| (name, run(&custom, isa))).collect()
    });
}

/// These parameters with a rho of 2, the default, or 3.
fn of_rho(custom: CustomParams, rho: u32) -> Params {
    let custom = if rho == 3 { narrow(custom) } else { custom };
    let params = custom.validate(Security::Waived).expect("in range");
    assert_eq!(params.rho(), rho);
    params
}

/// A statement about 300 columns of 5 trits, 20 errors within 7, the bits of their norm, and more
/// entries within 7; and proofs of facts about them, of their ranges and norm, and of all of these.
fn claims(isa: Isa, rho: u32) -> [Vec<u8>; 4] {
    let (rows, columns) = (60_u32, 300_u64);
    let norm = RowNorm::at_most(5, 20, 500, 25);
    let range = |first_row, rows, low| RowRange { first_row, rows, low, high: 1 };
    let parts = vec![range(0, 5, -1), range(25, norm.bits, 0)];
    let ranges = Ranges::with_norms(parts, vec![norm]).expect("a claim");
    let entry = |i: u32| match i % rows {
        0..5 => i.cast_signed() % 3 - 1,
        _ => i.cast_signed() % 15 - 7,
    };
    let mut messages: Vec<i8> = (0..rows * 300).map(|i| entry(i) as i8).collect();
    ranges.fill_slack(rows as usize, &mut messages).expect("short columns");
    let sum = |row: u32| {
        let of_row = messages.iter().skip(row as usize).step_by(rows as usize);
        let sum = of_row.map(|&entry| i64::from(entry)).sum();
        Fact::sum(vec![(row, 1)], (0..columns).map(|j| (j, 1)).collect(), sum).expect("a fact")
    };
    let entries = messages[60 * 299 + 3..][..20].iter().map(|&x| i64::from(x)).collect();
    let block = Fact::block(3, 299, 20, entries).expect("a fact");
    let all = vec![ranges.clone().into(), sum(58).into()];
    let lists = [vec![sum(7).into(), block.into(), sum(38).into()], vec![ranges.into()], all];
    let lists = lists.map(|claims| Claims::new(claims).expect("few"));
    let layout = lists.iter().fold(Layout::new(rows, columns), |layout, claims| {
        layout.with_slot(claims).expect("of the messages")
    });
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let groups = [any(rows, 7), any(layout.pad_rows(), PAD_BOUND), None];
    let (v, l) = (rows + layout.pad_rows() + 100 + 48, layout.all_columns());
    let custom = CustomParams { n: Some(20), groups, ..CustomParams::new(29, 48, v, l, 1) };
    let params = of_rho(custom, rho);
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let witness = layout.witness(&a, &messages, &Seed::from_bytes([2; 32])).expect("within bounds");
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("nothing can fail in memory");
    let prover = Prover::new(&a, &statement).expect("security is waived").reproducible();
    let verifier = Verifier::new(&a, &statement).expect("its own A");
    let seed = Seed::from_bytes([3; 32]);
    let [facts, ranges, all] = [0, 1, 2].map(|index| {
        let (slot, claims) = (layout.slot(index).expect("three slots"), &lists[index as usize]);
        let proved = prover.prove_claims(b"golden", &slot, claims, &witness, &seed);
        let proof = proved.expect("true claims").proof;
        verifier.with_file(&file).verify_claims(b"golden", &slot, claims, &proof).expect("valid");
        proof
    });
    [file, facts, ranges, all]
}

/// Parameters for elements of F.
fn of_digits(layout: &Layout) -> CustomParams {
    let rows = layout.all_rows() as u32;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams::new(40, 48, rows + 100 + 48, layout.all_columns(), 63);
    CustomParams { n: Some(20), groups: [Some(group), None, None], ..custom }
}

/// Commitments to the wires of x^(2^300) for a secret x, and a proof about them.
fn of_circuit<F: CircuitField>(isa: Isa, rho: u32) -> [Vec<u8>; 2] {
    let mut builder = CircuitBuilder::<F>::default();
    let mut x = builder.secret(ScalarOf::from(7));
    for _ in 0..300 {
        x = builder.product(x, x);
    }
    let result = builder.public(builder.value(&x.into()));
    builder.equal(x, result);
    let (circuit, assignment) = builder.finish().expect("a circuit");
    let claims = Claims::from(CircuitClaim::new(&circuit, &assignment.public).expect("inputs"));
    let layout = Layout::over::<F>(7, 43).with_slot(&claims).expect("a slot");
    let params = of_rho(of_digits(&layout), rho);
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let layout = circuit.layout(&params).expect("enough columns");
    let seed = Seed::from_bytes([2; 32]);
    let witness = circuit.witness(&a, &assignment, &seed).expect("it holds");
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("nothing can fail in memory");
    let prover = Prover::new(&a, &statement).expect("security is waived").reproducible();
    let (slot, seed) = (layout.slot(0).expect("a slot"), Seed::from_bytes([3; 32]));
    let proved = prover.prove_claims(b"golden", &slot, &claims, &witness, &seed);
    let proof = proved.expect("it holds").proof;
    let verifier = Verifier::new(&a, &statement).expect("its own A");
    verifier.verify_claims(b"golden", &slot, &claims, &proof).expect("valid");
    [file, proof]
}

/// Values that are committed with two slots of pads, and a circuit about some of them.
fn of_committed_circuit(isa: Isa, rho: u32) -> [Vec<u8>; 2] {
    let params = of_rho(of_digits(&Layout::of_values(15, 2, 2).expect("two slots")), rho);
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let space = InputSpace::new(&params).expect("digits and pads");
    let values: Vec<Scalar> = (1..=20_u32).map(Scalar::from).collect();
    let witness = space.witness(&a, &values, &Seed::from_bytes([2; 32])).expect("so many fit");
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("nothing can fail in memory");
    let mut builder = CircuitBuilder::new();
    let inputs = [20, 1, 13].map(|value: u32| builder.secret(Scalar::from(value)));
    let mut x = inputs[0];
    for i in 0..2100 {
        x = builder.product(x, inputs[i % 3]);
    }
    let result = builder.public(builder.value(&x.into()));
    builder.equal(x, result);
    let (circuit, assignment) = builder.finish().expect("a circuit");
    let inputs = Inputs { slot: 1, elements: vec![19, 0, 12] };
    let public = &assignment.public;
    let claim = CommittedCircuit::new(&a, &statement, &circuit, public, &inputs);
    let claim = claim.expect("security is waived").reproducible();
    let proved = claim.prove(b"golden", &witness, &assignment, &Seed::from_bytes([3; 32]));
    let proof = proved.expect("it holds").proof;
    claim.verify(b"golden", &proof).expect("valid");
    [file, proof]
}

/// The length and the hash of a file.
fn answer(file: &[u8]) -> Value {
    json!({ "bytes": file.len(), "blake3": blake3::hash(file).to_hex().as_str() })
}

fn all_arguments(isa: Isa, rho: u32) -> Value {
    let [statement, facts, ranges, claims] = claims(isa, rho).map(|file| answer(&file));
    let [wires, circuit] = of_circuit::<P61>(isa, rho).map(|file| answer(&file));
    let [goldilocks, over_goldilocks] =
        of_circuit::<Goldilocks>(isa, rho).map(|file| answer(&file));
    let [inputs, committed_circuit] = of_committed_circuit(isa, rho).map(|file| answer(&file));
    json!({
        "statement": statement, "facts": facts, "ranges and norms": ranges, "claims": claims,
        "wires": wires, "circuit": circuit, "wires over Goldilocks": goldilocks,
        "circuit over Goldilocks": over_goldilocks, "inputs": inputs,
        "committed circuit": committed_circuit,
    })
}

#[test]
fn arguments_are_as_recorded_on_every_isa_and_thread_count() {
    check_recorded("arguments.json", |isa| of_both(all_arguments, isa));
}

/// A statement about 300 keys, and a proof that secrets are ternary and errors within 2.
fn keys(isa: Isa, rho: u32) -> Value {
    let groups = [Some(RowGroup::uniform(40, 1)), Some(RowGroup::uniform(24, 2)), None];
    let custom = CustomParams {
        n: Some(20),
        groups,
        round_t: Some(0),
        ..CustomParams::new(29, 24, 64, 300, 1)
    };
    let params = of_rho(custom, rho);
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("nothing can fail in memory");
    let claim = KeyRanges::of(&params).expect("small bounds");
    let keys = ExactKeys::new(&a, &statement, claim).expect("waived").reproducible();
    let proved = keys.prove(b"golden", &witness, &Seed::from_bytes([3; 32]));
    let proof = proved.expect("well formed").proof;
    keys.verify(b"golden", &proof).expect("valid");
    json!({ "statement": answer(&file), "proof": answer(&proof) })
}

#[test]
fn proofs_about_keys_are_as_recorded_on_every_isa_and_thread_count() {
    check_recorded("keys.json", |isa| of_both(keys, isa));
}
