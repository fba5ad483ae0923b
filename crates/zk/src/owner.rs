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
