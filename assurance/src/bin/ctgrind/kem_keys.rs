//! Keys of others: a secret key is secret, but for the public key in it and the structure of a
//! file.

use std::hint::black_box;

use shake::digest::ExtendableOutput;
use shake::{Shake128, Shake256};
use tautochrone_assurance::valgrind::{poison, secret};
use tautochrone_kem_keys::{PublicKey, Secret, Set};
use tautochrone_zk_keys::{KeyList, prove};

use crate::report::{Report, still_secret};

macro_rules! key {
    ($file:literal) => {
        include_str!(concat!("../../../../crates/kem-keys/tests/vectors/ml-kem-", $file))
    };
}

pub fn check(report: &mut Report) {
    for (public, private) in [
        (key!("512.pub"), key!("512-both.priv")),
        (key!("768.pub"), key!("768-both.priv")),
        (key!("1024.pub"), key!("1024-both.priv")),
    ] {
        let key = PublicKey::from_pem(public).expect("a key");
        report.clean(&format!("kem-keys/{}", key.set().name()), || {
            let mut text = private.to_owned();
            // SAFETY: nothing is written.
            let lines = unsafe { text.as_bytes_mut() }.split_mut(|&byte| byte == b'\n');
            lines.filter(|line| line.first().is_some_and(|&byte| byte != b'-')).for_each(poison);
            accepted(&key.secret_from_pem(&text).expect("its secret"));
        });
    }
    // It is public that the key is well formed.
    report.clean("zk-keys/ML-KEM-512", || {
        let public = PublicKey::from_pem(key!("512.pub")).expect("a key");
        let mut keys = KeyList::new(Set::MlKem512, b"");
        keys.push(b"", public.as_bytes()).expect("a key");
        // The seed of RFC 9935's examples.
        let seed: Vec<u8> = (0..64).collect();
        let secret = keys.secret(0, &secret(seed)).expect("its secret");
        black_box(prove(&keys, &[secret]).expect("well formed"));
    });
    for set in Set::ALL.into_iter().filter(|set| !set.is_ml_kem()) {
        report.clean(&format!("kem-keys/{}", set.name()), || {
            // t = A 0 + 0.
            let (public, mut private) = (vec![0; set.public_len()], vec![0; set.secret_len()]);
            let key = PublicKey::from_bytes(set, &public).expect("a key");
            let hash = &mut private[set.secret_len() - set.hash_len()..];
            if set.blocks() == 640 {
                Shake128::digest_xof(&public, hash);
            } else {
                Shake256::digest_xof(&public, hash);
            }
            accepted(&key.secret(&secret(private)).expect("its secret"));
        });
    }
}

fn accepted(secret: &Secret) {
    still_secret(secret.s());
    still_secret(secret.e());
}
