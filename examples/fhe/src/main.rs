//! Bytes and times of proofs about keys and ciphertexts of `fhe` and `tfhe`: `cargo run --release`.

use std::error::Error;
use std::time::Instant;

use tautochrone_fhe::{Bfv, tfhe_keys};
use tautochrone_zk_keys::{RingList, RingSecret, prove, verify};

fn show(name: &str, (list, secrets): (RingList, Vec<RingSecret>)) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let proof = prove(&list, &secrets)?;
    let (bytes, proved) = (proof.statement.len() + proof.proof.len(), start.elapsed());
    let start = Instant::now();
    verify(&list, &proof)?;
    let verified = start.elapsed();
    println!("{name}: {bytes} bytes, proved in {proved:.2?}, checked in {verified:.2?}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut bfv = Bfv::new(1)?;
    let (list, secret) = bfv.key()?;
    show("public key of fhe, three primes", (list, vec![secret]))?;
    let mut list = bfv.ciphertexts()?;
    let secret = bfv.encrypt(&mut list)?;
    show("encryption of fhe, three primes", (list, vec![secret]))?;
    show("64 compact public keys of tfhe", tfhe_keys(64)?)
}
