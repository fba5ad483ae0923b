//! Keys that are shown to be well formed, exactly, beside the same keys with a proof of knowledge
//! alone: 4096 ternary keys, of the smallest exact proof for one hint.
//!
//! `cargo bench --bench keys`. Ids: `stage/T4-keys/isa`; throughput in keys; RAYON_NUM_THREADS=2 for
//! two threads. Witness and T are in memory; a proof takes exactly rho attempts, the mean. The prover
//! has the owner's digest, as everybody who committed: without it the whole of A S is computed again,
//! to see that T = A S.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{ExactKeys, KeyRanges};
use tautochrone::zk::{
    Goal, Prover, PublicMatrix, RandomWitness, Security, Statement, Verifier, Witness,
    WitnessSource,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn keys(c: &mut Criterion) {
    // One thread unless the environment says otherwise; nothing else has started the pool.
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("first use");
    let goal = Goal { key_hints: 1, ..Goal::new(1, 4096) };
    let params = goal.optimise().expect("parameters").validate(Security::Required).expect("secure");
    let mut entries = vec![0; params.v() as usize * params.l() as usize];
    let source = RandomWitness::new(Seed::from_bytes([1; 32]));
    source.read_columns(&params, 0, &mut entries).expect("in memory");
    let witness = Witness::new(&params, entries).expect("within the bound");
    let seed = Seed::from_bytes([3; 32]);
    for isa in [Isa::detect(), Isa::named("avx2").unwrap_or(Isa::PORTABLE)] {
        let matrix = PublicMatrix::new_on(isa, &params, [2; 32]);
        let mut file = Vec::new();
        let own = matrix.commit(&witness, &mut file).expect("in memory");
        let digest = *own.owner_digest().expect("just committed");
        let statement = Statement::load(&file, Security::Required).expect("its own");
        let statement = statement.with_owner_digest(digest);
        let claim = KeyRanges::of(&params).expect("ternary");
        let new = || ExactKeys::new(&matrix, &statement, claim).expect("secure").reproducible();
        let exact = new();
        let prove = |context: u64| exact.prove(&context.to_le_bytes(), &witness, &seed);
        let plain = |context: u64| {
            let prover = Prover::new(&matrix, &statement).expect("its own").reproducible();
            prover.prove(&context.to_le_bytes(), &witness, &seed).expect("a proof")
        };
        let rho = params.rho();
        let mean = |attempts: &dyn Fn(u64) -> u32| {
            (0..100).find(|&context| attempts(context) == rho).expect("likely")
        };
        let of_plain = mean(&|context| plain(context).attempts);
        let of_exact = mean(&|context| prove(context).expect("well formed").attempts);
        let bytes = prove(of_exact).expect("well formed").proof;
        let plain_bytes = plain(of_plain).proof;
        println!("{} bytes, {} of knowledge alone", bytes.len(), plain_bytes.len());
        let verify = || new().verify(&of_exact.to_le_bytes(), &bytes).expect("valid");
        let verifier = Verifier::new(&matrix, &statement).expect("its own");
        let verify_plain =
            || verifier.verify(&of_plain.to_le_bytes(), &plain_bytes).expect("valid");
        let mut bench = |stage: &str, f: &dyn Fn()| {
            let mut group = c.benchmark_group(format!("{stage}/T4-keys"));
            group.throughput(Throughput::Elements(params.l()));
            group.bench_function(isa.name(), |b| b.iter(f));
            group.finish();
        };
        bench("prove", &|| drop(plain(of_plain)));
        bench("prove-exact", &|| drop(prove(of_exact).expect("well formed")));
        bench("verify", &verify_plain);
        bench("verify-exact", &verify);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = keys
}
criterion_main!(benches);
