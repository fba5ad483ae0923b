//! Lists over rings that are shown to be well formed, of sizes that libraries of homomorphic
//! encryption use: sizes, and times of proving and of checking, the parameter search among them.
//!
//! `cargo bench --bench rings`. Ids: `stage/list/keys`; throughput in keys; RAYON_NUM_THREADS=2 for
//! two threads. Keys and ciphertexts have secrets and errors of 0, which takes as long as any
//! others; keys of TFHE have errors that are uniform, as digits of 0 are larger than most.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use tautochrone::ctr::{Label, Seed};
use tautochrone_benches::{bench_list, few_samples, one_thread};
use tautochrone_zk_keys::{BfvKey, RingList, RingSecret, Small, prove, verify};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N: usize = 8192;
/// The largest primes below 2^60 that are 1 modulo 2^14.
const PRIMES: [u64; 3] = [(1 << 60) - 16_383, (1 << 60) - 98_303, (1 << 60) - 163_839];

/// Uniform coefficients below 2^59, or all words.
fn uniform(count: usize, n: usize, index: u64, bits: u32) -> Vec<Vec<u64>> {
    let mut all = vec![0; count * n];
    Seed::from_bytes([1; 32]).stream(Label::new("bench: rings"), index).fill_u64(&mut all);
    all.chunks(n).map(|x| x.iter().map(|x| x >> (64 - bits)).collect()).collect()
}

/// Errors of standard deviation 3.2.
fn error() -> Small {
    Small::new(24, 10_240_000).expect("up to 24")
}

fn rlwe() -> (RingList, Vec<RingSecret>) {
    let mut list = RingList::rlwe(N, &PRIMES[..1], Small::TERNARY, error(), b"").expect("in range");
    let (a, zeros) = (uniform(1, N, 0, 59), vec![0; N]);
    list.push_key(b"", &a, &[vec![0; N]]).expect("canonical");
    let secret = list.rlwe_secret(&zeros, &zeros).expect("zeros");
    (list, vec![secret])
}

fn bfv(count: usize) -> (RingList, Vec<RingSecret>) {
    let [c0, c1] = [0, 1].map(|index| uniform(3, N, index, 59));
    let key = BfvKey { c0, c1, scale: vec![1 << 56; 3], message_bound: 8 };
    let list = RingList::bfv(N, &PRIMES, &key, Small::TERNARY, error(), b"");
    let (mut list, mut secrets) = (list.expect("in range"), Vec::new());
    let (c, zeros) = (vec![vec![0; N]; 3], vec![0; N]);
    for index in 0..count {
        list.push_ciphertext(&index.to_le_bytes(), &c, &c).expect("canonical");
        secrets.push(list.bfv_secret(&zeros, &zeros, [&zeros, &zeros]).expect("zeros"));
    }
    (list, secrets)
}

fn tfhe(count: usize) -> (RingList, Vec<RingSecret>) {
    let n = 2048;
    let (mut list, mut secrets) = (RingList::tfhe(n, b"").expect("in range"), Vec::new());
    for index in 0..count {
        let mask = uniform(1, n, index as u64, 64);
        let uniform = uniform(1, n, (count + index) as u64, 18).remove(0);
        let errors: Vec<i64> = uniform.into_iter().map(|x| x as i64 - (1 << 17)).collect();
        let body = errors.iter().map(|&e| e.cast_unsigned()).collect();
        list.push_key(&index.to_le_bytes(), &mask, &[body]).expect("canonical");
        secrets.push(list.tfhe_secret(&vec![0; n], &errors).expect("in range"));
    }
    (list, secrets)
}

fn rings(c: &mut Criterion) {
    one_thread();
    let lists = [
        ("RLWE-8192", rlwe()),
        ("BFV-8192, three primes", bfv(1)),
        ("BFV-8192, three primes", bfv(16)),
        ("TFHE-2048", tfhe(1)),
        ("TFHE-2048", tfhe(64)),
    ];
    for (name, (list, secrets)) in lists {
        let proof = prove(&list, &secrets).expect("well formed");
        let (bytes, count) = (proof.statement.len() + proof.proof.len(), list.len());
        println!("{name} x {count}: {bytes} bytes, {} each", bytes / count);
        let prove = || drop(prove(&list, &secrets).expect("well formed"));
        bench_list(c, name, count, &prove, &|| verify(&list, &proof).expect("valid"));
    }
}

criterion_group! { name = benches; config = few_samples(); targets = rings }
criterion_main!(benches);
