//! Sizes and times of a proof of so many keys: `time ML-KEM-512 4096`.
use ml_kem::{KeyExport, MlKem512, MlKem768, MlKem1024};
use std::time::Instant;
use tautochrone_zk_keys::{KeyList, Set, prove, verify};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let set: Set = args[1].parse().unwrap();
    let count: u32 = args[2].parse().unwrap();
    let mut list = KeyList::new(set, b"");
    let mut sks = vec![];
    for index in 0..count {
        let mut seed = ml_kem::Seed::default();
        seed[..4].copy_from_slice(&index.to_le_bytes());
        macro_rules! keys {
            ($kem:ty) => {{
                let dk = ml_kem::DecapsulationKey::<$kem>::from_seed(seed);
                dk.encapsulation_key().to_bytes().to_vec()
            }};
        }
        let ek = match set.name() {
            "ML-KEM-512" => keys!(MlKem512),
            "ML-KEM-768" => keys!(MlKem768),
            _ => keys!(MlKem1024),
        };
        list.push(&index.to_le_bytes(), &ek).unwrap();
        sks.push(seed.to_vec());
    }
    let t = Instant::now();
    let secrets: Vec<_> =
        sks.iter().enumerate().map(|(i, sk)| list.secret(i, sk).unwrap()).collect();
    println!("read {:?}", t.elapsed());
    for _ in 0..3 {
        let t = Instant::now();
        let proof = prove(&list, &secrets).unwrap();
        println!(
            "prove {:?}, statement {} proof {} = {} bytes a key",
            t.elapsed(),
            proof.statement.len(),
            proof.proof.len(),
            (proof.statement.len() + proof.proof.len()) as u64 / u64::from(count)
        );
        let t = Instant::now();
        verify(&list, &proof).unwrap();
        println!("verify {:?}", t.elapsed());
    }
}
