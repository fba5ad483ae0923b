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
    Shows, Statement, Verifier, Witness, WitnessSource,
};

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
    /// The first context that takes rho attempts.
    fn with_mean_attempts(&self) -> u64 {
        let rho = self.params.rho();
        (0..1000).find(|&context| self.prove(context).attempts == rho).expect("likely")
    }

    fn new(isa: Isa, preset: Preset) -> Self {
        let params = preset.params(Security::Waived).expect("a preset");
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        RandomWitness::new(Seed::from_bytes([1; 32]))
            .read_columns(&params, 0, &mut entries)
            .expect("in memory");
        let witness = Witness::new(&params, entries).expect("within the bound");
        let matrix = PublicMatrix::new_on(isa, &params, [2; 32]);
        let mut file = Vec::new();
        let statement = matrix.commit_and_hold(&witness, &mut file).expect("in memory");
        Self { name: preset.name(), params, witness, matrix, statement, file }
    }

    fn prove(&self, context: u64) -> Proved {
        Prover::new(&self.matrix, &self.statement)
            .expect("waived")
            .reproducible()
            .prove(&context.to_le_bytes(), &self.witness, &Seed::from_bytes([3; 32]))
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

    let mut group = c.benchmark_group(format!("commit/{name}"));
    group.throughput(columns.clone());
    let mut file = Vec::with_capacity(case.file.len());
    group.bench_function(isa.name(), |b| {
        b.iter(|| {
            file.clear();
            case.matrix.commit(&case.witness, &mut file).expect("in memory")
        });
        assert!(file == case.file, "the same statement every time");
    });
    group.finish();

    let mean = case.with_mean_attempts();
    let mut group = c.benchmark_group(format!("prove/{name}"));
    group.throughput(columns.clone());
    group.bench_function(isa.name(), |b| b.iter(|| case.prove(mean)));
    group.finish();

    let mut group = c.benchmark_group(format!("load/{name}"));
    group.throughput(columns);
    let load = || Statement::load(&case.file, Security::Waived).expect("in memory");
    assert!(load() == case.statement);
    group.bench_function(isa.name(), |b| b.iter(load));
    group.finish();

    let files: Vec<([u8; 8], Vec<u8>)> = (mean..mean + BATCH as u64)
        .map(|context| (context.to_le_bytes(), case.prove(context).proof))
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
        let mut group = c.benchmark_group(format!("{object}/{name}"));
        group.throughput(Throughput::Elements(params.l() * claims.len() as u64));
        let verify = || case.matrix.verify_batch(claims);
        assert!(verify().iter().all(Result::is_ok));
        group.bench_function(isa.name(), |b| b.iter(verify));
        group.finish();
    }

    let (context, bytes) = &files[0];
    let digest = case.statement.digest(context);
    let parse = || Proof::parse(bytes, params, &digest).expect("its own");
    let proof = parse();
    assert!(proof.to_bytes(params) == *bytes);
    let z = Throughput::Bytes(8 * proof.z().len() as u64);
    let mut group = c.benchmark_group(format!("encode/{name}"));
    group.throughput(z.clone());
    group.bench_function(isa.name(), |b| b.iter(|| proof.to_bytes(params)));
    group.finish();
    let mut group = c.benchmark_group(format!("decode/{name}"));
    group.throughput(z);
    group.bench_function(isa.name(), |b| b.iter(parse));
    group.finish();
}

/// A long witness: cost a column. The context is the first that takes rho attempts.
fn long(c: &mut Criterion, isa: Isa) {
    let case = Case::new(isa, Preset::T64_128);
    let mean = case.with_mean_attempts();
    let mut group = c.benchmark_group(format!("prove/{}", case.name));
    group.throughput(Throughput::Elements(case.params.l()));
    group.bench_function(isa.name(), |b| b.iter(|| case.prove(mean)));
    group.finish();
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
    // One thread unless the environment says otherwise; nothing else has started the pool.
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("first use");
    estimates(c);
    for preset in [Preset::T4_128, Preset::B4_128, Preset::H4_128, Preset::Seed] {
        for isa in [Isa::detect(), Isa::named("avx2").unwrap_or(Isa::PORTABLE)] {
            stages(c, isa, preset);
        }
    }
    long(c, Isa::detect());
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = zk
}
criterion_main!(benches);
