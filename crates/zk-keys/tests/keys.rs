//! Keys of independent implementations are proved and verified; every change is refused.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

use ml_kem::{KeyExport, MlKem512, MlKem768, MlKem1024};
use tautochrone_kem_keys::{Error as KeyError, PublicKey};
use tautochrone_simd::Isa;
use tautochrone_zk::argument::Family as _;
use tautochrone_zk::{Reason, Seed};
use tautochrone_zk_keys::{
    Error, KeyList, KeysProof, Secret, Set, prove, prove_on, verify, verify_on,
};

#[path = "../../kem-keys/tests/made/mod.rs"]
mod made;

/// The public and the secret key number `index`, as the crate `ml-kem` makes them from a seed.
fn ml_kem(set: Set, index: u16) -> (Vec<u8>, Vec<u8>) {
    let mut seed = ml_kem::Seed::default();
    seed[..2].copy_from_slice(&index.to_le_bytes());
    macro_rules! keys {
        ($kem:ty) => {{
            let dk = ml_kem::DecapsulationKey::<$kem>::from_seed(seed);
            (dk.encapsulation_key().to_bytes().to_vec(), seed.to_vec())
        }};
    }
    match set {
        Set::MlKem512 => keys!(MlKem512),
        Set::MlKem768 => keys!(MlKem768),
        _ => keys!(MlKem1024),
    }
}

/// A FrodoKEM key of secrets and errors of the right size, the largest ones among them.
fn frodo(set: Set, index: u8) -> (Vec<u8>, Vec<u8>) {
    frodo_of(set, index, |_, _| ())
}

/// The same with other secrets.
fn frodo_of(set: Set, index: u8, change: impl Fn(&PublicKey, &mut [i64])) -> (Vec<u8>, Vec<u8>) {
    let bound = i64::from(set.bound());
    let usual = if set.blocks() == 640 { 3 } else { 1 };
    let entries = |step: usize| -> Vec<i64> {
        let entry = |i: usize| match i % 97 {
            0 => bound,
            1 => -bound,
            _ => ((i * step) >> 4) as i64 % (2 * usual + 1) - usual,
        };
        (0..8 * set.blocks()).map(entry).collect()
    };
    let mut s = entries(37);
    // The key of t = 0 with the same A.
    let empty = [&[index; 16][..], &vec![0; set.public_len() - 16]].concat();
    change(&PublicKey::from_bytes(set, &empty).unwrap(), &mut s);
    made::make(set, &[index; 16], &vec![0; set.hash_len()], &s, &entries(101))
}

fn list(set: Set, purpose: &[u8], keys: &[(Vec<u8>, Vec<u8>)]) -> (KeyList, Vec<Secret>) {
    let mut list = KeyList::new(set, purpose);
    for (index, (pk, _)) in keys.iter().enumerate() {
        list.push(format!("owner {index}").as_bytes(), pk).unwrap();
    }
    let secret = |(index, (_, sk)): (usize, &(Vec<u8>, Vec<u8>))| list.secret(index, sk).unwrap();
    let secrets = keys.iter().enumerate().map(secret).collect();
    (list, secrets)
}

