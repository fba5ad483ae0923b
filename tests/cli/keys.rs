//! What `verify` says of proofs about keys and ciphertexts of homomorphic encryption.

use tautochrone_zk_keys::{RingList, Small, prove};

use crate::folder::Folder;

/// It knows a digest of them alone, over either field.
#[test]
fn verify_says_what_checks_lists_over_rings() {
    let dir = &Folder::new();
    let zeros = [0; 64];
    for prime in [786_433, (1 << 60) - 16_383] {
        let mut list = RingList::rlwe(64, &[prime], Small::TERNARY, Small::TERNARY, b"");
        let list = list.as_mut().expect("in range");
        list.push_key(b"", &[vec![1; 64]], &[vec![0; 64]]).expect("canonical");
        let secret = list.rlwe_secret(&zeros, &zeros).expect("zeros");
        let proof = prove(list, &[secret]).expect("well formed");
        dir.write("s", &proof.statement);
        dir.write("p", &proof.proof);
        let about = "p: the proof is about a circuit or public keys";
        let line = dir.refuses("verify --statement s --proof p", about);
        assert!(line.ends_with("`verify` of the crate tautochrone-zk-keys does"), "{line}");
    }
}
