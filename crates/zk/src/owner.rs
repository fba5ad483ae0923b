//! [`OwnerDigest`]: how a prover knows a T that it computed itself from one that was altered.
//!
//! Pads of arguments are rows of S, and their challenges come from T. About a T* that differs from
//! A S in a single bit, a prover would answer other challenges under the same pads, and two answers
//! show what the pads were to hide (docs/protocol.md, section 13). So every argument compares T with
//! S before anything of it is returned.

use core::fmt;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use crate::commit;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::PublicMatrix;
use crate::statement::Statement;
use crate::witness::WitnessSource;
use crate::witness::digest::WitnessDigest;

/// H("owner", H(S), D) of a witness S and the statement T = A S, in no context: what
/// [`commit`](PublicMatrix::commit) leaves in the [`Statement`] that it returns, and what an owner
/// stores beside S to prove about a statement file later without multiplying again.
///
/// Secret as S is: whoever knows it can test guesses of all of S.
#[derive(Clone)]
pub struct OwnerDigest(Zeroizing<[u8; 32]>);

impl fmt::Debug for OwnerDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerDigest([REDACTED])")
    }
}

impl OwnerDigest {
    /// `s` is H(S).
    fn new(statement: &Statement, s: &Digest) -> Self {
        let hasher = Hasher::new(statement.params().domain(), "owner").field(s.as_bytes());
        Self(Zeroizing::new(hasher.field(statement.digest(b"").as_bytes()).finish_key()))
    }

    /// The digest as it is stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest as it was stored.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// # Constant time
    /// In both, but for the verdict.
    fn is(&self, other: &Self) -> bool {
        let pairs = self.0.iter().zip(other.0.iter());
        declassify(pairs.fold(0, |difference, (x, y)| difference | (x ^ y))) == 0
    }
}

/// What is known of who computed T.
#[derive(Clone, Debug, Default)]
pub(crate) enum Owner {
    /// Nothing: a prover multiplies A by S and compares.
    #[default]
    Unknown,
    /// The witness of this digest alone.
    Digest(OwnerDigest),
    /// This process, from columns that it has compared already and others that it made itself.
    Compared,
}

impl Statement {
    /// What its owner stores with the witness, if this process made the statement or was
    /// [given it](Self::with_owner_digest).
    #[must_use]
    pub fn owner_digest(&self) -> Option<&OwnerDigest> {
        match self.owner() {
            Owner::Digest(digest) => Some(digest),
            _ => None,
        }
    }

    /// The statement with the digest that its owner stored. Provers of arguments then answer for the
    /// witness of this digest, about the T of this digest, and refuse all others by
    /// [`Error::ForeignWitness`]; without it they compute A S once more to compare, which takes two
    /// to three times as long as a proof.
    #[must_use]
    pub fn with_owner_digest(self, digest: OwnerDigest) -> Self {
        self.with_owner(Owner::Digest(digest))
    }

    /// The statement of which the caller computed T = A S itself, from the S of this digest.
    #[must_use]
    pub fn owned_by(self, s: &WitnessDigest) -> Self {
        let digest = OwnerDigest::new(&self, &s.finish(self.params()));
        self.with_owner_digest(digest)
    }

    /// Whether H(S) is what the statement has the owner's digest of, if it has one.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`].
    pub(crate) fn check_owner_digest(&self, s: &Digest) -> Result<(), Error> {
        match self.owner() {
            Owner::Digest(digest) if !digest.is(&OwnerDigest::new(self, s)) => {
                Err(Error::ForeignWitness)
            }
            _ => Ok(()),
        }
    }

    /// That T = A S, of which H(S) is given: what an argument needs before anything of it is
    /// returned.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`]; those of reading S or of a device, where nothing is known of who
    /// computed T.
    pub(crate) fn check_owner(
        &self,
        matrix: &PublicMatrix,
        witness: &dyn WitnessSource,
        s: &Digest,
    ) -> Result<(), Error> {
        let unknown = matches!(self.owner(), Owner::Unknown);
        if unknown && commit::hashes(matrix, witness)? != self.block_hashes() {
            return Err(Error::ForeignWitness);
        }
        self.check_owner_digest(s)
    }

    /// The same for coordinators, of which nobody has all of S.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`], also where nothing is known of who computed T.
    pub(crate) fn check_owner_known(&self, s: &Digest) -> Result<(), Error> {
        match self.owner() {
            Owner::Unknown => Err(Error::ForeignWitness),
            _ => self.check_owner_digest(s),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use alloc::vec::Vec;

    use tautochrone_ctr::Seed;

    use super::*;
    use crate::params::{CustomParams, Security};
    use crate::witness::RandomWitness;

    /// Every prover of an argument, `prove`, answers about the statement of its witness alone: of
    /// its file with one bit altered nothing is returned, whether or not it has an owner's digest;
    /// of the file itself it makes the same proof with that digest and without.
    pub(crate) fn check_prover(
        statement: &Statement,
        file: &[u8],
        prove: impl Fn(&Statement, &Vec<u8>) -> Result<Vec<u8>, Error>,
    ) {
        let digest = statement.owner_digest().unwrap();
        let load = |file: &Vec<u8>| Statement::load(file, Security::Waived).unwrap();
        let own = file.to_vec();
        let expected = prove(&load(&own), &own).unwrap();
        let stored = OwnerDigest::from_bytes(*digest.as_bytes());
        assert!(prove(&load(&own).with_owner_digest(stored), &own).unwrap() == expected);
        // The lowest published bit of one word of the first and of the last column.
        let size = statement.params().column_bytes();
        for place in [file.len() - size, 256] {
            let mut altered = own.clone();
            altered[place] ^= 1;
            for digest in [None, Some(digest.clone())] {
                let statement = load(&altered);
                let statement = match digest {
                    Some(digest) => statement.with_owner_digest(digest),
                    None => statement,
                };
                let result = prove(&statement, &altered);
                assert!(matches!(result, Err(Error::ForeignWitness)), "byte {place}");
            }
        }
    }

    /// A digest is one of a witness and of a statement, and is not printed.
    #[test]
    fn digests_name_both() {
        let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
        let params = custom.validate(Security::Waived).unwrap();
        let of = |a: u8, s: u8| {
            let matrix = PublicMatrix::new(&params, [a; 32]);
            let witness = RandomWitness::new(Seed::from_bytes([s; 32]));
            matrix.commit(&witness, &mut Vec::new()).unwrap()
        };
        let all = [of(1, 1), of(1, 2), of(2, 1)];
        for (i, statement) in all.iter().enumerate() {
            let digest = statement.owner_digest().unwrap();
            assert!(all[..i].iter().all(|other| !digest.is(other.owner_digest().unwrap())));
            assert!(alloc::format!("{statement:?}").contains("OwnerDigest([REDACTED])"));
        }
        assert!(all[0].owner_digest().unwrap().is(of(1, 1).owner_digest().unwrap()));
    }
}
