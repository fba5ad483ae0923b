//! What measurements have in common.

use criterion::{Criterion, Throughput};
use tautochrone::simd::Isa;
use tautochrone::zk::{Params, Proved, PublicMatrix, Security, Statement, Witness};

/// One thread unless the environment variable `RAYON_NUM_THREADS` says otherwise. Before anything
/// else starts the pool.
pub fn one_thread() {
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("first use");
}

/// Ten samples of what takes long.
#[must_use]
pub fn few_samples() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1))
}

/// One measurement, `group/id`.
pub fn bench<O>(
    c: &mut Criterion,
    group: &str,
    id: &str,
    throughput: Throughput,
    mut f: impl FnMut() -> O,
) {
    let mut group = c.benchmark_group(group);
    group.throughput(throughput);
    group.bench_function(id, |b| b.iter(&mut f));
    group.finish();
}

/// The measurements of a list of `count` keys or ciphertexts: proving and checking.
pub fn bench_list(
    c: &mut Criterion,
    name: &str,
    count: usize,
    prove: &dyn Fn(),
    verify: &dyn Fn(),
) {
    for (stage, f) in [("prove", prove), ("verify", verify)] {
        let throughput = Throughput::Elements(count as u64);
        bench(c, &format!("{stage}/{name}"), &count.to_string(), throughput, f);
    }
}

/// A statement in memory, with the digest that everybody has who committed, and its file.
#[must_use]
pub fn committed(matrix: &PublicMatrix, witness: &Witness) -> (Statement, Vec<u8>) {
    let mut file = Vec::new();
    let own = matrix.commit(witness, &mut file).expect("in memory");
    let digest = *own.owner_digest().expect("just committed");
    let statement = Statement::load(&file, Security::Required).expect("its own");
    (statement.with_owner_digest(digest), file)
}

/// The first context with which a proof takes rho attempts, the mean.
pub fn mean_context(params: &Params, prove: &dyn Fn(&[u8]) -> Proved) -> [u8; 8] {
    let mut contexts = (0..1000).map(u64::to_le_bytes);
    contexts.find(|context| prove(context).attempts == params.rho()).expect("likely")
}

/// The measurements of a proof: `prove/name/isa` and `verify/name/isa`, with a word that may follow
/// the stage.
pub fn bench_proof(
    c: &mut Criterion,
    (word, name): (&str, &str),
    isa: Isa,
    params: &Params,
    prove: &dyn Fn(&[u8]) -> Proved,
    verify: &dyn Fn(&[u8], &[u8]),
) {
    let context = mean_context(params, prove);
    let proof = prove(&context).proof;
    println!("prove{word}/{name}: {} bytes", proof.len());
    let columns = || Throughput::Elements(params.l());
    bench(c, &format!("prove{word}/{name}"), isa.name(), columns(), || prove(&context));
    bench(c, &format!("verify{word}/{name}"), isa.name(), columns(), || verify(&context, &proof));
}

/// The variance of samples is sigma^2 to six standard errors.
///
/// # Panics
/// If it is not.
pub fn check_variance(samples: impl Iterator<Item = f64>, sigma: f64) {
    let squares: Vec<f64> = samples.map(|x| (x / sigma).powi(2)).collect();
    let n = squares.len() as f64;
    let ratio = squares.iter().sum::<f64>() / n;
    assert!((ratio - 1.0).abs() < 6.0 * (2.0 / n).sqrt(), "variance ratio {ratio}");
}
