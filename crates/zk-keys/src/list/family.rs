//! A list as a family of keys, and what a proof of it needs besides.

use std::borrow::Cow;

use tautochrone_kem_keys::Secret;
use tautochrone_zk::argument::{Coefficient, Family, FamilyShape};

use super::{KeyList, shape};
use crate::proof::{List, hash};

impl List for KeyList {
    type Secret = Secret;

    /// Without one some carry of a FrodoKEM key is wider than a byte with probability 2^-29 an
    /// entry; it fits with one lift of four.
    fn lifts(&self) -> u8 {
        if self.set.is_ml_kem() { 1 } else { 32 }
    }

    /// The context of a proof: SHA3-256 of the purpose, the number of keys, and of each the
    /// identity and the encoding.
    fn context(&self) -> [u8; 32] {
        let count = (self.keys.len() as u64).to_le_bytes();
        let list = [&b"tautochrone keys"[..], self.set.name().as_bytes(), &self.purpose, &count];
        let keys = self.keys.iter();
        hash(list.into_iter().chain(keys.flat_map(|(identity, key)| [identity, key.as_bytes()])))
    }

    fn unknowns(secret: &Secret) -> &[i8] {
        secret.s()
    }
}

impl Family for KeyList {
    fn shape(&self) -> FamilyShape {
        shape(self.set)
    }

    fn instances(&self) -> u64 {
        self.keys.len() as u64
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        self.key(instance).as_bytes().into()
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let block = &self.key(instance).t()[row * out.len()..];
        out.iter_mut().zip(block).for_each(|(out, &t)| *out = t.into());
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        let mut entries = vec![0; self.set.row_len()];
        self.key(instance).row(row, &mut entries);
        see(0, Coefficient::Row(&entries));
    }
}