fn reason(keys: &KeyList, proof: &KeysProof) -> Reason {
    match verify(keys, proof) {
        Err(tautochrone_zk::Error::Invalid(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn keys_of_the_crate_ml_kem_are_proved() {
    for (set, count) in [(Set::MlKem512, 3), (Set::MlKem768, 2), (Set::MlKem1024, 1)] {
        let keys: Vec<_> = (0..count).map(|index| ml_kem(set, index)).collect();
        let (keys, secrets) = list(set, b"tests", &keys);
        verify(&keys, &prove(&keys, &secrets).unwrap()).unwrap();
    }
}

#[test]
fn frodo_keys_are_proved() {
    for set in [Set::FrodoShake640, Set::FrodoAes1344] {
        let (keys, secrets) = list(set, b"tests", &[frodo(set, 1)]);
        verify(&keys, &prove(&keys, &secrets).unwrap()).unwrap();
    }
}

/// Another key, identity, order, length or purpose.
#[test]
fn proofs_are_of_one_list() {
    let set = Set::MlKem512;
    let own: Vec<_> = (0..3).map(|index| ml_kem(set, index)).collect();
    let (keys, secrets) = list(set, b"tests", &own);
    let proof = prove(&keys, &secrets).unwrap();
    verify(&keys, &proof).unwrap();
    let relabelled = |names: [&[u8]; 3], keys: [usize; 3], purpose: &[u8]| {
        let mut list = KeyList::new(set, purpose);
        for (name, key) in names.into_iter().zip(keys) {
            list.push(name, &own[key].0).unwrap();
        }
        list
    };
    let names = [&b"owner 0"[..], b"owner 1", b"owner 2"];
    verify(&relabelled(names, [0, 1, 2], b"tests"), &proof).unwrap();
    let others = [
        relabelled(names, [0, 1, 2], b"test"),
        relabelled([b"owner 0", b"owner 1", b"owner 3"], [0, 1, 2], b"tests"),
        relabelled([b"owner 0o", b"wner 1", b"owner 2"], [0, 1, 2], b"tests"),
    ];
    for other in &others {
        assert_eq!(reason(other, &proof), Reason::OtherStatement);
    }
    assert_eq!(reason(&relabelled(names, [0, 2, 1], b"tests"), &proof), Reason::OtherFact);
    let (fewer, _) = list(set, b"tests", &own[..2]);
    let larger: Vec<_> = (0..3).map(|index| ml_kem(Set::MlKem768, index)).collect();
    let (larger, _) = list(Set::MlKem768, b"tests", &larger);
    for other in [&fewer, &larger, &KeyList::new(set, b"tests")] {
        assert_eq!(reason(other, &proof), Reason::OtherFact);
    }

    // Secrets of other keys, and too few.
    let [a, b, c] = [2, 1, 0].map(|index: usize| keys.secret(index, &own[index].1).unwrap());
    let false_claim = prove(&keys, &[a, b, c]).unwrap_err();
    assert!(matches!(false_claim, Error::Zk(tautochrone_zk::Error::FalseFact)), "{false_claim}");
    let missing = prove(&keys, &secrets[..2]).unwrap_err();
    assert!(matches!(missing, Error::Secrets { got: 2, expected: 3 }));
    assert!(matches!(prove(&KeyList::new(set, b""), &[]), Err(Error::Empty)));
}

/// A seed gives the same statement on every instruction set, and another seed another one.
#[test]
fn statements_are_functions_of_the_seed() {
    let set = Set::MlKem512;
    let (keys, secrets) = list(set, b"tests", &[ml_kem(set, 7)]);
    let on = |isa, seed| prove_on(isa, &keys, &secrets, &Seed::from_bytes([seed; 32])).unwrap();
    let proof = on(Isa::detect(), 1);
    assert_eq!(on(Isa::PORTABLE, 1).statement, proof.statement);
    assert_ne!(on(Isa::detect(), 2).statement, proof.statement);
    verify_on(Isa::PORTABLE, &keys, &proof).unwrap();
}

/// Files of other statements, and none.
#[test]
fn files_are_refused_or_of_these_keys() {
    let set = Set::MlKem512;
    let (keys, secrets) = list(set, b"tests", &[ml_kem(set, 7)]);
    let proof = prove(&keys, &secrets).unwrap();
    for place in [0, 24, 60, 64, 100, proof.proof.len() / 2, proof.proof.len() - 1] {
        let mut other = proof.clone();
        other.proof[place] ^= 1;
        assert!(verify(&keys, &other).is_err(), "{place}");
        let cut = KeysProof { proof: proof.proof[..place].to_vec(), ..proof.clone() };
        assert!(verify(&keys, &cut).is_err(), "{place}");
    }
    let other = prove(&keys, &secrets).unwrap();
    assert!(verify(&keys, &KeysProof { proof: other.proof, ..proof }).is_err());
}

/// A carry beyond a byte: another lift of the key is proved, and no other key.
#[test]
fn wide_carries_are_proved() {
    let set = Set::FrodoShake640;
    let wide = |matrix: &PublicKey, s: &mut [i64]| {
        let mut row = vec![0; set.row_len()];
        matrix.row(0, &mut row);
        // Secrets of the first column with the signs of a row, until the product is 130 q.
        let (mut sum, q) = (0, i64::from(set.modulus()));
        for (s, &a) in s.iter_mut().step_by(8).zip(&row) {
            *s = if sum < 130 * q { i64::from(a.signum()) } else { 0 };
            sum += *s * i64::from(a);
        }
        assert!(sum > 129 * q && sum < 131 * q, "{sum}");
    };
    let pairs = [frodo_of(set, 7, wide)];
    let (keys, secrets) = list(set, b"tests", &pairs);
    let proof = prove(&keys, &secrets).unwrap();
    verify(&keys, &proof).unwrap();
    let (others, _) = list(set, b"tests", &[frodo(set, 7)]);
    let reason = verify(&others, &proof);
    assert!(matches!(reason, Err(tautochrone_zk::Error::Invalid(Reason::OtherFact))), "{reason:?}");
}

/// ML-KEM keys in each form of a file, FrodoKEM keys in one; of other sets they are refused.
#[test]
fn files_have_keys_in_three_forms() {
    let pem = include_bytes!("../../kem-keys/tests/vectors/ml-kem-512.pub");
    let private = include_bytes!("../../kem-keys/tests/vectors/ml-kem-512-seed.priv");
    let set = Set::MlKem512;
    let mut keys = KeyList::new(set, b"tests");
    keys.push_any(b"PEM", pem).unwrap();
    let standard = keys.encoding(0).into_owned();
    let header = hex::decode("30820332300b06096086480165030404010382032100").unwrap();
    keys.push_any(b"DER", &[&header[..], &standard].concat()).unwrap();
    keys.push_any(b"standard", &standard).unwrap();
    assert!((0..3).all(|index| keys.encoding(index) == standard));

    let seed: Vec<u8> = (0..64).collect();
    let header = hex::decode("3054020100300b060960864801650304040104428040");
    let der = [&header.unwrap()[..], &seed].concat();
    let secret = keys.secret(0, &seed).unwrap();
    for file in [&private[..], &der, &seed] {
        assert_eq!(keys.secret_any(2, file).unwrap().s(), secret.s());
    }

    let other = include_bytes!("../../kem-keys/tests/vectors/ml-kem-768.pub");
    let refused = |file: &[u8]| KeyList::new(set, b"").push_any(b"", file).unwrap_err();
    let length = |found| KeyError::PublicLength { set: set.name(), found, expected: 800 };
    assert_eq!(refused(other), length(1184));
    assert_eq!(refused(&standard[1..]), length(799));
    assert_eq!(refused(&[&pem[..100], &[0xff]].concat()), KeyError::Pem("PUBLIC KEY"));
    assert!(matches!(refused(&der), KeyError::Der(_)));
    let refused = |file: &[u8]| keys.secret_any(0, file).unwrap_err();
    assert_eq!(refused(&[&private[..100], &[0xff]].concat()), KeyError::Pem("PRIVATE KEY"));
    assert!(matches!(refused(&der[..85]), KeyError::Der(_)));
    assert!(matches!(refused(&seed[1..]), KeyError::SecretLength { found: 63, .. }));

    let mut frodo_keys = KeyList::new(Set::FrodoShake640, b"");
    let (pk, sk) = frodo(Set::FrodoShake640, 0x30);
    frodo_keys.push_any(b"", &pk).unwrap();
    frodo_keys.secret_any(0, &sk).unwrap();
    assert!(matches!(frodo_keys.push_any(b"", pem), Err(KeyError::PublicLength { .. })));
}

#[test]
fn names_are_the_standards() {
    for set in Set::ALL {
        assert_eq!(set.to_string().to_lowercase().parse(), Ok(set));
    }
    let error = "ML-KEM-513".parse::<Set>().unwrap_err();
    assert!(error.to_string().contains("ML-KEM-513"));
}
