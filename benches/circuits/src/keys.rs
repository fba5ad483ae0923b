//! Lists of ML-KEM-512 keys, proved here.

use std::time::{Duration, Instant};

use ml_kem::{DecapsulationKey, KeyExport, MlKem512};
use tautochrone_kem_keys::Secret;
use tautochrone_kem_keys::ml_kem::{EncapsulationKey, Set};
use tautochrone_zk_keys::{self as zk_keys, KeyList};

use crate::times::Times;

/// Keys with their secrets.
pub(crate) struct Keys {
    list: KeyList,
    pub(crate) public: Vec<EncapsulationKey>,
    pub(crate) secrets: Vec<Secret>,
}

impl Keys {
    pub(crate) fn new(count: u32) -> Self {
        let list = KeyList::new(zk_keys::Set::MlKem(Set::MlKem512), b"");
        let mut keys = Self { list, public: Vec::new(), secrets: Vec::new() };
        for index in 0..count {
            let mut seed = ml_kem::Seed::default();
            seed[..4].copy_from_slice(&index.to_le_bytes());
            let bytes =
                DecapsulationKey::<MlKem512>::from_seed(seed).encapsulation_key().to_bytes();
            let public = EncapsulationKey::from_bytes(Set::MlKem512, &bytes).expect("a key");
            keys.secrets.push(public.secret(&seed).expect("its secret"));
            keys.list.push(&index.to_le_bytes(), &bytes).expect("a key");
            keys.public.push(public);
        }
        keys
    }

    /// One proof, with the search of parameters, and its check.
    pub(crate) fn run(&self) -> Times {
        let start = Instant::now();
        let proof = zk_keys::prove(&self.list, &self.secrets).expect("well formed");
        let prove = start.elapsed();
        let start = Instant::now();
        zk_keys::verify(&self.list, &proof).expect("valid");
        let bytes = [proof.statement.len(), proof.proof.len()];
        Times { commit: Duration::ZERO, prove, verify: start.elapsed(), bytes }
    }
}
