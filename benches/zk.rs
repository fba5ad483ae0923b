//! The proof system stage by stage, one thread: the estimate, T = A S, a proof, its
//! encoding, loading T, a check, a batch of checks; checks read and hash T from the statement's
//! file, or find it loaded.
//!
//! `cargo bench --bench zk -- 'T4-128'`. Ids: `stage/preset/isa`; throughput in columns of the
//! witness, for encodings in bytes of Z as 64-bit integers; RAYON_NUM_THREADS=2 for two threads.
//! The witness is in memory; a proof takes exactly rho attempts, the mean.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::internals::{Proof, estimate};
use tautochrone::zk::{
    Claim, CustomParams, Params, Preset, Proved, Prover, PublicMatrix, RandomWitness, Security,
    Shows, Statement, Verifier, Witness,
};
use tautochrone_benches::{bench, few_samples, mean_context, one_thread};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Proofs in a batch.
const BATCH: usize = 16;

struct Case {
    name: &'static str,
    params: Params,
    witness: Witness,
    matrix: PublicMatrix,
    statement: Statement,
    file: Vec<u8>,
}

impl Case {
    fn new(isa: Isa, preset: Preset) -> Self {
        let params = preset.params(Security::Waived).expect("a preset");
        let source = RandomWitness::new(Seed::from_bytes([1; 32]));
        let witness = Witness::read(&params, &source).expect("in memory");
        let matrix = PublicMatrix::new_on(isa, &params, [2; 32]);
        let mut file = Vec::new();
        let statement = matrix.commit_and_hold(&witness, &mut file).expect("in memory");
        Self { name: preset.name(), params, witness, matrix, statement, file }
    }

    fn prove(&self, context: &[u8]) -> Proved {
        Prover::new(&self.matrix, &self.statement)
            .expect("waived")
            .reproducible()
            .prove(context, &self.witness, &Seed::from_bytes([3; 32]))
            .expect("a proof")
    }

    fn claims<'a>(
        &'a self,
        statement: &'a Statement,
        proofs: &'a [([u8; 8], Vec<u8>)],
    ) -> Vec<Claim<'a>> {
        let verifier = Verifier::new(&self.matrix, statement).expect("its A").with_file(&self.file);
        let claim = |(context, proof): &'a ([u8; 8], Vec<u8>)| {
            verifier.claim(context, &Shows::Knowledge, proof)
        };
        proofs.iter().map(claim).collect()
    }
}

fn stages(c: &mut Criterion, isa: Isa, preset: Preset) {
    let case = Case::new(isa, preset);
    let Case { name, params, .. } = &case;
    let columns = Throughput::Elements(params.l());

    let mut file = Vec::with_capacity(case.file.len());
    bench(c, &format!("commit/{name}"), isa.name(), columns.clone(), || {
        file.clear();
        case.matrix.commit(&case.witness, &mut file).expect("in memory")
    });
    assert!(file.is_empty() || file == case.file, "the same statement every time");
    let mean = mean_context(params, &|context| case.prove(context));
    bench(c, &format!("prove/{name}"), isa.name(), columns.clone(), || case.prove(&mean));
    let load = || Statement::load(&case.file, Security::Waived).expect("in memory");
    assert!(load() == case.statement);
    bench(c, &format!("load/{name}"), isa.name(), columns, load);

    let mean = u64::from_le_bytes(mean);
    let files: Vec<([u8; 8], Vec<u8>)> = (mean..mean + BATCH as u64)
        .map(u64::to_le_bytes)
        .map(|context| (context, case.prove(&context).proof))
        .collect();
    let loaded = load();
    let read = Statement::read(&case.file, Security::Waived).expect("in memory");
    let (claims, held) = (case.claims(&read, &files), case.claims(&loaded, &files));
    for (object, claims) in [
        ("verify", &claims[..1]),
        ("verify-16", &claims),
        ("verify-loaded", &held[..1]),
        ("verify-loaded-16", &held),
    ] {
        let verify = || case.matrix.verify_batch(claims);
        assert!(verify().iter().all(Result::is_ok));
        let columns = Throughput::Elements(params.l() * claims.len() as u64);
        bench(c, &format!("{object}/{name}"), isa.name(), columns, verify);
    }

    let (context, bytes) = &files[0];
    let digest = case.statement.digest(context);
    let parse = || Proof::parse(bytes, params, &digest).expect("its own");
    let proof = parse();
    assert!(proof.to_bytes(params) == *bytes);
    let z = Throughput::Bytes(8 * proof.z.len() as u64);
    bench(c, &format!("encode/{name}"), isa.name(), z.clone(), || proof.to_bytes(params));
    bench(c, &format!("decode/{name}"), isa.name(), z, parse);
}

/// A long witness: cost a column. The context is the first that takes rho attempts.
fn long(c: &mut Criterion, isa: Isa) {
    let case = Case::new(isa, Preset::T64_128);
    let mean = mean_context(&case.params, &|context| case.prove(context));
    let columns = Throughput::Elements(case.params.l());
    bench(c, &format!("prove/{}", case.name), isa.name(), columns, || case.prove(&mean));
}

/// The estimate that parameters without a preset wait for: both attacks on hiding and the one on
/// binding.
fn estimates(c: &mut Criterion) {
    let estimated = |preset: Preset, b| {
        let CustomParams { w, r, v, .. } = preset.custom();
        let w = f64::from(w);
        let log2_4b = preset.params(Security::Waived).expect("a preset").estimate().log2_4b;
        move || {
            let hiding = estimate::lwe_primal(v - r, r, w, estimate::uniform_sd(b))
                .min(estimate::lwe_dual_hybrid(v - r, r, w, b));
            (estimate::sis(f64::from(r) * w, v, log2_4b), hiding)
        }
    };
    let t4 = estimated(Preset::T4_128, 1);
    let of_preset = Preset::T4_128.params(Security::Required).expect("a preset").estimate();
    assert_eq!(t4(), (of_preset.binding, of_preset.hiding));
    c.bench_function("estimate/T4-128", |b| b.iter(&t4));
    c.bench_function("estimate/T4-256", |b| b.iter(estimated(Preset::T4_256, 1)));
    // Attacks of some thousand bits: the widest range to search.
    c.bench_function("estimate/T4-256 with b = 127", |b| {
        b.iter(estimated(Preset::T4_256, 127));
    });
}

fn zk(c: &mut Criterion) {
    one_thread();
    estimates(c);
    for preset in [Preset::T4_128, Preset::B4_128, Preset::H4_128, Preset::Seed] {
        for isa in [Isa::detect(), Isa::named("avx2").unwrap_or(Isa::PORTABLE)] {
            stages(c, isa, preset);
        }
    }
    long(c, Isa::detect());
}

criterion_group! { name = benches; config = few_samples(); targets = zk }
criterion_main!(benches);
