//! A list as a family of keys, and what a proof of it needs besides.

use std::borrow::Cow;
use std::sync::Arc;

use sha3::{Digest, Sha3_256};
use tautochrone_ctr::{Label, Seed};
use tautochrone_kem_keys::Secret;
use tautochrone_kem_keys::frodo::COLUMNS;
use tautochrone_kem_keys::ml_kem::DEGREE;
use tautochrone_zk::argument::{Family, FamilyShape, Layout, Relation};
use tautochrone_zk::{CustomParams, Error};
use zeroize::Zeroizing;

use super::{Key, KeyList, LARGEST_LIFT, Set};
use crate::proof::{List, hash};

/// Of a matrix given by columns.
fn by_rows<T: Copy>(columns: &[T]) -> impl Iterator<Item = T> + '_ {
    let rows = columns.len() / COLUMNS;
    (0..rows).flat_map(move |row| (0..COLUMNS).map(move |column| columns[column * rows + row]))
}

impl List for KeyList {
    type Secret = Secret;

    fn len(&self) -> usize {
        self.keys.len()
    }

    /// How many lifts there are. Without one some carry of a FrodoKEM key is wider than a byte with
    /// probability 2^-29 an entry; it fits with one lift of four.
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
        let len = self.set.shape().secrets_len();
        let mut all = Zeroizing::new(Vec::with_capacity(len * secrets.len()));
        for secret in secrets {
            match self.set {
                Set::MlKem(_) => all.extend_from_slice(secret.s()),
                Set::Frodo(_) => all.extend(by_rows(secret.s())),
            }
        }
        all
    }

    fn optimised(&self, lift: u8) -> Result<(Relation, CustomParams), Error> {
        Relation::optimise(Arc::new(self.lifted(lift)))
    }

    fn in_layout(&self, layout: &Layout, lift: u8) -> Result<Relation, Error> {
        Relation::with_layout(Arc::new(self.lifted(lift)), layout)
    }
}

impl Family for KeyList {
    fn shape(&self) -> FamilyShape {
        let mut shape = self.set.shape();
        if self.lift > 0 {
            // A carry has 1/12 of the variance of all secrets of a row, and d has (31^2 - 1)
            // / 12.
            let squares = (2 * LARGEST_LIFT as u64 + 1).pow(2) - 1;
            shape.secret_variance += 1_000_000 * squares / u64::from(shape.columns);
        }
        shape
    }

    fn instances(&self) -> u64 {
        self.keys.len() as u64
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        let key = self.key(instance).as_bytes();
        if self.lift == 0 { key.into() } else { [key, &[self.lift]].concat().into() }
    }

    fn target(&self, instance: u64, out: &mut [i32]) {
        match self.key(instance) {
            Key::MlKem(key) => out.iter_mut().zip(key.t()).for_each(|(out, &t)| *out = t.into()),
            Key::Frodo(key) => {
                out.iter_mut().zip(by_rows(key.t())).for_each(|(out, t)| *out = t.into());
            }
        }
        if self.lift > 0 {
            let key = Sha3_256::digest(self.encoding(instance));
            let mut bytes = vec![0; out.len()];
            Seed::from_bytes(key.into()).stream(Label::new("keys: lift"), 0).fill(&mut bytes);
            let modulus = self.shape().modulus as i32;
            for (out, byte) in out.iter_mut().zip(bytes) {
                *out += modulus * (((2 * LARGEST_LIFT + 1) * i32::from(byte) >> 8) - LARGEST_LIFT);
            }
        }
    }

    fn rows(&self, instance: u64, see: &mut dyn FnMut(usize, &[i16])) {
        match self.key(instance) {
            Key::MlKem(key) => {
                let rank = key.set().rank();
                let mut row = [0; 4 * DEGREE];
                for i in 0..rank {
                    for (j, out) in row.chunks_exact_mut(DEGREE).take(rank).enumerate() {
                        out.copy_from_slice(&key.polynomial(i, j));
                    }
                    see(i, &row[..rank * DEGREE]);
                }
            }
            Key::Frodo(key) => {
                let mut row = vec![0; key.set().rows()];
                for i in 0..row.len() {
                    key.row(i, &mut row);
                    see(i, &row);
                }
            }
        }
    }
}
