//! Gaussian errors that are shown to be short by their norm, exactly, beside the same commitments
//! with a proof of knowledge alone: 4096 columns of 1024 errors of standard deviation 3.2.
//!
//! `cargo bench --bench norms`. Ids: `stage/1024x4096/isa`; throughput in columns;
//! RAYON_NUM_THREADS=2 for two threads. Witness and T are in memory; a proof takes exactly rho
//! attempts, the mean.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::bitslice::Bitslice;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::GaussianErrors;
use tautochrone::zk::{
    Prover, PublicMatrix, Security, Statement, Verifier, Witness, WitnessSource,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROWS: u32 = 1024;
const COLUMNS: u64 = 4096;

fn norms(c: &mut Criterion) {
    // One thread unless the environment says otherwise; nothing else has started the pool.
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("first use");
    let gaussian = GaussianErrors::new(ROWS, 3_200_000).expect("errors");
    let goal = gaussian.goal(COLUMNS);
    let params = goal.optimise().expect("parameters").validate(Security::Required).expect("secure");
    let layout = gaussian.layout(&params).expect("its own parameters");
    let (slot, claims) = (layout.slot(0).expect("a slot"), gaussian.claim().into());
    let mut errors = vec![0_i32; ROWS as usize * COLUMNS as usize];
    let sampler = Bitslice::builder().sigma(3.2).build().expect("a sampler");
    sampler
        .fill(&mut Seed::from_bytes([4; 32]).stream(Label::new("bench: errors"), 0), &mut errors);
    let errors: Vec<i8> = errors.into_iter().map(|error| error as i8).collect();
    let messages = gaussian.messages(&errors).expect("short columns");
    let (v, l) = (params.v(), params.l());
    println!(
        "w = {}, r = {}, v = {v}, l = {l}, sigma = {}",
        params.w(),
        params.r(),
        params.sigma()
    );
    for isa in [Isa::detect(), Isa::named("avx2").unwrap_or(Isa::PORTABLE)] {
        let matrix = PublicMatrix::new_on(isa, &params, [2; 32]);
        let source =
            layout.witness(&matrix, &messages, &Seed::from_bytes([1; 32])).expect("bounds");
        let mut entries = vec![0; v as usize * l as usize];
        source.read_columns(&params, 0, &mut entries).expect("in memory");
        let witness = Witness::new(&params, entries).expect("within the bound");
        let mut file = Vec::new();
        let own = matrix.commit(&witness, &mut file).expect("in memory");
        let digest = *own.owner_digest().expect("just committed");
        let statement = Statement::load(&file, Security::Required).expect("its own");
        let statement = statement.with_owner_digest(digest);
        let prover = Prover::new(&matrix, &statement).expect("its own").with_file(&file);
        let prover = prover.reproducible();
        let verifier = Verifier::new(&matrix, &statement).expect("its own");
        let seed = Seed::from_bytes([3; 32]);
        let rho = params.rho();
        let mean = |attempts: &dyn Fn(u64) -> u32| {
            (0..100).find(|&context| attempts(context) == rho).expect("likely").to_le_bytes()
        };
        let mut bench = |stage: &str, f: &dyn Fn()| {
            let mut group = c.benchmark_group(format!("{stage}/1024x4096"));
            group.throughput(Throughput::Elements(l));
            group.bench_function(isa.name(), |b| b.iter(f));
            group.finish();
        };
        let plain = |context: &[u8]| prover.prove(context, &witness, &seed).expect("a proof");
        let context = mean(&|context| plain(&context.to_le_bytes()).attempts);
        let bytes = plain(&context).proof;
        println!("{} bytes of knowledge alone, T of {}", bytes.len(), file.len());
        bench("prove", &|| drop(plain(&context)));
        bench("verify", &|| verifier.verify(&context, &bytes).expect("valid"));
        let prove = |context: &[u8]| {
            prover.prove_claims(context, &slot, &claims, &witness, &seed).expect("it holds")
        };
        let context = mean(&|context| prove(&context.to_le_bytes()).attempts);
        let bytes = prove(&context).proof;
        println!("{} bytes with the norm", bytes.len());
        bench("prove-norm", &|| drop(prove(&context)));
        bench("verify-norm", &|| {
            verifier.verify_claims(&context, &slot, &claims, &bytes).expect("valid");
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = norms
}
criterion_main!(benches);
