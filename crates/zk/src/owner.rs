//! [`OwnerDigest`]: how a prover knows a T that it computed itself from one that was altered.
//!
//! Pads of arguments are rows of S, and their challenges come from T. About a T* that differs from
//! A S in a single bit, a prover would answer other challenges under the same pads, and two answers
//! show what the pads were to hide (docs/protocol.md, section 12). So every argument compares T with
//! S before anything of it is returned.

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use crate::erase::redacted;
use crate::hash::{Digest, Hasher};
use crate::suite::HashSuite;

/// H("owner", H(S), D) of a witness S and the statement T = A S, in no context.
#[derive(Clone)]
pub(crate) struct OwnerDigest(Zeroizing<[u8; 32]>);

redacted!("OwnerDigest", OwnerDigest);

impl OwnerDigest {
    /// Of H(S) and D.
    pub(crate) fn new(suite: HashSuite, s: &Digest, d: &Digest) -> Self {
        let hasher = Hasher::new(suite, "owner").field(s.as_bytes()).field(d.as_bytes());
        Self(Zeroizing::new(hasher.finish_key()))
    }

    /// The digest as it is stored.
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest as it was stored.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// # Constant time
    /// In both, but for the verdict.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let pairs = self.0.iter().zip(other.0.iter());
        declassify(pairs.fold(0, |difference, (x, y)| difference | (x ^ y))) == 0
    }
}

/// The known origin of T.
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
