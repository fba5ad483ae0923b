//! Gaussian errors that are shown to be short by their norm, exactly, beside the same commitments
//! with a proof of knowledge alone: 4096 columns of 1024 errors of standard deviation 3.2.
//!
//! `cargo bench --bench norms`. Ids: `stage/1024x4096/isa`; throughput in columns;
//! RAYON_NUM_THREADS=2 for two threads. Witness and T are in memory; a proof takes exactly rho
//! attempts, the mean.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::bitslice::Bitslice;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::GaussianErrors;
use tautochrone::zk::{Prover, PublicMatrix, Security, Verifier, Witness};
use tautochrone_benches::{bench_proof, committed, few_samples, one_thread};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROWS: u32 = 1024;
const COLUMNS: u64 = 4096;

fn norms(c: &mut Criterion) {
    one_thread();
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
        let witness = Witness::read(&params, &source).expect("in memory");
        let (statement, file) = committed(&matrix, &witness);
        println!("T of {} bytes", file.len());
        let prover = Prover::new(&matrix, &statement).expect("its own").with_file(&file);
        let prover = prover.reproducible();
        let verifier = Verifier::new(&matrix, &statement).expect("its own");
        let seed = Seed::from_bytes([3; 32]);
        let name = "1024x4096";
        let plain = |context: &[u8]| prover.prove(context, &witness, &seed).expect("a proof");
        bench_proof(c, ("", name), isa, &params, &plain, &|context, proof| {
            verifier.verify(context, proof).expect("valid");
        });
        let prove = |context: &[u8]| {
            prover.prove_claims(context, &slot, &claims, &witness, &seed).expect("it holds")
        };
        bench_proof(c, ("-norm", name), isa, &params, &prove, &|context, proof| {
            verifier.verify_claims(context, &slot, &claims, proof).expect("valid");
        });
    }
}

criterion_group! { name = benches; config = few_samples(); targets = norms }
criterion_main!(benches);
