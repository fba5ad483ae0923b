//! Keys that are shown to be well formed, exactly, beside the same keys with a proof of knowledge
//! alone: 4096 ternary keys, of the smallest exact proof for one hint.
//!
//! `cargo bench --bench keys`. Ids: `stage/T4-keys/isa`; throughput in keys; RAYON_NUM_THREADS=2
//! for two threads. Witness and T are in memory; a proof takes exactly rho attempts, the mean. The
//! prover has the owner's digest, as everybody who committed: without it the whole of A S is
//! computed again, to see that T = A S.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{ExactKeys, KeyRanges};
use tautochrone::zk::{Goal, Prover, PublicMatrix, RandomWitness, Security, Verifier, Witness};
use tautochrone_benches::{bench_proof, committed, few_samples, one_thread};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn keys(c: &mut Criterion) {
    one_thread();
    let goal = Goal { key_hints: 1, ..Goal::new(1, 4096) };
    let params = goal.optimise().expect("parameters").validate(Security::Required).expect("secure");
    let source = RandomWitness::new(Seed::from_bytes([1; 32]));
    let witness = Witness::read(&params, &source).expect("in memory");
    let seed = Seed::from_bytes([3; 32]);
    for isa in [Isa::detect(), Isa::named("avx2").unwrap_or(Isa::PORTABLE)] {
        let matrix = PublicMatrix::new_on(isa, &params, [2; 32]);
        let (statement, _) = committed(&matrix, &witness);
        let plain = |context: &[u8]| {
            let prover = Prover::new(&matrix, &statement).expect("its own").reproducible();
            prover.prove(context, &witness, &seed).expect("a proof")
        };
        let verifier = Verifier::new(&matrix, &statement).expect("its own");
        bench_proof(c, ("", "T4-keys"), isa, &params, &plain, &|context, proof| {
            verifier.verify(context, proof).expect("valid");
        });
        let claim = KeyRanges::of(&params).expect("ternary");
        let new = || ExactKeys::new(&matrix, &statement, claim).expect("secure").reproducible();
        let exact = new();
        let prove = |context: &[u8]| exact.prove(context, &witness, &seed).expect("well formed");
        bench_proof(c, ("-exact", "T4-keys"), isa, &params, &prove, &|context, proof| {
            new().verify(context, proof).expect("valid");
        });
    }
}

criterion_group! { name = benches; config = few_samples(); targets = keys }
criterion_main!(benches);
