//! Objects of the crates are proved, and no others are.

use tautochrone_fhe::{Bfv, tfhe_keys};
use tautochrone_zk_keys::{prove, verify};

#[test]
fn keys_and_ciphertexts_of_fhe_are_proved() {
    let (mut bfv, other) = (Bfv::new(1).unwrap(), Bfv::new(2).unwrap());
    let (list, secret) = bfv.key().unwrap();
    let proof = prove(&list, &[secret]).unwrap();
    verify(&list, &proof).unwrap();
    let (others, secret) = other.key().unwrap();
    assert!(verify(&others, &proof).is_err());
    assert!(prove(&list, &[secret]).is_err(), "another key's secret");

    let mut list = bfv.ciphertexts().unwrap();
    let secret = bfv.encrypt(&mut list).unwrap();
    let proof = prove(&list, &[secret]).unwrap();
    verify(&list, &proof).unwrap();
    let mut others = bfv.ciphertexts().unwrap();
    bfv.encrypt(&mut others).unwrap();
    assert!(verify(&others, &proof).is_err(), "another ciphertext");
}

#[test]
fn compact_keys_of_tfhe_are_proved() {
    let (list, mut secrets) = tfhe_keys(2).unwrap();
    let proof = prove(&list, &secrets).unwrap();
    verify(&list, &proof).unwrap();
    assert!(verify(&tfhe_keys(2).unwrap().0, &proof).is_err());
    secrets.swap(0, 1);
    assert!(prove(&list, &secrets).is_err());
}
