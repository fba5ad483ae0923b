//! A list as a family of keys, and what a proof of it needs besides.

use std::borrow::Cow;

use tautochrone_kem_keys::Secret;
use tautochrone_kem_keys::frodo::COLUMNS;
use tautochrone_kem_keys::ml_kem::DEGREE;
use tautochrone_zk::argument::{Coefficient, Family, FamilyShape};
use zeroize::Zeroizing;

use super::{Key, KeyList, Set};
use crate::proof::{List, hash};

/// Of a matrix given by columns.
fn by_rows(columns: &[i8]) -> impl Iterator<Item = i8> + '_ {
    let rows = columns.len() / COLUMNS;
    (0..rows).flat_map(move |row| (0..COLUMNS).map(move |column| columns[column * rows + row]))
}

impl List for KeyList {
    type Secret = Secret;

    /// Without one some carry of a FrodoKEM key is wider than a byte with probability 2^-29 an entry;
    /// it fits with one lift of four.
    fn lifts(&self) -> u8 {
        match self.set {
            Set::MlKem(_) => 1,
            Set::Frodo(_) => 32,
        }
    }

    /// The context of a proof: SHA3-256 of the purpose, the number of keys, and of each the
    /// identity and the encoding.
    fn context(&self) -> [u8; 32] {
        let count = (self.keys.len() as u64).to_le_bytes();
        let list = [&b"tautochrone keys"[..], self.set.name().as_bytes(), &self.purpose, &count];
        let keys = self.keys.iter();
        hash(list.into_iter().chain(keys.flat_map(|(identity, key)| [identity, key.as_bytes()])))
    }

    /// Secrets as the relation has them: of FrodoKEM a matrix by rows, of which keys have columns.
    fn unknowns(&self, secrets: &[Secret]) -> Zeroizing<Vec<i8>> {
        let len = self.set.shape().unknowns_len();
        let mut all = Zeroizing::new(Vec::with_capacity(len * secrets.len()));
        for secret in secrets {
            match self.set {
                Set::MlKem(_) => all.extend_from_slice(secret.s()),
                Set::Frodo(_) => all.extend(by_rows(secret.s())),
            }
        }
        all
    }
}

impl Family for KeyList {
    fn shape(&self) -> FamilyShape {
        self.set.shape()
    }

    fn instances(&self) -> u64 {
        self.keys.len() as u64
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        self.key(instance).as_bytes().into()
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        match self.key(instance) {
            Key::MlKem(key) => {
                let polynomial = &key.t()[row * DEGREE..];
                out.iter_mut().zip(polynomial).for_each(|(out, &t)| *out = t.into());
            }
            Key::Frodo(key) => {
                let columns = key.t().chunks_exact(key.set().rows());
                out.iter_mut().zip(columns).for_each(|(out, column)| *out = column[row].into());
            }
        }
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        match self.key(instance) {
            Key::MlKem(key) => {
                let rank = key.set().rank();
                let mut entries = [0; 4 * DEGREE];
                for (j, out) in entries.chunks_exact_mut(DEGREE).take(rank).enumerate() {
                    out.copy_from_slice(&key.polynomial(row, j));
                }
                see(0, Coefficient::Row(&entries[..rank * DEGREE]));
            }
            Key::Frodo(key) => {
                let mut entries = vec![0; key.set().rows()];
                key.row(row, &mut entries);
                see(0, Coefficient::Row(&entries));
            }
        }
    }
}
