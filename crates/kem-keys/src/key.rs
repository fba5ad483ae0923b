//! [`PublicKey`].

use alloc::vec::Vec;

use aes::Aes128Enc;
use tautochrone_simd::declassify_slice;

use crate::error::Error;
use crate::secret::Secret;
use crate::set::Set;
use crate::{frodo, ml_kem};

/// A public key: t, and the seed of A.
#[derive(Clone)]
pub struct PublicKey {
    pub(crate) set: Set,
    pub(crate) bytes: Vec<u8>,
    pub(crate) t: Vec<i16>,
    /// The cipher of A's seed, for the sets with AES.
    pub(crate) aes: Option<Aes128Enc>,
}

impl PublicKey {
    /// Reads a canonical encoding; of FrodoKEM, every string of the right length is one.
    ///
    /// # Errors
    /// [`Error::PublicLength`]; [`Error::Coefficient`] of ML-KEM.
    pub fn from_bytes(set: Set, bytes: &[u8]) -> Result<Self, Error> {
        let (found, expected) = (bytes.len(), set.public_len());
        if found != expected {
            return Err(Error::PublicLength { set: set.name(), found, expected });
        }
        let (t, aes) =
            if set.is_ml_kem() { (ml_kem::t(set, bytes)?, None) } else { frodo::t(set, bytes) };
        Ok(Self { set, bytes: bytes.to_vec(), t, aes })
    }

    /// The parameter set.
    #[must_use]
    pub fn set(&self) -> Set {
        self.set
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// t, which the standard of FrodoKEM calls B: its blocks one after the other, entries in
    /// [-q / 2, q / 2).
    #[must_use]
    pub fn t(&self) -> &[i16] {
        &self.t
    }

    /// Row `i` of A, with t = A s + e, entries in [-q / 2, q / 2): expanded anew by each call. Of
    /// ML-KEM it is polynomials, one after the other.
    ///
    /// # Panics
    /// Unless `i` is the number of a [block](Set::blocks) and `row` has [`Set::row_len`] entries.
    pub fn row(&self, i: usize, row: &mut [i16]) {
        let set = self.set;
        assert!(i < set.blocks() && row.len() == set.row_len(), "A has as many rows as t");
        if set.is_ml_kem() {
            ml_kem::row(self, i, row);
        } else {
            frodo::row(self, i, row);
        }
    }

    /// s and e of the secret key `sk`, which has to be the one of this key: in the standard
    /// encoding, or for ML-KEM the seed (d, z), of which z may be anything.
    ///
    /// # Constant time
    /// In the secret key. Whether it is refused, and why, is public.
    ///
    /// # Errors
    /// [`Error::SecretLength`], [`Error::OtherPublicKey`], [`Error::Hash`], [`Error::Secret`],
    /// [`Error::Mismatch`].
    pub fn secret(&self, sk: &[u8]) -> Result<Secret, Error> {
        if self.set.is_ml_kem() { ml_kem::secret(self, sk) } else { frodo::secret(self, sk) }
    }

    pub(crate) fn secret_length(&self, found: usize, seed: Option<usize>) -> Error {
        Error::SecretLength { set: self.set.name(), found, expected: self.set.secret_len(), seed }
    }

    /// Compares what a secret key contains of its public key.
    pub(crate) fn check_contained(
        &self,
        public: &[u8],
        hash: &[u8],
        own_hash: &[u8],
    ) -> Result<(), Error> {
        declassify_slice(public);
        declassify_slice(hash);
        if public != self.bytes {
            return Err(Error::OtherPublicKey);
        }
        if hash == own_hash { Ok(()) } else { Err(Error::Hash) }
    }
}

/// Of one set with one encoding.
impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        (self.set, &self.bytes) == (other.set, &other.bytes)
    }
}

impl Eq for PublicKey {}

impl core::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PublicKey").field("set", &self.set).finish_non_exhaustive()
    }
}
