//! Shapes of which A' does not fit the caches, or memory: commitment, proof and check, with A'
//! expanded in each, and the largest resident set.
//!
//! `cargo bench --bench large`. Ids: `large/step/v`; TAUTOCHRONE_ISA for other instructions.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::zk::{
    CustomParams, Prover, PublicMatrix, RandomWitness, Security, Seed, Statement, Verifier,
};
use tautochrone_benches::{bench, few_samples};

/// w, r, v and columns.
const SHAPES: [(u32, u32, u32, u64); 3] =
    [(33, 1500, 20_000, 4096), (37, 2000, 40_000, 1024), (40, 2200, 67_000, 256)];

/// MiB of the largest resident set so far, on Linux.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? >> 10)
}

fn shapes(c: &mut Criterion) {
    for (w, r, v, l) in SHAPES {
        let custom = CustomParams::new(w, r, v, l, 1);
        let params = custom.validate(Security::Waived).expect("parameters");
        let witness = RandomWitness::new(Seed::from_bytes([1; 32]));
        let commit = || {
            let (a, mut file) = (PublicMatrix::new(&params, [2; 32]), Vec::new());
            let statement = a.commit_and_hold(&witness, &mut file).expect("in memory");
            (a, file, statement)
        };
        let columns = || Throughput::Elements(l);
        bench(c, "large", &format!("commit/{v}"), columns(), commit);
        let (a, file, statement) = commit();
        let prove = |seed| {
            let prover = Prover::new(&a, &statement).expect("its own A");
            prover.prove(b"", &witness, &Seed::from_bytes([seed; 32])).expect("an honest proof")
        };
        let mut seed = 0;
        bench(c, "large", &format!("prove/{v}"), columns(), || {
            seed += 1;
            prove(seed)
        });
        let proof = prove(0).proof;
        bench(c, "large", &format!("verify/{v}"), columns(), || {
            let a = PublicMatrix::new(&params, [2; 32]);
            let statement = Statement::load(&file, Security::Waived).expect("it was written");
            Verifier::new(&a, &statement).expect("its A").verify(b"", &proof).expect("valid");
        });
        if let Some(peak) = peak() {
            eprintln!("v = {v}: {peak} MiB at most so far");
        }
    }
}

criterion_group! { name = benches; config = few_samples(); targets = shapes }
criterion_main!(benches);
