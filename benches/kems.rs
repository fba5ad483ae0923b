//! Lists of ML-KEM and FrodoKEM keys that are shown to be well formed: sizes, and times of proving
//! and of checking, the parameter search among them.
//!
//! `cargo bench --bench kems`. Ids: `stage/set/keys`; throughput in keys; RAYON_NUM_THREADS=2 for
//! two threads. FrodoKEM's keys have s = e = 0, which takes as long as any others.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use ml_kem::{DecapsulationKey, KeyExport, MlKem512, MlKem768};
use shake::digest::ExtendableOutput;
use tautochrone_benches::{bench_list, few_samples, one_thread};
use tautochrone_zk_keys::{KeyList, Secret, Set, prove, verify};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The public and the secret key number `index`.
fn key(set: Set, index: u32) -> (Vec<u8>, Vec<u8>) {
    let mut seed = ml_kem::Seed::default();
    seed[..4].copy_from_slice(&index.to_le_bytes());
    match set {
        Set::MlKem512 => {
            let key = DecapsulationKey::<MlKem512>::from_seed(seed);
            (key.encapsulation_key().to_bytes().to_vec(), seed.to_vec())
        }
        Set::MlKem768 => {
            let key = DecapsulationKey::<MlKem768>::from_seed(seed);
            (key.encapsulation_key().to_bytes().to_vec(), seed.to_vec())
        }
        _ => {
            // t = A 0 + 0, of a seed of its own.
            let mut public = vec![0; set.public_len()];
            public[..4].copy_from_slice(&index.to_le_bytes());
            let (zeros, mut hash) = (vec![0; 16 * set.blocks()], vec![0; set.hash_len()]);
            if set.blocks() == 640 {
                shake::Shake128::digest_xof(&public, &mut hash);
            } else {
                shake::Shake256::digest_xof(&public, &mut hash);
            }
            let secret = [&vec![0; hash.len()][..], &public, &zeros, &hash].concat();
            (public, secret)
        }
    }
}

fn kems(c: &mut Criterion) {
    one_thread();
    let lists = [
        ("ML-KEM-512", 1),
        ("ML-KEM-512", 64),
        ("ML-KEM-512", 1024),
        ("ML-KEM-512", 4096),
        ("ML-KEM-768", 1024),
        ("FrodoKEM-640-SHAKE", 1),
        ("FrodoKEM-640-SHAKE", 64),
    ];
    for (name, count) in lists {
        let set: Set = name.parse().expect("a set");
        let mut keys = KeyList::new(set, b"");
        let mut secrets: Vec<Secret> = Vec::new();
        for index in 0..count {
            let (public, secret) = key(set, index);
            keys.push(&index.to_le_bytes(), &public).expect("a key");
            secrets.push(keys.secret(index as usize, &secret).expect("its secret"));
        }
        let proof = prove(&keys, &secrets).expect("well formed");
        let bytes = proof.statement.len() + proof.proof.len();
        println!("{name} x {count}: {bytes} bytes, {} a key", bytes / count as usize);
        let proved = || drop(prove(&keys, &secrets).expect("well formed"));
        bench_list(c, name, keys.len(), &proved, &|| verify(&keys, &proof).expect("valid"));
    }
}

criterion_group! { name = benches; config = few_samples(); targets = kems }
criterion_main!(benches);
